// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sizing/evaluate.h"

#include "core/engines/engine.h"
#include "core/scenario/kv_cache.h"
#include "core/sizing/limits.h"

#include <utility>

namespace core {

MemoryParts memoryParts(const Scenario& scenario, const Workload& workload)
{
    return engines::plan(scenario)->parts(workload);
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

/// Bytes that would be in use besides if every request kept its whole context.
Bytes savedBySharing(const engines::Plan& plan, const engines::Reservation& reservation, Workload workload)
{
    if (workload.sharedPrefix == 0)
        return {};
    workload.sharedPrefix = 0;
    return plan.reserve(workload).used() - reservation.used();
}

} // namespace

std::vector<DeviceFootprint> devicesOf(const engines::Plan& plan, const engines::Reservation& reservation)
{
    std::vector<DeviceFootprint> devices;
    if (!plan.isLimited())
        return devices;
    for (std::size_t i = 0; i < reservation.deviceCount; ++i) {
        const engines::DeviceShare& share = reservation.devices.at(i);
        devices.push_back({.name = plan.nameOf(reservation, i),
                           .count = share.count,
                           .pooled = plan.isPooled(),
                           .parts = plan.parts(share),
                           .capacity = plan.capacity(share),
                           .pool = share.pool,
                           .waste = share.waste});
        if (share.count > 1 && !plan.isPooled())
            divide(devices.back());
    }
    return devices;
}

namespace {

Footprint footprintOf(const engines::Plan& plan, const engines::Reservation& reservation)
{
    const Scenario& scenario = plan.scenario();
    Footprint footprint;
    footprint.kv = kvSize(scenario);
    footprint.kv.sharedPrefix = savedBySharing(plan, reservation, scenario.workload);
    footprint.weights = plan.weights();
    footprint.waste = reservation.waste();
    footprint.wasteCause = footprint.waste.largest();
    if (footprint.wasteCause == WasteCause::None)
        footprint.wasteCause = engines::engine(scenario.engine).cause;
    footprint.memory = plan.parts(reservation);
    footprint.overhead = overheadOf(scenario, reservation);
    if (deviceMemory(scenario.hardware)) {
        footprint.capacity = Bytes();
        for (const engines::DeviceShare& share : reservation.shares()) // without the devices that have no rank
            *footprint.capacity += *plan.capacity(share);
    }
    footprint.devices = devicesOf(plan, reservation);
    if (reservation.host && plan.isLimited()) { // without devices nobody can say what is not on one
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
    footprint.limits = limitsOf(plan);
    return footprint;
}

/// Sums that are too large to be counted.
std::vector<Issue> checkTotals(const engines::Plan& plan, const engines::Reservation& reservation)
{
    const Hardware& hardware = plan.scenario().hardware;
    std::vector<Issue> issues;
    if (plan.parts(reservation).total().isTooMany())
        issues.push_back({Field::Context,
                          {KV_TEXT("core", "The memory needed is more than 8 EiB, which cannot be counted; use a "
                                           "smaller context or batch."),
                           {}}});
    if ((deviceMemory(hardware).value_or(Bytes()) * hardware.count).isTooMany())
        issues.push_back({Field::Memory,
                          {KV_TEXT("core", "The memory of all GPUs is more than 8 EiB, which cannot be counted; use "
                                           "fewer GPUs or a smaller size."),
                           {}}});
    return issues;
}

} // namespace

Footprint evaluate(const Scenario& scenario)
{
    const std::unique_ptr<const engines::Plan> plan = engines::plan(scenario);
    return footprintOf(*plan, plan->reserve(scenario.workload));
}

std::vector<Issue> check(const Scenario& scenario)
{
    return assess(scenario).issues;
}

Evaluation assess(Scenario scenario)
{
    Evaluation evaluation{.scenario = std::move(scenario)};
    evaluation.issues = checkInputs(evaluation.scenario);
    if (!evaluation.issues.empty())
        return evaluation;
    std::shared_ptr<const engines::Plan> plan = engines::plan(evaluation.scenario);
    const engines::Reservation reservation = plan->reserve(evaluation.scenario.workload);
    evaluation.issues = checkTotals(*plan, reservation);
    if (!evaluation.issues.empty())
        return evaluation;
    evaluation.footprint = footprintOf(*plan, reservation);
    evaluation.reservation = reservation;
    evaluation.plan = std::move(plan);
    return evaluation;
}

} // namespace core
