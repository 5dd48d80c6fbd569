// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engines/engine.h"
#include "core/engines/tokens.h"

#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace core::engines::trtllm {

/// The newest release whose rules are known.
inline constexpr std::string_view kNewest = "1.2";

/// A release ("0.13", "1.2.1") as 100 · major + minor. Nothing where the text is none.
std::optional<int> release(std::string_view text);

/// Tokens of the pool that are given.
inline constexpr std::string_view kTokensFlag = "max-tokens";

/// Blocks of a share of the memory that is free after the engine; the last one is whole. Source: TensorRT-LLM
/// batch_manager/kvCacheManager.cpp, calculateMaxNumBlocks.
class TrtllmPlan : public TokenPlan {
public:
    explicit TrtllmPlan(const Scenario& given);

protected:
    void print(const Reservation& reservation, Description& description) const override;
    std::vector<LogComparison> compare(const Reservation& reservation, const EngineLog& log) const override;
};

/// The size of the pool that is printed: without states.
Bytes allocated(const Reservation& reservation);
EngineLog readLog(std::string_view text);
Scenario withLog(Scenario scenario, const EngineLog& log);

extern const Engine kEngine;

} // namespace core::engines::trtllm
