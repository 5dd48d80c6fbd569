// SPDX-License-Identifier: GPL-3.0-or-later
// What is written and marked on the growth chart.
#include "ui/charts/annotations.h"
#include "ui/charts/chart_style.h"
#include "ui/charts/growth_chart.h"
#include "ui/texts.h"

#include <QChart>

#include <algorithm>
#include <cmath>
#include <utility>

namespace ui {

namespace {

constexpr double kHatch = 7;        ///< pixels between two lines of the waste
constexpr std::size_t kCoarse = 24; ///< pieces of a curve that labels keep clear of

} // namespace

void GrowthChart::mark(const QRectF& plot)
{
    if (m_curve.empty())
        return;
    const QPointF scale((plot.width()) / (m_scale.right() - m_scale.left()),
                        plot.height() / (m_scale.upper() - m_scale.bottom()));
    addAxes(
        *m_backdrop, plot, m_scale.contextTicks(), m_scale.valueTicks(),
        [&](double x) { return plot.left() + (x - m_scale.left()) * scale.x(); },
        [&](double y) { return plot.bottom() - (y - m_scale.bottom()) * scale.y(); });
    markOtherUnit(plot);
    markWaste(plot);
    m_annotations->addCaption(tr("Context per request, tokens"),
                              QRectF(plot.left(), plot.bottom() + 20, plot.width(), 18), Qt::AlignCenter);
    m_annotations->setObstacles(obstacles(plot));
    markEnds(plot);
    markPoints(plot);
    markReading(plot);
    markTrained(plot);
    markBatches(plot);
}

/// The same values in the other unit, along the right edge.
void GrowthChart::markOtherUnit(const QRectF& plot)
{
    std::vector<QLineF> marks;
    for (const Tick& tick : m_scale.otherUnitTicks()) {
        const double share = (tick.place - m_scale.bottom()) / (m_scale.upper() - m_scale.bottom());
        if (share <= 0)
            continue; // the corner belongs to the context's last label
        const double y = onPixel(plot.bottom() - plot.height() * share);
        marks.emplace_back(plot.right(), y, plot.right() + kSpace, y);
        m_backdrop->addCaption(tick.label, QRectF(plot.right() + 6, y - 8, kOtherUnit, 16),
                               Qt::AlignLeft | Qt::AlignVCenter);
    }
    m_backdrop->addCrispLines(std::move(marks), Role::Muted);
}

/// The drawn lines, coarsely.
std::vector<QLineF> GrowthChart::obstacles(const QRectF& plot) const
{
    std::vector<QLineF> lines;
    const auto last = static_cast<double>(m_scale.lastContext);
    for (const core::Bytes bytes :
         {m_evaluation.footprint.memory.weights, m_evaluation.footprint.capacity.value_or(core::Bytes())})
        lines.emplace_back(at(plot, 1, m_scale.valueOf(bytes)), at(plot, last, m_scale.valueOf(bytes)));
    const std::size_t stride = std::max<std::size_t>(1, m_curve.size() / kCoarse);
    for (std::size_t i = 0; i + 1 < m_curve.size(); i += stride) {
        const core::CurvePoint& from = m_curve[i];
        const core::CurvePoint& to = m_curve[std::min(i + stride, m_curve.size() - 1)];
        lines.emplace_back(at(plot, static_cast<double>(from.context), m_scale.valueOf(from.cache)),
                           at(plot, static_cast<double>(to.context), m_scale.valueOf(to.cache)));
        lines.emplace_back(at(plot, static_cast<double>(from.context), m_scale.valueOf(from.total)),
                           at(plot, static_cast<double>(to.context), m_scale.valueOf(to.total)));
    }
    const double x = at(plot, static_cast<double>(m_evaluation.scenario.workload.context), 0).x();
    lines.emplace_back(x, plot.top(), x, plot.bottom());
    return lines;
}

/// The waste as a hatched layer under the total.
void GrowthChart::markWaste(const QRectF& plot)
{
    if (m_options.heldBack || m_curve.back().waste <= core::Bytes())
        return;
    std::vector<QLineF> hatch;
    auto to = m_curve.begin() + 1;
    for (double x = plot.left() + kHatch; x < plot.right() && to != m_curve.end(); x += kHatch) {
        const auto context = static_cast<double>(contextAt(QPointF(x, plot.top())));
        while (to + 1 != m_curve.end() && static_cast<double>(to->context) < context)
            ++to;
        const core::CurvePoint& from = *(to - 1);
        const double share = std::clamp(
            (context - static_cast<double>(from.context)) / static_cast<double>(to->context - from.context), 0.0, 1.0);
        const auto valueOf = [&](core::Bytes low, core::Bytes high) {
            return m_scale.valueOf(low) + share * (m_scale.valueOf(high) - m_scale.valueOf(low));
        };
        const double top = at(plot, context, valueOf(from.total, to->total)).y();
        const double bottom = at(plot, context, valueOf(from.total - from.waste, to->total - to->waste)).y();
        if (bottom > plot.top())
            hatch.emplace_back(onPixel(x), std::max(top, plot.top()), onPixel(x), bottom);
    }
    m_backdrop->addCrispLines(std::move(hatch), Role::Waste);
}

void GrowthChart::markTrained(const QRectF& plot)
{
    const std::int64_t trained = m_evaluation.scenario.model.maxContext.value_or(0);
    if (trained <= 0 || trained >= m_scale.lastContext)
        return;
    const double x = std::max(plot.left(), at(plot, static_cast<double>(trained), 0).x());
    m_backdrop->addHatch(QRectF(QPointF(x, plot.top()), plot.bottomRight()), Role::Grid, Qt::BDiagPattern);
    m_backdrop->addLine(QLineF(x, plot.top(), x, plot.bottom()), Role::Muted, 1, Qt::DotLine);
    m_annotations->addLabelNear({tr("Trained for %1").arg(tokensText(trained)), {}, Role::Muted},
                                QPointF(x, plot.bottom() - 18), plot);
}

QPointF GrowthChart::exitOf(const QRectF& plot, const std::vector<core::CurvePoint>& curve,
                            core::Bytes core::CurvePoint::*bytes) const
{
    const auto valueAt = [&](const core::CurvePoint& point) { return m_scale.valueOf(point.*bytes); };
    const auto leaves =
        std::ranges::find_if(curve, [&](const core::CurvePoint& point) { return valueAt(point) > m_scale.top; });
    if (leaves == curve.end())
        return at(plot, static_cast<double>(m_scale.lastContext), valueAt(curve.back()));
    const core::CurvePoint& before = leaves == curve.begin() ? *leaves : *(leaves - 1);
    const double low = valueAt(before);
    const double high = valueAt(*leaves);
    const double share = high > low ? (m_scale.top - low) / (high - low) : 0;
    const double context =
        static_cast<double>(before.context) + share * static_cast<double>(leaves->context - before.context);
    return at(plot, context, m_scale.top);
}

/// Names the lines where they end: at the right edge, or where they leave through the top.
void GrowthChart::markEnds(const QRectF& plot)
{
    struct End {
        Annotations::Label label;
        double y;
    };
    const core::Footprint& footprint = m_evaluation.footprint;
    std::vector<End> ends;
    const auto addEnd = [&](const QString& name, Role role, const QPointF& place, const QString& detail = {}) {
        if (place.x() < plot.right() - 1)
            m_annotations->addLabelNear({name, detail, role}, place, plot);
        else if (place.y() >= plot.top() - 1)
            ends.push_back({{name, detail, role}, place.y()});
    };
    const auto levelEnd = [&](core::Bytes bytes) {
        return QPointF(plot.right(), at(plot, 1, m_scale.valueOf(bytes)).y());
    };
    if (footprint.capacity)
        addEnd(tr("Capacity"), Role::Capacity, levelEnd(*footprint.capacity));
    if (footprint.weights && m_options.weights)
        addEnd(tr("Weights"), Role::Weights, levelEnd(footprint.memory.weights));
    if (!m_options.heldBack) {
        addEnd(tr("Total"), Role::Total, exitOf(plot, m_curve, &core::CurvePoint::total),
               m_curve.back().waste > core::Bytes() ? tr("hatched: waste") : QString());
        addEnd(tr("Cache"), Role::Cache, exitOf(plot, m_curve, &core::CurvePoint::cache));
    }
    std::ranges::sort(ends, std::ranges::greater(), &End::y);
    double floor = plot.bottom() + kSpace;
    for (const End& end : ends) { // from the bottom up, each above the one below it
        const double height = Annotations::sizeOf(end.label).height();
        const double top = std::min(end.y - height / 2, floor - height);
        m_annotations->addLabel(end.label, QPointF(plot.right() + kOtherUnit, top));
        floor = top;
    }
}

/// Writes "×8" where the thin line of 8 requests ends.
void GrowthChart::markBatches(const QRectF& plot)
{
    for (const core::BatchCurve& curve : m_batches) {
        const QPointF end = exitOf(plot, curve.points, &core::CurvePoint::cache);
        const QRectF box(end.x() - 34, end.y() + 1, 32, 14);
        if (plot.contains(box) && m_annotations->isFree(box))
            m_annotations->addCaption(QStringLiteral("×") + countText(curve.batch), box, Qt::AlignRight | Qt::AlignTop);
    }
}

/// The marker of the chosen context.
void GrowthChart::markContext(const QRectF& plot, double x)
{
    if (m_options.heldBack && !m_options.marker)
        return;
    m_annotations->addLine(QLineF(x, plot.top(), x, plot.bottom()), Role::Accent, m_strong == Role::Accent ? 4 : 1.5);
    m_annotations->addHandle(QPointF(x, plot.bottom()), Role::Accent);
    if (m_options.heldBack)
        m_annotations->addLabelNear(
            {tr("%1 tokens").arg(countText(m_evaluation.scenario.workload.context)), {}, Role::Accent},
            QPointF(x, plot.top() - 4), plot);
}

void GrowthChart::markPoints(const QRectF& plot)
{
    const core::Footprint& footprint = m_evaluation.footprint;
    const core::Workload& workload = m_evaluation.scenario.workload;
    const auto context = static_cast<double>(workload.context);
    const QPointF chosen = at(plot, context, m_scale.valueOf(footprint.memory.cache));
    markContext(plot, chosen.x());
    if (m_options.heldBack)
        return;
    if (chosen.y() >= plot.top())
        m_annotations->addPoint(chosen, Role::Cache);
    m_annotations->addLabelNear(
        {tr("%1 tokens").arg(countText(workload.context)),
         tr("cache %1, total %2")
             .arg(shortText(footprint.memory.cache, sizeUnit()), shortText(footprint.memory.total(), sizeUnit())),
         Role::Accent},
        QPointF(chosen.x(), plot.top() - 4), plot);
    const core::Limits& limits = footprint.limits;
    const std::int64_t over = limits.maxContext.value.value_or(-1) + 1;
    if (over > 1 && footprint.capacity && over <= m_scale.lastContext) {
        // Where devices are told apart, one of them is full before all are.
        const bool pooled = !footprint.tellsDevicesApart();
        const core::Bytes height = pooled ? *footprint.capacity : core::growthAt(m_evaluation, over).total;
        const QPointF place = at(plot, static_cast<double>(over), m_scale.valueOf(height));
        m_annotations->addPoint(place, Role::Bad);
        m_annotations->addLabelNear({tr("Out of memory"), tr("from %1 tokens").arg(countText(over)), Role::Bad}, place,
                                    plot);
    }
    const std::int64_t crossing = limits.crossover.value_or(0);
    if (crossing > 0 && crossing <= m_scale.lastContext) {
        const QPointF place = at(plot, static_cast<double>(crossing), m_scale.valueOf(footprint.keptWeights()));
        m_annotations->addPoint(place, Role::Cache);
        m_annotations->addLabelNear({tr("Cache = weights"), tr("at %1 tokens").arg(countText(crossing)), Role::Text},
                                    place, plot);
    }
}

void GrowthChart::markReading(const QRectF& plot)
{
    if (!m_reading || m_options.heldBack)
        return;
    const core::CurvePoint point = core::growthAt(m_evaluation, *m_reading);
    const QPointF place = at(plot, static_cast<double>(point.context), m_scale.valueOf(point.cache));
    m_annotations->addLine(QLineF(place.x(), plot.top(), place.x(), plot.bottom()), Role::Muted, 1, Qt::DashLine);
    if (place.y() >= plot.top())
        m_annotations->addPoint(place, Role::Muted);
    m_annotations->addLabelNear({tr("%1 tokens").arg(countText(point.context)),
                                 tr("cache %1, total %2").arg(bytesText(point.cache), bytesText(point.total)),
                                 Role::Text},
                                QPointF(place.x(), (plot.top() + plot.bottom()) / 2), plot);
}

} // namespace ui
