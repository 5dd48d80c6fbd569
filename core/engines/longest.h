// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engines/engine.h"

#include <cstdint>
#include <optional>

namespace core::engines {

/// Tokens of the longest request that is served: as asked for or, where the pool is too small for it, the most that
/// fit, which vLLM calls the estimated maximum model length. Nothing where the engine has no longest request.
std::optional<std::int64_t> longestServed(const Scenario& scenario, const Reservation& reservation);

} // namespace core::engines
