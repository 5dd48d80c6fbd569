// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/growth_chart.h"

#include "ui/charts/annotations.h"
#include "ui/charts/chart_style.h"
#include "ui/texts.h"

#include <QCategoryAxis>
#include <QChart>
#include <QLineSeries>
#include <QValueAxis>

#include <algorithm>

namespace ui {

namespace {

constexpr int kEndLabels = 92; ///< pixels to the right of the plot
constexpr std::size_t kCoarse = 24; ///< pieces of a curve that labels keep clear of

QLineSeries* addLine(QChart* chart, QAbstractAxis* x, QAbstractAxis* y)
{
    auto* series = new QLineSeries;
    chart->addSeries(series);
    series->attachAxis(x);
    series->attachAxis(y);
    return series;
}

QList<QPointF> level(double value, std::int64_t lastContext)
{
    return {QPointF(0, value), QPointF(static_cast<double>(lastContext), value)};
}

} // namespace

GrowthChart::GrowthChart(QObject* parent)
    : QObject(parent), m_chart(new QChart), m_contextAxis(new QCategoryAxis), m_gibAxis(new QValueAxis)
{
    m_contextAxis->setLabelsPosition(QCategoryAxis::AxisLabelsPositionOnValue);
    m_contextAxis->setStartValue(-1);
    m_gibAxis->setTickType(QValueAxis::TicksDynamic);
    m_gibAxis->setTickAnchor(0);
    m_chart->addAxis(m_contextAxis, Qt::AlignBottom);
    m_chart->addAxis(m_gibAxis, Qt::AlignLeft);
    m_weights = addLine(m_chart, m_contextAxis, m_gibAxis);
    m_capacity = addLine(m_chart, m_contextAxis, m_gibAxis);
    m_total = addLine(m_chart, m_contextAxis, m_gibAxis);
    m_cache = addLine(m_chart, m_contextAxis, m_gibAxis);
    m_backdrop = new Annotations(m_chart, Annotations::Layer::Back);
    m_annotations = new Annotations(m_chart);
    connect(m_chart, &QGraphicsWidget::geometryChanged, this, &GrowthChart::layout);
    setTheme(*m_theme);
}

void GrowthChart::setTheme(const Theme& theme)
{
    m_theme = &theme;
    styleChart(*m_chart, theme);
    styleAxis(*m_contextAxis, theme);
    styleAxis(*m_gibAxis, theme);
    m_weights->setPen(QPen(theme.color(Role::Weights), 2));
    m_capacity->setPen(QPen(theme.color(Role::Capacity), 2, Qt::DashLine));
    m_total->setPen(QPen(theme.color(Role::Total), 2));
    m_cache->setPen(QPen(theme.color(Role::Cache), 2.5));
    annotate();
}

void GrowthChart::show(const core::Evaluation& evaluation, const ChartScale& scale)
{
    m_evaluation = evaluation;
    if (!(scale == m_scale)) {
        m_scale = scale;
        setRanges();
    }
    const int columns = std::max(64, static_cast<int>(m_chart->plotArea().width()));
    m_curve = core::growthCurve(evaluation.scenario, scale.lastContext, columns);
    QList<QPointF> cache;
    QList<QPointF> total;
    for (const core::CurvePoint& point : m_curve) {
        cache.append(QPointF(static_cast<double>(point.context), m_scale.valueOf(point.cache)));
        total.append(QPointF(static_cast<double>(point.context), m_scale.valueOf(point.total)));
    }
    m_cache->replace(cache);
    m_total->replace(total);
    const core::Footprint& footprint = evaluation.footprint;
    m_weights->replace(level(m_scale.valueOf(footprint.memory.weights), scale.lastContext));
    m_capacity->replace(footprint.capacity ? level(m_scale.valueOf(*footprint.capacity), scale.lastContext)
                                           : QList<QPointF>());
    annotate();
}

void GrowthChart::setRanges()
{
    for (const QString& label : m_contextAxis->categoriesLabels())
        m_contextAxis->remove(label);
    for (std::int64_t tick = 0; tick <= m_scale.lastContext; tick += m_scale.contextStep)
        m_contextAxis->append(tokensText(tick), static_cast<double>(tick));
    m_contextAxis->setRange(0, static_cast<double>(m_scale.lastContext));
    m_gibAxis->setLabelFormat(QStringLiteral("%.0f"));
    m_gibAxis->setTickInterval(m_scale.step);
    m_gibAxis->setRange(0, m_scale.top);
}

void GrowthChart::layout()
{
    const QSizeF size = m_chart->size();
    placePlot(*m_chart, QRectF(kPlotLeft, kPlotTop, std::max(50.0, size.width() - kPlotLeft - kEndLabels),
                               std::max(50.0, size.height() - kPlotTop - kPlotBottom)));
    annotate();
}

QPointF GrowthChart::at(const QRectF& plot, double context, double value) const
{
    return {plot.left() + plot.width() * context / static_cast<double>(m_scale.lastContext),
            plot.bottom() - plot.height() * value / m_scale.top};
}

void GrowthChart::annotate()
{
    const QRectF plot = m_chart->plotArea();
    for (Annotations* layer : {m_backdrop, m_annotations})
        layer->clear(QRectF(QPointF(0, 0), m_chart->size()), *m_theme);
    if (m_curve.empty() || plot.isEmpty())
        return;
    m_annotations->addCaption(tr("Context per request, tokens"),
                              QRectF(plot.left(), plot.bottom() + 20, plot.width(), 18), Qt::AlignCenter);
    m_annotations->setObstacles(obstacles(plot));
    markEnds(plot);
    markPoints(plot);
    markTrained(plot);
}

/// The drawn lines, coarsely.
std::vector<QLineF> GrowthChart::obstacles(const QRectF& plot) const
{
    std::vector<QLineF> lines;
    for (const core::Bytes bytes : {m_evaluation.footprint.memory.weights,
                                    m_evaluation.footprint.capacity.value_or(core::Bytes())})
        lines.emplace_back(at(plot, 0, m_scale.valueOf(bytes)),
                           at(plot, static_cast<double>(m_scale.lastContext), m_scale.valueOf(bytes)));
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

void GrowthChart::markTrained(const QRectF& plot)
{
    const std::int64_t trained = m_evaluation.scenario.model.maxContext.value_or(0);
    if (trained <= 0 || trained >= m_scale.lastContext)
        return;
    const double x = at(plot, static_cast<double>(trained), 0).x();
    m_backdrop->addHatch(QRectF(QPointF(x, plot.top()), plot.bottomRight()), Role::Grid, Qt::BDiagPattern);
    m_backdrop->addLine(QLineF(x, plot.top(), x, plot.bottom()), Role::Muted, 1, Qt::DotLine);
    m_annotations->addLabelNear({tr("Trained for %1").arg(tokensText(trained)), {}, Role::Muted},
                                QPointF(x, plot.bottom() - 18), plot);
}

/// Names the lines where they end: at the right edge, or where they leave through the top.
void GrowthChart::markEnds(const QRectF& plot)
{
    struct End {
        QString name;
        Role role;
        double y;
    };
    const core::Footprint& footprint = m_evaluation.footprint;
    std::vector<End> ends;
    const auto addLevel = [&](const QString& name, Role role, core::Bytes bytes) {
        const double y = at(plot, 0, m_scale.valueOf(bytes)).y();
        if (y >= plot.top())
            ends.push_back({name, role, y});
    };
    if (footprint.capacity)
        addLevel(tr("Capacity"), Role::Capacity, *footprint.capacity);
    if (footprint.weights)
        addLevel(tr("Weights"), Role::Weights, *footprint.weights);
    const auto addCurve = [&](const QString& name, Role role, auto bytesOf) {
        const auto leaves = std::ranges::find_if(
            m_curve, [&](const core::CurvePoint& point) { return m_scale.valueOf(bytesOf(point)) > m_scale.top; });
        if (leaves == m_curve.end()) {
            addLevel(name, role, bytesOf(m_curve.back()));
            return;
        }
        const core::CurvePoint& before = leaves == m_curve.begin() ? *leaves : *(leaves - 1);
        const double low = m_scale.valueOf(bytesOf(before));
        const double high = m_scale.valueOf(bytesOf(*leaves));
        const double share = high > low ? (m_scale.top - low) / (high - low) : 0;
        const double context = static_cast<double>(before.context) +
                               share * static_cast<double>(leaves->context - before.context);
        m_annotations->addLabelNear({name, {}, role}, at(plot, context, m_scale.top), plot);
    };
    addCurve(tr("Total"), Role::Total, [](const core::CurvePoint& point) { return point.total; });
    addCurve(tr("Cache"), Role::Cache, [](const core::CurvePoint& point) { return point.cache; });
    std::ranges::sort(ends, std::ranges::greater(), &End::y);
    double floor = plot.bottom() + kSpace;
    for (const End& end : ends) { // from the bottom up, each above the one below it
        const Annotations::Label label{end.name, {}, end.role};
        const double height = Annotations::sizeOf(label).height();
        const double top = std::min(end.y - height / 2, floor - height);
        m_annotations->addLabel(label, QPointF(plot.right() + 2 * kSpace, top));
        floor = top;
    }
}

void GrowthChart::markPoints(const QRectF& plot)
{
    const core::Footprint& footprint = m_evaluation.footprint;
    const core::Workload& workload = m_evaluation.scenario.workload;
    const auto context = static_cast<double>(workload.context);
    const QPointF chosen = at(plot, context, m_scale.valueOf(footprint.memory.cache));
    m_annotations->addLine(QLineF(chosen.x(), plot.top(), chosen.x(), plot.bottom()), Role::Accent, 1.5);
    m_annotations->addHandle(QPointF(chosen.x(), plot.bottom()), Role::Accent);
    if (chosen.y() >= plot.top())
        m_annotations->addPoint(chosen, Role::Cache);
    m_annotations->addLabelNear({tr("%1 tokens").arg(countText(workload.context)),
                                 tr("cache %1, total %2")
                                     .arg(shortText(footprint.memory.cache), shortText(footprint.memory.total())),
                                 Role::Accent},
                                QPointF(chosen.x(), plot.top() - 4), plot);
    const core::Limits& limits = footprint.limits;
    const std::int64_t over = limits.maxContext.value.value_or(-1) + 1;
    if (over > 1 && over <= m_scale.lastContext) {
        const QPointF place = at(plot, static_cast<double>(over), m_scale.valueOf(*footprint.capacity));
        m_annotations->addPoint(place, Role::Bad);
        m_annotations->addLabelNear({tr("Out of memory"), tr("from %1 tokens").arg(countText(over)), Role::Bad}, place,
                                    plot);
    }
    const std::int64_t crossing = limits.crossover.value_or(0);
    if (crossing > 0 && crossing <= m_scale.lastContext) {
        const QPointF place = at(plot, static_cast<double>(crossing), m_scale.valueOf(*footprint.weights));
        m_annotations->addPoint(place, Role::Cache);
        m_annotations->addLabelNear({tr("Cache = weights"), tr("at %1 tokens").arg(countText(crossing)), Role::Text},
                                    place, plot);
    }
}

QString GrowthChart::description() const
{
    const core::Footprint& footprint = m_evaluation.footprint;
    QStringList parts{tr("At %1 tokens and %2 requests the cache is %3 and the total %4.")
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
