// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sizing/curves.h"
#include "core/sizing/evaluation.h"
#include "ui/charts/memory_chart.h"

#include <QLineF>
#include <QPointF>

#include <optional>
#include <vector>

class QLineSeries;
class QValueAxis;

namespace ui {

inline constexpr int kOtherUnit = 48; ///< pixels between the plot and the names of the lines, for the right axis

/// What the growth chart shows beside the scenario.
struct GrowthOptions {
    bool batchCurves = true;  ///< thin lines of other batches
    bool logarithmic = false; ///< both axes
    bool heldBack = false;    ///< what is to be predicted is not drawn: cache, total, marked points
    bool weights = true;      ///< drawn though the rest is held back
    bool marker = true;       ///< of the chosen context; the same
    friend bool operator==(const GrowthOptions&, const GrowthOptions&) = default;
};

/// The growth chart: cache of the whole batch and total against context, the waste as a layer under the total, the
/// weights as a horizontal line, the capacity line, thin lines of other batches, the marked points. `show` replaces
/// the values of lines that are kept.
class GrowthChart : public MemoryChart {
    Q_OBJECT

public:
    explicit GrowthChart(QObject* parent = nullptr);

    void show(const core::Evaluation& evaluation, const ChartScale& scale, const GrowthOptions& options = {});

    /// Marks a context beside the chosen one and writes its exact values; nothing: takes the mark away.
    void setReading(std::optional<std::int64_t> context);
    /// Draws a line, or the marker of the chosen context (Role::Accent), stronger.
    void emphasise(std::optional<Role> role);

    /// The context at a place of the chart, and whether the place is on the marker of the chosen context.
    std::int64_t contextAt(const QPointF& place) const;
    bool isOnMarker(const QPointF& place) const;

    const ChartScale& scale() const { return m_scale; }

    /// The numbers that are drawn: where lines bend or are sampled, and the marked points.
    DataTable table() const override;
    QString description() const override;

protected:
    void paintSeries() override;
    QRectF plotOf(const QSizeF& size) const override;
    void mark(const QRectF& plot) override;

private:
    void setRanges();
    void replaceLines();
    void markOtherUnit(const QRectF& plot);
    void markEnds(const QRectF& plot);
    void markBatches(const QRectF& plot);
    void markContext(const QRectF& plot, double x);
    void markPoints(const QRectF& plot);
    void markWaste(const QRectF& plot);
    void markTrained(const QRectF& plot);
    void markReading(const QRectF& plot);
    std::vector<QLineF> obstacles(const QRectF& plot) const;
    QPointF at(const QRectF& plot, double context, double value) const;
    /// Where a curve leaves the plot: at the right edge or through the top.
    QPointF exitOf(const QRectF& plot, const std::vector<core::CurvePoint>& curve,
                   core::Bytes core::CurvePoint::*bytes) const;

    QLineSeries* m_weights;
    QLineSeries* m_capacity;
    QLineSeries* m_cache;
    QLineSeries* m_total;
    std::vector<QLineSeries*> m_thin;
    QValueAxis* m_contextAxis;
    QValueAxis* m_valueAxis;
    core::Evaluation m_evaluation;
    GrowthOptions m_options;
    std::optional<std::int64_t> m_reading;
    std::optional<Role> m_strong;
    std::vector<core::CurvePoint> m_curve;
    std::vector<core::BatchCurve> m_batches;
};

} // namespace ui
