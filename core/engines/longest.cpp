// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engines/longest.h"

#include "core/engines/need.h"
#include "core/largest_fitting.h"

#include <algorithm>

namespace core::engines {

std::optional<std::int64_t> longestServed(const Scenario& scenario, const Reservation& reservation)
{
    const std::optional<std::int64_t> asked = reservation.requestTokens;
    const std::optional<Pool>& pool = reservation.pool;
    if (!asked || !pool || !pool->blocks || pool->requestBlocks <= *pool->blocks)
        return asked;
    const Need need(scenario);
    const auto fits = [&](std::int64_t context) {
        return need.fits({.context = context,
                          .maxContext = std::nullopt,
                          .batch = 1,
                          .encoderTokens = scenario.workload.encoderTokens,
                          .spareTokens = 0});
    };
    return std::min(largestFitting(fits).value_or(*asked), *asked);
}

} // namespace core::engines
