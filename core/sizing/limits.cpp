// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sizing/limits.h"

#include "core/engines/need.h"
#include "core/largest_fitting.h"

#include <algorithm>

namespace core {

namespace {

/// The largest n for which the workload that `withN` makes of it fits.
template <typename WithN> Limit largestWorkload(const Need& need, WithN withN)
{
    Limit limit;
    if (!need.isLimited())
        return limit;
    limit.value = largestFitting([&](std::int64_t n) { return need.fits(withN(n)); });
    if (!limit.value)
        return limit;
    const engines::Reservation over = need.reserve(withN(*limit.value + 1));
    const std::size_t device = need.fullest(over);
    const engines::DeviceShare& share = over.devices.at(device);
    const MemoryParts parts = need.parts(share);
    const Bytes withoutCache = parts.weights + parts.overhead + parts.reserve;
    const std::optional<Bytes> capacity = need.capacity(share);
    limit.part = capacity && withoutCache > *capacity ? BoundPart::Weights : BoundPart::Kv;
    limit.device = need.nameOf(over, device);
    return limit;
}

Limit batchLimit(const Scenario& scenario, const Need& need)
{
    Limit limit = largestWorkload(need, [&](std::int64_t batch) {
        Workload workload = scenario.workload;
        workload.batch = batch;
        workload.spareTokens = std::min(workload.spareTokens, batch - 1);
        return workload;
    });
    const std::int64_t most = engines::mostSequences(scenario);
    if (most > 0 && need.isLimited())
        limit.value = std::min(limit.value.value_or(most), most);
    return limit;
}

Limit contextLimit(const Scenario& scenario, const Need& need)
{
    return largestWorkload(need, [&](std::int64_t context) { return withContext(scenario.workload, context); });
}

std::optional<std::int64_t> crossover(const Scenario& scenario, const Need& need)
{
    if (!need.weights())
        return std::nullopt;
    const Bytes weights = need.keptWeights();
    const std::optional<std::int64_t> last = largestFitting(
        [&](std::int64_t context) { return need.cache(withContext(scenario.workload, context)) < weights; });
    return last ? std::optional(*last + 1) : std::nullopt;
}

} // namespace

Limit maxBatchOf(const Scenario& scenario)
{
    return batchLimit(scenario, Need(scenario));
}

Limit maxContextOf(const Scenario& scenario)
{
    return contextLimit(scenario, Need(scenario));
}

std::optional<std::int64_t> crossoverOf(const Scenario& scenario)
{
    return crossover(scenario, Need(scenario));
}

Limits limitsOf(const Scenario& scenario)
{
    const Need need(scenario);
    return {.maxBatch = batchLimit(scenario, need),
            .maxContext = contextLimit(scenario, need),
            .crossover = crossover(scenario, need)};
}

} // namespace core
