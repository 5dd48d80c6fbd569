// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/footprint.h"
#include "ui/charts/chart_scale.h"
#include "ui/theme.h"

#include <QObject>
#include <QRectF>

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

    /// One sentence with the numbers, for screen readers.
    QString description() const;

private:
    /// A stretch of the bar with its name, in the scale's unit.
    struct Segment {
        QString name;
        QString value;
        Role role;
        double from;
        double to;
    };

    void build();
    void setRange();
    void setValues();
    void layout();
    void annotate();
    std::vector<Segment> segments() const;
    QRectF boxOf(double from, double to) const;
    void markParts(const std::vector<Segment>& segments);
    void markCapacity();
    void labelUpright(const std::vector<Segment>& segments);
    void labelLying(const std::vector<Segment>& segments);

    QChart* m_chart;
    QValueAxis* m_axis = nullptr;
    std::vector<QBarSet*> m_sets;
    Annotations* m_annotations;

    Qt::Orientation m_orientation = Qt::Vertical;
    const Theme* m_theme = &Theme::light();
    core::Evaluation m_evaluation;
    ChartScale m_scale;
};

} // namespace ui
