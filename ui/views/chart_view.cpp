// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/chart_view.h"

#include <QChart>

namespace ui {

ChartView::ChartView(QChart* chart, QWidget* parent) : QChartView(chart, parent)
{
    setFrameShape(QFrame::NoFrame);
    setRenderHint(QPainter::Antialiasing);
    setViewportUpdateMode(QGraphicsView::FullViewportUpdate);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::NoFocus);
}

} // namespace ui
