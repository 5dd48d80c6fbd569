// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sizing/limits.h"

#include "core/engines/engine.h"
#include "core/largest_fitting.h"

#include <algorithm>

namespace core {

namespace {

/// The largest n for which the workload that `withN` makes of it fits.
template <typename WithN> Limit largestWorkload(const engines::Plan& plan, WithN withN)
{
    Limit limit;
    if (!plan.isLimited())
        return limit;
    limit.value = largestFitting([&](std::int64_t n) { return plan.fits(withN(n)); });
    if (!limit.value)
        return limit;
    const engines::Reservation over = plan.reserve(withN(*limit.value + 1));
    const std::size_t device = plan.fullest(over);
    const engines::DeviceShare& share = over.devices.at(device);
    const MemoryParts parts = plan.parts(share);
    const Bytes withoutCache = parts.weights + parts.overhead + parts.reserve;
    const std::optional<Bytes> capacity = plan.capacity(share);
    limit.part = capacity && withoutCache > *capacity ? BoundPart::Weights : BoundPart::Kv;
    limit.device = plan.nameOf(over, device);
    return limit;
}

} // namespace

Limit maxBatchOf(const engines::Plan& plan)
{
    Limit limit = largestWorkload(plan, [&](std::int64_t batch) {
        Workload workload = plan.scenario().workload;
        workload.batch = batch;
        workload.spareTokens = std::min(workload.spareTokens, batch - 1);
        return workload;
    });
    const std::int64_t most = engines::mostSequences(plan.scenario());
    if (most > 0 && plan.isLimited())
        limit.value = std::min(limit.value.value_or(most), most);
    return limit;
}

Limit maxContextOf(const engines::Plan& plan)
{
    return largestWorkload(plan, [&](std::int64_t context) { return withContext(plan.scenario().workload, context); });
}

std::optional<std::int64_t> crossoverOf(const engines::Plan& plan)
{
    if (!plan.weights())
        return std::nullopt;
    const Workload& workload = plan.scenario().workload;
    const Bytes weights = plan.reserve(workload).weights();
    const std::optional<std::int64_t> last = largestFitting(
        [&](std::int64_t context) { return plan.reserve(withContext(workload, context)).used() < weights; });
    return last ? std::optional(*last + 1) : std::nullopt;
}

Limits limitsOf(const engines::Plan& plan)
{
    return {.maxBatch = maxBatchOf(plan), .maxContext = maxContextOf(plan), .crossover = crossoverOf(plan)};
}

} // namespace core
