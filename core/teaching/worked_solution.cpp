// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/teaching/worked_solution.h"

#include "core/scenario/kv_cache.h"

#include <string_view>

namespace core {

namespace {

/// What a kind of layers keeps. Placeholders: {0} layers, {1} bytes of an entry, {2} entries, {3} all of them.
struct LayerWords {
    std::string_view product;
    std::string_view result;
};

LayerWords wordsFor(CacheKind kind)
{
    switch (kind) {
    case CacheKind::Full:
    case CacheKind::Latent:
        return {KV_TEXT("core", "{0} layers keep every token: {0} · {1} bytes · {2} tokens."),
                KV_TEXT("core", "{0} layers keep every token: {0} · {1} bytes · {2} tokens = {3}.")};
    case CacheKind::Window:
    case CacheKind::Chunk:
        return {KV_TEXT("core", "{0} layers keep the last tokens only: {0} · {1} bytes · {2} tokens."),
                KV_TEXT("core", "{0} layers keep the last tokens only: {0} · {1} bytes · {2} tokens = {3}.")};
    case CacheKind::State:
        return {KV_TEXT("core", "{0} layers keep a state, whatever the context: {0} · {1} bytes."),
                KV_TEXT("core", "{0} layers keep a state, whatever the context: {0} · {1} bytes = {3}.")};
    default:
        return {KV_TEXT("core", "{0} layers keep {2} entries each: {0} · {1} bytes · {2}."),
                KV_TEXT("core", "{0} layers keep {2} entries each: {0} · {1} bytes · {2} = {3}.")};
    }
}

std::vector<Message> cacheSolution(const Task& task)
{
    std::vector<Message> lines = layersInWords(task.scenario, true);
    if (lines.size() > 1)
        lines.push_back({KV_TEXT("core", "Together: {0}."), {solvedBytes(AskedQuantity::RequestCache, task.scenario)}});
    const std::int64_t requests = task.scenario.workload.batch;
    if (task.quantity == AskedQuantity::Cache && requests > 1)
        lines.push_back(
            {KV_TEXT("core", "Of {0} requests: {1}."), {requests, solvedBytes(AskedQuantity::Cache, task.scenario)}});
    return lines;
}

std::vector<Message> tokenSolution(const Scenario& scenario)
{
    std::vector<Message> lines;
    for (const CacheGroup& group : scenario.model.groups) {
        const GroupCache cache = groupCache(scenario, group);
        if (!cache.growth)
            continue;
        if (cache.growth->tokens == 1)
            lines.push_back({KV_TEXT("core", "{0} layers grow with each token: {0} · {1} bytes = {2}."),
                             {group.layers.count(), cache.entry.count(), cache.growth->bytes}});
        else
            lines.push_back({KV_TEXT("core", "{0} layers grow with the context: by {1} for every {2} tokens."),
                             {group.layers.count(), cache.growth->bytes, cache.growth->tokens}});
    }
    if (lines.size() > 1)
        lines.push_back({KV_TEXT("core", "Together: {0}."), {solvedBytes(AskedQuantity::PerToken, scenario)}});
    return lines;
}

std::vector<Message> batchSolution(const Scenario& scenario, std::int64_t requests)
{
    const MemoryForCache memory(scenario);
    const Bytes request = scaledUp(solvedBytes(AskedQuantity::Reserved, scenario), 1, scenario.workload.batch);
    std::vector<Message> lines;
    if (memory.keptFree > Bytes())
        lines.push_back({KV_TEXT("core", "Of {0} the weights take {1}, and {2} is kept free: {3} is left."),
                         {memory.all, memory.weights, memory.keptFree, memory.left()}});
    else
        lines.push_back({KV_TEXT("core", "Of {0} the weights take {1}: {2} is left."),
                         {memory.all, memory.weights, memory.left()}});
    lines.push_back({KV_TEXT("core", "One request takes {0}. {1} / {0}, rounded down, is {2}."),
                     {request, memory.left(), requests}});
    return lines;
}

std::vector<Message> crossoverSolution(const Scenario& scenario, std::int64_t tokens)
{
    Scenario there = scenario;
    there.workload = withContext(there.workload, tokens);
    return {{KV_TEXT("core", "The weights take {0} bytes. At {1} tokens the cache takes {2} bytes, for the first time "
                             "at least as many."),
             {solvedBytes(AskedQuantity::Weights, scenario).count(), tokens,
              solvedBytes(AskedQuantity::Cache, there).count()}}};
}

} // namespace

std::vector<Message> layersInWords(const Scenario& scenario, bool results)
{
    std::vector<Message> lines;
    for (const CacheGroup& group : scenario.model.groups) {
        const GroupCache cache = groupCache(scenario, group);
        const LayerWords words = wordsFor(group.kind);
        if (cache.request > Bytes())
            lines.push_back({results ? words.result : words.product,
                             {group.layers.count(), cache.entry.count(), cache.entries, cache.request}});
    }
    return lines;
}

MemoryForCache::MemoryForCache(const Scenario& scenario) : weights(weightBytes(scenario).value_or(Bytes()))
{
    const Bytes device = deviceMemory(scenario.hardware).value_or(Bytes());
    all = device * scenario.hardware.count;
    keptFree = (scenario.overhead + scenario.reserve.of(device)) * scenario.hardware.count;
}

std::vector<Message> workedSolution(const Exercise& exercise)
{
    const Task& task = exercise.task;
    const Scenario& scenario = task.scenario;
    const std::optional<double> right = solve(task);
    if (!right)
        return {};
    switch (task.quantity) {
    case AskedQuantity::Cache:
    case AskedQuantity::RequestCache:
        return cacheSolution(task);
    case AskedQuantity::PerToken:
        return tokenSolution(scenario);
    case AskedQuantity::Total:
        return {{KV_TEXT("core", "The weights, once, take {0}; the cache of {1} requests takes {2}. Together: {3}."),
                 {solvedBytes(AskedQuantity::Weights, scenario), scenario.workload.batch,
                  solvedBytes(AskedQuantity::Reserved, scenario), solvedBytes(AskedQuantity::Total, scenario)}}};
    case AskedQuantity::MaxBatch:
        return batchSolution(scenario, static_cast<std::int64_t>(*right));
    case AskedQuantity::Crossover:
        return crossoverSolution(scenario, static_cast<std::int64_t>(*right));
    default:
        return {};
    }
}

} // namespace core
