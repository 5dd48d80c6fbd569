// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sizing/evaluation.h"

#include <vector>

namespace core {

/// All that is wrong with the inputs, each at its field. What follows from them is not looked at: see `check`.
std::vector<Issue> checkInputs(const Scenario& scenario);

/// All that is wrong with the scenario, each at its field; empty when `evaluate` may be called. Inputs out of range
/// are reported together; a total that cannot be counted in 63 bits is reported once the inputs are in range.
std::vector<Issue> check(const Scenario& scenario);

/// What follows from a valid scenario: the cache by the laws of `CacheGroup`, the weights, the engine's waste, the
/// parts against the capacity, the limits. Microseconds; never fails.
Footprint evaluate(const Scenario& scenario);

/// `check` and, when nothing is wrong, `evaluate`, by one plan that the result keeps.
Evaluation assess(Scenario scenario);

/// What each device holds of a reservation by `plan`, or all of them together; empty where nothing limits the need.
std::vector<DeviceFootprint> devicesOf(const engines::Plan& plan, const engines::Reservation& reservation);

/// Memory by part, over all devices, if the workload were `workload`. For many workloads keep an `engines::plan`.
MemoryParts memoryParts(const Scenario& scenario, const Workload& workload);

} // namespace core
