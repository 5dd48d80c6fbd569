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
    std::int64_t context = 8'192;           ///< Tokens that each request holds.
    std::optional<std::int64_t> maxContext; ///< Tokens reserved for each request; without: `context`.
    std::int64_t batch = 1;                 ///< Requests at once.
    std::int64_t encoderTokens = 0;         ///< Tokens that the encoder sees, for cross attention.
    /// Tokens at the beginning of every request that are the same in all of them, such as a system prompt. An engine
    /// with prefix caching keeps them once.
    std::int64_t sharedPrefix = 0;
    /// Tokens asked for besides `maxContext` of each request: what is left where a total for all requests (llama.cpp's
    /// -c) cannot be divided by them.
    std::int64_t spareTokens = 0;

    friend bool operator==(const Workload&, const Workload&) = default;
};

/// Gives the workload another context. What is reserved for a request grows with it where it must.
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
    std::optional<Bytes> weightBytes; ///< A typed size counts instead of parameters × format.
    EngineId engine = EngineId::Ideal;
    std::string engineVersion; ///< Which version of the engine counts: "2025-10"; empty is the newest.
    Settings settings;         ///< The typed flags of the engine.
    /// Memory of one device for the cache, in place of what an engine with a pool would derive.
    std::optional<Bytes> cacheMemory;
    Percent waste; ///< The share of the reserved cache that is empty; only for the ideal engine, at most 95 %.
    std::int64_t blockTokens = 16; ///< Tokens of one block; only for the paged engine.
    Hardware hardware;
    Percent reserve; ///< The share of each device that is kept free.
    Bytes overhead;  ///< Bytes that the runtime takes on each device.

    friend bool operator==(const Scenario&, const Scenario&) = default;
};

/// Bytes of the weights: those that are typed, else parameters × format; nothing where neither is known.
std::optional<Bytes> weightBytes(const Scenario& scenario);

/// The defaults with `model`, its weights as published.
Scenario scenarioOf(Model model);

} // namespace core
