// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario.h"

#include <algorithm>
#include <array>
#include <utility>

namespace core {

namespace {

constexpr std::array<std::string_view, 3> kEngineIds{"ideal", "contiguous", "paged"};

} // namespace

Workload withContext(Workload workload, std::int64_t context)
{
    workload.context = context;
    if (workload.maxContext)
        workload.maxContext = std::max(*workload.maxContext, context);
    return workload;
}

std::string_view id(EngineId engine)
{
    return kEngineIds.at(static_cast<std::size_t>(engine));
}

std::optional<EngineId> engineId(std::string_view id)
{
    const auto found = std::ranges::find(kEngineIds, id);
    if (found == kEngineIds.end())
        return std::nullopt;
    return static_cast<EngineId>(found - kEngineIds.begin());
}

Scenario scenarioOf(Model model)
{
    Scenario scenario;
    scenario.model = std::move(model);
    scenario.weightFormat = scenario.model.weights.published;
    return scenario;
}

} // namespace core
