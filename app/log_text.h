// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engines/log.h"

#include <nlohmann/json_fwd.hpp>

#include <span>
#include <string>

namespace app {

/// Each figure as printed, as predicted by `engine`, the difference and its likely cause; then the lines that nobody
/// understood.
std::string comparisonText(core::EngineId engine, const core::engines::EngineLog& log,
                           std::span<const core::engines::LogComparison> comparison);

/// {"engine","figures":[{"line","figure","printed","predicted","difference","agrees","cause"}],
/// "unknown":[{"line","text"}]}
nlohmann::ordered_json comparisonJson(const core::engines::EngineLog& log,
                                      std::span<const core::engines::LogComparison> comparison);

} // namespace app
