// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/explain.h"
#include "core/footprint.h"
#include "ui/charts/chart_scale.h"
#include "ui/theme.h"

#include <QObject>
#include <QRectF>

#include <optional>
#include <vector>

class QAbstractBarSeries;
class QBarSet;
class QChart;
class QValueAxis;

namespace ui {

class Annotations;

/// The budget: weights, cache, waste, overhead and reserve stacked against the memory there is; what is free is
/// outlined, what is over is hatched in red. Upright beside the growth chart, in the same rows, or lying under it.
class BudgetChart : public QObject {
    Q_OBJECT

public:
    explicit BudgetChart(QObject* parent = nullptr);

    /// Owned by the scene or view it is put into.
    QChart* chart() const { return m_chart; }

    /// Vertical (default) or horizontal.
    void setOrientation(Qt::Orientation orientation);
    void setTheme(const Theme& theme);
    void show(const core::Evaluation& evaluation, const ChartScale& scale);

    /// The parts drawn, from the bottom (or left): which one lies at a place (-1: none), which is chosen. The chosen
    /// one is framed and its exact bytes are written beside it.
    int partCount() const { return static_cast<int>(segments().size()); }
    int partAt(const QPointF& place) const;
    int chosen() const { return m_chosen; }
    void choose(int part);
    /// What explains the chosen part; nothing when none is chosen.
    std::optional<core::Quantity> chosenQuantity() const;

    /// One sentence with the numbers, for screen readers.
    QString description() const;

private:
    /// A stretch of the bar with its name, in the scale's unit.
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
    void layout();
    void annotate();
    std::vector<Segment> segments() const;
    QRectF boxOf(double from, double to) const;
    void markAxis();
    void markParts(const std::vector<Segment>& segments);
    void markCapacity();
    void labelUpright(const std::vector<Segment>& segments);
    void labelLying(const std::vector<Segment>& segments);

    QChart* m_chart;
    QValueAxis* m_axis = nullptr;
    std::vector<QBarSet*> m_sets;
    Annotations* m_backdrop;
    Annotations* m_annotations;

    Qt::Orientation m_orientation = Qt::Vertical;
    const Theme* m_theme = &Theme::light();
    core::Evaluation m_evaluation;
    ChartScale m_scale;
    int m_chosen = -1;
};

} // namespace ui
