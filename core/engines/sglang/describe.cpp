// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engines/flag_value.h"
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

std::string_view stateName(KvFormat format)
{
    return format == KvFormat::Fp32 ? "float32" : format == KvFormat::Fp16 ? "float16" : "bfloat16";
}

/// The flags that are typed.
void addTyped(const Scenario& scenario, std::string& text)
{
    for (const char* flag :
         {"mem-fraction-static", "max-total-tokens", "page-size", "max-running-requests", "swa-full-tokens-ratio",
          "max-mamba-cache-size", "mamba-full-memory-ratio", "mamba-ssm-dtype"}) {
        if (const std::optional<std::string> value = flagValue(settings(), scenario.settings, flag))
            text += fmt::format(" --{} {}", flag, kvFormat(*value) ? stateName(*kvFormat(*value)) : *value);
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

std::string SglangPlan::command(const Reservation& reservation) const
{
    const Scenario& scenario = this->scenario();
    const Spread& spread = this->spread();
    const Workload& workload = scenario.workload;
    std::string text = fmt::format("python -m sglang.launch_server --model-path MODEL --context-length {}",
                                   workload.maxContext.value_or(workload.context));
    const auto add = [&](std::string_view flag, const auto& value) { text += fmt::format(" --{} {}", flag, value); };
    if (spread.tensor > 1)
        add("tp-size", spread.tensor);
    if (spread.pipeline > 1)
        add("pp-size", spread.pipeline);
    if (spread.replicas > 1)
        add("dp-size", spread.replicas);
    if (spread.sharesWeights)
        text += " --enable-dp-attention";
    if (typeName(scenario.kFormat) != "auto")
        add("kv-cache-dtype", typeName(scenario.kFormat));
    addTyped(scenario, text);
    if (scenario.cacheMemory && reservation.cacheTokens && scenario.settings.find("max-total-tokens") == nullptr)
        add("max-total-tokens", *reservation.cacheTokens);
    for (const char* flag : {"disable-hybrid-swa-memory", "disable-radix-cache"}) {
        if (const std::string* value = scenario.settings.find(flag); value != nullptr && isOn(*value))
            text.append(" --").append(flag);
    }
    if (const std::int64_t drafts = valuesOf(scenario).count("num-speculative-tokens").value_or(0); drafts > 0)
        text += draftsOf(drafts);
    return text;
}

void SglangPlan::print(const Reservation& reservation, Description& description) const
{
    description.command = command(reservation);
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
