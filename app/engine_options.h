// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/options.h"

#include <span>
#include <string_view>
#include <vector>

namespace app {

inline constexpr std::string_view kParallel = "--parallel";
inline constexpr std::string_view kBlockSize = "--block-size";
inline constexpr std::string_view kContextRanks = "--decode-context-parallel-size";

/// The engine that the options ask for: the typed one, or the one that understands the options of some engines alone;
/// of several the file's own, else the first.
core::Result<void> chooseEngine(core::Scenario& scenario, std::span<const OptionValue> values);

/// Puts the typed values of the engine's flags into the scenario; those of a file stay only for the same engine.
void setFlags(core::Scenario& scenario, core::EngineId before, std::span<const OptionValue> values);

/// Adds the flags of all engines that are not among the options yet.
void addFlagOptions(std::vector<ScenarioOption>& options);

} // namespace app
