// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engines/engine.h"
#include "core/engines/tokens.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace core::engines::sglang {

/// The newest release whose rules are known.
inline constexpr std::string_view kNewest = "2026-09";

/// Tokens of the pool that are given.
inline constexpr std::string_view kTokensFlag = "max-total-tokens";
/// The replicas are ranks of one model, each with requests of its own.
inline constexpr std::string_view kSharedRanksFlag = "enable-dp-attention";

/// A release ("0.4.9"), or the month of a build ("2025-10"), as a month: 202510. Nothing where the text is neither.
std::optional<int> month(std::string_view text);

/// Pools of tokens by the rules of SGLang.
class SglangPlan : public TokenPlan {
public:
    explicit SglangPlan(const Scenario& given);

protected:
    void print(const Reservation& reservation, Description& description) const override;
    std::vector<LogComparison> compare(const Reservation& reservation, const EngineLog& log) const override;

private:
    std::string commandFor(const Reservation& reservation) const;
};

EngineLog readLog(std::string_view text);
Scenario withLog(Scenario scenario, const EngineLog& log);

extern const Engine kEngine;

} // namespace core::engines::sglang
