// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/scenario/footprint.h"
#include "core/scenario/scenario.h"

#include <vector>

namespace core {

/// All that is wrong with the scenario, each at its field; empty when `evaluate` may be called. Inputs out of range
/// are reported together; a total that cannot be counted in 63 bits is reported once the inputs are in range.
std::vector<Issue> check(const Scenario& scenario);

/// What follows from a valid scenario: the cache by the laws of `CacheGroup`, the weights, the engine's waste, the
/// parts against the capacity, the limits. Microseconds; never fails.
Footprint evaluate(const Scenario& scenario);

/// `check`, then `evaluate` when nothing is wrong.
Evaluation assess(Scenario scenario);

/// Memory by part, over all devices, if the workload were `workload`. For many workloads: `Need`.
MemoryParts memoryParts(const Scenario& scenario, const Workload& workload);

} // namespace core
