// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/scenario/scenario.h"
#include "core/text/message.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace core {

/// What a lesson or an exercise can ask of a scenario.
enum class Asked : std::uint8_t {
    Cache,        ///< cache in use of all requests
    RequestCache, ///< of one request
    PerToken,     ///< growth of one request's cache by one token
    FixedCache,   ///< what one request keeps whatever its length: states, cross attention
    Reserved,     ///< cache in use + waste
    Waste,        ///< reserved, not in use
    WasteShare,   ///< waste as a share of what is reserved
    Weights,
    Total,       ///< weights + cache + waste + overhead + reserve
    Free,        ///< capacity - total
    Factor,      ///< cache of the scenario / cache of the one it is compared with
    Sharing,     ///< query heads / KV heads
    HeadDim,     ///< elements of one key
    MaxBatch,    ///< requests that fit
    MaxContext,  ///< tokens that fit
    Crossover,   ///< first context at which the cache is at least the weights
    Gpus,        ///< fewest GPUs that hold it
    Pool,        ///< memory of one GPU for an engine's cache
    Blocks,      ///< of that memory
    DeviceCache, ///< reserved on the GPU that holds most of it
};

/// The name in lesson files and placeholders: "cache", "request_cache", "max_batch", ….
std::string_view id(Asked asked);
std::optional<Asked> asked(std::string_view id);
std::span<const std::string_view> askedIds();

/// What is counted by an answer.
enum class Measure : std::uint8_t { Bytes, Tokens, Requests, Gpus, Percent, Times, Plain, Blocks };
Measure measureOf(Asked asked);

/// One number that is asked: of which scenario, and compared with which other.
struct Task {
    Asked asked = Asked::Cache;
    Scenario scenario;
    std::optional<Scenario> compared; ///< Factor only
};

/// The number, in bytes where it is a size and in percent where it is a share; nothing where it does not exist (weights
/// unknown, no capacity, no heads, an engine without a pool). The scenarios must have no issues.
std::optional<double> solve(const Task& task);

/// The number as it is shown: bytes, percent, or a count, which is whole where it can be.
Value shownNumber(Measure measure, double number);

/// The first group of the model that keeps heads: the one that "KV heads" and "head dimension" mean. nullptr when no
/// group has heads.
const CacheGroup* headsOf(const Model& model);

/// Tokens of one block: the engine's where it has a pool of them, else those that are typed.
std::int64_t blockTokensOf(const Scenario& scenario);

} // namespace core
