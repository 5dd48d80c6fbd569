// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>

namespace core {

/// More tokens or blocks than can be held; sums and a few products of it still fit.
inline constexpr std::int64_t kCountless = std::int64_t{1} << 61;

/// a · b, or kCountless where that is more.
inline std::int64_t saturatingProduct(std::int64_t a, std::int64_t b)
{
    std::int64_t product = 0;
    return __builtin_mul_overflow(a, b, &product) ? kCountless : std::min(product, kCountless);
}

/// value / by, rounded up; neither is negative.
inline std::int64_t ceilDivided(std::int64_t value, std::int64_t by)
{
    return value / by + (value % by != 0 ? 1 : 0);
}

} // namespace core
