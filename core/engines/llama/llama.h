// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engines/engine.h"
#include "core/engines/llama/options.h"

#include <memory>
#include <vector>

namespace core::engines::llama {

std::unique_ptr<const Plan> plan(const Scenario& scenario, Bytes weights);
void check(const Scenario& scenario, std::vector<Issue>& issues);
void describe(const Scenario& scenario, const Reservation& reservation, Description& description);
EngineLog readLog(std::string_view text);
Scenario withLog(Scenario scenario, const EngineLog& log);
std::vector<LogComparison> compareLog(const Scenario& scenario, const EngineLog& log);

/// llama.cpp and ik_llama.cpp.
inline constexpr Engine kEngine{.id = EngineId::LlamaCpp,
                                .newest = kNewest,
                                .cause = WasteCause::Padding,
                                .usesMaxContext = true,
                                .isStaircase = true,
                                .ownsMemory = true,
                                .mostSequences = kMostSequences,
                                .sequencesFlag = "parallel",
                                .settings = settings,
                                .plan = plan,
                                .check = check,
                                .describe = describe,
                                .readLog = readLog,
                                .withLog = withLog,
                                .compareLog = compareLog};

} // namespace core::engines::llama
