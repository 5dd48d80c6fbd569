// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/scenario/footprint.h"
#include "core/scenario/scenario.h"

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
