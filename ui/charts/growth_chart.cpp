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

QLineSeries* addLine(QChart* chart, QAbstractAxis* x, QAbstractAxis* y)
{
    auto* series = new QLineSeries;
    chart->addSeries(series);
    series->attachAxis(x);
    series->attachAxis(y);
    return series;
}

QList<QPointF> level(double gib, std::int64_t lastContext)
{
    return {QPointF(0, gib), QPointF(static_cast<double>(lastContext), gib)};
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
        cache.append(QPointF(static_cast<double>(point.context), core::toGib(point.cache)));
        total.append(QPointF(static_cast<double>(point.context), core::toGib(point.total)));
    }
    m_cache->replace(cache);
    m_total->replace(total);
    const core::Footprint& footprint = evaluation.footprint;
    m_weights->replace(level(core::toGib(footprint.memory.weights), scale.lastContext));
    m_capacity->replace(footprint.capacity ? level(core::toGib(*footprint.capacity), scale.lastContext)
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
    m_gibAxis->setLabelFormat(QString::fromLatin1(gibFormat(m_scale.stepGib)));
    m_gibAxis->setTickInterval(m_scale.stepGib);
    m_gibAxis->setRange(0, m_scale.topGib);
}

void GrowthChart::layout()
{
    const QSizeF size = m_chart->size();
    m_chart->setPlotArea(QRectF(kPlotLeft, kPlotTop, std::max(50.0, size.width() - kPlotLeft - kEndLabels),
                                std::max(50.0, size.height() - kPlotTop - kPlotBottom)));
    annotate();
}

QPointF GrowthChart::at(const QRectF& plot, double context, double gib) const
{
    return {plot.left() + plot.width() * context / static_cast<double>(m_scale.lastContext),
            plot.bottom() - plot.height() * gib / m_scale.topGib};
}

void GrowthChart::annotate()
{
    const QRectF plot = m_chart->plotArea();
    m_annotations->clear(QRectF(QPointF(0, 0), m_chart->size()), *m_theme);
    if (m_curve.empty() || plot.isEmpty())
        return;
    m_annotations->addCaption(tr("Context per request, tokens"),
                              QRectF(plot.left(), plot.bottom() + 20, plot.width(), 18), Qt::AlignCenter);
    markTrained(plot);
    markEnds(plot);
    markPoints(plot);
}

void GrowthChart::markTrained(const QRectF& plot)
{
    const std::int64_t trained = m_evaluation.scenario.model.maxContext.value_or(0);
    if (trained <= 0 || trained >= m_scale.lastContext)
        return;
    const double x = at(plot, static_cast<double>(trained), 0).x();
    m_annotations->addHatch(QRectF(QPointF(x, plot.top()), plot.bottomRight()), Role::Grid, Qt::BDiagPattern);
    m_annotations->addLine(QLineF(x, plot.top(), x, plot.bottom()), Role::Muted, 1, Qt::DotLine);
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
        const double y = at(plot, 0, core::toGib(bytes)).y();
        if (y >= plot.top())
            ends.push_back({name, role, y});
    };
    if (footprint.capacity)
        addLevel(tr("Capacity"), Role::Capacity, *footprint.capacity);
    if (footprint.weights)
        addLevel(tr("Weights"), Role::Weights, *footprint.weights);
    const auto addCurve = [&](const QString& name, Role role, auto bytesOf) {
        const auto leaves = std::ranges::find_if(
            m_curve, [&](const core::CurvePoint& point) { return core::toGib(bytesOf(point)) > m_scale.topGib; });
        if (leaves == m_curve.end()) {
            addLevel(name, role, bytesOf(m_curve.back()));
            return;
        }
        const core::CurvePoint& before = leaves == m_curve.begin() ? *leaves : *(leaves - 1);
        const double low = core::toGib(bytesOf(before));
        const double high = core::toGib(bytesOf(*leaves));
        const double share = high > low ? (m_scale.topGib - low) / (high - low) : 0;
        const double context = static_cast<double>(before.context) +
                               share * static_cast<double>(leaves->context - before.context);
        m_annotations->addLabelNear({name, {}, role}, at(plot, context, m_scale.topGib), plot);
    };
    addCurve(tr("Total"), Role::Total, [](const core::CurvePoint& point) { return point.total; });
    addCurve(tr("Cache"), Role::Cache, [](const core::CurvePoint& point) { return point.cache; });
    std::ranges::sort(ends, {}, &End::y);
    double lowest = plot.top() - 8;
    for (const End& end : ends) {
        const Annotations::Label label{end.name, {}, end.role};
        const double height = Annotations::sizeOf(label).height();
        const double top = std::max(end.y - height / 2, lowest);
        m_annotations->addLabel(label, QPointF(plot.right() + 2 * kSpace, top));
        lowest = top + height;
    }
}

void GrowthChart::markPoints(const QRectF& plot)
{
    const core::Footprint& footprint = m_evaluation.footprint;
    const core::Workload& workload = m_evaluation.scenario.workload;
    const auto context = static_cast<double>(workload.context);
    const QPointF chosen = at(plot, context, core::toGib(footprint.memory.cache));
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
        const QPointF place = at(plot, static_cast<double>(over), core::toGib(*footprint.capacity));
        m_annotations->addPoint(place, Role::Bad);
        m_annotations->addLabelNear({tr("Out of memory"), tr("from %1 tokens").arg(countText(over)), Role::Bad}, place,
                                    plot);
    }
    const std::int64_t crossing = limits.crossover.value_or(0);
    if (crossing > 0 && crossing <= m_scale.lastContext) {
        const QPointF place = at(plot, static_cast<double>(crossing), core::toGib(*footprint.weights));
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
