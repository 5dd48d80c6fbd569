// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sizing/curves.h"

#include "core/engines/engine.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace core {

namespace {

constexpr int kLogColumns = 6; ///< pixels between two samples of a curve on logarithmic axes

bool isStaircase(const Scenario& scenario)
{
    return engines::engine(scenario.engine).isStaircase ||
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
    if (scenario.workload.sharedPrefix > 0 && scenario.workload.sharedPrefix < last)
        contexts.push_back(scenario.workload.sharedPrefix);
    if (engines::engine(scenario.engine).usesMaxContext && scenario.workload.maxContext.value_or(last) < last)
        contexts.push_back(*scenario.workload.maxContext);
    return contexts;
}

/// The contexts at which a curve is drawn.
std::vector<std::int64_t> contextsOf(const Scenario& scenario, std::int64_t lastContext, int columns, Spacing spacing)
{
    std::vector<std::int64_t> contexts = bends(scenario, lastContext);
    if (spacing == Spacing::Logarithmic) {
        for (int column = 0; column < columns; column += kLogColumns)
            contexts.push_back(
                std::llround(std::pow(static_cast<double>(lastContext), column / static_cast<double>(columns))));
    } else if (isStaircase(scenario)) {
        for (int column = 1; column < columns; ++column)
            contexts.push_back(lastContext / columns * column + lastContext % columns * column / columns);
    }
    std::ranges::sort(contexts);
    // std::ranges::unique is more than clang 14 can read.
    contexts.erase(std::unique(contexts.begin(), contexts.end()), contexts.end());
    return contexts;
}

std::vector<CurvePoint> curveOf(const Evaluation& evaluation, std::int64_t batch,
                                std::span<const std::int64_t> contexts)
{
    std::vector<CurvePoint> curve;
    curve.reserve(contexts.size());
    for (const std::int64_t context : contexts)
        curve.push_back(growthAt(evaluation, context, batch));
    return curve;
}

} // namespace

CurvePoint growthAt(const Evaluation& evaluation, std::int64_t context)
{
    return growthAt(evaluation, context, evaluation.scenario.workload.batch);
}

CurvePoint growthAt(const Evaluation& evaluation, std::int64_t context, std::int64_t batch)
{
    Workload workload = withContext(evaluation.scenario.workload, context);
    workload.batch = batch;
    workload.spareTokens = std::min(workload.spareTokens, batch - 1);
    const MemoryParts parts = evaluation.plan->parts(workload);
    return {context, parts.cache, parts.waste, parts.total()};
}

std::vector<CurvePoint> growthCurve(const Evaluation& evaluation, std::int64_t lastContext, int columns,
                                    Spacing spacing)
{
    return curveOf(evaluation, evaluation.scenario.workload.batch,
                   contextsOf(evaluation.scenario, lastContext, columns, spacing));
}

std::vector<std::int64_t> companionBatches(const Evaluation& evaluation)
{
    const std::int64_t chosen = evaluation.scenario.workload.batch;
    const std::int64_t largest =
        evaluation.footprint.capacity ? evaluation.footprint.limits.maxBatch.value.value_or(kMaxBatch) : 4 * chosen;
    std::vector<std::int64_t> batches;
    for (std::int64_t batch = 1; batch <= kMaxBatch; batch *= 2) {
        if (batch != chosen)
            batches.push_back(batch);
        if (batch > largest)
            break;
    }
    return batches;
}

std::vector<BatchCurve> batchCurves(const Evaluation& evaluation, std::int64_t lastContext, int columns,
                                    Spacing spacing)
{
    const std::vector<std::int64_t> contexts = contextsOf(evaluation.scenario, lastContext, columns, spacing);
    std::vector<BatchCurve> curves;
    for (const std::int64_t batch : companionBatches(evaluation))
        curves.push_back({batch, curveOf(evaluation, batch, contexts)});
    return curves;
}

} // namespace core
