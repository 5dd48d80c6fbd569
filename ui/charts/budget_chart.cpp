// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/budget_chart.h"

#include "ui/charts/chart_style.h"
#include "ui/charts/chart_tables.h"
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
    case core::WasteCause::None:
    case core::WasteCause::Share:
        return QT_TRANSLATE_NOOP("ui::BudgetChart", "Waste: typed share");
    default:
        return QT_TRANSLATE_NOOP("ui::BudgetChart", "Waste");
    }
}

} // namespace

BudgetChart::BudgetChart(QObject* parent) : MemoryChart(parent)
{
    build();
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
    series->setBarWidth(upright || m_bars.size() > 1 ? kBarShare : 1.0);
    m_sets.clear();
    for (const Part& part : kParts) {
        auto* set = new QBarSet(tr(part.name));
        for (std::size_t bar = 0; bar < std::max<std::size_t>(m_bars.size(), 1); ++bar)
            set->append(0);
        series->append(set);
        m_sets.push_back(set);
    }
    m_chart->addSeries(series);
    auto* categories = new QBarCategoryAxis;
    for (std::size_t bar = 0; bar < std::max<std::size_t>(m_bars.size(), 1); ++bar)
        categories->append(QString::number(bar));
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

void BudgetChart::paintSeries()
{
    for (std::size_t i = 0; i < m_sets.size(); ++i) {
        m_sets[i]->setBrush(m_theme->color(kParts.at(i).role));
        m_sets[i]->setPen(QPen(m_theme->color(Role::Page), 1));
    }
}

std::vector<BudgetChart::Bar> BudgetChart::barsOf(const core::Footprint& footprint)
{
    const bool hostKeepsCache =
        footprint.host && footprint.host->parts.cache + footprint.host->parts.waste > core::Bytes();
    if (!footprint.tellsDevicesApart() && !hostKeepsCache)
        return {{.name = {}, .caption = {}, .parts = footprint.memory, .capacity = footprint.capacity}};
    std::vector<Bar> bars;
    std::int64_t first = 0;
    for (const core::DeviceFootprint& device : footprint.devices) {
        const QString number =
            device.count == 1 ? QString::number(first) : tr("%1–%2").arg(first).arg(first + device.count - 1);
        bars.push_back({QString::fromStdString(device.name), number, device.parts, device.capacity});
        first += device.count;
    }
    if (hostKeepsCache)
        bars.push_back({tr("Memory of the host"), tr("host"), footprint.host->parts, footprint.host->capacity});
    return bars;
}

void BudgetChart::show(const core::Evaluation& evaluation, const ChartScale& scale)
{
    const std::size_t before = m_bars.size();
    m_evaluation = evaluation;
    m_bars = barsOf(evaluation.footprint);
    if (m_bars.size() != before) {
        m_chosen = {};
        build();
        m_scale = {};
    }
    core::Bytes longest;
    for (const Bar& bar : m_bars)
        longest = std::max({longest, bar.parts.total(), bar.capacity.value_or(core::Bytes())});
    const ChartScale& range = m_bars.size() > 1 ? m_tracker.followBars(longest) : scale;
    if (!(range == m_scale)) {
        m_scale = range;
        setRange();
    }
    setValues();
    layout();
}

void BudgetChart::setRange()
{
    m_axis->setRange(0, m_scale.top);
}

void BudgetChart::setValues()
{
    for (std::size_t i = 0; i < m_sets.size(); ++i) {
        for (std::size_t bar = 0; bar < m_bars.size(); ++bar) {
            const double value = m_scale.valueOf(m_bars[bar].parts.*(kParts.at(i).bytes));
            const auto place = static_cast<int>(m_orientation == Qt::Vertical ? bar : m_bars.size() - 1 - bar);
            if (m_sets[i]->at(place) != value)
                m_sets[i]->replace(place, value);
        }
    }
}

QRectF BudgetChart::plotOf(const QSizeF& size) const
{
    if (m_orientation == Qt::Vertical)
        return {kPlotLeft, kPlotTop, kBarWidth, std::max(50.0, size.height() - kPlotTop - kPlotBottom)};
    return {kPlotLeft, kLyingTop, std::max(50.0, size.width() - kPlotLeft - 4 * kSpace), kLyingHeight};
}

int BudgetChart::shownBar() const
{
    if (m_chosen.bar >= 0 && m_chosen.bar < barCount())
        return m_chosen.bar;
    int fullest = 0;
    const auto freeOf = [&](int bar) {
        const Bar& each = m_bars[static_cast<std::size_t>(bar)];
        return each.capacity ? std::optional(*each.capacity - each.parts.total()) : std::nullopt;
    };
    for (int bar = 1; bar < barCount(); ++bar) {
        if (freeOf(bar) && freeOf(bar) < freeOf(fullest))
            fullest = bar;
    }
    return fullest;
}

std::vector<BudgetChart::Segment> BudgetChart::segments(int bar) const
{
    if (bar < 0 || bar >= barCount())
        return {};
    const Bar& shown = m_bars[static_cast<std::size_t>(bar)];
    std::vector<Segment> result;
    double from = 0;
    for (const Part& part : kParts) {
        const core::Bytes bytes = shown.parts.*(part.bytes);
        if (bytes <= core::Bytes())
            continue;
        const double to = from + m_scale.valueOf(bytes);
        const QString name =
            part.role == Role::Waste ? tr(wasteName(m_evaluation.footprint.wasteCause)) : tr(part.name);
        result.push_back({name, bytes, part.role, from, to});
        from = to;
    }
    if (!shown.capacity)
        return result;
    const core::Bytes free = *shown.capacity - shown.parts.total();
    const double capacity = m_scale.valueOf(*shown.capacity);
    if (free >= core::Bytes())
        result.push_back({tr("Free"), free, Role::Good, from, capacity});
    else
        result.push_back({tr("Over"), core::Bytes() - free, Role::Bad, capacity, from});
    return result;
}

/// "1.00 GiB", or "1,073,741,824 B" of a chosen part.
QString BudgetChart::valueText(const Segment& segment, bool exact) const
{
    const QString size = exact ? tr("%1 B").arg(countText(segment.bytes.count())) : bytesText(segment.bytes);
    return segment.role == Role::Bad ? tr("by %1").arg(size) : size;
}

BudgetChart::Spot BudgetChart::partAt(const QPointF& place) const
{
    for (int bar = 0; bar < barCount(); ++bar) {
        const std::vector<Segment> parts = segments(bar);
        for (int part = static_cast<int>(parts.size()) - 1; part >= 0; --part) {
            const Segment& segment = parts[static_cast<std::size_t>(part)];
            if (boxOf(bar, segment.from, segment.to).contains(place))
                return {bar, part};
        }
    }
    return {};
}

void BudgetChart::choose(const Spot& spot)
{
    if (spot == m_chosen)
        return;
    m_chosen = spot;
    annotate();
}

std::optional<core::Quantity> BudgetChart::chosenQuantity() const
{
    const std::vector<Segment> parts = segments(m_chosen.bar);
    if (m_chosen.part < 0 || m_chosen.part >= static_cast<int>(parts.size()))
        return std::nullopt;
    switch (parts[static_cast<std::size_t>(m_chosen.part)].role) {
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

/// The stretch of the plot in which a bar stands, or lies.
QRectF BudgetChart::slotOf(int bar) const
{
    const QRectF plot = m_chart->plotArea();
    const int count = std::max(barCount(), 1);
    if (m_orientation == Qt::Vertical)
        return {plot.left() + plot.width() * bar / count, plot.top(), plot.width() / count, plot.height()};
    return {plot.left(), plot.top() + plot.height() * bar / count, plot.width(), plot.height() / count};
}

QRectF BudgetChart::boxOf(int bar, double from, double to) const
{
    const QRectF slot = slotOf(bar);
    const double first = std::min(1.0, from / m_scale.top);
    const double last = std::min(1.0, to / m_scale.top);
    if (m_orientation == Qt::Vertical) {
        const double margin = slot.width() * (1 - kBarShare) / 2;
        return {QPointF(slot.left() + margin, slot.bottom() - slot.height() * last),
                QPointF(slot.right() - margin, slot.bottom() - slot.height() * first)};
    }
    const double margin = barCount() > 1 ? slot.height() * (1 - kBarShare) / 2 : 0;
    return {QPointF(slot.left() + slot.width() * first, slot.top() + margin),
            QPointF(slot.left() + slot.width() * last, slot.bottom() - margin)};
}

DataTable BudgetChart::table() const
{
    return budgetTable(m_evaluation);
}

QString BudgetChart::description() const
{
    QStringList sentences;
    for (int bar = 0; bar < barCount(); ++bar) {
        QStringList parts;
        for (const Segment& segment : segments(bar))
            parts << segment.name + QLatin1Char(' ') + valueText(segment, false);
        const Bar& each = m_bars[static_cast<std::size_t>(bar)];
        if (each.capacity)
            parts << tr("Capacity %1").arg(bytesText(*each.capacity));
        const QString name = each.name.isEmpty() ? QString() : each.name + QStringLiteral(": ");
        sentences << name + parts.join(QStringLiteral(", ")) + QLatin1Char('.');
    }
    return sentences.join(QLatin1Char(' '));
}

} // namespace ui
