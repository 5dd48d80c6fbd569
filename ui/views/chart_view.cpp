// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/chart_view.h"

#include "ui/theme.h"

#include <QChart>
#include <QFocusEvent>
#include <QPainter>

namespace ui {

ChartView::ChartView(QWidget* parent) : QChartView(parent)
{
    setFrameShape(QFrame::NoFrame);
    setRenderHint(QPainter::Antialiasing);
    setViewportUpdateMode(QGraphicsView::FullViewportUpdate);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
}

void ChartView::takeChart(QChart* chart)
{
    QChart* born = this->chart();
    setChart(chart);
    delete born; // setChart gives it back to us
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
