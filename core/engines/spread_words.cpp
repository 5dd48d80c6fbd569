// SPDX-License-Identifier: GPL-3.0-or-later
// What parallel ranks divide and what they replicate, in words.
#include "core/engines/parallel.h"
#include "core/scenario/kv_cache.h"
#include "core/text/text.h"

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

Message dividedHeads(std::int64_t heads, std::int64_t ranks)
{
    if (heads < ranks)
        return {KV_TEXT("core",
                        "The {0} KV heads of a layer are fewer than the {1} GPUs that divide it: each GPU keeps "
                        "a whole one, so that {1} are kept in place of {0}."),
                {heads, ranks}};
    return {KV_TEXT("core", "The {0} KV heads of a layer are divided over {1} GPUs, {2} on each."),
            {heads, ranks, headsOn(heads, ranks)}};
}

/// What the layers of a model keep, as ranks see it.
struct Kept {
    std::set<std::int64_t> heads; ///< numbers of KV heads
    bool whole = false;           ///< what no rank can divide
    bool states = false;
};

Kept keptOf(const Scenario& scenario)
{
    const std::string* latents = scenario.settings.find("mla");
    const bool expands = latents != nullptr && *latents == "off";
    Kept kept;
    for (const CacheGroup& group : scenario.model.groups) {
        if (hasHeads(group.kind))
            kept.heads.insert(kvHeads(scenario, group));
        else if (group.kind == CacheKind::Latent && expands)
            kept.heads.insert(group.queryHeads);
        else if (group.kind == CacheKind::State)
            kept.states = true;
        else if (group.kind == CacheKind::Latent || group.kind == CacheKind::Index ||
                 group.kind == CacheKind::Compressed)
            kept.whole = true;
    }
    return kept;
}

std::int64_t contextRanksOf(const Scenario& scenario)
{
    const std::string* typed = scenario.settings.find("decode-context-parallel-size");
    return typed != nullptr ? parseCount(*typed).value_or(1) : 1;
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
    const Kept kept = keptOf(scenario);
    const std::int64_t contextRanks = contextRanksOf(scenario);
    if (contextRanks > 1)
        words.push_back(
            {KV_TEXT("core", "{0} GPUs that would keep the same divide the tokens of a request."), {contextRanks}});
    for (const std::int64_t count : kept.heads) {
        if (contextRanks == 1 || count >= spread.heads)
            words.push_back(dividedHeads(count, spread.heads));
    }
    if (kept.whole && contextRanks == 1)
        words.push_back({KV_TEXT("core", "Latents and index keys have no heads to divide: each of {0} GPUs keeps all "
                                         "of them."),
                         {spread.heads}});
    if (kept.states)
        words.push_back({KV_TEXT("core", "Recurrent states are divided over {0} GPUs."), {spread.heads}});
    return words;
}

} // namespace core::engines
