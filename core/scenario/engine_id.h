// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/text/message.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace core {

/// Who reserves the cache, and by which rule (see `core/engines/engine.h`).
enum class EngineId : std::uint8_t {
    Ideal,       ///< what is used, plus a typed share of waste
    Contiguous,  ///< one stretch of `maxContext` tokens for each request
    Paged,       ///< blocks of `blockTokens` tokens
    LlamaCpp,    ///< llama.cpp and ik_llama.cpp: cells, by the rules of a version
    Vllm,        ///< vLLM: a pool of blocks that all kinds of layers share
    Sglang,      ///< SGLang: pools of tokens, windows, and states
    TensorRtLlm, ///< TensorRT-LLM: blocks of what is left after the engine
};

/// "ideal", "contiguous", "paged", "llama.cpp", "vllm", "sglang", "tensorrt-llm".
std::string_view id(EngineId engine);
std::optional<EngineId> engineId(std::string_view id);
/// As people call it: "Paged blocks", "llama.cpp".
Message name(EngineId engine);
/// All of them, in the order of `EngineId`.
std::span<const std::string_view> engineIds();

} // namespace core
