// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engines/engine.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace core::engines {

inline constexpr std::int64_t kMaxStages = 8; ///< so that two kinds of replicas of each can be told apart

/// How a model is spread over devices. Tensor parallel divides the heads of every layer, fewer heads than ranks are
/// copied, and latents are kept whole by every rank; pipeline parallel divides the layers; data parallel copies the
/// model and divides the requests. Sources: vLLM config/parallel.py, SGLang server_args.py (--enable-dp-attention).
struct Spread {
    std::int64_t tensor = 1;
    std::int64_t pipeline = 1;
    std::int64_t replicas = 1;        ///< that divide the requests
    bool sharesWeights = false;       ///< the replicas are ranks of one model: data parallel attention
    std::int64_t heads = 1;           ///< ranks that divide the heads of a request
    std::vector<std::int64_t> ends{}; ///< of each stage's layers

    std::int64_t devices() const { return heads * pipeline * replicas; }
    std::int64_t layersOn(std::int64_t stage) const;
    std::int64_t layersOn(std::int64_t stage, std::span<const std::int32_t> layers) const;
    bool holds(std::int64_t stage, std::int32_t layer) const;
};

/// As typed; what is not typed follows from the number of devices. `partition`: layers of each stage, as "16,32".
/// Layers that draft are numbered behind the model's and are on the last stage.
Spread spreadOf(const Scenario& scenario, std::string_view partition = {});

/// The layers that draft: the model's own, or as many as are `typed`, shaped like the first of its own, else like its
/// attention. Nothing typed and none of its own: one where all layers have full attention (EAGLE), else none.
std::vector<CacheGroup> draftsOf(const Model& model, std::optional<std::int64_t> typed);

/// True where `partition` has a whole number of layers for each stage, and all layers in all.
bool dividesLayers(const Scenario& scenario, std::string_view partition);

/// What is wrong with the spread, typed or by the number of devices.
void checkSpread(const Scenario& scenario, std::vector<Issue>& issues);

/// What is divided over the GPUs of the scenario and what is kept by several of them: a sentence for each; none where
/// one device has all.
std::vector<Message> spreadWords(const Scenario& scenario);

/// Heads of one rank: max(1, heads / ranks). Source: vLLM config/model.py, get_num_kv_heads.
std::int64_t headsOn(std::int64_t heads, std::int64_t ranks);

/// What one of `ranks` ranks keeps of a layer: heads and states divided, latents and index keys whole.
CacheGroup onRank(const Scenario& scenario, const CacheGroup& group, std::int64_t ranks);

/// Weights of one device of a stage: layers, embedding and head divided by all ranks, what is neither whole; the
/// embedding on the first stage, the head on the last, and a tied embedding on both.
Bytes weightsOn(const Scenario& scenario, const Spread& spread, std::int64_t stage, Bytes weights);

/// A device, or devices of one stage that hold as much as each other.
struct Device {
    std::int64_t stage = 0;
    std::int64_t count = 1;    ///< devices
    std::int64_t requests = 0; ///< of each replica
    std::int64_t replicas = 0; ///< whose ranks all are among these devices; 0: one rank of one
    std::int64_t rank = 0;     ///< of `Spread::heads`, where it is one

    /// Its part of what a replica keeps on the stage in the ideal case, so that all parts sum up to the whole.
    Bytes partOf(Bytes whole, std::int64_t ranks) const
    {
        if (replicas > 0)
            return whole * replicas;
        if (ranks == 1)
            return whole; // a division costs more than all the rest of a reservation
        return scaledUp(whole, rank + 1, ranks) - scaledUp(whole, rank, ranks);
    }
};

/// Calls `each` for every kind of device: those of one stage whose replicas have as many requests.
template <typename Each> void forEachKind(const Spread& spread, std::int64_t batch, Each each)
{
    const std::int64_t larger = batch % spread.replicas; // replicas with one request more
    const std::int64_t few = batch / spread.replicas;
    for (std::int64_t stage = 0; stage < spread.pipeline; ++stage) {
        if (larger > 0)
            each(Device{stage, larger * spread.heads, few + 1, larger, 0});
        each(Device{stage, (spread.replicas - larger) * spread.heads, few, spread.replicas - larger, 0});
    }
}

/// Calls `each` for every device, or for every kind of device where there are more than can be told apart. At most
/// `kMaxDevices` times.
template <typename Each> void forEachDevice(const Spread& spread, std::int64_t batch, Each each)
{
    if (spread.devices() > static_cast<std::int64_t>(kMaxDevices))
        return forEachKind(spread, batch, each);
    for (std::int64_t replica = 0; replica < spread.replicas; ++replica) {
        const std::int64_t requests = batch / spread.replicas + (replica < batch % spread.replicas ? 1 : 0);
        for (std::int64_t stage = 0; stage < spread.pipeline; ++stage) {
            for (std::int64_t rank = 0; rank < spread.heads; ++rank)
                each(Device{stage, 1, requests, 0, rank});
        }
    }
}

} // namespace core::engines
