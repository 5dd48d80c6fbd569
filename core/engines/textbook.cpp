// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engines/textbook.h"

#include "core/engines/parallel.h"
#include "core/scenario/kv_cache.h"

#include <utility>
#include <vector>

namespace core::engines {

namespace {

/// Adds what an engine wastes on a workload whose requests use `used`.
using WasteRule = void (*)(const Scenario& scenario, const Workload& workload, Bytes used, Waste& waste);

void wasteShare(const Scenario& scenario, const Workload& /*workload*/, Bytes used, Waste& waste)
{
    const std::int64_t share = scenario.waste.hundredths;
    waste.add(WasteCause::Share, scaledUp(used, share, 10'000 - share));
}

void wasteReserved(const Scenario& scenario, const Workload& workload, Bytes used, Waste& waste)
{
    const std::int64_t tokens = workload.maxContext.value_or(workload.context);
    const Bytes request = requestCache(scenario, tokens, workload.encoderTokens);
    waste.add(WasteCause::MaxContext, request * workload.batch - used);
}

/// The part of a request's cache that is kept once for all of them: only blocks can be shared.
Bytes sharedBy(const Scenario& scenario, const Workload& workload)
{
    return scenario.engine == EngineId::Paged ? sharedCacheInBlocks(scenario, workload, scenario.blockTokens) : Bytes();
}

void wasteLastBlocks(const Scenario& scenario, const Workload& workload, Bytes used, Waste& waste)
{
    const Bytes request =
        requestCacheInBlocks(scenario, workload.context, workload.encoderTokens, scenario.blockTokens);
    waste.add(WasteCause::PartialBlock, ofRequests(workload.batch, request, sharedBy(scenario, workload)) - used);
}

/// The ideal cache of all requests, of which a shared prefix may be kept once.
Bytes usedBy(const Scenario& scenario, const Workload& workload)
{
    return ofRequests(workload.batch, requestCache(scenario, workload.context, workload.encoderTokens),
                      sharedBy(scenario, workload));
}

/// All devices are one.
class Pooled : public Plan {
public:
    Pooled(const Scenario& given, WasteRule addWaste) : Plan(given), m_addWaste(addWaste) {}
    using Plan::reserve;

    void reserve(const Workload& workload, Reservation& reservation) const override
    {
        DeviceShare& share = reservation.devices.front();
        share = {.count = scenario().hardware.count,
                 .weights = weights().value_or(Bytes()),
                 .used = usedBy(scenario(), workload)};
        m_addWaste(scenario(), workload, share.used, share.waste);
    }

private:
    WasteRule m_addWaste;
};

/// A spread that was typed: every device has the cache of its layers and heads. What ranks keep beyond their part of
/// the ideal cache is replication.
class Divided : public Plan {
public:
    Divided(const Scenario& given, WasteRule addWaste) : Plan(given), m_addWaste(addWaste), m_spread(spreadOf(given))
    {
        for (std::int64_t stage = 0; stage < m_spread.pipeline; ++stage)
            m_parts.push_back({.stage = cut(stage, 1),
                               .rank = cut(stage, m_spread.heads),
                               .weights = weightsOn(scenario(), m_spread, stage, weights().value_or(Bytes()))});
    }
    using Plan::reserve;

    void reserve(const Workload& workload, Reservation& reservation) const override
    {
        reservation.deviceCount = 0;
        forEachDevice(m_spread, workload.batch, [&](const Device& device) {
            const Part& part = m_parts[static_cast<std::size_t>(device.stage)];
            Workload own = workload;
            own.batch = device.requests;
            const Bytes used = usedBy(part.rank, own);
            Waste waste;
            m_addWaste(part.rank, own, used, waste);
            DeviceShare& share = reservation.devices.at(reservation.deviceCount++);
            share = {.count = device.count, .weights = part.weights * device.count};
            share.used = device.partOf(usedBy(part.stage, own), m_spread.heads);
            for (std::size_t cause = 0; cause < kWasteCauses; ++cause)
                share.waste.byCause[cause] = waste.byCause[cause] * device.count;
            share.waste.add(WasteCause::Replication, used * device.count - share.used);
        });
    }

private:
    struct Part {
        Scenario stage; ///< The scenario with the layers of a stage.
        Scenario rank;  ///< The same with the heads that one rank has of them.
        Bytes weights;  ///< Bytes that one device holds.
    };

    Scenario cut(std::int64_t stage, std::int64_t ranks) const
    {
        Scenario part = scenario();
        part.kvHeads.reset();
        part.hardware.count = 1;
        for (CacheGroup& group : part.model.groups) {
            LayerSet held;
            for (const std::int32_t layer : group.layers.layers()) {
                if (m_spread.holds(stage, layer))
                    held.add(layer);
            }
            group = onRank(scenario(), group, ranks);
            group.layers = std::move(held);
        }
        return part;
    }

    WasteRule m_addWaste;
    Spread m_spread;
    std::vector<Part> m_parts;
};

template <WasteRule addWaste> std::unique_ptr<const Plan> planWith(const Scenario& scenario)
{
    if (scenario.hardware.parallel.isTyped())
        return std::make_unique<Divided>(scenario, addWaste);
    return std::make_unique<Pooled>(scenario, addWaste);
}

} // namespace

constinit const Engine kIdeal{.id = EngineId::Ideal, .plan = planWith<wasteShare>};

constinit const Engine kContiguous{.id = EngineId::Contiguous,
                                   .cause = WasteCause::MaxContext,
                                   .usesMaxContext = true,
                                   .plan = planWith<wasteReserved>};

constinit const Engine kPaged{
    .id = EngineId::Paged, .cause = WasteCause::PartialBlock, .isStaircase = true, .plan = planWith<wasteLastBlocks>};

} // namespace core::engines
