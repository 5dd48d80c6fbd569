// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/numbers.h"
#include "core/scenario/footprint.h"
#include "core/scenario/scenario.h"

#include <algorithm>
#include <cstdint>
#include <optional>

namespace core {

/// KV heads that `group` caches in this scenario: the scenario's choice, else the model's own.
std::int64_t kvHeads(const Scenario& scenario, const CacheGroup& group);

/// Bytes of one entry of one layer of `group` in this scenario's formats.
Bytes entryBytes(const Scenario& scenario, const CacheGroup& group);

/// Ideal cache of one request of `tokens` tokens: Σ over groups of layers · entry bytes · entries(tokens). Without
/// `encoderTokens` it takes those of the scenario's workload.
Bytes requestCache(const Scenario& scenario, std::int64_t tokens, std::int64_t encoderTokens);
Bytes requestCache(const Scenario& scenario, std::int64_t tokens);

/// The same with the entries of every group that grows with the context rounded up to multiples of `blockTokens`.
Bytes requestCacheInBlocks(const Scenario& scenario, std::int64_t tokens, std::int64_t encoderTokens,
                           std::int64_t blockTokens);

/// Tokens of the shared prefix that fill whole blocks of `blockTokens` tokens. Only they can be kept once, because a
/// block belongs to several requests as a whole or to one of them alone. Source: vLLM docs, design/prefix_caching.
inline std::int64_t sharedTokens(const Workload& workload, std::int64_t blockTokens)
{
    const std::int64_t tokens = std::min(workload.sharedPrefix, workload.context);
    return tokens - tokens % blockTokens;
}

/// What all requests keep together: `each` of them so much, of which `shared` is kept only once.
inline std::int64_t ofRequests(std::int64_t requests, std::int64_t each, std::int64_t shared)
{
    if (shared == 0 || requests == 0)
        return saturatingProduct(each, requests);
    return each + saturatingProduct(each - shared, requests - 1);
}
inline Bytes ofRequests(std::int64_t requests, Bytes each, Bytes shared)
{
    return requests == 0 ? Bytes() : each + (each - shared) * (requests - 1);
}

/// What one layer of `group` keeps of the shared tokens at the end of the workload's context, of the entries that are
/// kept then: those older than a window are not, though an engine may hold them.
inline std::int64_t sharedEntries(const CacheGroup& group, const Workload& workload, std::int64_t kept,
                                  std::int64_t shared)
{
    return shared == 0 ? 0 : kept - std::min(kept, ceilDivided(workload.context - shared, tokensPerEntry(group)));
}

/// The part of a request's ideal cache that is the same for all requests, in whole blocks. Full, latent and index
/// layers share it. Layers with a window do not, for they keep the end of the context; a recurrent state sums up all
/// tokens, and what is compressed or belongs to an encoder is taken to be a request's own.
Bytes sharedCacheInBlocks(const Scenario& scenario, const Workload& workload, std::int64_t blockTokens);

/// What one group of layers keeps of one request of the scenario's workload.
struct GroupCache {
    Bytes entry;                ///< of one layer
    std::int64_t entries = 0;   ///< of one layer
    Bytes request;              ///< entry · entries · layers
    std::optional<Rate> growth; ///< of all its layers, at the chosen context; nothing where it is fixed or full
};
GroupCache groupCache(const Scenario& scenario, const CacheGroup& group);

/// The ideal cache of the scenario's workload, opened up.
KvSize kvSize(const Scenario& scenario);

} // namespace core
