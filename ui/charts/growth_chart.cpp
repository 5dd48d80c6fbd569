// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/growth_chart.h"

#include "ui/charts/chart_style.h"
#include "ui/charts/chart_tables.h"
#include "ui/texts.h"

#include <QChart>
#include <QLineSeries>
#include <QValueAxis>

#include <algorithm>
#include <cmath>

namespace ui {

namespace {

constexpr int kEndLabels = kOtherUnit + 84; ///< pixels to the right of the plot
constexpr int kFewestColumns = 64;
constexpr int kMostThin = 18;      ///< batches 1 … 65,536 and one more
constexpr double kMarkerReach = 8; ///< pixels from which the marker can be taken
constexpr double kThinOpacity = 0.35;

using Curve = std::vector<core::CurvePoint>;

QLineSeries* addLine(QChart* chart, QAbstractAxis* x, QAbstractAxis* y)
{
    auto* series = new QLineSeries;
    chart->addSeries(series);
    series->attachAxis(x);
    series->attachAxis(y);
    return series;
}

} // namespace

GrowthChart::GrowthChart(QObject* parent)
    : MemoryChart(parent),
      m_contextAxis(rangeAxis(*m_chart, Qt::AlignBottom)),
      m_valueAxis(rangeAxis(*m_chart, Qt::AlignLeft))
{
    for (int i = 0; i < kMostThin; ++i) {
        m_thin.push_back(addLine(m_chart, m_contextAxis, m_valueAxis));
        m_thin.back()->hide();
    }
    for (QLineSeries** line : {&m_weights, &m_capacity, &m_total, &m_cache})
        *line = addLine(m_chart, m_contextAxis, m_valueAxis);
    setTheme(*m_theme);
}

void GrowthChart::paintSeries()
{
    const auto pen = [&](Role role, double width, Qt::PenStyle style = Qt::SolidLine) {
        return QPen(m_theme->color(role), m_strong == role ? width + 2 : width, style);
    };
    m_weights->setPen(pen(Role::Weights, 2));
    m_capacity->setPen(pen(Role::Capacity, 2, Qt::DashLine));
    m_total->setPen(pen(Role::Total, 2));
    m_cache->setPen(pen(Role::Cache, 2.5));
    QColor thin = m_theme->color(Role::Cache);
    thin.setAlphaF(static_cast<float>(kThinOpacity));
    for (QLineSeries* line : m_thin)
        line->setPen(QPen(thin, 1));
}

void GrowthChart::emphasise(std::optional<Role> role)
{
    if (role == m_strong)
        return;
    m_strong = role;
    paintSeries();
    annotate();
}

void GrowthChart::show(const core::Evaluation& evaluation, const ChartScale& scale, const GrowthOptions& options)
{
    m_evaluation = evaluation;
    m_options = options;
    if (!(scale == m_scale)) {
        m_scale = scale;
        setRanges();
    }
    const int columns = std::max(kFewestColumns, static_cast<int>(m_chart->plotArea().width()));
    const core::Spacing spacing = scale.logarithmic ? core::Spacing::Logarithmic : core::Spacing::Linear;
    m_curve = core::growthCurve(evaluation, scale.lastContext, columns, spacing);
    m_batches = options.batchCurves && !options.heldBack
                    ? core::batchCurves(evaluation, scale.lastContext, columns, spacing)
                    : std::vector<core::BatchCurve>();
    replaceLines();
    annotate();
}

void GrowthChart::replaceLines()
{
    const auto pointsOf = [&](const Curve& curve, auto bytesOf) {
        QList<QPointF> points;
        points.reserve(static_cast<qsizetype>(curve.size()));
        for (const core::CurvePoint& point : curve)
            points.append(
                QPointF(m_scale.xOf(static_cast<double>(point.context)), m_scale.yOf(m_scale.valueOf(bytesOf(point)))));
        return points;
    };
    const auto level = [&](core::Bytes bytes) {
        const double y = m_scale.yOf(m_scale.valueOf(bytes));
        return QList<QPointF>{QPointF(m_scale.left(), y), QPointF(m_scale.right(), y)};
    };
    for (QLineSeries* line : {m_cache, m_total})
        line->setVisible(!m_options.heldBack);
    const auto totalOf = [](const core::CurvePoint& point) { return point.total; };
    const auto cacheOf = [](const core::CurvePoint& point) { return point.cache; };
    m_cache->replace(pointsOf(m_curve, cacheOf));
    m_total->replace(pointsOf(m_curve, totalOf));
    for (std::size_t i = 0; i < m_thin.size(); ++i) {
        const bool used = i < m_batches.size();
        if (used)
            m_thin[i]->replace(pointsOf(m_batches[i].points, cacheOf));
        if (m_thin[i]->isVisible() != used)
            m_thin[i]->setVisible(used);
    }
    const core::Footprint& footprint = m_evaluation.footprint;
    m_weights->setVisible(m_options.weights);
    m_weights->replace(level(footprint.memory.weights));
    m_capacity->replace(footprint.capacity ? level(*footprint.capacity) : QList<QPointF>());
}

void GrowthChart::setRanges()
{
    m_contextAxis->setRange(m_scale.left(), m_scale.right());
    m_valueAxis->setRange(m_scale.bottom(), m_scale.upper());
}

QRectF GrowthChart::plotOf(const QSizeF& size) const
{
    return {kPlotLeft, kPlotTop, std::max(50.0, size.width() - kPlotLeft - kEndLabels),
            std::max(50.0, size.height() - kPlotTop - kPlotBottom)};
}

QPointF GrowthChart::at(const QRectF& plot, double context, double value) const
{
    const double x = (m_scale.xOf(context) - m_scale.left()) / (m_scale.right() - m_scale.left());
    const double y = (m_scale.yOf(value) - m_scale.bottom()) / (m_scale.upper() - m_scale.bottom());
    return {plot.left() + plot.width() * x, plot.bottom() - plot.height() * y};
}

std::int64_t GrowthChart::contextAt(const QPointF& place) const
{
    const QRectF plot = m_chart->plotArea();
    const double share = std::clamp((place.x() - plot.left()) / plot.width(), 0.0, 1.0);
    return m_scale.contextOf(m_scale.left() + share * (m_scale.right() - m_scale.left()));
}

bool GrowthChart::isOnMarker(const QPointF& place) const
{
    const QRectF plot = m_chart->plotArea();
    const double x = at(plot, static_cast<double>(m_evaluation.scenario.workload.context), 0).x();
    return plot.adjusted(-kMarkerReach, 0, kMarkerReach, kPlotBottom).contains(place) &&
           std::abs(place.x() - x) <= kMarkerReach;
}

void GrowthChart::setReading(std::optional<std::int64_t> context)
{
    if (context == m_reading)
        return;
    m_reading = context;
    annotate();
}

DataTable GrowthChart::table() const
{
    if (m_options.heldBack)
        return {};
    std::vector<std::int64_t> contexts;
    for (const core::CurvePoint& point : m_curve)
        contexts.push_back(point.context);
    const core::Limits& limits = m_evaluation.footprint.limits;
    for (const std::int64_t mark : {m_evaluation.scenario.workload.context, limits.crossover.value_or(0),
                                    limits.maxContext.value.value_or(-1) + 1}) {
        if (mark > 0 && mark <= m_scale.lastContext)
            contexts.push_back(mark);
    }
    std::ranges::sort(contexts);
    contexts.erase(std::unique(contexts.begin(), contexts.end()),
                   contexts.end()); // clang 14 cannot read ranges::unique
    std::vector<std::int64_t> batches;
    for (const core::BatchCurve& curve : m_batches)
        batches.push_back(curve.batch);
    return growthTable(m_evaluation, contexts, batches);
}

QString GrowthChart::description() const
{
    const core::Footprint& footprint = m_evaluation.footprint;
    if (m_options.heldBack && !m_options.weights)
        return tr("The marker stands at %1 tokens; the rest is shown after your answer.")
            .arg(countText(m_evaluation.scenario.workload.context));
    if (m_options.heldBack)
        return tr("The marker stands at %1 tokens, the weights are %2; the rest is shown after your answer.")
            .arg(countText(m_evaluation.scenario.workload.context), bytesText(footprint.memory.weights));
    QStringList parts{tr("At %1 tokens and batch %2 the cache is %3 and the total %4.")
                          .arg(countText(m_evaluation.scenario.workload.context),
                               countText(m_evaluation.scenario.workload.batch), bytesText(footprint.memory.cache),
                               bytesText(footprint.memory.total()))};
    if (footprint.limits.maxContext.value)
        parts << tr("Memory ends after %1 tokens.").arg(countText(*footprint.limits.maxContext.value));
    if (footprint.limits.crossover)
        parts << tr("The cache reaches the weights at %1 tokens.").arg(countText(*footprint.limits.crossover));
    return parts.join(QLatin1Char(' '));
}

} // namespace ui
