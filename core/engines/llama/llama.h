// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engines/engine.h"
#include "core/engines/llama/options.h"

#include <memory>
#include <vector>

namespace core::engines::llama {

std::unique_ptr<const Plan> plan(const Scenario& scenario);
void check(const Scenario& scenario, std::vector<Issue>& issues);
EngineLog readLog(std::string_view text);
Scenario withLog(Scenario scenario, const EngineLog& log);

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
                                .readLog = readLog,
                                .withLog = withLog};

} // namespace core::engines::llama
