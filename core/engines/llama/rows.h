// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engines/llama/options.h"

#include <array>
#include <string_view>
#include <vector>

namespace core::engines::llama {

/// The caches that the engine makes apart, in the order in which it prints them.
enum class Cache : std::uint8_t {
    Main,
    Full,
    Windows,
    Latents,
    LatentsBeside,
    Compressed,
    Compressed2,
    Index,
    State,
    Draft
};
inline constexpr std::size_t kCaches = 10;
static_assert(kCaches <= kMaxParts);

/// "kv", "kv_full", "kv_swa", "mla", …
std::string_view kindOf(Cache cache);

/// How many entries a layer keeps.
enum class EntryRule : std::uint8_t {
    Cells,       ///< one for each cell
    WindowCells, ///< one for each cell of the window cache
    Compressed,  ///< one for `ratio` cells
    State,       ///< one for each sequence, and those to roll back to
    Once,        ///< one for each stretch of cells, and those to roll back to
};

/// Alike layers in one cache.
struct CacheRow {
    Cache cache = Cache::Main;
    EntryRule rule = EntryRule::Cells;
    const CacheGroup* group = nullptr; ///< whose ideal cache it is; nothing: it has none
    Bytes ideal{};                     ///< bytes of an ideal entry of one layer
    Bytes k{};                         ///< bytes of an entry as it is kept
    Bytes v{};
    WasteCause cause = WasteCause::None; ///< of the difference between an entry kept and an ideal one
    std::int64_t ratio = 1;
    std::span<const std::int32_t> layers{};
    std::int64_t counted = 0; ///< of these layers, those that have it; the others have none
};

/// What the engine makes of a model.
struct CacheRows {
    std::vector<CacheRow> rows;
    std::array<bool, kCaches> present{};      ///< caches that it makes, be they empty
    std::array<KvFormat, kCaches> kFormats{}; ///< as printed
    std::array<KvFormat, kCaches> vFormats{};
    std::int64_t window = 0;   ///< of the window cache; 0: there is none
    std::int64_t rollback = 0; ///< states kept besides the present one
    std::int64_t draftLayers = 0;
    std::int64_t queryHeads = 0; ///< most of any layer
};
CacheRows rowsOf(const Scenario& scenario, const Options& options);

/// What becomes of the latents of a group.
enum class LatentUse : std::uint8_t {
    None,       ///< it has none
    Heads,      ///< full heads
    Latents,    ///< latents alone
    WithValues, ///< and values of the latent's width
    Both,       ///< heads, and latents in a cache of their own (llama.cpp pull request 11446)
    Forced,     ///< ik_llama.cpp's -mla on a model without latents: its rotary part alone
};
LatentUse latentUse(const Scenario& scenario, const CacheGroup& group, const Options& options);

/// True where the engine gives the model's windows a cache of their own.
bool usesWindows(const Model& model, const Options& options);

} // namespace core::engines::llama
