// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/teaching/asked.h"

#include "core/engines/engine.h"
#include "core/largest_fitting.h"
#include "core/scenario/kv_cache.h"
#include "core/sizing/evaluate.h"
#include "core/sizing/limits.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace core {

namespace {

struct Row {
    std::string_view id;
    Measure measure;
};

constexpr std::array kRows{
    Row{"cache", Measure::Bytes},         Row{"request_cache", Measure::Bytes}, Row{"per_token", Measure::Bytes},
    Row{"fixed_cache", Measure::Bytes},   Row{"reserved", Measure::Bytes},      Row{"waste", Measure::Bytes},
    Row{"waste_share", Measure::Percent}, Row{"weights", Measure::Bytes},       Row{"total", Measure::Bytes},
    Row{"free", Measure::Bytes},          Row{"factor", Measure::Times},        Row{"sharing", Measure::Times},
    Row{"head_dim", Measure::Plain},      Row{"max_batch", Measure::Requests},  Row{"max_context", Measure::Tokens},
    Row{"crossover", Measure::Tokens},    Row{"gpus_needed", Measure::Gpus},    Row{"pool", Measure::Bytes},
    Row{"blocks", Measure::Blocks},       Row{"device_cache", Measure::Bytes},
};

constexpr auto kIds = [] {
    std::array<std::string_view, kRows.size()> ids;
    std::ranges::transform(kRows, ids.begin(), &Row::id);
    return ids;
}();

template <typename T> std::optional<double> number(std::optional<T> value)
{
    return value ? std::optional(static_cast<double>(*value)) : std::nullopt;
}

double number(Bytes bytes)
{
    return static_cast<double>(bytes.count());
}

MemoryParts partsOf(const Scenario& scenario)
{
    return memoryParts(scenario, scenario.workload);
}

std::optional<double> wasteShare(const MemoryParts& parts)
{
    const double reserved = number(parts.cache + parts.waste);
    return reserved > 0 ? std::optional(100.0 * number(parts.waste) / reserved) : std::nullopt;
}

std::optional<double> growth(const Task& task)
{
    if (!task.compared)
        return std::nullopt;
    const double before = number(partsOf(*task.compared).cache);
    return before > 0 ? std::optional(number(partsOf(task.scenario).cache) / before) : std::nullopt;
}

/// The fewest devices that hold the scenario; nothing where no number of them does.
std::optional<double> devicesNeeded(Scenario scenario)
{
    const std::optional<Bytes> device = deviceMemory(scenario.hardware);
    if (!device)
        return std::nullopt;
    const auto isTooFew = [&](std::int64_t count) {
        scenario.hardware.count = count;
        return partsOf(scenario).total() > *device * count;
    };
    const std::optional<std::int64_t> last = largestFitting(isTooFew, kMaxGpus);
    return last ? std::optional(static_cast<double>(*last + 1)) : std::nullopt;
}

std::optional<double> freeOf(const Scenario& scenario)
{
    const std::optional<Bytes> device = deviceMemory(scenario.hardware);
    if (!device)
        return std::nullopt;
    return number(*device * scenario.hardware.count - partsOf(scenario).total());
}

/// What is asked of the heads: how many query heads share a KV head, or the length of a key.
std::optional<double> ofHeads(const Scenario& scenario, Asked what)
{
    const CacheGroup* group = headsOf(scenario.model);
    if (group == nullptr)
        return std::nullopt;
    if (what == Asked::HeadDim)
        return static_cast<double>(group->keyDim);
    const std::int64_t kvHeads = core::kvHeads(scenario, *group);
    if (kvHeads == 0 || group->queryHeads == 0)
        return std::nullopt;
    return static_cast<double>(group->queryHeads) / static_cast<double>(kvHeads);
}

std::optional<double> ofCache(const Scenario& scenario, Asked what)
{
    const KvSize size = kvSize(scenario);
    switch (what) {
    case Asked::RequestCache:
        return number(size.perRequest);
    case Asked::PerToken:
        return number(size.perToken.bytes) / static_cast<double>(size.perToken.tokens);
    case Asked::FixedCache:
        return number(size.fixedPerRequest);
    default:
        return number(size.total);
    }
}

std::optional<double> ofMemory(const Scenario& scenario, Asked what)
{
    const MemoryParts parts = partsOf(scenario);
    switch (what) {
    case Asked::Reserved:
        return number(parts.cache + parts.waste);
    case Asked::Waste:
        return number(parts.waste);
    case Asked::WasteShare:
        return wasteShare(parts);
    default:
        return number(parts.total());
    }
}

/// What the engine has for its cache, and sets aside, on one device.
std::optional<double> ofDevice(const Scenario& scenario, Asked what)
{
    const engines::Reservation reservation = engines::reserve(scenario);
    if (what == Asked::DeviceCache) {
        Bytes most;
        for (const engines::DeviceShare& share : reservation.shares())
            most = std::max(most, scaledUp(share.cache(), 1, std::max<std::int64_t>(share.count, 1)));
        return number(most);
    }
    if (!reservation.pool)
        return std::nullopt;
    if (what == Asked::Blocks)
        return number(reservation.pool->blocks);
    return reservation.pool->memory ? std::optional(number(*reservation.pool->memory)) : std::nullopt;
}

} // namespace

std::string_view id(Asked asked)
{
    return kIds.at(static_cast<std::size_t>(asked));
}

std::optional<Asked> asked(std::string_view id)
{
    const auto found = std::ranges::find(kIds, id);
    return found == kIds.end() ? std::nullopt : std::optional(static_cast<Asked>(found - kIds.begin()));
}

std::span<const std::string_view> askedIds()
{
    return kIds;
}

Measure measureOf(Asked asked)
{
    return kRows.at(static_cast<std::size_t>(asked)).measure;
}

std::optional<double> solve(const Task& task)
{
    const Scenario& scenario = task.scenario;
    switch (task.asked) {
    case Asked::Cache:
    case Asked::RequestCache:
    case Asked::PerToken:
    case Asked::FixedCache:
        return ofCache(scenario, task.asked);
    case Asked::Reserved:
    case Asked::Waste:
    case Asked::WasteShare:
    case Asked::Total:
        return ofMemory(scenario, task.asked);
    case Asked::Weights: {
        const std::optional<Bytes> weights = weightBytes(scenario);
        return weights ? std::optional(number(*weights)) : std::nullopt;
    }
    case Asked::Free:
        return freeOf(scenario);
    case Asked::Factor:
        return growth(task);
    case Asked::Sharing:
    case Asked::HeadDim:
        return ofHeads(scenario, task.asked);
    case Asked::MaxBatch:
        return number(maxBatchOf(*engines::plan(scenario)).value);
    case Asked::MaxContext:
        return number(maxContextOf(*engines::plan(scenario)).value);
    case Asked::Crossover:
        return number(crossoverOf(*engines::plan(scenario)));
    case Asked::Gpus:
        return devicesNeeded(scenario);
    case Asked::Pool:
    case Asked::Blocks:
    case Asked::DeviceCache:
        return ofDevice(scenario, task.asked);
    }
    return std::nullopt;
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

const CacheGroup* headsOf(const Model& model)
{
    const auto found = std::ranges::find_if(model.groups, [](const CacheGroup& group) { return hasHeads(group.kind); });
    return found == model.groups.end() ? nullptr : &*found;
}

std::int64_t blockTokensOf(const Scenario& scenario)
{
    if (!engines::engine(scenario.engine).hasPool)
        return scenario.blockTokens;
    return engines::reserve(scenario).pool->blockTokens;
}

} // namespace core
