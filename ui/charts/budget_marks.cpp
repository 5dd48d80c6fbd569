// SPDX-License-Identifier: GPL-3.0-or-later
// What is written and marked on the budget.
#include "ui/charts/annotations.h"
#include "ui/charts/budget_chart.h"
#include "ui/charts/chart_style.h"
#include "ui/texts.h"

#include <QChart>

#include <algorithm>
#include <utility>

namespace ui {

namespace {

constexpr double kLeastSlot = 12; ///< pixels that a bar needs for its number

/// The second sign of each part beside its colour.
Qt::BrushStyle patternOf(Role role)
{
    switch (role) {
    case Role::Waste:
        return Qt::BDiagPattern;
    case Role::Overhead:
        return Qt::HorPattern;
    case Role::Reserve:
        return Qt::Dense6Pattern;
    default:
        return Qt::NoBrush;
    }
}

/// Names are in the text's colour, free and over in the verdict's.
Role labelRole(Role part)
{
    return part == Role::Good || part == Role::Bad ? part : Role::Text;
}

} // namespace

void BudgetChart::mark(const QRectF& plot)
{
    if (m_bars.empty())
        return;
    markAxis(plot);
    numberBars();
    for (int bar = 0; bar < barCount(); ++bar) {
        markParts(bar);
        markCapacity(bar);
    }
    const std::vector<Segment> parts = segments(shownBar());
    if (m_chosen.part >= 0 && m_chosen.part < static_cast<int>(parts.size())) {
        const Segment& segment = parts[static_cast<std::size_t>(m_chosen.part)];
        m_annotations->addFrame(boxOf(m_chosen.bar, segment.from, segment.to).adjusted(1, 1, -1, -1), Role::Accent,
                                Qt::SolidLine);
    }
    if (m_orientation == Qt::Vertical)
        labelUpright(parts);
    else
        labelLying(parts);
}

void BudgetChart::markAxis(const QRectF& plot)
{
    const std::vector<Tick> ticks = m_scale.linearTicks();
    const bool upright = m_orientation == Qt::Vertical;
    const double length = upright ? plot.height() : plot.width();
    const auto place = [&](double value) {
        const double distance = length * value / m_scale.top;
        return upright ? plot.bottom() - distance : plot.left() + distance;
    };
    addAxes(*m_backdrop, plot, upright ? std::vector<Tick>() : ticks, upright ? ticks : std::vector<Tick>(), place,
            place);
}

/// Under or beside each of several bars its number, in bold where the names are of that bar.
void BudgetChart::numberBars()
{
    const QRectF plot = m_chart->plotArea();
    const bool upright = m_orientation == Qt::Vertical;
    for (int bar = 0; bar < barCount() && barCount() > 1; ++bar) {
        const QRectF slot = slotOf(bar);
        const QRectF box = upright ? QRectF(slot.center().x() - 20, plot.bottom() + 4, 40, 16)
                                   : QRectF(0, slot.center().y() - 8, plot.left() - 6, 16);
        const Annotations::Label label{m_bars[static_cast<std::size_t>(bar)].caption, {}, Role::Text};
        const double width = Annotations::sizeOf(label).width();
        if (bar == shownBar())
            m_annotations->addLabel(label,
                                    QPointF(upright ? box.center().x() - width / 2 : box.right() - width, box.top()));
        else if (slot.width() >= kLeastSlot && slot.height() >= kLeastSlot)
            m_backdrop->addCaption(label.title, box,
                                   upright ? Qt::AlignHCenter | Qt::AlignTop : Qt::AlignRight | Qt::AlignVCenter);
    }
}

void BudgetChart::markParts(int bar)
{
    for (const Segment& segment : segments(bar)) {
        const QRectF box = boxOf(bar, segment.from, segment.to);
        if (segment.role == Role::Good) {
            m_annotations->addFrame(box, Role::Muted, Qt::DotLine);
        } else if (segment.role == Role::Bad) {
            m_annotations->addHatch(box, Role::Page, Qt::SolidPattern);
            m_annotations->addHatch(box, Role::Bad, Qt::DiagCrossPattern);
            m_annotations->addFrame(box, Role::Bad, Qt::SolidLine);
        } else if (patternOf(segment.role) != Qt::NoBrush) {
            m_annotations->addHatch(box, Role::Page, patternOf(segment.role));
        }
    }
}

void BudgetChart::markCapacity(int bar)
{
    const std::optional<core::Bytes> capacity = m_bars[static_cast<std::size_t>(bar)].capacity;
    if (!capacity)
        return;
    const QRectF plot = m_chart->plotArea();
    const QRectF slot = slotOf(bar);
    const QRectF box = boxOf(bar, 0, m_scale.valueOf(*capacity));
    if (m_orientation == Qt::Vertical) {
        m_annotations->addLine(QLineF(slot.left(), box.top(), slot.right(), box.top()), Role::Capacity, 2,
                               Qt::DashLine);
        return;
    }
    const double above = bar == 0 ? 6 : 0;
    const double below = bar + 1 == barCount() ? 4 : 0;
    m_annotations->addLine(QLineF(box.right(), slot.top() - above, box.right(), slot.bottom() + below), Role::Capacity,
                           2, Qt::DashLine);
    if (bar != shownBar())
        return;
    const QString name = tr("%1 capacity").arg(bytesText(*capacity));
    const Annotations::Label label{name, {}, Role::Capacity};
    const double width = Annotations::sizeOf(label).width();
    m_annotations->addLabel(
        label,
        QPointF(std::clamp(box.right() - width / 2, plot.left(), std::max(plot.left(), plot.right() - width)), 0));
}

/// Names and values to the right of the bar, each beside its part, pushed apart where parts are thin.
void BudgetChart::labelUpright(const std::vector<Segment>& segments)
{
    struct Entry {
        Annotations::Label label;
        double anchor; ///< height of the part
        double top;    ///< of the label
    };
    const QRectF plot = m_chart->plotArea();
    std::vector<Entry> entries;
    const int shown = shownBar();
    const Bar& bar = m_bars[static_cast<std::size_t>(shown)];
    for (const Segment& segment : segments) {
        const QRectF box = boxOf(shown, segment.from, segment.to);
        const double anchor = segment.role == Role::Bad ? box.top() : box.center().y();
        entries.push_back(
            {{segment.name, valueText(segment, &segment - segments.data() == m_chosen.part), labelRole(segment.role)},
             anchor,
             anchor});
    }
    if (bar.capacity) {
        const double y = boxOf(shown, 0, m_scale.valueOf(*bar.capacity)).top();
        const QString title = bar.name.isEmpty() ? tr("Capacity") : tr("Capacity of GPU %1").arg(bar.caption);
        entries.push_back({{title, bytesText(*bar.capacity), Role::Capacity}, y, y});
    }
    std::ranges::sort(entries, std::ranges::greater(), &Entry::anchor);
    double floor = plot.bottom() + kSpace;
    for (Entry& entry : entries) { // from the bottom up: keep each above the one below it
        const double height = Annotations::sizeOf(entry.label).height();
        entry.top = std::min(entry.anchor - height / 2, floor - height);
        floor = entry.top - kSpace;
    }
    double ceiling = 0;
    for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry) { // from the top down: keep all inside
        entry->top = std::max(entry->top, ceiling);
        ceiling = entry->top + Annotations::sizeOf(entry->label).height() + kSpace;
    }
    const double left = plot.right() + 5 * kSpace;
    for (const Entry& entry : entries) {
        const double middle = entry.top + Annotations::sizeOf(entry.label).height() / 2;
        if (shown + 1 < barCount()) // past the bars beside it
            m_annotations->addLine(QLineF(slotOf(shown).right(), entry.anchor, plot.right(), entry.anchor), Role::Muted,
                                   1);
        m_annotations->addLine(QLineF(plot.right(), entry.anchor, left - kSpace, middle), Role::Muted, 1);
        m_annotations->addLabel(entry.label, QPointF(left, entry.top));
    }
}

/// Names and values under the bar, each below its part, pushed apart where parts are thin.
void BudgetChart::labelLying(const std::vector<Segment>& segments)
{
    const QRectF plot = m_chart->plotArea();
    std::vector<std::pair<Annotations::Label, double>> placed;
    double left = 0;
    for (const Segment& segment : segments) {
        const Annotations::Label label{segment.name, valueText(segment, &segment - segments.data() == m_chosen.part),
                                       labelRole(segment.role)};
        const double width = Annotations::sizeOf(label).width();
        const double x = std::max(boxOf(shownBar(), segment.from, segment.to).center().x() - width / 2, left);
        placed.emplace_back(label, x);
        left = x + width + 3 * kSpace;
    }
    double right = m_chart->size().width();
    for (auto label = placed.rbegin(); label != placed.rend(); ++label) {
        const double width = Annotations::sizeOf(label->first).width();
        label->second = std::max(0.0, std::min(label->second, right - width));
        right = label->second - 3 * kSpace;
    }
    for (const auto& [label, x] : placed)
        m_annotations->addLabel(label, QPointF(x, plot.bottom() + 20));
}

} // namespace ui
