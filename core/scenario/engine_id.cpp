// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/engine_id.h"

#include <algorithm>
#include <array>

namespace core {

namespace {

constexpr std::array<std::string_view, 7> kEngineIds{"ideal", "contiguous", "paged",       "llama.cpp",
                                                     "vllm",  "sglang",     "tensorrt-llm"};

constexpr std::array<std::string_view, kEngineIds.size()> kNames{
    KV_TEXT("core", "Share of waste"), KV_TEXT("core", "Contiguous"), KV_TEXT("core", "Paged blocks"),
    KV_TEXT("core", "llama.cpp"),      KV_TEXT("core", "vLLM"),       KV_TEXT("core", "SGLang"),
    KV_TEXT("core", "TensorRT-LLM")};

} // namespace

std::string_view id(EngineId engine)
{
    return kEngineIds.at(static_cast<std::size_t>(engine));
}

Message name(EngineId engine)
{
    return {kNames.at(static_cast<std::size_t>(engine)), {}};
}

std::optional<EngineId> engineId(std::string_view id)
{
    const auto found = std::ranges::find(kEngineIds, id);
    if (found == kEngineIds.end())
        return std::nullopt;
    return static_cast<EngineId>(found - kEngineIds.begin());
}

std::span<const std::string_view> engineIds()
{
    return kEngineIds;
}

} // namespace core
