// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sizing/evaluation.h"
#include "core/text/result.h"
#include "ui/charts/pictures.h"

#include <QByteArray>
#include <QSizeF>
#include <QString>

namespace ui {

/// How a chart is written.
struct ExportSettings {
    QSizeF size{1600, 900}; ///< in pixels, or in millimetres
    bool millimetres = false;
    int dpi = 96;      ///< pixels per inch of a PNG; how large text is against the picture
    bool dark = false; ///< the dark theme instead of the one for print
    QString title;     ///< empty: the chart's own
    GrowthOptions growth;
};

/// Reads "1600x900" (pixels) or "174x100mm" into the settings. Widths and heights of 160 to 20,000 pixels.
core::Result<void> readSize(const QString& text, ExportSettings& settings);

/// The file's bytes: "png", "svg", "pdf" or "csv". The chart is built as it is for the screen; title and unit stand
/// above it, the scenario, the date and the program's version below. The date is that of SOURCE_DATE_EPOCH when it is
/// set.
core::Result<QByteArray> renderPicture(const Picture& picture, const core::Evaluation& evaluation,
                                       const ExportSettings& settings, const QString& format);

/// Writes the chart in the format of the path's ending, whole or not at all.
core::Result<void> exportPicture(const Picture& picture, const core::Evaluation& evaluation,
                                 const ExportSettings& settings, const QString& path);

} // namespace ui
