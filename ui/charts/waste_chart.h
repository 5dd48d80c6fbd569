// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engines/engine.h"
#include "ui/charts/chart_scale.h"
#include "ui/data_table.h"
#include "ui/theme.h"

#include <QObject>

#include <vector>

class QBarCategoryAxis;
class QBarSet;
class QChart;
class QHorizontalStackedBarSeries;
class QValueAxis;

namespace ui {

class Annotations;

/// A row of the waterfall.
struct WasteRow {
    QString name;     ///< "in use", "cells up to a round number", "reserved"
    QString sentence; ///< why; empty for the first and the last row
    core::Bytes from; ///< where its bar begins
    core::Bytes bytes;
    Role role = Role::Waste;
};

/// From the ideal cache, cause by cause, to what is reserved.
std::vector<WasteRow> wasteRows(core::Bytes used, const core::engines::Description& description);
DataTable wasteTable(const std::vector<WasteRow>& rows);

/// The waterfall: lying bars from the top down, each of which begins where the one above it ends. Texts stand beside it
/// in rows of the same height.
class WasteChart : public QObject {
    Q_OBJECT

public:
    explicit WasteChart(QObject* parent = nullptr);

    /// Owned by the scene or view it is put into.
    QChart* chart() const { return m_chart; }
    void setTheme(const Theme& theme);
    void show(const std::vector<WasteRow>& rows);
    /// In pixels.
    void setRowHeight(int height);
    /// Of all rows and the axis, in pixels.
    int height() const;
    /// One sentence with the numbers, for screen readers.
    QString description() const;

private:
    void build();
    void paintSets();
    void layout();
    void annotate();

    QChart* m_chart;
    QHorizontalStackedBarSeries* m_series = nullptr;
    QBarCategoryAxis* m_categories = nullptr;
    QValueAxis* m_axis = nullptr;
    std::vector<QBarSet*> m_sets; ///< what is left out, then one for each colour
    Annotations* m_backdrop;
    Annotations* m_annotations;
    std::vector<WasteRow> m_rows;
    int m_rowHeight = 44;
    ScaleTracker m_tracker;
    ChartScale m_scale;
    const Theme* m_theme = &Theme::light();
};

} // namespace ui
