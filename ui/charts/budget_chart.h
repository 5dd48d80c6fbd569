// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sizing/evaluation.h"
#include "core/sizing/explain.h"
#include "ui/charts/memory_chart.h"

#include <optional>
#include <vector>

class QAbstractBarSeries;
class QBarSet;
class QValueAxis;

namespace ui {

/// The budget: weights, cache, waste, overhead and reserve stacked against the memory there is; what is free is
/// outlined, what is over is hatched in red. Upright beside the growth chart, in the same rows, or lying under it.
/// Where an engine tells devices apart there is a bar for each, and one for the host where it keeps cache, on a scale
/// of their own: two cards are not one of twice the size.
class BudgetChart : public MemoryChart {
    Q_OBJECT

public:
    explicit BudgetChart(QObject* parent = nullptr);

    /// Vertical (default) or horizontal.
    void setOrientation(Qt::Orientation orientation);
    void show(const core::Evaluation& evaluation, const ChartScale& scale);

    /// A part that is drawn: the bar, and its place from the bottom (or left); -1: none.
    struct Spot {
        int bar = -1;
        int part = -1;
        friend bool operator==(const Spot&, const Spot&) = default;
    };
    int barCount() const { return static_cast<int>(m_bars.size()); }
    int partCount() const { return static_cast<int>(segments(shownBar()).size()); }
    Spot partAt(const QPointF& place) const;
    const Spot& chosen() const { return m_chosen; }
    /// The chosen part is framed and its exact bytes are written beside it; its bar is the one with the names.
    void choose(const Spot& spot);
    /// The bar with the names: the chosen one, else the fullest.
    int shownBar() const;
    /// What explains the chosen part; nothing when none is chosen.
    std::optional<core::Quantity> chosenQuantity() const;

    DataTable table() const override;
    QString description() const override;

protected:
    void paintSeries() override;
    QRectF plotOf(const QSizeF& size) const override;
    void mark(const QRectF& plot) override;

private:
    /// A device, several that are pooled, or the host.
    struct Bar {
        QString name;    ///< of the device; empty where there is one bar
        QString caption; ///< under the bar: its number
        core::MemoryParts parts;
        std::optional<core::Bytes> capacity;
    };
    static std::vector<Bar> barsOf(const core::Footprint& footprint);

    /// A stretch of a bar with its name, in the scale's unit.
    struct Segment {
        QString name;
        core::Bytes bytes; ///< of what is over: how much
        Role role;
        double from;
        double to;
    };
    QString valueText(const Segment& segment, bool exact) const;

    void build();
    void setRange();
    void setValues();
    std::vector<Segment> segments(int bar) const;
    QRectF slotOf(int bar) const;
    QRectF boxOf(int bar, double from, double to) const;
    void markAxis(const QRectF& plot);
    void numberBars();
    void markParts(int bar);
    void markCapacity(int bar);
    void labelUpright(const std::vector<Segment>& segments);
    void labelLying(const std::vector<Segment>& segments);

    QValueAxis* m_axis = nullptr;
    std::vector<QBarSet*> m_sets;

    Qt::Orientation m_orientation = Qt::Vertical;
    core::Evaluation m_evaluation;
    std::vector<Bar> m_bars;
    ScaleTracker m_tracker; ///< of the range where there are several bars
    Spot m_chosen;
};

} // namespace ui
