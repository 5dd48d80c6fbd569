// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/limits.h"

#include "core/evaluate.h"
#include "core/sizing/kv_cache.h"

#include <algorithm>

namespace core {

namespace {

/// The largest n for which the workload that `withN` makes of it fits into `capacity`.
template <typename WithN>
Limit largestWorkload(const Scenario& scenario, std::optional<Bytes> capacity, Bytes weights, WithN withN)
{
    if (!capacity)
        return {};
    const auto fits = [&](std::int64_t n) { return memoryParts(scenario, withN(n), weights).total() <= *capacity; };
    Limit limit;
    limit.value = largestFitting(fits);
    if (limit.value) {
        const MemoryParts smallest = memoryParts(scenario, withN(1), weights);
        const Bytes withoutCache = smallest.total() - smallest.cache - smallest.waste;
        limit.part = withoutCache > *capacity ? BoundPart::Weights : BoundPart::Kv;
        limit.device = scenario.hardware.gpu ? scenario.hardware.gpu->name : "GPU";
    }
    return limit;
}

std::optional<std::int64_t> crossoverOf(const Scenario& scenario, std::optional<Bytes> weights)
{
    if (!weights)
        return std::nullopt;
    const auto below = [&](std::int64_t context) {
        return sizing::requestCache(scenario, context, scenario.workload.encoderTokens) * scenario.workload.batch <
               *weights;
    };
    const std::optional<std::int64_t> last = largestFitting(below);
    return last ? std::optional(*last + 1) : std::nullopt;
}

} // namespace

Limits limitsOf(const Scenario& scenario)
{
    const std::optional<Bytes> weights = weightBytes(scenario);
    const std::optional<Bytes> device = deviceMemory(scenario.hardware);
    const std::optional<Bytes> capacity = device ? std::optional(*device * scenario.hardware.count) : std::nullopt;
    const auto withBatch = [&](std::int64_t batch) {
        Workload workload = scenario.workload;
        workload.batch = batch;
        return workload;
    };
    const auto toContext = [&](std::int64_t context) { return withContext(scenario.workload, context); };
    const Bytes known = weights.value_or(Bytes());
    return {.maxBatch = largestWorkload(scenario, capacity, known, withBatch),
            .maxContext = largestWorkload(scenario, capacity, known, toContext),
            .crossover = crossoverOf(scenario, weights)};
}

} // namespace core
