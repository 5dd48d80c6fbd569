// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/readers/config/hf_families.h"

#include <array>
#include <cstdint>
#include <string_view>

namespace core::readers {

/// How a key says which layer is of which kind.
enum class Form : std::uint8_t {
    Words,        ///< a list of words, one for each layer
    Cycle,        ///< a list of words to repeat
    Nested,       ///< [[[words], times], …]
    Letters,      ///< a text, one letter for each layer
    Repeated,     ///< a text to repeat
    Flags,        ///< a list of numbers, one for each layer: 1 = `one`, 0 = `rest`
    Every,        ///< a number n: every n-th layer is `one`, all others are `rest`
    EveryAndTail, ///< the same, and what is left over behind the last of them is `one` too
    Listed,       ///< a list of layer numbers that are `one`
    Listed1,      ///< the same, counted from 1
    Period,       ///< a number n: layers with number mod n = the number at `offset` are `one`
    Middle,       ///< a number n: layers with number mod n = n / 2 are `one`; without any, the last one is
    FirstOf,      ///< a number n: layers with number mod n = 0 are recurrent up to the one behind the middle (SambaY)
};

struct PatternKey {
    std::string_view key;
    Form form;
    char one = kFull;
    char rest = kRecurrent;
    std::string_view offset{}; ///< for `Period`
    char onlyFor = 0;          ///< without effect in families that do not have this kind
};

/// First choice first.
inline constexpr std::array kPatternKeys{
    PatternKey{"layer_types", Form::Words},
    PatternKey{"layers_block_type", Form::Words},
    PatternKey{"block_types", Form::Cycle},
    PatternKey{"_block_types", Form::Cycle},
    PatternKey{"attention_layers", Form::Words},
    PatternKey{"attention_types", Form::Nested},
    PatternKey{"hybrid_override_pattern", Form::Letters},
    PatternKey{"hybrid_layer_pattern", Form::Flags, kWindow, kFull},
    PatternKey{"attn_type_list", Form::Flags, kFull, kRecurrent},
    PatternKey{"attn_layer_indices", Form::Listed},
    PatternKey{"attn_layer_idx", Form::Listed},
    PatternKey{"full_attn_idxs", Form::Listed},
    PatternKey{"hybrid_layer_ids", Form::Listed, kBoth},
    PatternKey{"linear_attn_config.full_attn_layers", Form::Listed1},
    PatternKey{"attn_layer_period", Form::Period, kFull, kRecurrent, "attn_layer_offset"},
    PatternKey{"full_attention_interval", Form::Every},
    PatternKey{"layer_group_size", Form::EveryAndTail, kFull, kRecurrent, {}, kRecurrent},
    PatternKey{"sliding_window_pattern", Form::Every, kFull, kWindow, {}, kWindow},
    PatternKey{"_sliding_window_pattern", Form::Every, kFull, kWindow, {}, kWindow},
    PatternKey{"layer_switch", Form::Every, kFull, kWindow, {}, kWindow},
    PatternKey{"global_attn_every_n_layers", Form::Every, kFull, kWindow, {}, kWindow},
    PatternKey{"no_rope_layers", Form::Flags, kChunk, kFull, {}, kChunk},
    PatternKey{"no_rope_layer_interval", Form::Every, kFull, kChunk, {}, kChunk},
    PatternKey{"cross_attention_layers", Form::Listed, kCross, kFull},
    PatternKey{"mamba_step", Form::Middle, kWindow, kRecurrent, {}, kRecurrent},
    PatternKey{"mb_per_layer", Form::FirstOf, kFull, kRecurrent, {}, kNothing},
};

struct KindWords {
    std::string_view words;
    char kind;
};

inline constexpr std::array kWords{
    KindWords{"full_attention attention full global global_attention full_attn deepseek_sparse_attention "
              "compressed_sparse_attention heavily_compressed_attention sparse",
              kFull},
    KindWords{"sliding_attention sliding local local_attention sliding_window_attention swa", kWindow},
    KindWords{"chunked_attention", kChunk},
    KindWords{"linear_attention mamba mamba2 conv recurrent linear kda lightning_attention gated_deltanet m",
              kRecurrent},
    KindWords{"hybrid g", kBoth},
    KindWords{"cross_attention", kCross},
    KindWords{"mlp", kMlpOnly},
    KindWords{"moe", kExperts},
};

/// The letters of `hybrid_override_pattern` and of texts like "LLLG".
inline constexpr std::array kLetters{
    KindWords{"*", kFull},   KindWords{"G", kFull},    KindWords{"M", kRecurrent}, KindWords{"L", kWindow},
    KindWords{"S", kWindow}, KindWords{"-", kMlpOnly}, KindWords{"E", kExperts},
};

} // namespace core::readers
