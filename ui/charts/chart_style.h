// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme.h"

class QAbstractAxis;
class QChart;

namespace ui {

/// Takes away what Qt Charts adds by default (margins, legend, title, gradient) and paints the page in the theme.
void styleChart(QChart& chart, const Theme& theme);

/// Quiet axes: small muted labels, thin grid lines.
void styleAxis(QAbstractAxis& axis, const Theme& theme);

/// printf format of a GiB axis with the given step: as few decimals as tell its ticks apart.
const char* gibFormat(double step);

/// Room around the plots, in pixels, at the default font: both charts use the same rows.
inline constexpr int kPlotTop = 12;
inline constexpr int kPlotBottom = 40;
inline constexpr int kPlotLeft = 44;

} // namespace ui
