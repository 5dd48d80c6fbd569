// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engines/engine.h"
#include "core/engines/llama/options.h"

#include <memory>
#include <vector>

namespace core::engines::llama {

void check(const Scenario& scenario, std::vector<Issue>& issues);
EngineLog readLog(std::string_view text);
Scenario withLog(Scenario scenario, const EngineLog& log);

/// llama.cpp and ik_llama.cpp.
extern const Engine kEngine;

} // namespace core::engines::llama
