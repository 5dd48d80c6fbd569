// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/element_format.h"
#include "core/model/model.h"
#include "core/model/weights.h"
#include "core/percent.h"
#include "core/scenario/engine_id.h"
#include "core/scenario/hardware.h"
#include "core/scenario/settings.h"

#include <cstdint>
#include <optional>
#include <string>

namespace core {

/// Bounds of the inputs that count tokens, requests and devices.
inline constexpr std::int64_t kMaxContext = 16'777'216;
inline constexpr std::int64_t kMaxBatch = 65'536;
inline constexpr std::int64_t kMaxGpus = 65'536;
inline constexpr std::int64_t kMaxBlockTokens = 65'536;
inline constexpr Percent kMaxWaste = Percent::whole(95);

/// What the model is asked to hold at once.
struct Workload {
    std::int64_t context = 8'192;           ///< tokens that each request holds
    std::optional<std::int64_t> maxContext; ///< tokens reserved for each request; default: `context`
    std::int64_t batch = 1;                 ///< concurrent requests
    std::int64_t encoderTokens = 0;         ///< tokens of the encoder, for cross attention
    /// Tokens asked for besides `maxContext` of each request: what is left where a total for all requests (llama.cpp's
    /// -c) cannot be divided by them.
    std::int64_t spareTokens = 0;

    friend bool operator==(const Workload&, const Workload&) = default;
};

/// The workload with another context. What is reserved for a request grows with it where it must.
Workload withContext(Workload workload, std::int64_t context);

/// Everything that decides how much memory is needed and how much there is. A plain value: views and commands make
/// changed copies of it; `check` says what is wrong with one, `evaluate` what follows from it.
struct Scenario {
    Model model;
    Workload workload;
    /// KV heads of every attention layer, in place of the model's own: as many as query heads is MHA, 1 is MQA.
    std::optional<std::int64_t> kvHeads;
    KvFormat kFormat = KvFormat::Fp16;
    KvFormat vFormat = KvFormat::Fp16;
    WeightFormat weightFormat = WeightFormat::Bf16;
    std::optional<Bytes> weightBytes; ///< given instead of parameters × format
    EngineId engine = EngineId::Ideal;
    std::string engineVersion; ///< of engines that have versions: "2025-10"; empty is the newest
    Settings settings;         ///< of the engine's flags
    /// Memory of one device for the cache, in place of what an engine with a pool would derive.
    std::optional<Bytes> cacheMemory;
    Percent waste;                 ///< share of the reserved cache that is empty; Ideal only; at most 95 %
    std::int64_t blockTokens = 16; ///< tokens of one block; Paged only
    Hardware hardware;
    Percent reserve; ///< share of each device that is kept free
    Bytes overhead;  ///< bytes on each device for the runtime

    friend bool operator==(const Scenario&, const Scenario&) = default;
};

/// Bytes of the weights: those that are typed, else parameters × format; nothing where neither is known.
std::optional<Bytes> weightBytes(const Scenario& scenario);

/// The defaults with `model`, its weights as published.
Scenario scenarioOf(Model model);

} // namespace core
