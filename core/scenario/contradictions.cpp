// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/contradictions.h"

#include "core/scenario/inputs.h"

#include <numeric>
#include <string>

namespace core::contradictions {

std::optional<Message> ofKvHeads(const Scenario& scenario)
{
    if (!scenario.kvHeads)
        return std::nullopt;
    std::int64_t queryHeads = 0;
    for (const CacheGroup& group : scenario.model.groups) {
        if (hasHeads(group.kind))
            queryHeads = std::gcd(queryHeads, group.queryHeads);
    }
    if (queryHeads == 0)
        return Message{KV_TEXT("core", "KV heads are chosen, but this model caches no heads or its query heads "
                                       "are not known; leave the choice out."),
                       {}};
    if (*scenario.kvHeads >= 1 && queryHeads % *scenario.kvHeads == 0)
        return std::nullopt;
    return Message{KV_TEXT("core", "{0} KV heads are chosen, but {1} query heads cannot share them evenly; use a "
                                   "divisor of {1}."),
                   {*scenario.kvHeads, queryHeads}};
}

std::optional<Message> ofWaste(const Scenario& scenario)
{
    if (scenario.engine == EngineId::Ideal || scenario.waste == Percent{})
        return std::nullopt;
    return Message{KV_TEXT("core", "A share of waste is typed, but the engine {0} has its own; set the waste to 0 or "
                                   "the engine to ideal."),
                   {std::string(id(scenario.engine))}};
}

std::optional<Message> ofMaxContext(const Scenario& scenario)
{
    const Workload& workload = scenario.workload;
    if (!workload.maxContext || *workload.maxContext >= workload.context)
        return std::nullopt;
    return Message{KV_TEXT("core", "The longest request, {0} tokens, is shorter than the context of {1} tokens; raise "
                                   "it or shorten the context."),
                   {*workload.maxContext, workload.context}};
}

std::optional<Message> ofSharedPrefix(const Scenario& scenario)
{
    const Workload& workload = scenario.workload;
    if (workload.sharedPrefix <= workload.context || !uses(scenario.engine, input(Field::SharedPrefix)))
        return std::nullopt;
    return Message{KV_TEXT("core", "The shared prefix, {0} tokens, is longer than the context of {1} tokens; shorten "
                                   "it or raise the context."),
                   {workload.sharedPrefix, workload.context}};
}

std::optional<Message> ofWeightFormat(const Scenario& scenario)
{
    const Weights& weights = scenario.model.weights;
    if (scenario.weightFormat != WeightFormat::Stored || scenario.weightBytes || !weights.known() ||
        !weights.stored.empty())
        return std::nullopt;
    return Message{KV_TEXT("core", "The weights are to be counted as a weight file stores them, but this model was "
                                   "read from none; choose a format such as bf16."),
                   {}};
}

std::optional<Message> ofMemory(const Scenario& scenario)
{
    if (scenario.hardware.basis != MemoryBasis::Typed || scenario.hardware.typed)
        return std::nullopt;
    return Message{KV_TEXT("core", "The memory of a GPU is to be typed, but no size is given; type one such as 24GiB."),
                   {}};
}

std::optional<Message> ofCacheMemory(const Scenario& scenario)
{
    if (kPoolEngines.has(scenario.engine) || !scenario.cacheMemory)
        return std::nullopt;
    return Message{KV_TEXT("core", "The engine {0} has no pool whose memory could be given; leave it out or choose "
                                   "another engine."),
                   {std::string(id(scenario.engine))}};
}

std::optional<Message> ofReserve(const Scenario& scenario)
{
    if (!kPoolEngines.has(scenario.engine) || scenario.reserve == Percent{})
        return std::nullopt;
    return Message{KV_TEXT("core", "A reserve is typed, but {0} leaves free what its share of the memory leaves; leave "
                                   "the reserve out, or lower that share."),
                   {std::string(id(scenario.engine))}};
}

} // namespace core::contradictions
