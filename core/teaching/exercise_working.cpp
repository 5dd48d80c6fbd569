// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/teaching/exercise_working.h"

#include "core/scenario/kv_cache.h"
#include "core/sizing/evaluate.h"

#include <array>
#include <string_view>

namespace core {

namespace {

/// What a kind of layers keeps. Places: {0} layers, {1} bytes of an entry, {2} entries, {3} all of them.
struct Words {
    std::string_view product;
    std::string_view result;
};

const Words& wordsFor(CacheKind kind)
{
    static constexpr Words kAll{KV_TEXT("core", "{0} layers keep every token: {0} · {1} bytes · {2} tokens."),
                                KV_TEXT("core", "{0} layers keep every token: {0} · {1} bytes · {2} tokens = {3}.")};
    static constexpr Words kLast{
        KV_TEXT("core", "{0} layers keep the last tokens only: {0} · {1} bytes · {2} tokens."),
        KV_TEXT("core", "{0} layers keep the last tokens only: {0} · {1} bytes · {2} tokens = {3}.")};
    static constexpr Words kState{
        KV_TEXT("core", "{0} layers keep a state, whatever the context: {0} · {1} bytes."),
        KV_TEXT("core", "{0} layers keep a state, whatever the context: {0} · {1} bytes = {3}.")};
    static constexpr Words kOther{KV_TEXT("core", "{0} layers keep {2} entries each: {0} · {1} bytes · {2}."),
                                  KV_TEXT("core", "{0} layers keep {2} entries each: {0} · {1} bytes · {2} = {3}.")};
    switch (kind) {
    case CacheKind::Full:
    case CacheKind::Latent:
        return kAll;
    case CacheKind::Window:
    case CacheKind::Chunk:
        return kLast;
    case CacheKind::State:
        return kState;
    default:
        return kOther;
    }
}

Bytes inBytes(const Task& task, Asked asked)
{
    return Bytes(static_cast<std::int64_t>(solve({asked, task.scenario, {}}).value_or(0)));
}

std::vector<Message> cacheWorking(const Task& task)
{
    std::vector<Message> lines = partsInWords(task.scenario, true);
    if (lines.size() > 1)
        lines.push_back({KV_TEXT("core", "Together: {0}."), {inBytes(task, Asked::RequestCache)}});
    const std::int64_t requests = task.scenario.workload.batch;
    if (task.asked == Asked::Cache && requests > 1)
        lines.push_back({KV_TEXT("core", "Of {0} requests: {1}."), {requests, inBytes(task, Asked::Cache)}});
    return lines;
}

std::vector<Message> tokenWorking(const Task& task)
{
    std::vector<Message> lines;
    for (const CacheGroup& group : task.scenario.model.groups) {
        const GroupCache cache = groupCache(task.scenario, group);
        if (cache.growth)
            lines.push_back({KV_TEXT("core", "{0} layers grow with the context: by {1} for every {2} tokens."),
                             {group.layers.count(), cache.growth->bytes, cache.growth->tokens}});
        if (cache.growth && cache.growth->tokens == 1)
            lines.back() = {KV_TEXT("core", "{0} layers grow with each token: {0} · {1} bytes = {2}."),
                            {group.layers.count(), cache.entry.count(), cache.growth->bytes}};
    }
    if (lines.size() > 1)
        lines.push_back({KV_TEXT("core", "Together: {0}."), {inBytes(task, Asked::PerToken)}});
    return lines;
}

std::vector<Message> batchWorking(const Task& task)
{
    const Scenario& scenario = task.scenario;
    const Bytes device = deviceMemory(scenario.hardware).value_or(Bytes());
    const Bytes kept = (scenario.overhead + scenario.reserve.of(device)) * scenario.hardware.count;
    const Bytes weights = weightBytes(scenario).value_or(Bytes());
    const Bytes left = device * scenario.hardware.count - kept - weights;
    const Bytes request = scaledUp(inBytes(task, Asked::Reserved), 1, scenario.workload.batch);
    std::vector<Message> lines{{KV_TEXT("core", "Of {0} the weights take {1}: {2} is left."),
                                {device * scenario.hardware.count, weights, left}},
                               {KV_TEXT("core", "One request takes {0}. {1} / {0}, rounded down, is {2}."),
                                {request, left, static_cast<std::int64_t>(solve(task).value_or(0))}}};
    if (kept > Bytes())
        lines.front() = {KV_TEXT("core", "Of {0} the weights take {1}, and {2} is kept free: {3} is left."),
                         {device * scenario.hardware.count, weights, kept, left}};
    return lines;
}

std::vector<Message> crossoverWorking(const Task& task)
{
    Scenario there = task.scenario;
    const auto tokens = static_cast<std::int64_t>(solve(task).value_or(1));
    there.workload = withContext(there.workload, tokens);
    return {{KV_TEXT("core", "The weights take {0} bytes. At {1} tokens the cache takes {2} bytes, for the first time "
                             "at least as many."),
             {inBytes(task, Asked::Weights).count(), tokens, inBytes({task.asked, there, {}}, Asked::Cache).count()}}};
}

} // namespace

std::vector<Message> partsInWords(const Scenario& scenario, bool results)
{
    std::vector<Message> lines;
    for (const CacheGroup& group : scenario.model.groups) {
        const GroupCache cache = groupCache(scenario, group);
        const Words& words = wordsFor(group.kind);
        if (cache.request > Bytes())
            lines.push_back({results ? words.result : words.product,
                             {group.layers.count(), cache.entry.count(), cache.entries, cache.request}});
    }
    return lines;
}

std::vector<Message> workingFor(const Exercise& exercise)
{
    const Task& task = exercise.task;
    if (!solve(task))
        return {};
    switch (task.asked) {
    case Asked::Cache:
    case Asked::RequestCache:
        return cacheWorking(task);
    case Asked::PerToken:
        return tokenWorking(task);
    case Asked::Total:
        return {{KV_TEXT("core", "The weights, once, take {0}; the cache of {1} requests takes {2}. Together: {3}."),
                 {inBytes(task, Asked::Weights), task.scenario.workload.batch, inBytes(task, Asked::Reserved),
                  inBytes(task, Asked::Total)}}};
    case Asked::MaxBatch:
        return batchWorking(task);
    case Asked::Crossover:
        return crossoverWorking(task);
    default:
        return {};
    }
}

} // namespace core
