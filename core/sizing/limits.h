// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engines/plan.h"
#include "core/scenario/footprint.h"

#include <cstdint>
#include <optional>

namespace core {

/// One limit of the plan of a valid scenario, by `largestFitting` over the engine's need; see `Limits`.
Limit maxBatchOf(const engines::Plan& plan);
Limit maxContextOf(const engines::Plan& plan);
std::optional<std::int64_t> crossoverOf(const engines::Plan& plan);

/// All of them.
Limits limitsOf(const engines::Plan& plan);

} // namespace core
