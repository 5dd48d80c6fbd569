// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engines/longest.h"

#include "core/limits.h"

#include <algorithm>

namespace core::engines {

std::optional<std::int64_t> longestServed(const Scenario& scenario, const Reservation& reservation)
{
    const std::optional<std::int64_t> asked = reservation.requestTokens;
    const std::optional<Pool>& pool = reservation.pool;
    if (!asked || !pool || !pool->blocks || pool->requestBlocks <= *pool->blocks)
        return asked;
    Scenario one = scenario;
    one.workload = {.context = 1,
                    .maxContext = std::nullopt,
                    .batch = 1,
                    .encoderTokens = scenario.workload.encoderTokens,
                    .spareTokens = 0};
    return std::min(maxContextOf(one).value.value_or(*asked), *asked);
}

} // namespace core::engines
