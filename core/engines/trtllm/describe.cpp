// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engines/trtllm/trtllm.h"

#include <fmt/format.h>

#include <string>

namespace core::engines::trtllm {

namespace {

std::string_view typeName(KvFormat format)
{
    return format == KvFormat::Fp8 ? "fp8" : format == KvFormat::Nvfp4 ? "nvfp4" : "auto";
}

/// What trtllm-serve has no flag for goes into its configuration file: kv_cache_config.
std::string configOf(const Scenario& scenario)
{
    std::string entries;
    const auto add = [&](std::string_view key, std::string_view value) {
        entries += fmt::format("{}{}: {}", entries.empty() ? "" : ", ", key, value);
    };
    if (typeName(scenario.kFormat) != "auto")
        add("dtype", typeName(scenario.kFormat));
    if (const std::string* tokens = scenario.settings.find("tokens-per-block"))
        add("tokens_per_block", *tokens);
    if (const std::string* tokens = scenario.settings.find("max-tokens"); tokens != nullptr && *tokens != "auto")
        add("max_tokens", *tokens);
    if (scenario.cacheMemory)
        add("max_gpu_total_bytes", std::to_string(scenario.cacheMemory->count()));
    return entries.empty() ? entries
                           : fmt::format(" --extra_llm_api_options <(echo 'kv_cache_config: {{{}}}')", entries);
}

std::string commandOf(const Scenario& scenario)
{
    const Spread spread = spreadOf(scenario);
    const Workload& workload = scenario.workload;
    std::string text =
        fmt::format("trtllm-serve MODEL --max_seq_len {}", workload.maxContext.value_or(workload.context));
    const auto add = [&](std::string_view flag, const auto& value) { text += fmt::format(" --{} {}", flag, value); };
    if (spread.tensor > 1)
        add("tp_size", spread.tensor);
    if (spread.pipeline > 1)
        add("pp_size", spread.pipeline);
    if (const std::string* most = scenario.settings.find("max-batch-size"); most != nullptr && *most != "auto")
        add("max_batch_size", *most);
    if (const std::string* share = scenario.settings.find("kv-cache-free-gpu-memory-fraction"))
        add("kv_cache_free_gpu_memory_fraction", *share);
    return text + configOf(scenario);
}

} // namespace

void describe(const Scenario& scenario, const Reservation& reservation, Description& description)
{
    description.command = commandOf(scenario);
    if (!reservation.pool || !reservation.pool->blocks)
        return;
    const Pool& pool = *reservation.pool;
    Bytes allocated;
    for (const CachePart& part : reservation.caches())
        allocated += part.kind == "state" ? Bytes() : part.bytes();
    description.log = {
        fmt::format("[TensorRT-LLM][INFO] Number of blocks in KV cache primary pool: {}", *pool.blocks),
        fmt::format("[TensorRT-LLM][INFO] Max KV cache pages per sequence: {}", pool.requestBlocks),
        fmt::format("[TensorRT-LLM][INFO] Number of tokens per block: {}.", pool.blockTokens),
        fmt::format("[TensorRT-LLM][INFO] [MemUsageChange] Allocated {:.2f} GiB for max tokens in paged KV cache ({}).",
                    toGib(allocated), reservation.cacheTokens.value_or(0))};
}

} // namespace core::engines::trtllm
