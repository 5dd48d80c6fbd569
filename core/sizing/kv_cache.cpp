// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sizing/kv_cache.h"

#include <numeric>

namespace core::sizing {

namespace {

bool isFixed(CacheKind kind)
{
    return kind == CacheKind::State || kind == CacheKind::Cross;
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

KvSize kvSize(const Scenario& scenario)
{
    const Workload& workload = scenario.workload;
    KvSize size;
    for (const CacheGroup& group : scenario.model.groups) {
        const Bytes perEntry = bytesPerEntry(scenario, group);
        if (isFixed(group.kind))
            size.fixedPerRequest += perEntry * entries(group, workload.context, workload.encoderTokens);
        else if (growsBeyond(group, workload.context))
            size.perToken = plus(size.perToken, Rate{perEntry, tokensPerEntry(group)});
    }
    size.perRequest = requestCache(scenario, workload.context, workload.encoderTokens);
    size.total = size.perRequest * workload.batch;
    return size;
}

} // namespace core::sizing
