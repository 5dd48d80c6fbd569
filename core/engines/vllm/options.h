// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engines/budget.h"
#include "core/engines/setting.h"
#include "core/engines/vllm/version.h"
#include "core/scenario/scenario.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace core::engines::vllm {

/// Who computes: it decides about blocks.
enum class Platform : std::uint8_t { Cuda, Xpu, Ascend, Tpu };

/// Which states of a request are kept (mamba_cache_mode).
enum class StateMode : std::uint8_t {
    None,  ///< the present one
    Align, ///< and the one at the end of the last full block, for prefixes
    All,   ///< one for each block
};

/// A scenario's version and settings, understood. A value that cannot be is as if it were not typed; `check` names it.
struct Options {
    Version version;
    Rules rules;
    Platform platform = Platform::Cuda;
    std::int64_t blockTokens = 16; ///< asked for; states and pages may need more
    std::int64_t batched = 2'048;  ///< tokens computed at once
    StateMode states = StateMode::None;
    bool sharesPrefixes = false;         ///< Requests share the blocks of a common prefix.
    std::optional<KvFormat> stateFormat; ///< of the recurrent part; nothing: by model
    std::int64_t drafts = 0;
    std::optional<std::int64_t> draftLayers; ///< nothing: by model
    bool groups = true;                      ///< kinds of layers have groups of their own
    std::int64_t contextRanks = 1;           ///< that divide the tokens of a request
    std::int64_t swap = 4;                   ///< GiB of each rank on the host (V0)
    std::optional<std::int64_t> blocks;      ///< given instead of derived
    bool latents = true;
    Bytes graphs;                 ///< estimate of the recorded graphs, be they counted or not
    std::string_view partition;   ///< layers of each stage
    std::int64_t utilization = 0; ///< ten-thousandths
};
Options optionsOf(const Scenario& scenario);

inline constexpr std::string_view kBlocksFlag = "num-gpu-blocks-override"; ///< blocks that are given
inline constexpr std::string_view kGraphFlag = "graph-memory";             ///< the estimate of recorded graphs

} // namespace core::engines::vllm
