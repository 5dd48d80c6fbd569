// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/chart_scale.h"
#include "ui/data_table.h"
#include "ui/theme.h"

#include <QObject>
#include <QRectF>

class QChart;

namespace ui {

class Annotations;

/// What all charts have in common: one QChart that is built once and kept, a layer of annotations behind its lines or
/// bars and one in front of them, the theme's colours, the scale. The same chart goes to the screen and to files.
class MemoryChart : public QObject {
    Q_OBJECT

public:
    /// The chart belongs to the scene or view it is put into.
    QChart* chart() const { return m_chart; }

    void setTheme(const Theme& theme);

    /// Tells the numbers in a few words, for screen readers.
    virtual QString description() const = 0;

    /// The numbers that are drawn.
    virtual DataTable table() const = 0;

protected:
    explicit MemoryChart(QObject* parent);

    /// Gives lines or bars the colours of the theme.
    virtual void paintSeries() = 0;
    /// The part of a chart of that size in which lines or bars are drawn.
    virtual QRectF plotOf(const QSizeF& size) const = 0;
    /// Writes and marks what stands on the chart, on layers that are empty.
    virtual void mark(const QRectF& plot) = 0;

    /// Places the plot anew and everything on it.
    void layout();
    /// Writes and marks everything anew.
    void annotate();

    QChart* const m_chart;
    Annotations* const m_backdrop;    ///< between the grid and the lines
    Annotations* const m_annotations; ///< in front of everything
    const Theme* m_theme = &Theme::light();
    ChartScale m_scale; ///< of the numbers that are shown
};

} // namespace ui
