// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engines/engine.h"
#include "core/engines/llama/version.h"
#include "core/engines/setting.h"
#include "core/scenario/scenario.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>

namespace core::engines::llama {

inline constexpr std::int64_t kMostSequences = 256; ///< LLAMA_MAX_SEQ
inline constexpr std::int64_t kAllLayers = -1;

/// How ik_llama.cpp's -mla, or the file of the model, decides about latents.
enum class LatentMode : std::uint8_t { ByFile, Off, Values, Only };

/// A scenario's version and settings, understood. A value that cannot be is as if it were not typed; `check` names it.
struct Options {
    Version version;
    Rules rules;
    bool flash = true;
    bool unified = false;
    bool wholeWindows = false;
    std::int64_t batch = 2'048; ///< tokens of a logical batch
    std::int64_t ubatch = 512;  ///< of them, computed at once
    LatentMode latents = LatentMode::ByFile;
    std::int64_t gpuLayers = kAllLayers; ///< with the output as one of them
    bool offloadsCache = true;
    bool splitsLayers = true;
    std::array<float, kMaxDevices> shares{}; ///< of the devices; as typed
    std::int64_t drafts = 0;                 ///< tokens drafted at once
    Bytes runtime{};                         ///< of each device: an estimate
    std::optional<Bytes> buffers;
};
Options optionsOf(const Scenario& scenario);

/// Memory of the host for a process before it loads anything; an estimate, like the 250 MiB of each device in the table
/// of flags. Source: gguf-parser-go cmd/gguf-parser/main.go, its
/// default footprint of llama.cpp.
inline constexpr Bytes kRuntimeHost = mib(150);

} // namespace core::engines::llama
