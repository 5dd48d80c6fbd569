// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engines/vllm/layout.h"
#include "core/engines/vllm/vllm.h"
#include "core/scenario/kv_cache.h"

#include <algorithm>
#include <array>

namespace core::engines::vllm {

namespace {

constexpr std::array kFormats{KvFormat::Fp16,    KvFormat::Bf16,     KvFormat::Fp32,
                              KvFormat::Fp8,     KvFormat::Nvfp4,    KvFormat::Int8Head,
                              KvFormat::Fp8Head, KvFormat::Int4Head, KvFormat::Fp8Mla};

void checkLatents(const Scenario& scenario, const Options& options, std::vector<Issue>& issues)
{
    const bool unknown = std::ranges::any_of(scenario.model.groups, [](const CacheGroup& group) {
        return group.kind == CacheKind::Latent && (group.queryHeads == 0 || group.keyDim == 0);
    });
    if (!options.latents && unknown)
        issues.push_back({Field::Setting,
                          {KV_TEXT("core", "The heads behind this model's latents are not known, so a cache without "
                                           "latents cannot be sized; use on."),
                           {}},
                          "mla"});
}

/// Ranks that divide the tokens are some of those that divide the heads, and keep the same ones. Source: vLLM
/// config/parallel.py and v1/worker, decode_context_parallel_size.
void checkContextRanks(const Scenario& scenario, const Options& options, std::vector<Issue>& issues)
{
    constexpr std::string_view kFlag = "decode-context-parallel-size";
    const Spread spread = spreadOf(scenario);
    if (options.contextRanks > 1 && spread.tensor % options.contextRanks != 0)
        return issues.push_back({Field::Setting,
                                 {KV_TEXT("core", "{0} ranks are to divide the tokens, but {1} ranks divide the heads; "
                                                  "use a number that divides those."),
                                  {options.contextRanks, spread.tensor}},
                                 std::string(kFlag)});
    for (const CacheGroup& group : scenario.model.groups) {
        const std::int64_t heads = hasHeads(group.kind) ? kvHeads(scenario, group) : 0;
        const std::int64_t most = std::max<std::int64_t>(heads > 0 ? spread.tensor / heads : spread.tensor, 1);
        if (options.contextRanks > most)
            return issues.push_back({Field::Setting,
                                     {KV_TEXT("core", "{0} ranks are to divide the tokens, but only {1} GPUs keep the "
                                                      "same KV heads; use at most {1}."),
                                      {options.contextRanks, most}},
                                     std::string(kFlag)});
    }
}

/// Layers of each stage must be all layers.
void checkPartition(const Scenario& scenario, const Options& options, std::vector<Issue>& issues)
{
    if (!options.partition.empty() && !dividesLayers(scenario, options.partition))
        issues.push_back({Field::Setting,
                          {KV_TEXT("core", "\"{0}\" does not share out {1} layers to {2} pipeline stages; use whole "
                                           "numbers, one for each stage, that add up to all layers, as 16,32."),
                           {std::string(options.partition), scenario.model.layers, spreadOf(scenario).pipeline}},
                          "pp-layer-partition"});
}

} // namespace

void check(const Scenario& scenario, std::vector<Issue>& issues)
{
    if (!version(scenario.engineVersion)) {
        issues.push_back({Field::EngineVersion,
                          {KV_TEXT("core", "\"{0}\" is no version of vLLM; name a release as 0.20, or V0."),
                           {scenario.engineVersion}}});
        return;
    }
    const Options options = optionsOf(scenario);
    checkFormats(scenario, kFormats, issues);
    checkLatents(scenario, options, issues);
    checkContextRanks(scenario, options, issues);
    checkPartition(scenario, options, issues);
}

} // namespace core::engines::vllm
