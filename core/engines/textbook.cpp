// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engines/textbook.h"

#include "core/engines/parallel.h"
#include "core/scenario/kv_cache.h"

#include <utility>
#include <vector>

namespace core::engines {

namespace {

/// A plan that pools the devices: one number for what is used and one for what is wasted.
class Pooled : public Plan {
public:
    Pooled(const Scenario& scenario, Bytes weights) : m_scenario(scenario), m_weights(weights) {}
    using Plan::reserve;

    void reserve(const Workload& workload, Reservation& reservation) const override
    {
        const Bytes used = cacheOf(m_scenario, workload);
        DeviceShare& share = reservation.devices.front();
        share = {.count = m_scenario.hardware.count, .weights = m_weights, .used = used};
        waste(workload, used, share.waste);
    }

    /// The ideal cache of all requests, of which some may be kept once.
    Bytes cacheOf(const Scenario& scenario, const Workload& workload) const
    {
        return ofRequests(workload.batch, requestCache(scenario, workload.context, workload.encoderTokens),
                          shared(scenario, workload));
    }

protected:
    /// The part of a request's cache that is kept once for all of them.
    virtual Bytes shared(const Scenario& /*scenario*/, const Workload& /*workload*/) const { return {}; }
    virtual void waste(const Workload& workload, Bytes used, Waste& waste) const = 0;
    const Scenario& scenario() const { return m_scenario; }

private:
    const Scenario& m_scenario;
    Bytes m_weights;
};

class IdealPlan : public Pooled {
public:
    using Pooled::Pooled;
    void waste(const Workload& /*workload*/, Bytes used, Waste& waste) const override
    {
        const std::int64_t share = scenario().waste.hundredths;
        waste.add(WasteCause::Share, scaledUp(used, share, 10'000 - share));
    }
};

class ContiguousPlan : public Pooled {
public:
    using Pooled::Pooled;
    void waste(const Workload& workload, Bytes used, Waste& waste) const override
    {
        const std::int64_t tokens = workload.maxContext.value_or(workload.context);
        const Bytes request = requestCache(scenario(), tokens, workload.encoderTokens);
        waste.add(WasteCause::MaxContext, request * workload.batch - used);
    }
};

class PagedPlan : public Pooled {
public:
    using Pooled::Pooled;
    void waste(const Workload& workload, Bytes used, Waste& waste) const override
    {
        const Bytes request =
            requestCacheInBlocks(scenario(), workload.context, workload.encoderTokens, scenario().blockTokens);
        const Bytes reserved = ofRequests(workload.batch, request, shared(scenario(), workload));
        waste.add(WasteCause::PartialBlock, reserved - used);
    }
    Bytes shared(const Scenario& scenario, const Workload& workload) const override
    {
        return sharedCacheInBlocks(scenario, workload, scenario.blockTokens);
    }
};

/// A spread that was typed: every device has the cache of its layers and heads, by the rule of `Rule`. What ranks keep
/// beyond their part of the ideal cache is replication.
template <typename Rule> class Divided : public Plan {
public:
    Divided(const Scenario& scenario, Bytes weights) : m_spread(spreadOf(scenario))
    {
        m_parts.reserve(static_cast<std::size_t>(m_spread.pipeline)); // plans refer to the scenarios beside them
        for (std::int64_t stage = 0; stage < m_spread.pipeline; ++stage) {
            Part& part = m_parts.emplace_back();
            part.stage = cut(scenario, stage, 1);
            part.rank = cut(scenario, stage, m_spread.heads);
            part.plan = std::make_unique<Rule>(part.rank, weightsOn(scenario, m_spread, stage, weights));
        }
    }
    using Plan::reserve;

    void reserve(const Workload& workload, Reservation& reservation) const override
    {
        reservation.deviceCount = 0;
        forEachDevice(m_spread, workload.batch, [&](const Device& device) {
            const Part& part = m_parts[static_cast<std::size_t>(device.stage)];
            Workload own = workload;
            own.batch = device.requests;
            const DeviceShare one = part.plan->reserve(own).devices.front();
            const Bytes ideal = part.plan->cacheOf(part.stage, own);
            DeviceShare& share = reservation.devices.at(reservation.deviceCount++);
            share = {.count = device.count, .weights = one.weights * device.count};
            share.used = device.partOf(ideal, m_spread.heads);
            for (std::size_t cause = 0; cause < kWasteCauses; ++cause)
                share.waste.byCause[cause] = one.waste.byCause[cause] * device.count;
            share.waste.add(WasteCause::Replication, one.used * device.count - share.used);
        });
    }

private:
    struct Part {
        Scenario stage; ///< the layers of a stage
        Scenario rank;  ///< and of them the heads of a rank
        std::unique_ptr<const Rule> plan;
    };

    Scenario cut(const Scenario& scenario, std::int64_t stage, std::int64_t ranks) const
    {
        Scenario part = scenario;
        part.kvHeads.reset();
        part.hardware.count = 1;
        for (CacheGroup& group : part.model.groups) {
            LayerSet held;
            for (const std::int32_t layer : group.layers.layers()) {
                if (m_spread.holds(stage, layer))
                    held.add(layer);
            }
            group = onRank(scenario, group, ranks);
            group.layers = std::move(held);
        }
        return part;
    }

    Spread m_spread;
    std::vector<Part> m_parts;
};

template <typename Rule> std::unique_ptr<const Plan> planOf(const Scenario& scenario, Bytes weights)
{
    if (scenario.hardware.parallel.isTyped())
        return std::make_unique<Divided<Rule>>(scenario, weights);
    return std::make_unique<Rule>(scenario, weights);
}

} // namespace

std::unique_ptr<const Plan> planIdeal(const Scenario& scenario, Bytes weights)
{
    return planOf<IdealPlan>(scenario, weights);
}

std::unique_ptr<const Plan> planContiguous(const Scenario& scenario, Bytes weights)
{
    return planOf<ContiguousPlan>(scenario, weights);
}

std::unique_ptr<const Plan> planPaged(const Scenario& scenario, Bytes weights)
{
    return planOf<PagedPlan>(scenario, weights);
}

} // namespace core::engines
