// SPDX-License-Identifier: GPL-3.0-or-later
// The table of engines: a new one is its folder, its id and a row here.
#include "core/engines/engine.h"
#include "core/engines/llama/llama.h"
#include "core/engines/sglang/sglang.h"
#include "core/engines/textbook.h"
#include "core/engines/trtllm/trtllm.h"
#include "core/engines/vllm/vllm.h"

#include <array>

namespace core::engines {

namespace {

/// In the order of `EngineId`.
constexpr std::array kEngines{&kIdeal,        &kContiguous,     &kPaged,         &llama::kEngine,
                              &vllm::kEngine, &sglang::kEngine, &trtllm::kEngine};

} // namespace

const Engine& engine(EngineId id)
{
    return *kEngines.at(static_cast<std::size_t>(id));
}

} // namespace core::engines
