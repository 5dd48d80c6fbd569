// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sizing/evaluate.h"

#include "core/engines/engine.h"
#include "core/engines/need.h"
#include "core/scenario/kv_cache.h"
#include "core/sizing/limits.h"

#include <utility>

namespace core {

MemoryParts memoryParts(const Scenario& scenario, const Workload& workload)
{
    return Need(scenario).parts(workload);
}

namespace {

/// Lines of the budget that the engine adds to the typed overhead.
std::vector<OverheadLine> overheadOf(const Scenario& scenario, const engines::Reservation& reservation)
{
    engines::DeviceShare sum{.count = 0};
    for (const engines::DeviceShare& share : reservation.shares()) {
        sum.count += share.count;
        sum.runtime += share.runtime;
        sum.communication += share.communication;
        sum.buffers += share.buffers;
        sum.graphs += share.graphs;
    }
    if (sum.overhead() == Bytes())
        return {};
    std::vector<OverheadLine> lines{{{KV_TEXT("core", "runtime"), {}}, sum.runtime, true}};
    if (sum.buffers > Bytes())
        lines.push_back({{KV_TEXT("core", "compute buffers"), {}}, sum.buffers, true});
    if (sum.communication > Bytes())
        lines.push_back({{KV_TEXT("core", "communication buffers"), {}}, sum.communication, true});
    if (sum.graphs > Bytes())
        lines.push_back({{KV_TEXT("core", "recorded graphs"), {}}, sum.graphs, true});
    if (scenario.overhead > Bytes())
        lines.push_back({{KV_TEXT("core", "typed"), {}}, scenario.overhead * sum.count, false});
    return lines;
}

/// A row of several devices that are alike: the numbers of one of them.
void divide(DeviceFootprint& row)
{
    const auto divided = [&](Bytes bytes) { return scaledUp(bytes, 1, row.count); };
    for (Bytes& bytes : row.waste.byCause)
        bytes = divided(bytes);
    row.parts = {.weights = divided(row.parts.weights),
                 .cache = divided(row.parts.cache),
                 .waste = row.waste.total(),
                 .overhead = divided(row.parts.overhead),
                 .reserve = divided(row.parts.reserve)};
    if (row.capacity)
        row.capacity = divided(*row.capacity);
    if (row.pool)
        row.pool = divided(*row.pool);
}

/// What would be in use besides if every request kept its whole context.
Bytes savedBySharing(const Need& need, const engines::Reservation& reservation, Workload workload)
{
    if (workload.sharedPrefix == 0)
        return {};
    workload.sharedPrefix = 0;
    return need.reserve(workload).used() - reservation.used();
}

void addDevices(const Need& need, const engines::Reservation& reservation, Footprint& footprint)
{
    for (std::size_t i = 0; i < reservation.deviceCount; ++i) {
        const engines::DeviceShare& share = reservation.devices.at(i);
        footprint.devices.push_back({.name = need.nameOf(reservation, i),
                                     .count = share.count,
                                     .pooled = need.isPooled(),
                                     .parts = need.parts(share),
                                     .capacity = need.capacity(share),
                                     .pool = share.pool,
                                     .waste = share.waste});
        if (share.count > 1 && !need.isPooled())
            divide(footprint.devices.back());
    }
}

} // namespace

Footprint evaluate(const Scenario& scenario)
{
    const Need need(scenario);
    const engines::Reservation reservation = need.reserve(scenario.workload);
    Footprint footprint;
    footprint.kv = kvSize(scenario);
    footprint.kv.sharedPrefix = savedBySharing(need, reservation, scenario.workload);
    footprint.weights = need.weights();
    footprint.waste = reservation.waste();
    footprint.wasteCause = footprint.waste.largest();
    if (footprint.wasteCause == WasteCause::None)
        footprint.wasteCause = engines::engine(scenario.engine).cause;
    footprint.memory = need.parts(scenario.workload);
    footprint.overhead = overheadOf(scenario, reservation);
    if (deviceMemory(scenario.hardware)) {
        footprint.capacity = Bytes();
        for (const engines::DeviceShare& share : reservation.shares()) // without the devices that have no rank
            *footprint.capacity += *need.capacity(share);
    }
    if (need.isLimited())
        addDevices(need, reservation, footprint);
    if (reservation.host && need.isLimited()) { // without devices nobody can say what is not on one
        const engines::DeviceShare& host = *reservation.host;
        footprint.host = DeviceFootprint{.name = "host",
                                         .count = 1,
                                         .parts = {.weights = host.weights,
                                                   .cache = host.used,
                                                   .waste = host.waste.total(),
                                                   .overhead = host.overhead(),
                                                   .reserve = {}},
                                         .capacity = std::nullopt};
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
