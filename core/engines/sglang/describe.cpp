// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engines/launch_command.h"
#include "core/engines/sglang/sglang.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace core::engines::sglang {

namespace {

/// The line of one pool. Sizes are GiB, whatever the engine calls them.
std::string lineOf(const CachePart& part)
{
    if (part.kind == "state")
        return fmt::format("Mamba Cache is allocated. max_mamba_cache_size: {}, conv_state size: {:.2f}GB, ssm_state "
                           "size: {:.2f}GB",
                           part.cells, toGib(part.k), toGib(part.v));
    if (part.v == Bytes())
        return fmt::format("KV Cache is allocated. #tokens: {}, KV size: {:.2f} GB", part.cells, toGib(part.k));
    return fmt::format("KV Cache is allocated. #tokens: {}, K size: {:.2f} GB, V size: {:.2f} GB", part.cells,
                       toGib(part.k), toGib(part.v));
}

std::string_view typeName(KvFormat format)
{
    switch (format) {
    case KvFormat::Fp8:
    case KvFormat::Fp8Mla:
        return "fp8_e4m3";
    case KvFormat::Nvfp4:
        return "fp4_e2m1";
    default:
        return "auto";
    }
}

/// "EAGLE" drafts one step after the other, and the step before the first counts among the tokens.
std::string draftsOf(std::int64_t drafts)
{
    const std::int64_t steps = std::max<std::int64_t>(drafts - 1, 1);
    return fmt::format(" --speculative-algorithm EAGLE --speculative-num-steps {} --speculative-eagle-topk 1 "
                       "--speculative-num-draft-tokens {}",
                       steps, steps + 1);
}

} // namespace

std::string SglangPlan::commandFor(const Reservation& reservation) const
{
    const Scenario& scenario = this->scenario();
    const Spread& spread = this->spread();
    const Workload& workload = scenario.workload;
    LaunchCommand command(scenario, fmt::format("python -m sglang.launch_server --model-path MODEL --context-length {}",
                                                workload.maxContext.value_or(workload.context)));
    command.addRanks("tp-size", spread.tensor);
    command.addRanks("pp-size", spread.pipeline);
    command.addRanks("dp-size", spread.replicas);
    if (spread.sharesWeights)
        command.append(" --enable-dp-attention");
    if (typeName(scenario.kFormat) != "auto")
        command.add("kv-cache-dtype", typeName(scenario.kFormat));
    for (const char* flag : {"mem-fraction-static", "max-total-tokens", "page-size", "max-running-requests",
                             "swa-full-tokens-ratio", "max-mamba-cache-size", "mamba-full-memory-ratio"})
        command.addTyped(flag);
    if (rules().stateFormat)
        command.add("mamba-ssm-dtype", torchName(*rules().stateFormat));
    if (scenario.cacheMemory && reservation.cacheTokens && scenario.settings.find("max-total-tokens") == nullptr)
        command.add("max-total-tokens", *reservation.cacheTokens);
    for (const char* flag : {"disable-hybrid-swa-memory", "disable-radix-cache"})
        command.addSwitch(flag);
    if (rules().drafts > 0)
        command.append(draftsOf(rules().drafts));
    return command.text();
}

void SglangPlan::print(const Reservation& reservation, Description& description) const
{
    description.command = commandFor(reservation);
    if (!reservation.pool || !reservation.pool->blocks)
        return;
    const CachePart* full = reservation.cache("kv_full");
    const CachePart* windows = reservation.cache("kv_swa");
    if (full != nullptr && windows != nullptr)
        description.log.push_back(fmt::format("Use sliding window memory pool. full_layer_tokens={}, "
                                              "swa_layer_tokens={}",
                                              full->cells, windows->cells));
    if (const CachePart* states = reservation.cache("state"))
        description.log.push_back(lineOf(*states));
    for (const char* kind : {"kv_swa", "kv_full", "kv", "draft"}) {
        if (const CachePart* part = reservation.cache(kind))
            description.log.push_back(lineOf(*part));
    }
    description.log.push_back(fmt::format("max_total_num_tokens={}, context_len={}", *reservation.cacheTokens,
                                          reservation.requestTokens.value_or(0)));
}

} // namespace core::engines::sglang
