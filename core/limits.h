// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/footprint.h"
#include "core/scenario.h"

#include <concepts>
#include <cstdint>
#include <optional>

namespace core {

/// The largest n >= 1 for which `fits(n)` holds, where fits is true up to some n and false after it. 0 when not even 1
/// fits; nothing when every n up to `ceiling` fits.
template <std::predicate<std::int64_t> Fits>
std::optional<std::int64_t> largestFitting(Fits fits, std::int64_t ceiling = std::int64_t{1} << 53)
{
    std::int64_t low = 0;
    std::int64_t high = 1;
    while (fits(high)) {
        low = high;
        if (high >= ceiling)
            return std::nullopt;
        high *= 2;
    }
    while (high - low > 1) {
        const std::int64_t middle = low + (high - low) / 2;
        (fits(middle) ? low : high) = middle;
    }
    return low;
}

/// One limit of a valid scenario, by `largestFitting` over the engine's need; see `Limits`.
Limit maxBatchOf(const Scenario& scenario);
Limit maxContextOf(const Scenario& scenario);
std::optional<std::int64_t> crossoverOf(const Scenario& scenario);

/// All of them.
Limits limitsOf(const Scenario& scenario);

} // namespace core
