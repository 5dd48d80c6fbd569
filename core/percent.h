// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/bytes.h"

#include <compare>
#include <cstdint>

namespace core {

/// A percentage kept exactly, in hundredths of a percent: Percent{2050} is 20.5 %.
struct Percent {
    std::int64_t hundredths = 0;

    static constexpr Percent whole(std::int64_t percent) { return Percent{percent * 100}; }

    /// This share of `value`, rounded up to whole bytes.
    Bytes of(Bytes value) const { return scaledUp(value, hundredths, 10'000); }

    friend constexpr auto operator<=>(const Percent&, const Percent&) = default;
};

} // namespace core
