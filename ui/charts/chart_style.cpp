// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_style.h"

#include "ui/charts/annotations.h"

#include <QChart>
#include <QGraphicsLayout>
#include <QLegend>
#include <QValueAxis>

#include <cmath>
#include <utility>

namespace ui {

namespace {

constexpr double kLabelWidth = 72;
constexpr double kLabelHeight = 16;

double onPixel(double place)
{
    return std::floor(place) + 0.5;
}

} // namespace

void styleChart(QChart& chart, const Theme& theme)
{
    chart.legend()->hide();
    chart.setMargins({});
    chart.layout()->setContentsMargins(0, 0, 0, 0);
    chart.setBackgroundRoundness(0);
    chart.setBackgroundPen(Qt::NoPen);
    chart.setBackgroundBrush(theme.color(Role::Page));
}

QValueAxis* rangeAxis(QChart& chart, Qt::Alignment side)
{
    auto* axis = new QValueAxis;
    axis->setVisible(false);
    chart.addAxis(axis, side);
    return axis;
}

void addAxes(Annotations& layer, const QRectF& plot, const std::vector<Tick>& x, const std::vector<Tick>& y,
             const std::function<double(double)>& placeX, const std::function<double(double)>& placeY)
{
    std::vector<QLineF> lines;
    for (const Tick& tick : x) {
        const double at = onPixel(placeX(tick.place));
        lines.emplace_back(at, plot.top(), at, plot.bottom());
        layer.addCaption(tick.label, QRectF(at - kLabelWidth / 2, plot.bottom() + 4, kLabelWidth, kLabelHeight),
                         Qt::AlignHCenter | Qt::AlignTop);
    }
    for (const Tick& tick : y) {
        const double at = onPixel(placeY(tick.place));
        lines.emplace_back(plot.left(), at, plot.right(), at);
        layer.addCaption(tick.label,
                         QRectF(plot.left() - kLabelWidth - 6, at - kLabelHeight / 2, kLabelWidth, kLabelHeight),
                         Qt::AlignRight | Qt::AlignVCenter);
    }
    layer.addCrispLines(std::move(lines), Role::Grid);
}

} // namespace ui
