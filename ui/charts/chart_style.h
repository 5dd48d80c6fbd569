// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/chart_scale.h"
#include "ui/theme.h"

#include <QRectF>

#include <functional>
#include <vector>

class QChart;
class QValueAxis;

namespace ui {

class Annotations;

/// Takes away what Qt Charts adds by default (margins, legend, title, gradient) and paints the page in the theme.
void styleChart(QChart& chart, const Theme& theme);

/// A hidden axis that only carries the range. Grid and tick labels are written by `addAxes`: Qt Charts paints them as
/// antialiased items and rich texts, which would cost more than all else on the chart, and knows printf formats only.
QValueAxis* rangeAxis(QChart& chart, Qt::Alignment side);

/// The ticks of a level axis, or every second, fourth, ... of them, so that no labels touch. The last one is followed
/// by `unit`, where there is one. `place` turns a tick's place into pixels.
std::vector<Tick> ticksThatFit(const std::vector<Tick>& ticks, const QString& unit,
                               const std::function<double(double)>& place);

/// The middle of the pixel at `place`, where a thin line is sharp.
double onPixel(double place);

/// Grid lines and tick labels in `layer`: `x` below the plot (empty: none), `y` to its left. `placeX` and `placeY` turn
/// a tick's place into pixels.
void addAxes(Annotations& layer, const QRectF& plot, const std::vector<Tick>& x, const std::vector<Tick>& y,
             const std::function<double(double)>& placeX, const std::function<double(double)>& placeY);

/// Room around the plots, in pixels, at the default font: both charts use the same rows.
inline constexpr int kPlotTop = 12;
inline constexpr int kPlotBottom = 40;
inline constexpr int kPlotLeft = 44;

} // namespace ui
