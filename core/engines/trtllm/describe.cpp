// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engines/flag_value.h"
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

Entries cacheOf(const Scenario& scenario)
{
    Entries entries;
    if (typeName(scenario.kFormat) != "auto")
        entries.add("dtype", typeName(scenario.kFormat));
    if (const auto tokens = flagValue(settings(), scenario.settings, "tokens-per-block"))
        entries.add("tokens_per_block", *tokens);
    if (const auto tokens = flagValue(settings(), scenario.settings, "max-tokens"))
        entries.add("max_tokens", *tokens);
    if (scenario.cacheMemory)
        entries.add("max_gpu_total_bytes", std::to_string(scenario.cacheMemory->count()));
    return entries;
}

/// The model's own layers draft where it has some, else a model of EAGLE; without layers n-grams.
Entries draftsOf(const Scenario& scenario)
{
    const SettingValues values = valuesOf(scenario);
    const std::int64_t drafts = values.count("num-speculative-tokens").value_or(0);
    Entries entries;
    if (drafts == 0)
        return entries;
    const bool ngrams = values.count(kDraftRow.flag) == std::int64_t{0};
    const bool own = !ngrams && !scenario.model.draftGroups.empty();
    entries.add("decoding_type", ngrams ? "NGram" : own ? "MTP" : "Eagle");
    entries.add(own ? "num_nextn_predict_layers" : "max_draft_len", std::to_string(drafts));
    if (!ngrams && !own)
        entries.add("speculative_model_dir", "DRAFT");
    return entries;
}

/// What trtllm-serve has no flag for goes into its configuration file. Neither has replicas, of which each is started
/// so, nor INT8, which belongs to the engine that is MODEL.
std::string configOf(const Scenario& scenario)
{
    Entries entries;
    if (scenario.kFormat == KvFormat::Fp32) // the cache follows the model
        entries.add("dtype", "float32");
    cacheOf(scenario).addTo(entries, "kv_cache_config");
    draftsOf(scenario).addTo(entries, "speculative_config");
    return entries.empty() ? std::string() : fmt::format(" --extra_llm_api_options <(echo '{}')", entries.braced());
}

std::string commandOf(const Scenario& scenario, const Spread& spread)
{
    const Workload& workload = scenario.workload;
    std::string text =
        fmt::format("trtllm-serve MODEL --max_seq_len {}", workload.maxContext.value_or(workload.context));
    const auto add = [&](std::string_view flag, const auto& value) { text += fmt::format(" --{} {}", flag, value); };
    if (spread.tensor > 1)
        add("tp_size", spread.tensor);
    if (spread.pipeline > 1)
        add("pp_size", spread.pipeline);
    if (const auto most = flagValue(settings(), scenario.settings, "max-batch-size"))
        add("max_batch_size", *most);
    if (const auto share = flagValue(settings(), scenario.settings, "kv-cache-free-gpu-memory-fraction"))
        add("kv_cache_free_gpu_memory_fraction", *share);
    return text + configOf(scenario);
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
    description.command = commandOf(scenario(), spread());
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
