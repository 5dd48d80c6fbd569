// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_scale.h"

#include "ui/texts.h"

#include <algorithm>
#include <cmath>

namespace ui {

namespace {

constexpr std::int64_t kSmallestStep = 512; ///< tokens
constexpr int kContextSteps = 5;
constexpr int kMostSteps = 8;
constexpr int kFarSights = 8;       ///< a mark that lies up to this many contexts away is brought into view
constexpr double kRoomAbove = 1.12; ///< of the largest value that must be seen
constexpr double kJump = 2.5;       ///< room given when a value leaves the range
constexpr double kTooEmpty = 0.22;  ///< a smaller filled share gives a smaller range
constexpr int kSoon = 2;            ///< a range that holds less than this much more is left soon
constexpr int kTooFar = 40;         ///< the same for contexts

/// The smallest range of five steps of 2^n tokens that holds `context`.
std::int64_t contextStepFor(double context)
{
    std::int64_t step = kSmallestStep;
    while (static_cast<double>(step) * kContextSteps < context)
        step *= 2;
    return step;
}

/// The context that ought to be seen: the chosen one and, when near enough, where memory ends and where cache and
/// weights cross.
double contextInSight(const core::Evaluation& evaluation)
{
    const auto context = static_cast<double>(evaluation.scenario.workload.context);
    double sight = context * 1.25;
    const core::Limits& limits = evaluation.footprint.limits;
    for (const std::optional<std::int64_t>& mark : {limits.maxContext.value, limits.crossover}) {
        const double place = static_cast<double>(mark.value_or(0)) * kRoomAbove;
        if (place <= context * kFarSights)
            sight = std::max(sight, place);
    }
    return sight;
}

double gibInSight(const core::Footprint& footprint)
{
    const core::Bytes capacity = footprint.capacity.value_or(core::Bytes());
    const core::Bytes largest = std::max({capacity, footprint.memory.total(), footprint.memory.weights});
    return std::max(core::toGib(largest), 1.0 / 1024);
}

constexpr double kUnitRatio = 1024;
constexpr double kFirstContext = 256; ///< left end of a logarithmic axis
constexpr double kOctaves = 12;       ///< height of a logarithmic axis, in doublings

double gibPer(ChartUnit unit)
{
    return unit == ChartUnit::Mib ? 1 / kUnitRatio : (unit == ChartUnit::Gib ? 1 : kUnitRatio);
}

ChartUnit unitFor(double gib)
{
    if (gib < 2)
        return ChartUnit::Mib;
    return gib < 8 * kUnitRatio ? ChartUnit::Gib : ChartUnit::Tib;
}

double stepFor(double top)
{
    double step = 1;
    while (step * kMostSteps < top)
        step *= 2;
    return step;
}

} // namespace

const char* unitName(ChartUnit unit)
{
    return unit == ChartUnit::Mib ? "MiB" : (unit == ChartUnit::Gib ? "GiB" : "TiB");
}

double ChartScale::valueOf(core::Bytes bytes) const
{
    return core::toGib(bytes) / gibPer(unit);
}

double ChartScale::xOf(double context) const
{
    return logarithmic ? std::log2(std::max(context, 1.0)) : context;
}

double ChartScale::yOf(double value) const
{
    return logarithmic ? std::max(std::log2(std::max(value, 1e-12)), bottom()) : value;
}

double ChartScale::left() const
{
    return logarithmic ? std::log2(kFirstContext) : 0;
}

double ChartScale::bottom() const
{
    return logarithmic ? std::log2(top) - kOctaves : 0;
}

std::int64_t ChartScale::contextOf(double x) const
{
    const double context = logarithmic ? std::exp2(x) : x;
    return std::clamp<std::int64_t>(std::llround(context), 1, std::max<std::int64_t>(1, lastContext));
}

std::vector<Tick> ChartScale::contextTicks() const
{
    std::vector<Tick> ticks;
    if (!logarithmic) {
        for (std::int64_t context = 0; context <= lastContext; context += contextStep)
            ticks.push_back({static_cast<double>(context), tokensText(context)});
        return ticks;
    }
    for (auto context = static_cast<std::int64_t>(kFirstContext); context <= lastContext; context *= 2)
        ticks.push_back({xOf(static_cast<double>(context)), tokensText(context)});
    return ticks;
}

std::vector<Tick> ChartScale::valueTicks() const
{
    std::vector<Tick> ticks;
    if (!logarithmic) {
        for (int i = 0; i * step <= top; ++i)
            ticks.push_back({i * step, countText(std::llround(i * step))});
        return ticks;
    }
    for (double exponent = bottom(); exponent <= upper(); exponent += 2) {
        const double value = std::exp2(exponent);
        const QString label =
            value >= 1 ? countText(std::llround(value)) : QStringLiteral("1/") + countText(std::llround(1 / value));
        ticks.push_back({exponent, label});
    }
    return ticks;
}

const ChartScale& ScaleTracker::follow(const core::Evaluation& evaluation, bool logarithmic)
{
    const bool switched = logarithmic != m_scale.logarithmic;
    m_scale.logarithmic = logarithmic;
    const std::int64_t context = evaluation.scenario.workload.context;
    const double gib = gibInSight(evaluation.footprint);
    const double top = m_scale.top * gibPer(m_scale.unit);
    const bool totalLeads = top > 0 && core::toGib(evaluation.footprint.memory.total()) >= gib;
    const bool contextLeaves = context > m_scale.lastContext;
    const bool valueLeaves = gib * 1.02 > top;
    // A range that would soon be left changes with the other: the axes jump once, not twice.
    const bool contextFollows = valueLeaves && totalLeads && context * kSoon > m_scale.lastContext;
    const bool valueFollows = contextLeaves && totalLeads && gib * kSoon > top;
    if (switched || contextLeaves || contextFollows || context * kTooFar < m_scale.lastContext)
        holdContext(
            std::max(contextInSight(evaluation), static_cast<double>(contextFollows ? context * kSoon : context)));
    if (switched || valueLeaves || valueFollows || gib < top * kTooEmpty)
        holdValue(gib * ((valueLeaves || valueFollows) && totalLeads ? kJump : kRoomAbove));
    return m_scale;
}

void ScaleTracker::holdContext(double context)
{
    m_scale.contextStep = contextStepFor(context);
    m_scale.lastContext = m_scale.contextStep * kContextSteps;
    if (m_scale.logarithmic)
        m_scale.lastContext = std::int64_t{1}
                              << std::llround(std::ceil(std::log2(std::max(context, kFirstContext * 4))));
}

void ScaleTracker::holdValue(double gib)
{
    m_scale.unit = unitFor(gib);
    const double value = gib / gibPer(m_scale.unit);
    m_scale.step = stepFor(value);
    m_scale.top =
        m_scale.logarithmic ? std::exp2(std::ceil(std::log2(value))) : m_scale.step * std::ceil(value / m_scale.step);
}

} // namespace ui
