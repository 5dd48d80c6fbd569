// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engines/engine.h"
#include "ui/charts/memory_chart.h"

#include <vector>

class QBarCategoryAxis;
class QBarSet;
class QHorizontalStackedBarSeries;
class QValueAxis;

namespace ui {

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

/// The waterfall: lying bars from the top down, each of which begins where the one above it ends. Texts stand beside it
/// in rows of the same height.
class WasteChart : public MemoryChart {
    Q_OBJECT

public:
    explicit WasteChart(QObject* parent = nullptr);

    void show(const std::vector<WasteRow>& rows);
    /// Makes each row that many pixels high.
    void setRowHeight(int height);
    /// Pixels that all rows and the axis need together.
    int height() const;
    QString description() const override;
    DataTable table() const override;

protected:
    void paintSeries() override;
    QRectF plotOf(const QSizeF& size) const override;
    void mark(const QRectF& plot) override;

private:
    void build();

    QHorizontalStackedBarSeries* m_series = nullptr;
    QBarCategoryAxis* m_categories = nullptr;
    QValueAxis* m_axis = nullptr;
    std::vector<QBarSet*> m_sets; ///< what is left out, then one for each colour
    std::vector<WasteRow> m_rows;
    int m_rowHeight = 44;
    ScaleTracker m_tracker;
};

} // namespace ui
