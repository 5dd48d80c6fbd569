// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/chart_view.h"

#include <QChart>
#include <QEvent>
#include <QPainter>

namespace ui {

ChartView::ChartView(QWidget* parent) : QChartView(parent)
{
    setFrameShape(QFrame::NoFrame);
    setRenderHint(QPainter::Antialiasing);
    setViewportUpdateMode(QGraphicsView::FullViewportUpdate);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::NoFocus);
}

void ChartView::take(MemoryChart& chart, const char* name, const QString& title)
{
    QChart* born = this->chart();
    setChart(chart.chart());
    delete born; // setChart gives it back to us
    m_taken = &chart;
    setObjectName(QString::fromLatin1(name));
    setAccessibleName(title);
    setTheme();
}

void ChartView::takeInput()
{
    setMouseTracking(true);
    viewport()->setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
}

void ChartView::setTheme()
{
    const Theme& theme = Theme::of(palette());
    m_taken->setTheme(theme);
    setBackgroundBrush(theme.color(Role::Page));
}

void ChartView::changeEvent(QEvent* event)
{
    QChartView::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_taken != nullptr)
        setTheme();
}

void ChartView::drawForeground(QPainter* painter, const QRectF& rect)
{
    QChartView::drawForeground(painter, rect);
    if (!hasFocus())
        return;
    painter->setPen(QPen(Theme::of(palette()).color(Role::Accent), 2));
    painter->setBrush(Qt::NoBrush);
    painter->drawRoundedRect(sceneRect().adjusted(1, 1, -1, -1), 3, 3);
}

void ChartView::focusInEvent(QFocusEvent* event)
{
    QChartView::focusInEvent(event);
    viewport()->update();
}

void ChartView::focusOutEvent(QFocusEvent* event)
{
    QChartView::focusOutEvent(event);
    viewport()->update();
}

} // namespace ui
