// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/model.h"

#include <cstdint>

/// What one request keeps at 16 bit, by kind.
struct CacheBytes {
    std::int64_t kv = 0;
    std::int64_t index = 0;
    std::int64_t state = 0;
    std::int64_t crossPerToken = 0; ///< for each encoder token
};

inline CacheBytes cacheBytes(const core::Model& model, std::int64_t tokens)
{
    CacheBytes sum;
    for (const core::CacheGroup& group : model.groups) {
        const std::int64_t bytes = (core::entryBytes(group, core::KvFormat::Fp16, core::KvFormat::Fp16) *
                                    group.layers.count() * core::entries(group, tokens, 1))
                                       .count();
        std::int64_t& part = group.kind == core::CacheKind::Index   ? sum.index
                             : group.kind == core::CacheKind::State ? sum.state
                             : group.kind == core::CacheKind::Cross ? sum.crossPerToken
                                                                    : sum.kv;
        part += bytes;
    }
    return sum;
}
