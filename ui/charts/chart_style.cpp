// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_style.h"

#include "ui/charts/annotations.h"

#include <QChart>
#include <QFontMetricsF>
#include <QGraphicsLayout>
#include <QLegend>
#include <QValueAxis>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace ui {

namespace {

constexpr double kLabelWidth = 72;
constexpr double kLabelHeight = 16;
constexpr double kLabelGap = 8; ///< pixels that two labels are apart at least

} // namespace

double onPixel(double place)
{
    return std::floor(place) + 0.5;
}

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

std::vector<Tick> ticksThatFit(const std::vector<Tick>& ticks, const QString& unit,
                               const std::function<double(double)>& place)
{
    const QFontMetricsF metrics(fontOf(Type::Caption));
    for (std::size_t every = 1;; every *= 2) {
        std::vector<Tick> fitting;
        for (std::size_t i = 0; i < ticks.size(); i += every)
            fitting.push_back(ticks[i]);
        if (!fitting.empty() && !unit.isEmpty())
            fitting.back().label += QLatin1Char(' ') + unit;
        double end = std::numeric_limits<double>::lowest();
        const bool fits = std::ranges::all_of(fitting, [&](const Tick& tick) {
            const double width = metrics.horizontalAdvance(tick.label);
            const double start = place(tick.place) - width / 2;
            return start >= std::exchange(end, start + width + kLabelGap);
        });
        if (fits || every >= ticks.size())
            return fitting;
    }
}

void addAxes(Annotations& layer, const QRectF& plot, const std::vector<Tick>& x, const std::vector<Tick>& y,
             const std::function<double(double)>& placeX, const std::function<double(double)>& placeY)
{
    std::vector<QLineF> lines;
    for (const Tick& tick : ticksThatFit(x, {}, placeX)) {
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
