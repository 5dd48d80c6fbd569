// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engines/parallel.h"
#include "core/engines/setting.h"

#include <optional>
#include <span>
#include <vector>

namespace core::engines {

// Rows of the settings' tables for what an engine takes beside weights and cache. All of them are estimates.

/// CUDA context and first kernels: 0.47 to 0.71 GiB. Source: stas00/ml-engineering training/performance/README.md.
inline constexpr Setting kRuntimeRow{
    .flag = "runtime-context",
    .type = SettingType::Size,
    .help = KV_TEXT("core", "estimate: memory of each GPU for the runtime itself; default 0.6GiB"),
    .standard = always<"0.6GiB">,
    .estimate = true};
/// torch.distributed with NCCL on two devices: 1 to 2 GiB more (measured 1.45). Source: the same, debug/pytorch.md.
inline constexpr Setting kCommunicationRow{
    .flag = "communication-buffer",
    .type = SettingType::Size,
    .words = "auto",
    .help =
        KV_TEXT("core", "estimate: memory of each GPU to talk to the others; default 1.4GiB where there are several"),
    .standard = always<"auto">,
    .matters = hasSeveralDevices,
    .estimate = true};
/// Peak of a dummy batch. Printed: 1.26 GiB for an 8B model (vLLM pull request 10511), 0.24 to 1.97 GiB by others.
inline constexpr Setting kActivationRow{
    .flag = "activation-memory",
    .type = SettingType::Size,
    .help = KV_TEXT("core", "estimate: memory of each GPU to compute a batch in; default 1.26GiB"),
    .standard = always<"1.26GiB">,
    .estimate = true};

// Rows that several engines share.

inline constexpr Setting kStateFormatRow{
    .flag = "mamba-ssm-dtype",
    .type = SettingType::Choice,
    .words = "auto float32 float16 bfloat16 fp32 fp16 bf16",
    .help = KV_TEXT("core", "format of recurrent states (vLLM's --mamba-ssm-cache-dtype); default by model"),
    .standard = always<"auto">,
    .matters = hasStates};
inline constexpr Setting kSpeculationRow{.flag = "num-speculative-tokens",
                                         .type = SettingType::Count,
                                         .least = 0,
                                         .most = 64,
                                         .help = KV_TEXT("core", "tokens drafted at once; default 0"),
                                         .standard = always<"0">};
/// Layers of the draft: EAGLE has one, MTP those of the model, n-grams none.
inline constexpr Setting kDraftRow{
    .flag = "draft-layers",
    .type = SettingType::Count,
    .least = 0,
    .most = 64,
    .words = "auto",
    .help =
        KV_TEXT("core", "layers of the draft; default where tokens are drafted: the model's own, else 1 (EAGLE) for "
                        "plain attention; 0 for n-grams"),
    .standard = always<"auto">};

/// What a device holds beside weights and cache, and what is left of it for the cache.
struct Budget {
    Bytes runtime;
    Bytes communication;
    Bytes buffers;
    Bytes graphs;

    /// Puts the lines into a share of `count` devices.
    void addTo(DeviceShare& share, std::int64_t count) const;
    /// With the overhead that is typed.
    Bytes total(const Scenario& scenario) const;
};
Budget budgetOf(const SettingValues& values, const Spread& spread);

/// Memory for the cache on a device with `weights`: what is given, or what `usable` leaves; nothing without either.
std::optional<Bytes> cacheMemory(const Scenario& scenario, std::optional<Bytes> usable, Bytes weights,
                                 const Budget& budget);

/// Memory of a device beside weights and budget, negative where they exceed it; 0 where it is not known.
Bytes roomBeside(const Scenario& scenario, Bytes weights, const Budget& budget);

/// What is wrong with the formats of K and V for an engine that knows `formats` and has one for both.
void checkFormats(const Scenario& scenario, std::span<const KvFormat> formats, std::vector<Issue>& issues);

/// floor(value · ten-thousandths / 10,000).
Bytes fractionOf(Bytes value, std::int64_t tenThousandths);

} // namespace core::engines
