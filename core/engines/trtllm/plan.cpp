// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engines/trtllm/trtllm.h"
#include "core/text/text.h"

#include <array>

namespace core::engines::trtllm {

namespace {

constexpr std::int64_t kMostTokens = std::int64_t{1} << 40;
constexpr int kFirstWith32 = 100; ///< 1.0: blocks of 32 tokens where they were of 64

std::string_view blockOf(std::string_view text)
{
    return release(text).value_or(kFirstWith32) >= kFirstWith32 ? "32" : "64";
}

constexpr std::array kFormats{KvFormat::Fp16, KvFormat::Bf16, KvFormat::Fp32,
                              KvFormat::Fp8,  KvFormat::Int8, KvFormat::Nvfp4};

constexpr std::array kSettings{
    Setting{.flag = "kv-cache-free-gpu-memory-fraction",
            .type = SettingType::Fraction,
            .help = KV_TEXT("core", "TensorRT-LLM: share of what engine and buffers leave of each GPU; default 0.9"),
            .standard = always<"0.9">},
    Setting{.flag = "tokens-per-block",
            .type = SettingType::Count,
            .least = 1,
            .most = kMaxBlockTokens,
            .help =
                KV_TEXT("core", "TensorRT-LLM: tokens of one block (kv_cache_config); default 32, before 1.0 it was "
                                "64"),
            .standard = blockOf},
    Setting{.flag = kTokensFlag,
            .type = SettingType::Count,
            .least = 1,
            .most = kMostTokens,
            .words = "auto",
            .help = KV_TEXT("core", "TensorRT-LLM: most tokens of the pool (kv_cache_config); default: as many as fit"),
            .standard = always<"auto">},
    Setting{.flag = "max-batch-size",
            .type = SettingType::Count,
            .least = 1,
            .most = kMaxBatch,
            .words = "auto",
            .help = KV_TEXT("core", "TensorRT-LLM: most requests at once; default: as many as fit"),
            .standard = always<"auto">},
    kSpeculationRow,
    kDraftRow,
    kRuntimeRow,
    kCommunicationRow,
    kActivationRow,
};

TokenRules rulesOf(const SettingValues& values)
{
    TokenRules rules;
    rules.page = values.count("tokens-per-block").value_or(1);
    rules.drafts = values.count("num-speculative-tokens").value_or(0);
    rules.draftLayers = values.count(kDraftRow.flag);
    rules.roundsUp = true;
    rules.tokens = values.count(kTokensFlag);
    if (rules.tokens)
        rules.tokens = (*rules.tokens + rules.page - 1) / rules.page * rules.page;
    return rules;
}

} // namespace

std::optional<int> release(std::string_view text)
{
    if (text.empty())
        text = kNewest;
    if (text.starts_with('v'))
        text.remove_prefix(1);
    const std::string_view major = text.substr(0, text.find('.'));
    std::string_view rest = text.substr(std::min(major.size() + 1, text.size()));
    rest = rest.substr(0, rest.find_first_not_of("0123456789"));
    const Result<std::int64_t> first = parseCount(major);
    const Result<std::int64_t> second = parseCount(rest);
    const bool good = first && second && *first < 100 && *second < 100;
    return good ? std::optional(static_cast<int>(100 * *first + *second)) : std::nullopt;
}

TrtllmPlan::TrtllmPlan(const Scenario& given)
    : TokenPlan(given, rulesOf(valuesOf(given)), budgetOf(valuesOf(given), spreadOf(given)),
                deviceMemory(given.hardware), valuesOf(given).fraction("kv-cache-free-gpu-memory-fraction"))
{
}

namespace {

void check(const Scenario& scenario, std::vector<Issue>& issues)
{
    if (!release(scenario.engineVersion))
        issues.push_back({Field::EngineVersion,
                          {KV_TEXT("core", "\"{0}\" is no version of TensorRT-LLM; name a release as 0.13 or 1.2."),
                           {scenario.engineVersion}}});
    checkFormats(scenario, kFormats, issues);
}

std::int64_t mostRequests(const Scenario& scenario)
{
    return valuesOf(scenario).count("max-batch-size").value_or(0) * spreadOf(scenario).replicas;
}

} // namespace

constinit const Engine kEngine{.id = EngineId::TensorRtLlm,
                               .newest = kNewest,
                               .cause = WasteCause::PartialBlock,
                               .usesMaxContext = true,
                               .isStaircase = true,
                               .ownsMemory = true,
                               .hasPool = true,
                               .takesTensor = true,
                               .mostRequests = mostRequests,
                               .poolFlag = kTokensFlag,
                               .settings = kSettings,
                               .plan = makePlan<TrtllmPlan>,
                               .check = check,
                               .readLog = readLog,
                               .withLog = withLog};

} // namespace core::engines::trtllm
