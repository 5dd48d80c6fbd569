// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engines/engine.h"
#include "core/engines/log_table.h"
#include "core/engines/vllm/options.h"

#include <string_view>
#include <vector>

namespace core::engines::vllm {

void check(const Scenario& scenario, std::vector<Issue>& issues);
EngineLog readLog(std::string_view text);
Scenario withLog(Scenario scenario, const EngineLog& log);

extern const Engine kEngine;

} // namespace core::engines::vllm
