// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/limits.h"

#include "core/evaluate.h"
#include "core/sizing/kv_cache.h"

#include <algorithm>

namespace core {

namespace {

/// The largest n for which the workload that `withN` makes of it fits into the capacity.
template <typename WithN> Limit largestWorkload(const Scenario& scenario, WithN withN)
{
    const std::optional<Bytes> device = deviceMemory(scenario.hardware);
    if (!device)
        return {};
    const Bytes capacity = *device * scenario.hardware.count;
    const Bytes weights = weightBytes(scenario).value_or(Bytes());
    const auto fits = [&](std::int64_t n) { return memoryParts(scenario, withN(n), weights).total() <= capacity; };
    Limit limit;
    limit.value = largestFitting(fits);
    if (limit.value) {
        const MemoryParts smallest = memoryParts(scenario, withN(1), weights);
        const Bytes withoutCache = smallest.total() - smallest.cache - smallest.waste;
        limit.part = withoutCache > capacity ? BoundPart::Weights : BoundPart::Kv;
        limit.device = scenario.hardware.gpu ? scenario.hardware.gpu->name : "GPU";
    }
    return limit;
}

} // namespace

Limit maxBatchOf(const Scenario& scenario)
{
    return largestWorkload(scenario, [&](std::int64_t batch) {
        Workload workload = scenario.workload;
        workload.batch = batch;
        return workload;
    });
}

Limit maxContextOf(const Scenario& scenario)
{
    return largestWorkload(scenario, [&](std::int64_t context) { return withContext(scenario.workload, context); });
}

std::optional<std::int64_t> crossoverOf(const Scenario& scenario)
{
    const std::optional<Bytes> weights = weightBytes(scenario);
    if (!weights)
        return std::nullopt;
    const auto below = [&](std::int64_t context) {
        return sizing::requestCache(scenario, context, scenario.workload.encoderTokens) * scenario.workload.batch <
               *weights;
    };
    const std::optional<std::int64_t> last = largestFitting(below);
    return last ? std::optional(*last + 1) : std::nullopt;
}

Limits limitsOf(const Scenario& scenario)
{
    return {.maxBatch = maxBatchOf(scenario), .maxContext = maxContextOf(scenario), .crossover = crossoverOf(scenario)};
}

} // namespace core
