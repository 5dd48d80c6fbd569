// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme.h"

#include <QImage>
#include <QString>

namespace ui {

/// The figure of that id (`core::figureIds`), drawn in the theme's colours; a null image when there is none. `scale`
/// is the screen's pixels to a logical one.
QImage figure(const QString& id, const Theme& theme, qreal scale);

} // namespace ui
