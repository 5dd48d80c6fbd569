// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/budget_chart.h"

#include "ui/charts/annotations.h"
#include "ui/charts/chart_style.h"
#include "ui/texts.h"

#include <QBarCategoryAxis>
#include <QBarSet>
#include <QChart>
#include <QHorizontalStackedBarSeries>
#include <QStackedBarSeries>
#include <QValueAxis>

#include <algorithm>
#include <array>
#include <cmath>

namespace ui {

namespace {

constexpr double kBarShare = 0.86; ///< of the plot's width
constexpr int kBarWidth = 88;      ///< plot of an upright bar, pixels
constexpr int kLyingTop = 24;      ///< room for the capacity's name above a lying bar
constexpr int kLyingHeight = 40;

struct Part {
    Role role;
    const char* name;
    core::Bytes core::MemoryParts::*bytes;
};

constexpr std::array kParts{
    Part{Role::Weights, QT_TRANSLATE_NOOP("ui::BudgetChart", "Weights"), &core::MemoryParts::weights},
    Part{Role::Cache, QT_TRANSLATE_NOOP("ui::BudgetChart", "Cache in use"), &core::MemoryParts::cache},
    Part{Role::Waste, QT_TRANSLATE_NOOP("ui::BudgetChart", "Waste"), &core::MemoryParts::waste},
    Part{Role::Overhead, QT_TRANSLATE_NOOP("ui::BudgetChart", "Overhead"), &core::MemoryParts::overhead},
    Part{Role::Reserve, QT_TRANSLATE_NOOP("ui::BudgetChart", "Kept free"), &core::MemoryParts::reserve},
};

/// The waste with its cause.
const char* wasteName(core::WasteCause cause)
{
    switch (cause) {
    case core::WasteCause::MaxContext:
        return QT_TRANSLATE_NOOP("ui::BudgetChart", "Waste: not yet used");
    case core::WasteCause::PartialBlock:
        return QT_TRANSLATE_NOOP("ui::BudgetChart", "Waste: last blocks");
    default:
        return QT_TRANSLATE_NOOP("ui::BudgetChart", "Waste: typed share");
    }
}

} // namespace

BudgetChart::BudgetChart(QObject* parent)
    : QObject(parent),
      m_chart(new QChart),
      m_backdrop(new Annotations(m_chart, Annotations::Layer::Back)),
      m_annotations(new Annotations(m_chart))
{
    build();
    connect(m_chart, &QGraphicsWidget::geometryChanged, this, &BudgetChart::layout);
}

void BudgetChart::build()
{
    const bool upright = m_orientation == Qt::Vertical;
    m_chart->removeAllSeries();
    for (QAbstractAxis* axis : m_chart->axes()) {
        m_chart->removeAxis(axis);
        delete axis;
    }
    QAbstractBarSeries* series = nullptr;
    if (upright)
        series = new QStackedBarSeries;
    else
        series = new QHorizontalStackedBarSeries;
    series->setBarWidth(upright ? kBarShare : 1.0);
    m_sets.clear();
    for (const Part& part : kParts) {
        auto* set = new QBarSet(tr(part.name));
        set->append(0);
        series->append(set);
        m_sets.push_back(set);
    }
    m_chart->addSeries(series);
    auto* categories = new QBarCategoryAxis;
    categories->append(QStringLiteral(" "));
    categories->setVisible(false);
    m_chart->addAxis(categories, upright ? Qt::AlignBottom : Qt::AlignLeft);
    m_axis = rangeAxis(*m_chart, upright ? Qt::AlignLeft : Qt::AlignBottom);
    series->attachAxis(categories);
    series->attachAxis(m_axis);
    setTheme(*m_theme);
}

void BudgetChart::setOrientation(Qt::Orientation orientation)
{
    if (orientation == m_orientation)
        return;
    m_orientation = orientation;
    build();
    if (m_scale.top > 0)
        setRange();
    setValues();
    layout();
}

void BudgetChart::setTheme(const Theme& theme)
{
    m_theme = &theme;
    styleChart(*m_chart, theme);
    for (std::size_t i = 0; i < m_sets.size(); ++i) {
        m_sets[i]->setBrush(theme.color(kParts.at(i).role));
        m_sets[i]->setPen(QPen(theme.color(Role::Page), 1));
    }
    annotate();
}

void BudgetChart::show(const core::Evaluation& evaluation, const ChartScale& scale)
{
    m_evaluation = evaluation;
    if (!(scale == m_scale)) {
        m_scale = scale;
        setRange();
    }
    setValues();
    annotate();
}

void BudgetChart::setRange()
{
    m_axis->setRange(0, m_scale.top);
}

void BudgetChart::setValues()
{
    for (std::size_t i = 0; i < m_sets.size(); ++i) {
        const double value = m_scale.valueOf(m_evaluation.footprint.memory.*(kParts.at(i).bytes));
        if (m_sets[i]->at(0) != value)
            m_sets[i]->replace(0, value);
    }
}

void BudgetChart::layout()
{
    const QSizeF size = m_chart->size();
    if (m_orientation == Qt::Vertical)
        m_chart->setPlotArea(
            QRectF(kPlotLeft, kPlotTop, kBarWidth, std::max(50.0, size.height() - kPlotTop - kPlotBottom)));
    else
        m_chart->setPlotArea(
            QRectF(kPlotLeft, kLyingTop, std::max(50.0, size.width() - kPlotLeft - 4 * kSpace), kLyingHeight));
    annotate();
}

std::vector<BudgetChart::Segment> BudgetChart::segments() const
{
    const core::Footprint& footprint = m_evaluation.footprint;
    std::vector<Segment> result;
    double from = 0;
    for (const Part& part : kParts) {
        const core::Bytes bytes = footprint.memory.*(part.bytes);
        if (bytes <= core::Bytes())
            continue;
        const double to = from + m_scale.valueOf(bytes);
        const QString name = part.role == Role::Waste ? tr(wasteName(footprint.wasteCause)) : tr(part.name);
        result.push_back({name, bytes, part.role, from, to});
        from = to;
    }
    if (const std::optional<core::Bytes> free = footprint.free()) {
        const double capacity = m_scale.valueOf(*footprint.capacity);
        if (*free >= core::Bytes())
            result.push_back({tr("Free"), *free, Role::Good, from, capacity});
        else
            result.push_back({tr("Over"), core::Bytes() - *free, Role::Bad, capacity, from});
    }
    return result;
}

/// "1.00 GiB", or "1,073,741,824 B" of a chosen part.
QString BudgetChart::valueText(const Segment& segment, bool exact) const
{
    const QString size = exact ? tr("%1 B").arg(countText(segment.bytes.count())) : bytesText(segment.bytes);
    return segment.role == Role::Bad ? tr("by %1").arg(size) : size;
}

int BudgetChart::partAt(const QPointF& place) const
{
    const std::vector<Segment> parts = segments();
    for (int part = static_cast<int>(parts.size()) - 1; part >= 0; --part) {
        const Segment& segment = parts[static_cast<std::size_t>(part)];
        if (boxOf(segment.from, segment.to).contains(place))
            return part;
    }
    return -1;
}

void BudgetChart::choose(int part)
{
    if (part == m_chosen)
        return;
    m_chosen = part;
    annotate();
}

std::optional<core::Quantity> BudgetChart::chosenQuantity() const
{
    const std::vector<Segment> parts = segments();
    if (m_chosen < 0 || m_chosen >= static_cast<int>(parts.size()))
        return std::nullopt;
    switch (parts[static_cast<std::size_t>(m_chosen)].role) {
    case Role::Weights:
        return core::Quantity::Weights;
    case Role::Cache:
        return core::Quantity::Cache;
    case Role::Waste:
        return core::Quantity::Waste;
    case Role::Good:
    case Role::Bad:
        return core::Quantity::Free;
    default:
        return core::Quantity::Total;
    }
}

QRectF BudgetChart::boxOf(double from, double to) const
{
    const QRectF plot = m_chart->plotArea();
    const double scale = 1 / m_scale.top;
    if (m_orientation == Qt::Vertical) {
        const double margin = plot.width() * (1 - kBarShare) / 2;
        return {QPointF(plot.left() + margin, plot.bottom() - plot.height() * std::min(1.0, to * scale)),
                QPointF(plot.right() - margin, plot.bottom() - plot.height() * from * scale)};
    }
    return {QPointF(plot.left() + plot.width() * from * scale, plot.top()),
            QPointF(plot.left() + plot.width() * std::min(1.0, to * scale), plot.bottom())};
}

QString BudgetChart::description() const
{
    QStringList parts;
    for (const Segment& segment : segments())
        parts << segment.name + QLatin1Char(' ') + valueText(segment, false);
    if (m_evaluation.footprint.capacity)
        parts << tr("Capacity %1").arg(bytesText(*m_evaluation.footprint.capacity));
    return parts.join(QStringLiteral(", ")) + QLatin1Char('.');
}

} // namespace ui
