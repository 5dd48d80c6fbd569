// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evaluate.h"

#include "core/engines/engine.h"
#include "core/limits.h"
#include "core/sizing/kv_cache.h"

#include <utility>

namespace core {

std::optional<Bytes> weightBytes(const Scenario& scenario)
{
    if (scenario.weightBytes)
        return scenario.weightBytes;
    if (!scenario.model.weights.known())
        return std::nullopt;
    return bytesOf(scenario.model.weights, scenario.weightFormat);
}

Bytes requestCache(const Scenario& scenario, std::int64_t tokens)
{
    return sizing::requestCache(scenario, tokens, scenario.workload.encoderTokens);
}

MemoryParts memoryParts(const Scenario& scenario, const Workload& workload, Bytes weights)
{
    const engines::Reservation reservation = engines::reserve(scenario, workload);
    const std::int64_t devices = scenario.hardware.count;
    const Bytes device = deviceMemory(scenario.hardware).value_or(Bytes());
    return {.weights = weights,
            .cache = reservation.used,
            .waste = reservation.waste,
            .overhead = scenario.overhead * devices,
            .reserve = scenario.reserve.of(device) * devices};
}

Footprint evaluate(const Scenario& scenario)
{
    const Hardware& hardware = scenario.hardware;
    Footprint footprint;
    footprint.kv = sizing::kvSize(scenario);
    footprint.weights = weightBytes(scenario);
    footprint.wasteCause = engines::reserve(scenario, scenario.workload).cause;
    footprint.memory = memoryParts(scenario, scenario.workload, footprint.weights.value_or(Bytes()));
    if (const std::optional<Bytes> device = deviceMemory(hardware)) {
        footprint.capacity = *device * hardware.count;
        footprint.devices.push_back({.name = hardware.gpu ? hardware.gpu->name : "GPU",
                                     .count = hardware.count,
                                     .parts = footprint.memory,
                                     .capacity = footprint.capacity});
    }
    footprint.limits = limitsOf(scenario);
    return footprint;
}

Evaluation assess(Scenario scenario)
{
    Evaluation evaluation{std::move(scenario), {}, {}};
    evaluation.issues = check(evaluation.scenario);
    if (evaluation.issues.empty())
        evaluation.footprint = evaluate(evaluation.scenario);
    return evaluation;
}

} // namespace core
