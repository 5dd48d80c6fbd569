// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engines/log.h"
#include "core/result.h"

#include <nlohmann/json_fwd.hpp>

#include <span>
#include <string>

namespace app {

/// The log in a file; one sentence where it cannot be read or is too long to be one.
core::Result<core::engines::EngineLog> loadLog(const std::string& path);

/// Each figure as printed, as predicted, the difference and its likely cause; then the lines that nobody understood.
std::string comparisonText(const core::engines::EngineLog& log,
                           std::span<const core::engines::LogComparison> comparison);

/// {"figures":[{"line","figure","printed","predicted","difference","agrees","cause"}],"unknown":[{"line","text"}]}
nlohmann::ordered_json comparisonJson(const core::engines::EngineLog& log,
                                      std::span<const core::engines::LogComparison> comparison);

} // namespace app
