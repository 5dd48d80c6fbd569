// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sizing/evaluate.h"
#include "ui/charts/growth_chart.h"
#include "ui/charts/memory_chart.h"

#include <QSizeF>
#include <QString>

#include <memory>
#include <span>

class QGraphicsScene;

namespace ui {

/// A chart that was drawn for a file, and the unit of its numbers.
struct DrawnChart {
    std::unique_ptr<MemoryChart> chart;
    ChartUnit unit;
};

/// A chart that can be copied and exported. The view that shows it calls its widget by the same name.
struct Picture {
    const char* name;        ///< "growth": on the command line, and the file that is proposed
    const char* title;       ///< above the picture; %1 is the unit
    const char* exportTitle; ///< of the dialog
    const char* exportEntry; ///< in the File menu
    const char* copyEntry;   ///< in the Edit menu: copies the picture
    const char* copyNumbers; ///< in the Edit menu: copies its table
    /// Draws the chart into a scene, in the given size.
    DrawnChart (*draw)(QGraphicsScene& scene, const QSizeF& size, const Theme& theme,
                       const core::Evaluation& evaluation, const GrowthOptions& options);
};

/// All pictures: a new one is a row here.
std::span<const Picture> pictures();

/// The picture of that name; nullptr: there is none.
const Picture* pictureOf(const QString& name);

/// "Where the memory goes, GiB"
QString titleOf(const Picture& picture, const ChartUnit& unit);

/// A text of the table in the user's language.
QString pictureText(const char* text);

} // namespace ui
