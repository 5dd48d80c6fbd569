// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/model.h"
#include "core/readers/config/hf_heads.h"
#include "core/readers/config/hf_state.h"
#include "core/readers/config/hf_values.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace core::readers {

/// More different kinds of layers than any model has.
inline constexpr std::size_t kMostKinds = 1'024;

/// What one layer is made of.
struct Layer {
    char kind = kFull;
    Heads heads;
    std::int64_t window = 0;         ///< of window layers and chunks
    std::int64_t ratio = 0;          ///< tokens per compressed entry; 0: none
    bool shared = false;             ///< reads the cache of an earlier layer
    bool index = false;              ///< keeps index keys
    bool linear = false;             ///< one matrix stands in the place of attention
    std::optional<std::int64_t> mlp; ///< width of its own MLP where blocks give one; 0: none
    bool mlpIsLinear = false;        ///< one matrix stands in the place of the MLP

    bool attends() const { return kind != kRecurrent && kind != kMlpOnly && kind != kExperts && kind != kNothing; }
    bool isRecurrent() const { return kind == kRecurrent || kind == kBoth; }
};

/// The layers of a model and the widths of what they keep.
struct Layout {
    std::vector<Layer> layers;
    std::optional<std::int64_t> maxContext;
    std::int64_t latentDim = 0; ///< with another attention: of the latents that the heads could be kept as
    std::int64_t ropeDim = 0;
    std::int64_t nopeDim = 0;          ///< of a key without its rotary part, where latents could be expanded
    std::int64_t expandedValueDim = 0; ///< of a value, likewise
    bool latentsOnly = false;          ///< the file can be run with latents only: its projections are absorbed
    std::int64_t indexDim = 0;
    std::int64_t drafts = 0;                   ///< layers behind these that only draft tokens
    std::int64_t mixers = 1;                   ///< caches in one layer
    std::int64_t attentionConv = 0;            ///< rows that a convolution over queries, keys and values keeps
    bool crossBeside = false;                  ///< cross attention besides self-attention in each layer
    std::optional<std::int64_t> encoderTokens; ///< that the encoder always yields
    AttentionKind attention = AttentionKind::Heads;
    RecurrentKind recurrent = RecurrentKind::None;
    StateShape state;

    std::int64_t count() const { return static_cast<std::int64_t>(layers.size()); }
    /// True where thousands of layers keep thousands of different things, which no model does.
    bool isTooVaried() const;
    /// The cache groups: layers that keep the same are one group, in the order of their first layers.
    std::vector<CacheGroup> groups() const;
};

/// How many layers each kind has, as rows of provenance of `file`; none where there is one group.
std::vector<Provenance> layersByKind(std::span<const CacheGroup> groups, std::string_view file);

/// What `count` layers behind the first `layers` keep that only draft tokens: each like the last of `groups` that sees
/// all tokens. None where no group does, or beyond 64 layers.
std::vector<CacheGroup> draftGroups(std::span<const CacheGroup> groups, std::int64_t layers, std::int64_t count);

/// Refuses, by the name `declared` of what the file says it is, a file in which a key shows a cache that its family
/// does not know: the traps of the tables.
void checkTraps(const ConfigValues& values, std::string_view declared);

/// Reads the layout by the family's rules.
Layout readLayout(ConfigValues& values, std::string_view declared);

} // namespace core::readers
