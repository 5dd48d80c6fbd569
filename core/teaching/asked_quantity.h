// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/scenario/scenario.h"
#include "core/text/message.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace core {

/// A number that a lesson or an exercise can ask for.
enum class AskedQuantity : std::uint8_t {
    Cache,        ///< the cache in use, of all requests
    RequestCache, ///< the cache of one request
    PerToken,     ///< what one more token adds to the cache of one request
    FixedCache,   ///< what one request keeps whatever its length: states and cross attention
    Reserved,     ///< the cache in use and the waste
    Waste,        ///< what is reserved and not in use
    WasteShare,   ///< the waste as a share of what is reserved
    Weights,      ///< the weights
    Total,        ///< weights, cache, waste, overhead and reserve together
    Free,         ///< the capacity less the total
    Factor,       ///< how many times as large the cache is as that of the scenario it is compared with
    Sharing,      ///< how many query heads share one KV head
    HeadDim,      ///< the elements of one key
    MaxBatch,     ///< the most requests that fit
    MaxContext,   ///< the longest context that fits, in tokens
    Crossover,    ///< the first context at which the cache is at least as large as the weights
    Gpus,         ///< the fewest GPUs that hold everything
    Pool,         ///< the memory of one GPU that an engine has for its cache
    Blocks,       ///< the blocks of the pool
    DeviceCache,  ///< what is reserved on the GPU that holds most of it
};

/// The quantity's name in lesson files and placeholders: "cache", "request_cache", "max_batch", ….
std::string_view id(AskedQuantity quantity);
std::optional<AskedQuantity> askedQuantityNamed(std::string_view id);
/// The names of all quantities, in the order of the enumeration.
std::span<const std::string_view> askedQuantityIds();

/// What an answer counts.
enum class Measure : std::uint8_t { Bytes, Tokens, Requests, Gpus, Percent, Times, Plain, Blocks };
Measure measureOf(AskedQuantity quantity);

/// A quantity to work out.
struct Task {
    AskedQuantity quantity = AskedQuantity::Cache;
    Scenario scenario;
    std::optional<Scenario> compared; ///< the scenario that `AskedQuantity::Factor` compares with; unused by the others

    friend bool operator==(const Task&, const Task&) = default;
};

/// The right number, in bytes where it is a size and in percent where it is a share. There is none where the scenario
/// lacks something: known weights, a capacity, heads, an engine with a pool. The scenarios must have no issues.
std::optional<double> solve(const Task& task);

/// The same for every quantity but `Factor`, which needs two scenarios.
std::optional<double> solve(AskedQuantity quantity, const Scenario& scenario);

/// A quantity that is a size, cut to whole bytes; 0 where the scenario has none.
Bytes solvedBytes(AskedQuantity quantity, const Scenario& scenario);

/// The number as the program shows it: as bytes, as a percentage, or as a count without a fraction where it is whole.
Value shownNumber(Measure measure, double number);

} // namespace core
