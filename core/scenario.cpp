// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario.h"

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

Scenario scenarioOf(Model model)
{
    Scenario scenario;
    scenario.model = std::move(model);
    scenario.weightFormat = scenario.model.weights.published;
    return scenario;
}

} // namespace core
