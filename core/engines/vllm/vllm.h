// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engines/engine.h"
#include "core/engines/log_table.h"
#include "core/engines/vllm/options.h"

#include <memory>
#include <string_view>
#include <vector>

namespace core::engines::vllm {

std::unique_ptr<const Plan> plan(const Scenario& scenario);
void check(const Scenario& scenario, std::vector<Issue>& issues);
std::int64_t mostRequests(const Scenario& scenario);
/// FP8 with scales for latents under sparse attention. Source: vLLM model_executor/models/config.py,
/// DeepseekV32ForCausalLM.
KvFormat automaticFormat(const Scenario& scenario);
EngineLog readLog(std::string_view text);
Scenario withLog(Scenario scenario, const EngineLog& log);

inline constexpr Engine kEngine{.id = EngineId::Vllm,
                                .newest = kNewest,
                                .cause = WasteCause::PartialBlock,
                                .usesMaxContext = true,
                                .isStaircase = true,
                                .ownsMemory = true,
                                .hasPool = true,
                                .takesTensor = true,
                                .mostRequests = mostRequests,
                                .poolFlag = kBlocksFlag,
                                .automaticFormat = automaticFormat,
                                .settings = settings,
                                .plan = plan,
                                .check = check,
                                .readLog = readLog,
                                .withLog = withLog};

} // namespace core::engines::vllm
