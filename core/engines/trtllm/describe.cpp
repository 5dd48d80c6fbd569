// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engines/launch_command.h"
#include "core/engines/trtllm/trtllm.h"

#include <fmt/format.h>

#include <optional>
#include <string>

namespace core::engines::trtllm {

namespace {

constexpr int kOneLine = 100; ///< release that first prints a pool in one line: batch_manager/kvCacheManager.cpp of 1.0

std::string_view typeName(KvFormat format)
{
    return format == KvFormat::Fp8 ? "fp8" : format == KvFormat::Nvfp4 ? "nvfp4" : "auto";
}

/// Entries of a configuration file, in one line.
class Entries {
public:
    void add(std::string_view key, std::string_view value)
    {
        m_text += fmt::format("{}{}: {}", m_text.empty() ? "" : ", ", key, value);
    }
    /// As an entry of another list; nothing where there are none.
    void addTo(Entries& entries, std::string_view key) const
    {
        if (!m_text.empty())
            entries.add(key, braced());
    }
    std::string braced() const { return fmt::format("{{{}}}", m_text); }
    bool empty() const { return m_text.empty(); }

private:
    std::string m_text;
};

Entries cacheOf(const Scenario& scenario, const LaunchCommand& command)
{
    Entries entries;
    if (typeName(scenario.kFormat) != "auto")
        entries.add("dtype", typeName(scenario.kFormat));
    if (const auto tokens = command.typed("tokens-per-block"))
        entries.add("tokens_per_block", *tokens);
    if (const auto tokens = command.typed("max-tokens"))
        entries.add("max_tokens", *tokens);
    if (scenario.cacheMemory)
        entries.add("max_gpu_total_bytes", std::to_string(scenario.cacheMemory->count()));
    return entries;
}

/// The model's own layers draft where it has some, else a model of EAGLE; without layers n-grams.
Entries draftsOf(const Scenario& scenario, const TokenRules& rules)
{
    Entries entries;
    if (rules.drafts == 0)
        return entries;
    const bool ngrams = rules.draftLayers == std::int64_t{0};
    const bool own = !ngrams && !scenario.model.draftGroups.empty();
    entries.add("decoding_type", ngrams ? "NGram" : own ? "MTP" : "Eagle");
    entries.add(own ? "num_nextn_predict_layers" : "max_draft_len", std::to_string(rules.drafts));
    if (!ngrams && !own)
        entries.add("speculative_model_dir", "DRAFT");
    return entries;
}

/// What trtllm-serve has no flag for goes into its configuration file. Neither has replicas, of which each is started
/// so, nor INT8, which belongs to the engine that is MODEL.
std::string configOf(const Scenario& scenario, const TokenRules& rules, const LaunchCommand& command)
{
    Entries entries;
    if (scenario.kFormat == KvFormat::Fp32) // the cache follows the model
        entries.add("dtype", "float32");
    cacheOf(scenario, command).addTo(entries, "kv_cache_config");
    draftsOf(scenario, rules).addTo(entries, "speculative_config");
    return entries.empty() ? std::string() : fmt::format(" --extra_llm_api_options <(echo '{}')", entries.braced());
}

std::string commandOf(const Scenario& scenario, const Spread& spread, const TokenRules& rules)
{
    const Workload& workload = scenario.workload;
    LaunchCommand command(
        scenario, fmt::format("trtllm-serve MODEL --max_seq_len {}", workload.maxContext.value_or(workload.context)));
    command.addRanks("tp_size", spread.tensor);
    command.addRanks("pp_size", spread.pipeline);
    command.addTyped("max-batch-size", "max_batch_size");
    command.addTyped("kv-cache-free-gpu-memory-fraction", "kv_cache_free_gpu_memory_fraction");
    command.append(configOf(scenario, rules, command));
    return command.text();
}

} // namespace

Bytes allocated(const Reservation& reservation)
{
    Bytes sum;
    for (const CachePart& part : reservation.caches())
        sum += part.kind == "state" ? Bytes() : part.bytes();
    return sum;
}

void TrtllmPlan::print(const Reservation& reservation, Description& description) const
{
    description.command = commandOf(scenario(), spread(), rules());
    if (!reservation.pool || !reservation.pool->blocks)
        return;
    const Pool& pool = *reservation.pool;
    const auto add = [&](fmt::string_view line, const auto&... values) {
        description.log.push_back("[TensorRT-LLM][INFO] " + fmt::format(fmt::runtime(line), values...));
    };
    if (release(scenario().engineVersion).value_or(kOneLine) >= kOneLine) {
        add("Max KV cache blocks per sequence: {} [window size={}], tokens per block={}, primary blocks={}, secondary "
            "blocks=0, max sequence length={}",
            pool.requestBlocks, *reservation.requestTokens, pool.blockTokens, *pool.blocks, *reservation.requestTokens);
    } else {
        add("Number of blocks in KV cache primary pool: {}", *pool.blocks);
        add("Max KV cache pages per sequence: {}", pool.requestBlocks);
    }
    add("Number of tokens per block: {}.", pool.blockTokens);
    add("[MemUsageChange] Allocated {:.2f} GiB for max tokens in paged KV cache ({}).", toGib(allocated(reservation)),
        reservation.cacheTokens.value_or(0));
}

} // namespace core::engines::trtllm
