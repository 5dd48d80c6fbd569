// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/curves.h"
#include "core/footprint.h"
#include "ui/charts/chart_scale.h"
#include "ui/theme.h"

#include <QLineF>
#include <QObject>
#include <QPointF>
#include <QRectF>

#include <vector>

class QCategoryAxis;
class QChart;
class QLineSeries;
class QValueAxis;

namespace ui {

class Annotations;

/// The growth chart: cache of the whole batch and total against context, the weights as a horizontal line, the
/// capacity line, the marked points. Builds one QChart and keeps it; `show` replaces values. The same chart goes to the
/// screen and to files.
class GrowthChart : public QObject {
    Q_OBJECT

public:
    explicit GrowthChart(QObject* parent = nullptr);

    /// Owned by the scene or view it is put into.
    QChart* chart() const { return m_chart; }

    void setTheme(const Theme& theme);
    void show(const core::Evaluation& evaluation, const ChartScale& scale);

    /// One sentence with the numbers, for screen readers.
    QString description() const;

private:
    void setRanges();
    void layout();
    void annotate();
    void markEnds(const QRectF& plot);
    void markPoints(const QRectF& plot);
    void markTrained(const QRectF& plot);
    std::vector<QLineF> obstacles(const QRectF& plot) const;
    QPointF at(const QRectF& plot, double context, double value) const;

    QChart* m_chart;
    QLineSeries* m_weights;
    QLineSeries* m_capacity;
    QLineSeries* m_cache;
    QLineSeries* m_total;
    QCategoryAxis* m_contextAxis;
    QValueAxis* m_gibAxis;
    Annotations* m_backdrop;
    Annotations* m_annotations;

    const Theme* m_theme = &Theme::light();
    core::Evaluation m_evaluation;
    ChartScale m_scale;
    std::vector<core::CurvePoint> m_curve;
};

} // namespace ui
