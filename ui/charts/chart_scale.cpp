// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_scale.h"

#include "ui/texts.h"

#include <algorithm>
#include <array>
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

core::Bytes memoryInSight(const core::Footprint& footprint)
{
    const core::Bytes capacity = footprint.capacity.value_or(core::Bytes());
    return std::max({capacity, footprint.memory.total(), footprint.memory.weights, core::mib(1)});
}

constexpr double kFirstContext = 256; ///< left end of a logarithmic axis
constexpr double kOctaves = 12;       ///< height of a logarithmic axis, in doublings

/// The unit of the chosen system in which `bytes` is from 2 to some thousands.
ChartUnit unitFor(double bytes)
{
    ChartUnit unit{.system = sizeUnit()};
    if (bytes < 2 * unit.bytes())
        unit.power = 2;
    else if (ChartUnit next{.system = unit.system, .power = 4}; bytes >= 8 * next.bytes())
        unit.power = 4;
    return unit;
}

double stepFor(double top)
{
    double step = 1;
    while (step * kMostSteps < top)
        step *= 2;
    return step;
}

} // namespace

double ChartUnit::bytes() const
{
    return std::pow(system == core::Unit::Binary ? 1024.0 : 1000.0, power);
}

const char* ChartUnit::name() const
{
    static constexpr std::array kBinary{"MiB", "GiB", "TiB"};
    static constexpr std::array kDecimal{"MB", "GB", "TB"};
    return (system == core::Unit::Binary ? kBinary : kDecimal).at(static_cast<std::size_t>(power - 2));
}

double ChartScale::valueOf(core::Bytes bytes) const
{
    return static_cast<double>(bytes.count()) / unit.bytes();
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

std::vector<Tick> ChartScale::linearTicks() const
{
    std::vector<Tick> ticks;
    for (int i = 0; i * step <= top; ++i)
        ticks.push_back({i * step, countText(std::llround(i * step))});
    return ticks;
}

std::vector<Tick> ChartScale::valueTicks() const
{
    if (!logarithmic)
        return linearTicks();
    std::vector<Tick> ticks;
    for (double exponent = bottom(); exponent <= upper(); exponent += 2) {
        const double value = std::exp2(exponent);
        const QString label =
            value >= 1 ? countText(std::llround(value)) : QStringLiteral("1/") + countText(std::llround(1 / value));
        ticks.push_back({exponent, label});
    }
    return ticks;
}

std::vector<Tick> ChartScale::otherUnitTicks() const
{
    ChartScale other = *this;
    other.unit.system = unit.system == core::Unit::Binary ? core::Unit::Decimal : core::Unit::Binary;
    const double ratio = unit.bytes() / other.unit.bytes();
    other.top = top * ratio;
    other.step = stepFor(other.top);
    if (logarithmic)
        other.top = std::exp2(std::floor(std::log2(other.top)));
    std::vector<Tick> ticks = other.valueTicks();
    for (Tick& tick : ticks)
        tick.place = logarithmic ? tick.place - std::log2(ratio) : tick.place / ratio;
    std::erase_if(ticks, [&](const Tick& tick) { return tick.place < bottom(); });
    if (!ticks.empty())
        ticks.back().label += QLatin1Char(' ') + QString::fromLatin1(other.unit.name());
    return ticks;
}

const ChartScale& ScaleTracker::follow(const core::Evaluation& evaluation, bool logarithmic)
{
    const bool switched = logarithmic != m_scale.logarithmic || m_scale.unit.system != sizeUnit();
    m_scale.logarithmic = logarithmic;
    const std::int64_t context = evaluation.scenario.workload.context;
    const core::Bytes inSight = memoryInSight(evaluation.footprint);
    const auto bytes = static_cast<double>(inSight.count());
    const double top = m_scale.top * m_scale.unit.bytes();
    const bool totalLeads = top > 0 && evaluation.footprint.memory.total() >= inSight;
    const bool contextLeaves = context > m_scale.lastContext;
    const bool valueLeaves = bytes * 1.02 > top;
    // A range that would soon be left changes with the other: the axes jump once, not twice.
    const bool contextFollows = valueLeaves && totalLeads && context * kSoon > m_scale.lastContext;
    const bool valueFollows = contextLeaves && totalLeads && bytes * kSoon > top;
    if (switched || contextLeaves || contextFollows || context * kTooFar < m_scale.lastContext)
        holdContext(
            std::max(contextInSight(evaluation), static_cast<double>(contextFollows ? context * kSoon : context)));
    if (switched || valueLeaves || valueFollows || bytes < top * kTooEmpty)
        holdValue(bytes * ((valueLeaves || valueFollows) && totalLeads ? kJump : kRoomAbove));
    return m_scale;
}

const ChartScale& ScaleTracker::followBars(core::Bytes longest)
{
    const auto bytes = static_cast<double>(std::max(longest, core::mib(1)).count());
    const double top = m_scale.top * m_scale.unit.bytes();
    if (m_scale.unit.system != sizeUnit() || bytes * 1.02 > top || bytes < top * kTooEmpty)
        holdValue(bytes * kRoomAbove);
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

void ScaleTracker::holdValue(double bytes)
{
    m_scale.unit = unitFor(bytes);
    const double value = bytes / m_scale.unit.bytes();
    m_scale.step = stepFor(value);
    m_scale.top =
        m_scale.logarithmic ? std::exp2(std::ceil(std::log2(value))) : m_scale.step * std::ceil(value / m_scale.step);
}

} // namespace ui
