// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme.h"

#include <QImage>
#include <QString>

namespace ui {

/// Draws the figure with that id (`core::figureIds`) in the theme's colours; a null image when there is none. `scale`
/// is the number of the screen's pixels to a logical one.
QImage drawnFigure(const QString& id, const Theme& theme, qreal scale);

} // namespace ui
