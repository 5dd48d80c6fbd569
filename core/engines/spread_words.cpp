// SPDX-License-Identifier: GPL-3.0-or-later
// What parallel ranks divide and what they replicate, in words.
#include "core/engines/parallel.h"
#include "core/sizing/kv_cache.h"

#include <set>

namespace core::engines {

namespace {

void addCopies(const Spread& spread, std::vector<Message>& words)
{
    if (spread.replicas > 1 && spread.sharesWeights)
        words.push_back({KV_TEXT("core", "{0} groups of GPUs have requests of their own and share one copy of the "
                                         "model (data parallel attention)."),
                         {spread.replicas}});
    else if (spread.replicas > 1)
        words.push_back({KV_TEXT("core", "{0} copies of the model share out the requests; the free memory of one is of "
                                         "no use to the requests of another."),
                         {spread.replicas}});
    if (spread.pipeline > 1)
        words.push_back({KV_TEXT("core", "The layers are divided over {0} stages, with their weights and their cache; "
                                         "the fullest stage sets the limit."),
                         {spread.pipeline}});
}

Message headWords(std::int64_t heads, std::int64_t ranks)
{
    if (heads < ranks)
        return {KV_TEXT("core",
                        "The {0} KV heads of a layer are fewer than the {1} GPUs that divide it: each GPU keeps "
                        "a whole one, so that {1} are kept in place of {0}."),
                {heads, ranks}};
    return {KV_TEXT("core", "The {0} KV heads of a layer are divided over {1} GPUs, {2} on each."),
            {heads, ranks, headsOn(heads, ranks)}};
}

} // namespace

std::vector<Message> spreadWords(const Scenario& scenario)
{
    const Spread spread = spreadOf(scenario);
    std::vector<Message> words;
    if (!scenario.hardware.parallel.isTyped() && !engine(scenario.engine).takesTensor)
        return words; // pooled, or filled by the engine's own rules
    addCopies(spread, words);
    if (spread.heads < 2)
        return words;
    std::set<std::int64_t> heads;
    bool whole = false;
    bool states = false;
    for (const CacheGroup& group : scenario.model.groups) {
        if (hasHeads(group.kind))
            heads.insert(sizing::kvHeads(scenario, group));
        whole |=
            group.kind == CacheKind::Latent || group.kind == CacheKind::Index || group.kind == CacheKind::Compressed;
        states |= group.kind == CacheKind::State;
    }
    for (const std::int64_t count : heads)
        words.push_back(headWords(count, spread.heads));
    if (whole)
        words.push_back(
            {KV_TEXT("core", "Latents and index keys have no heads to divide: each of {0} GPUs keeps all of "
                             "them."),
             {spread.heads}});
    if (states)
        words.push_back({KV_TEXT("core", "Recurrent states are divided over {0} GPUs."), {spread.heads}});
    return words;
}

} // namespace core::engines
