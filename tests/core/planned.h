// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engines/engine.h"
#include "core/sizing/limits.h"

#include <vector>

namespace tests {

/// What the scenario's engine says about what it reserves for it.
inline core::engines::Description described(const core::Scenario& scenario)
{
    const auto plan = core::engines::plan(scenario);
    return plan->describe(plan->reserve(scenario.workload));
}

/// The figures of a log beside those of the scenario.
inline std::vector<core::engines::LogComparison> compared(const core::Scenario& scenario,
                                                          const core::engines::EngineLog& log)
{
    const auto plan = core::engines::plan(scenario);
    return plan->compareLog(plan->reserve(scenario.workload), log);
}

inline core::Limits limitsOf(const core::Scenario& scenario)
{
    return core::limitsOf(*core::engines::plan(scenario));
}

} // namespace tests
