// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/scenario.h"

#include <algorithm>
#include <utility>

namespace core {

Workload withContext(Workload workload, std::int64_t context)
{
    workload.context = context;
    if (workload.maxContext)
        workload.maxContext = std::max(*workload.maxContext, context);
    return workload;
}

std::optional<Bytes> weightBytes(const Scenario& scenario)
{
    if (scenario.weightBytes)
        return scenario.weightBytes;
    if (!scenario.model.weights.known())
        return std::nullopt;
    return bytesOf(scenario.model.weights, scenario.weightFormat);
}

Scenario scenarioOf(Model model)
{
    Scenario scenario;
    scenario.model = std::move(model);
    scenario.weightFormat = scenario.model.weights.published;
    return scenario;
}

} // namespace core
