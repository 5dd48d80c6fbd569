// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

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

} // namespace core
