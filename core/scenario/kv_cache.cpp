// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/kv_cache.h"

#include <numeric>

namespace core {

namespace {

bool isFixed(CacheKind kind)
{
    return kind == CacheKind::State || kind == CacheKind::Cross;
}

bool isShareable(CacheKind kind)
{
    return kind == CacheKind::Full || kind == CacheKind::Latent || kind == CacheKind::Index;
}

/// Bytes of one entry in all layers of the group.
Bytes bytesPerEntry(const Scenario& scenario, const CacheGroup& group)
{
    return entryBytes(scenario, group) * group.layers.count();
}

Rate plus(Rate a, Rate b)
{
    const std::int64_t tokens = std::lcm(a.tokens, b.tokens);
    return {a.bytes * (tokens / a.tokens) + b.bytes * (tokens / b.tokens), tokens};
}

} // namespace

std::int64_t kvHeads(const Scenario& scenario, const CacheGroup& group)
{
    return scenario.kvHeads && hasHeads(group.kind) ? *scenario.kvHeads : group.kvHeads;
}

Bytes entryBytes(const Scenario& scenario, const CacheGroup& group)
{
    return core::entryBytes(group, kvHeads(scenario, group), scenario.kFormat, scenario.vFormat);
}

Bytes requestCache(const Scenario& scenario, std::int64_t tokens, std::int64_t encoderTokens)
{
    return requestCacheInBlocks(scenario, tokens, encoderTokens, 1);
}

Bytes requestCache(const Scenario& scenario, std::int64_t tokens)
{
    return requestCache(scenario, tokens, scenario.workload.encoderTokens);
}

Bytes requestCacheInBlocks(const Scenario& scenario, std::int64_t tokens, std::int64_t encoderTokens,
                           std::int64_t blockTokens)
{
    Bytes sum;
    for (const CacheGroup& group : scenario.model.groups) {
        const std::int64_t kept = entries(group, tokens, encoderTokens);
        const std::int64_t blocks = (kept + blockTokens - 1) / blockTokens;
        sum += bytesPerEntry(scenario, group) * (isFixed(group.kind) ? kept : blocks * blockTokens);
    }
    return sum;
}

Bytes sharedCacheInBlocks(const Scenario& scenario, const Workload& workload, std::int64_t blockTokens)
{
    Bytes sum;
    const std::int64_t tokens = sharedTokens(workload, 1);
    for (const CacheGroup& group : scenario.model.groups) {
        if (tokens == 0 || !isShareable(group.kind))
            continue;
        const std::int64_t kept = entries(group, tokens, 0);
        sum += bytesPerEntry(scenario, group) * (kept - kept % blockTokens);
    }
    return sum;
}

GroupCache groupCache(const Scenario& scenario, const CacheGroup& group)
{
    const Workload& workload = scenario.workload;
    GroupCache cache;
    cache.entry = entryBytes(scenario, group);
    cache.entries = entries(group, workload.context, workload.encoderTokens);
    const Bytes inAllLayers = cache.entry * group.layers.count();
    cache.request = inAllLayers * cache.entries;
    if (!isFixed(group.kind) && growsBeyond(group, workload.context))
        cache.growth = Rate{inAllLayers, tokensPerEntry(group)};
    return cache;
}

KvSize kvSize(const Scenario& scenario)
{
    KvSize size;
    for (const CacheGroup& group : scenario.model.groups) {
        const GroupCache cache = groupCache(scenario, group);
        if (isFixed(group.kind))
            size.fixedPerRequest += cache.request;
        if (cache.growth)
            size.perToken = plus(size.perToken, *cache.growth);
        size.perRequest += cache.request;
    }
    size.total = size.perRequest * scenario.workload.batch;
    return size;
}

} // namespace core
