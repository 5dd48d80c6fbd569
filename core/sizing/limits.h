// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/scenario/footprint.h"
#include "core/scenario/scenario.h"

#include <cstdint>
#include <optional>

namespace core {

/// One limit of a valid scenario, by `largestFitting` over the engine's need; see `Limits`.
Limit maxBatchOf(const Scenario& scenario);
Limit maxContextOf(const Scenario& scenario);
std::optional<std::int64_t> crossoverOf(const Scenario& scenario);

/// All of them.
Limits limitsOf(const Scenario& scenario);

} // namespace core
