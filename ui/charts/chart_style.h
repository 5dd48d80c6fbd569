// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme.h"

#include <QRectF>

class QAbstractAxis;
class QChart;

namespace ui {

/// Takes away what Qt Charts adds by default (margins, legend, title, gradient) and paints the page in the theme.
void styleChart(QChart& chart, const Theme& theme);

/// Quiet axes: small muted labels, thin grid lines.
void styleAxis(QAbstractAxis& axis, const Theme& theme);

/// Sets the plot's place and lays the axes out around it (setPlotArea alone leaves them where they were).
void placePlot(QChart& chart, const QRectF& plot);

/// Room around the plots, in pixels, at the default font: both charts use the same rows.
inline constexpr int kPlotTop = 12;
inline constexpr int kPlotBottom = 40;
inline constexpr int kPlotLeft = 44;

} // namespace ui
