// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/footprint.h"
#include "core/scenario.h"

#include <cstdint>

namespace core::sizing {

/// Ideal cache of one request: Σ over groups of layers · entry bytes · entries(tokens).
Bytes requestCache(const Scenario& scenario, std::int64_t tokens, std::int64_t encoderTokens);

/// The same with the entries of every group that grows with the context rounded up to multiples of `blockTokens`.
Bytes requestCacheInBlocks(const Scenario& scenario, std::int64_t tokens, std::int64_t encoderTokens,
                           std::int64_t blockTokens);

/// The ideal cache of the scenario's workload, opened up.
KvSize kvSize(const Scenario& scenario);

} // namespace core::sizing
