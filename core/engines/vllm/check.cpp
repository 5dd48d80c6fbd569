// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engines/vllm/layout.h"
#include "core/engines/vllm/vllm.h"

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

/// Ranks that divide the tokens are some of those that divide the heads.
void checkContextRanks(const Scenario& scenario, const Options& options, std::vector<Issue>& issues)
{
    const Spread spread = spreadOf(scenario);
    if (options.contextRanks > 1 && spread.tensor % options.contextRanks != 0)
        issues.push_back({Field::Setting,
                          {KV_TEXT("core", "{0} ranks are to divide the tokens, but {1} ranks divide the heads; use a "
                                           "number that divides those."),
                           {options.contextRanks, spread.tensor}},
                          "decode-context-parallel-size"});
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
}

} // namespace core::engines::vllm
