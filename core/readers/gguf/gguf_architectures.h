// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/readers/config/hf_families.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace core::readers {

// What is known of the architectures of GGUF files (general.architecture), as tables: which layers keep which kind of
// cache in llama.cpp. A new architecture of known laws is one word, or one row, in `gguf_architectures.cpp`.

/// When layers of an architecture keep a window only.
enum class GgufWindow : std::uint8_t {
    Never,    ///< a window in the file has no effect
    Given,    ///< where attention.sliding_window is above 0
    Always,   ///< the same, with a default
    Only64,   ///< with a default, and only in models of 64 layers (EXAONE 4)
    Disabled, ///< the class has windows, but llama.cpp does not use them (Phi-3)
};

/// Which layers hold a recurrent state.
enum class GgufRecurrent : std::uint8_t {
    None,
    All,
    Beside,       ///< all, besides attention
    WithoutHeads, ///< those whose attention.head_count_kv is 0
    WithoutMlp,   ///< of these, those without a feed-forward length; the others hold nothing (Nemotron-H)
    Interval,     ///< attention.recurrent_layers, else all but every full_attention_interval-th
};

/// Which layers keep index keys of sparse attention.
enum class GgufIndex : std::uint8_t {
    None,
    All,        ///< every layer
    Types,      ///< attention.indexer.types, else 0, 1 and every 4th from 2 on (GLM 5.2), or all (GLM 5, 5.1)
    AfterDense, ///< from leading_dense_block_count on (MiniMax-M3)
    Compressed, ///< those that compress 4 tokens into one (DeepSeek-V4)
};

struct GgufArchitecture {
    std::string_view names; ///< general.architecture, with blanks between
    GgufWindow window = GgufWindow::Never;
    std::int64_t period = 0;        ///< where the file has no pattern: layers in one period; 0: all have the window
    bool fullFirst = false;         ///< the first layer of a period is the full one, else the last
    std::int64_t defaultWindow = 0; ///< tokens
    bool chunked = false;           ///< chunks in place of windows
    RecurrentKind recurrent = RecurrentKind::None;
    GgufRecurrent where = GgufRecurrent::None;
    GgufIndex index = GgufIndex::None;
    bool compressed = false;    ///< K = V, compressed entries by attention.compress_ratios
    bool encoder = false;       ///< an encoder before the decoder: cross attention
    std::int64_t ownLayers = 0; ///< only so many first layers hold a cache; 0: all
};

/// Architectures without a cache of their own, and why.
struct RefusedArchitecture {
    std::string_view names;
    std::string_view message; ///< {0} file, {1} architecture
};

/// The row of an architecture; nullptr when there is none.
const GgufArchitecture* ggufArchitecture(std::string_view name);
const RefusedArchitecture* refusedArchitecture(std::string_view name);

} // namespace core::readers
