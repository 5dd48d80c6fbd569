// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engines/textbook.h"

#include "core/sizing/kv_cache.h"

namespace core::engines {

namespace {

/// A plan that pools the devices: one number for what is used and one for what is wasted.
class Pool : public Plan {
public:
    Pool(const Scenario& scenario, Bytes weights) : m_scenario(scenario), m_weights(weights) {}
    using Plan::reserve;

    void reserve(const Workload& workload, Reservation& reservation) const override
    {
        const Bytes used = sizing::requestCache(m_scenario, workload.context, workload.encoderTokens) * workload.batch;
        DeviceShare& share = reservation.devices.front();
        share = {.count = m_scenario.hardware.count, .weights = m_weights, .used = used};
        waste(workload, used, share.waste);
    }

protected:
    virtual void waste(const Workload& workload, Bytes used, Waste& waste) const = 0;
    const Scenario& scenario() const { return m_scenario; }

private:
    const Scenario& m_scenario;
    Bytes m_weights;
};

class IdealPlan : public Pool {
    using Pool::Pool;
    void waste(const Workload& /*workload*/, Bytes used, Waste& waste) const override
    {
        const std::int64_t share = scenario().waste.hundredths;
        waste.add(WasteCause::Share, scaledUp(used, share, 10'000 - share));
    }
};

class ContiguousPlan : public Pool {
    using Pool::Pool;
    void waste(const Workload& workload, Bytes used, Waste& waste) const override
    {
        const std::int64_t tokens = workload.maxContext.value_or(workload.context);
        const Bytes request = sizing::requestCache(scenario(), tokens, workload.encoderTokens);
        waste.add(WasteCause::MaxContext, request * workload.batch - used);
    }
};

class PagedPlan : public Pool {
    using Pool::Pool;
    void waste(const Workload& workload, Bytes used, Waste& waste) const override
    {
        const Bytes request =
            sizing::requestCacheInBlocks(scenario(), workload.context, workload.encoderTokens, scenario().blockTokens);
        waste.add(WasteCause::PartialBlock, request * workload.batch - used);
    }
};

} // namespace

std::unique_ptr<const Plan> planIdeal(const Scenario& scenario, Bytes weights)
{
    return std::make_unique<IdealPlan>(scenario, weights);
}

std::unique_ptr<const Plan> planContiguous(const Scenario& scenario, Bytes weights)
{
    return std::make_unique<ContiguousPlan>(scenario, weights);
}

std::unique_ptr<const Plan> planPaged(const Scenario& scenario, Bytes weights)
{
    return std::make_unique<PagedPlan>(scenario, weights);
}

} // namespace core::engines
