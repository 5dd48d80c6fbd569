// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_style.h"

#include <QAbstractAxis>
#include <QChart>
#include <QGraphicsLayout>
#include <QLegend>

namespace ui {

void styleChart(QChart& chart, const Theme& theme)
{
    chart.legend()->hide();
    chart.setMargins({});
    chart.layout()->setContentsMargins(0, 0, 0, 0);
    chart.setBackgroundRoundness(0);
    chart.setBackgroundPen(Qt::NoPen);
    chart.setBackgroundBrush(theme.color(Role::Page));
}

void styleAxis(QAbstractAxis& axis, const Theme& theme)
{
    axis.setLabelsFont(fontOf(Type::Caption));
    axis.setLabelsBrush(theme.color(Role::Muted));
    axis.setLinePen(QPen(theme.color(Role::Grid), 1));
    axis.setGridLinePen(QPen(theme.color(Role::Grid), 1));
}

void placePlot(QChart& chart, const QRectF& plot)
{
    chart.setPlotArea(plot);
    chart.layout()->invalidate();
    chart.layout()->activate();
}

} // namespace ui
