// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engines/engine.h"

#include "core/sizing/kv_cache.h"

#include <array>

namespace core::engines {

namespace {

Bytes used(const Scenario& scenario, const Workload& workload)
{
    return sizing::requestCache(scenario, workload.context, workload.encoderTokens) * workload.batch;
}

Reservation reservedBeyond(Bytes used, Bytes reserved, WasteCause cause)
{
    return {used, reserved - used, cause};
}

constexpr std::array kReserve{reserveIdeal, reserveContiguous, reservePaged};

} // namespace

Reservation reserveIdeal(const Scenario& scenario, const Workload& workload)
{
    const Bytes inUse = used(scenario, workload);
    const std::int64_t share = scenario.waste.hundredths;
    return {inUse, scaledUp(inUse, share, 10'000 - share), share == 0 ? WasteCause::None : WasteCause::Share};
}

Reservation reserveContiguous(const Scenario& scenario, const Workload& workload)
{
    const std::int64_t tokens = workload.maxContext.value_or(workload.context);
    const Bytes reserved = sizing::requestCache(scenario, tokens, workload.encoderTokens) * workload.batch;
    return reservedBeyond(used(scenario, workload), reserved, WasteCause::MaxContext);
}

Reservation reservePaged(const Scenario& scenario, const Workload& workload)
{
    const Bytes request =
        sizing::requestCacheInBlocks(scenario, workload.context, workload.encoderTokens, scenario.blockTokens);
    return reservedBeyond(used(scenario, workload), request * workload.batch, WasteCause::PartialBlock);
}

Reservation reserve(const Scenario& scenario, const Workload& workload)
{
    return kReserve.at(static_cast<std::size_t>(scenario.engine))(scenario, workload);
}

} // namespace core::engines
