// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/curves.h"

#include "core/evaluate.h"

#include <algorithm>

namespace core {

namespace {

bool isStaircase(const Scenario& scenario)
{
    return scenario.engine == EngineId::Paged ||
           std::ranges::any_of(scenario.model.groups,
                               [](const CacheGroup& group) { return tokensPerEntry(group) > 1; });
}

/// Contexts within (0, last) at which the law bends.
std::vector<std::int64_t> bends(const Scenario& scenario, std::int64_t last)
{
    std::vector<std::int64_t> contexts{0, last};
    for (const CacheGroup& group : scenario.model.groups) {
        if (group.window > 0 && group.window < last)
            contexts.push_back(group.window);
    }
    if (scenario.engine == EngineId::Contiguous && scenario.workload.maxContext.value_or(last) < last)
        contexts.push_back(*scenario.workload.maxContext);
    return contexts;
}

} // namespace

CurvePoint growthAt(const Scenario& scenario, std::int64_t context)
{
    Workload workload = scenario.workload;
    workload.context = context;
    if (workload.maxContext)
        workload.maxContext = std::max(*workload.maxContext, context);
    const MemoryParts parts = memoryParts(scenario, workload, weightBytes(scenario).value_or(Bytes()));
    return {context, parts.cache, parts.waste, parts.total()};
}

std::vector<CurvePoint> growthCurve(const Scenario& scenario, std::int64_t lastContext, int columns)
{
    std::vector<std::int64_t> contexts = bends(scenario, lastContext);
    if (isStaircase(scenario)) {
        for (int column = 1; column < columns; ++column)
            contexts.push_back(lastContext / columns * column + lastContext % columns * column / columns);
    }
    std::ranges::sort(contexts);
    const auto repeated = std::ranges::unique(contexts);
    contexts.erase(repeated.begin(), repeated.end());
    std::vector<CurvePoint> curve;
    curve.reserve(contexts.size());
    for (const std::int64_t context : contexts)
        curve.push_back(growthAt(scenario, context));
    return curve;
}

} // namespace core
