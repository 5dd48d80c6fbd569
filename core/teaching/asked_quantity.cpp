// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/teaching/asked_quantity.h"

#include "core/engines/engine.h"
#include "core/largest_fitting.h"
#include "core/scenario/kv_cache.h"
#include "core/sizing/evaluate.h"
#include "core/sizing/limits.h"
#include "core/teaching/scenario_facts.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace core {

namespace {

using Number = std::optional<double>;

Number number(std::int64_t count)
{
    return static_cast<double>(count);
}

Number number(Bytes bytes)
{
    return number(bytes.count());
}

template <typename T> Number number(const std::optional<T>& value)
{
    return value ? number(*value) : std::nullopt;
}

/// `part` / `whole`; nothing where the whole is nothing.
Number ratio(std::int64_t part, std::int64_t whole)
{
    return whole > 0 ? Number(static_cast<double>(part) / static_cast<double>(whole)) : std::nullopt;
}

MemoryParts partsOf(const Scenario& scenario)
{
    return memoryParts(scenario, scenario.workload);
}

Number wasteShare(const Scenario& scenario)
{
    const MemoryParts parts = partsOf(scenario);
    const double reserved = static_cast<double>((parts.cache + parts.waste).count());
    return reserved > 0 ? Number(100.0 * static_cast<double>(parts.waste.count()) / reserved) : std::nullopt;
}

Number freeMemory(const Scenario& scenario)
{
    const std::optional<Bytes> device = deviceMemory(scenario.hardware);
    return device ? number(*device * scenario.hardware.count - partsOf(scenario).total()) : std::nullopt;
}

Number queryHeadsForEachKvHead(const Scenario& scenario)
{
    const CacheGroup* heads = headsOf(scenario.model);
    return heads != nullptr && heads->queryHeads > 0 ? ratio(heads->queryHeads, kvHeads(scenario, *heads))
                                                     : std::nullopt;
}

Number headDim(const Scenario& scenario)
{
    const CacheGroup* heads = headsOf(scenario.model);
    return heads != nullptr ? number(heads->keyDim) : std::nullopt;
}

/// The fewest devices that hold the scenario; nothing where no number of them does.
Number devicesNeeded(const Scenario& scenario)
{
    const std::optional<Bytes> device = deviceMemory(scenario.hardware);
    if (!device)
        return std::nullopt;
    Scenario tried = scenario;
    const auto isTooFew = [&](std::int64_t count) {
        tried.hardware.count = count;
        return partsOf(tried).total() > *device * count;
    };
    const std::optional<std::int64_t> last = largestFitting(isTooFew, kMaxGpus);
    return last ? number(*last + 1) : std::nullopt;
}

Number fullestDevice(const Scenario& scenario)
{
    const engines::Reservation reservation = engines::reserve(scenario);
    Bytes most;
    for (const engines::DeviceShare& share : reservation.shares())
        most = std::max(most, scaledUp(share.cache(), 1, std::max<std::int64_t>(share.count, 1)));
    return number(most);
}

Number cachePerToken(const Scenario& scenario)
{
    const Rate rate = kvSize(scenario).perToken;
    return ratio(rate.bytes.count(), rate.tokens);
}

struct QuantityRow {
    std::string_view id;
    Measure measure;
    Number (*solve)(const Scenario& scenario);
};

/// In the order of `AskedQuantity`.
constexpr std::array kQuantities{
    QuantityRow{"cache", Measure::Bytes, [](const Scenario& scenario) { return number(kvSize(scenario).total); }},
    QuantityRow{"request_cache", Measure::Bytes,
                [](const Scenario& scenario) { return number(kvSize(scenario).perRequest); }},
    QuantityRow{"per_token", Measure::Bytes, cachePerToken},
    QuantityRow{"fixed_cache", Measure::Bytes,
                [](const Scenario& scenario) { return number(kvSize(scenario).fixedPerRequest); }},
    QuantityRow{"reserved", Measure::Bytes,
                [](const Scenario& scenario) { return number(partsOf(scenario).cache + partsOf(scenario).waste); }},
    QuantityRow{"waste", Measure::Bytes, [](const Scenario& scenario) { return number(partsOf(scenario).waste); }},
    QuantityRow{"waste_share", Measure::Percent, wasteShare},
    QuantityRow{"weights", Measure::Bytes, [](const Scenario& scenario) { return number(weightBytes(scenario)); }},
    QuantityRow{"total", Measure::Bytes, [](const Scenario& scenario) { return number(partsOf(scenario).total()); }},
    QuantityRow{"free", Measure::Bytes, freeMemory},
    QuantityRow{"factor", Measure::Times, [](const Scenario&) { return Number(); }}, // compares two scenarios
    QuantityRow{"sharing", Measure::Times, queryHeadsForEachKvHead},
    QuantityRow{"head_dim", Measure::Plain, headDim},
    QuantityRow{"max_batch", Measure::Requests,
                [](const Scenario& scenario) { return number(maxBatchOf(*engines::plan(scenario)).value); }},
    QuantityRow{"max_context", Measure::Tokens,
                [](const Scenario& scenario) { return number(maxContextOf(*engines::plan(scenario)).value); }},
    QuantityRow{"crossover", Measure::Tokens,
                [](const Scenario& scenario) { return number(crossoverOf(*engines::plan(scenario))); }},
    QuantityRow{"gpus_needed", Measure::Gpus, devicesNeeded},
    QuantityRow{"pool", Measure::Bytes, [](const Scenario& scenario) { return number(poolOf(scenario).memory); }},
    QuantityRow{"blocks", Measure::Blocks, [](const Scenario& scenario) { return number(poolOf(scenario).blocks); }},
    QuantityRow{"device_cache", Measure::Bytes, fullestDevice},
};

constexpr auto kIds = [] {
    std::array<std::string_view, kQuantities.size()> ids;
    std::ranges::transform(kQuantities, ids.begin(), &QuantityRow::id);
    return ids;
}();

} // namespace

std::string_view id(AskedQuantity quantity)
{
    return kIds.at(static_cast<std::size_t>(quantity));
}

std::optional<AskedQuantity> askedQuantityNamed(std::string_view id)
{
    const auto found = std::ranges::find(kIds, id);
    return found == kIds.end() ? std::nullopt : std::optional(static_cast<AskedQuantity>(found - kIds.begin()));
}

std::span<const std::string_view> askedQuantityIds()
{
    return kIds;
}

Measure measureOf(AskedQuantity quantity)
{
    return kQuantities.at(static_cast<std::size_t>(quantity)).measure;
}

std::optional<double> solve(AskedQuantity quantity, const Scenario& scenario)
{
    return kQuantities.at(static_cast<std::size_t>(quantity)).solve(scenario);
}

std::optional<double> solve(const Task& task)
{
    if (task.quantity != AskedQuantity::Factor)
        return solve(task.quantity, task.scenario);
    return task.compared ? ratio(partsOf(task.scenario).cache.count(), partsOf(*task.compared).cache.count())
                         : std::nullopt;
}

Bytes solvedBytes(AskedQuantity quantity, const Scenario& scenario)
{
    return Bytes(static_cast<std::int64_t>(solve(quantity, scenario).value_or(0)));
}

Value shownNumber(Measure measure, double number)
{
    constexpr double kNearlyWhole = 1e-9;
    const double whole = std::round(number);
    switch (measure) {
    case Measure::Bytes:
        return Bytes(static_cast<std::int64_t>(whole));
    case Measure::Percent:
        return Percent{static_cast<std::int64_t>(std::round(number * 100.0))};
    default:
        if (std::abs(number - whole) <= kNearlyWhole * std::abs(whole))
            return static_cast<std::int64_t>(whole);
        return number;
    }
}

} // namespace core
