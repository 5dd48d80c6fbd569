// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/bare_window.h"

#include <QBarCategoryAxis>
#include <QBarSet>
#include <QChart>
#include <QChartView>
#include <QLegend>
#include <QLineSeries>
#include <QStackedBarSeries>
#include <QValueAxis>

namespace bench {

BareWindow::BareWindow(const QSize& size, const QSize& growth, const QSize& budget)
    : m_growthView(new QChartView(this)),
      m_budgetView(new QChartView(this)),
      m_x(new QValueAxis),
      m_y(new QValueAxis),
      m_barY(new QValueAxis)
{
    QChart* lines = m_growthView->chart();
    lines->addAxis(m_x, Qt::AlignBottom);
    lines->addAxis(m_y, Qt::AlignLeft);
    for (int i = 0; i < 4; ++i) {
        auto* line = new QLineSeries;
        lines->addSeries(line);
        line->attachAxis(m_x);
        line->attachAxis(m_y);
        m_lines.append(line);
    }
    QChart* bars = m_budgetView->chart();
    auto* series = new QStackedBarSeries;
    for (int i = 0; i < 5; ++i) {
        auto* set = new QBarSet(QString::number(i));
        set->append(1);
        series->append(set);
        m_sets.append(set);
    }
    bars->addSeries(series);
    auto* category = new QBarCategoryAxis;
    category->append(QStringLiteral(" "));
    bars->addAxis(category, Qt::AlignBottom);
    bars->addAxis(m_barY, Qt::AlignLeft);
    series->attachAxis(category);
    series->attachAxis(m_barY);
    for (QChartView* view : {m_growthView, m_budgetView}) {
        view->chart()->legend()->hide();
        view->setRenderHint(QPainter::Antialiasing);
        view->setFrameShape(QFrame::NoFrame);
    }
    m_growthView->setObjectName(QStringLiteral("growth"));
    m_budgetView->setObjectName(QStringLiteral("budget"));
    m_growthView->setGeometry(QRect(QPoint(0, 0), growth));
    m_budgetView->setGeometry(QRect(QPoint(growth.width(), 0), budget));
    resize(size);
}

void BareWindow::step(const QList<QPointF>& cache, const QList<QPointF>& total, double context, double weights,
                      double capacity)
{
    m_lines[0]->replace({QPointF(0, weights), QPointF(context, weights)});
    m_lines[1]->replace({QPointF(0, capacity), QPointF(context, capacity)});
    m_lines[2]->replace(total);
    m_lines[3]->replace(cache);
    m_sets[0]->replace(0, weights);
    m_sets[1]->replace(0, cache.back().y() / 8);
    m_sets[2]->replace(0, cache.back().y() / 40);
    m_sets[3]->replace(0, 0);
    m_sets[4]->replace(0, 0);
}

void BareWindow::setRanges(double context, double top)
{
    m_x->setRange(0, context);
    m_y->setRange(0, top);
    m_barY->setRange(0, top);
}

} // namespace bench
