// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engines/engine.h"
#include "core/engines/log_table.h"
#include "core/engines/vllm/options.h"

#include <memory>
#include <string_view>
#include <vector>

namespace core::engines::vllm {

std::unique_ptr<const Plan> plan(const Scenario& scenario, Bytes weights);
void check(const Scenario& scenario, std::vector<Issue>& issues);
std::int64_t mostRequests(const Scenario& scenario);
/// FP8 with scales for latents under sparse attention. Source: vLLM model_executor/models/config.py,
/// DeepseekV32ForCausalLM.
KvFormat automaticFormat(const Scenario& scenario);
void describe(const Scenario& scenario, const Reservation& reservation, Description& description);
/// The memory that a log prints with two decimals: of all that they stand for, so much that it gives the blocks which
/// explain the log's other figures.
Bytes memoryIn(const Scenario& scenario, const EngineLog& log, const PrintedSize& printed);
EngineLog readLog(std::string_view text);
Scenario withLog(Scenario scenario, const EngineLog& log);
std::vector<LogComparison> compareLog(const Scenario& scenario, const EngineLog& log);

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
                                .describe = describe,
                                .readLog = readLog,
                                .withLog = withLog,
                                .compareLog = compareLog};

} // namespace core::engines::vllm
