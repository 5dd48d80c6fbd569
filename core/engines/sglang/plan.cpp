// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engines/sglang/sglang.h"
#include "core/text/text.h"

#include <array>

namespace core::engines::sglang {

namespace {

constexpr std::int64_t kMostTokens = std::int64_t{1} << 40;
constexpr std::int64_t kStatesWithPrefixes = 3; ///< slots of a running request where prefixes are kept
constexpr int kIndexInLog = 202'510;            ///< pull request 11309: index keys count in the printed size

constexpr std::int64_t kMostNumber = 999; ///< of a release

/// Releases that changed something, by their month.
struct Release {
    int minor;
    int patch;
    int month;
};
constexpr std::array kReleases{Release{5, 4, 202'510}, Release{5, 0, 202'508}, Release{4, 0, 202'412},
                               Release{0, 0, 202'401}};

constexpr std::array kFormats{KvFormat::Fp16, KvFormat::Bf16,  KvFormat::Fp32,
                              KvFormat::Fp8,  KvFormat::Nvfp4, KvFormat::Fp8Mla};

constexpr std::array kSettings{
    Setting{.flag = "mem-fraction-static",
            .type = SettingType::Fraction,
            .help =
                KV_TEXT("core", "SGLang: share of each GPU for weights and pools; default 0.88 (the engine lowers it "
                                "for large batches)"),
            .standard = always<"0.88">},
    Setting{.flag = kTokensFlag,
            .type = SettingType::Count,
            .least = 1,
            .most = kMostTokens,
            .words = "auto",
            .help = KV_TEXT("core", "SGLang: most tokens of the pool; default: as many as fit"),
            .standard = always<"auto">},
    Setting{.flag = "page-size",
            .type = SettingType::Count,
            .least = 1,
            .most = kMaxBlockTokens,
            .help = KV_TEXT("core", "SGLang: tokens of one page; default 1"),
            .standard = always<"1">},
    Setting{.flag = "max-running-requests",
            .type = SettingType::Count,
            .least = 1,
            .most = kMaxBatch,
            .words = "auto",
            .help = KV_TEXT("core", "SGLang: most requests at once; default: as many as fit"),
            .standard = always<"auto">},
    Setting{.flag = "swa-full-tokens-ratio",
            .type = SettingType::Fraction,
            .help = KV_TEXT("core", "SGLang: tokens of the window pool for each of the other; default 0.8"),
            .standard = always<"0.8">,
            .matters = hasWindows},
    Setting{.flag = "disable-hybrid-swa-memory",
            .type = SettingType::Switch,
            .help = KV_TEXT("core", "SGLang: window layers keep the whole context"),
            .standard = always<"off">,
            .matters = hasWindows},
    Setting{.flag = "max-mamba-cache-size",
            .type = SettingType::Count,
            .least = 1,
            .most = kMostTokens,
            .words = "auto",
            .help = KV_TEXT("core", "SGLang: states of all requests; default: by mamba-full-memory-ratio"),
            .standard = always<"auto">,
            .matters = hasStates},
    Setting{.flag = "mamba-full-memory-ratio",
            .type = SettingType::Fraction,
            .most = 1'000'000,
            .help = KV_TEXT("core", "SGLang: memory of states for each byte of the other pool; default 0.9"),
            .standard = always<"0.9">,
            .matters = hasStates},
    kStateFormatRow,
    Setting{.flag = "disable-radix-cache",
            .type = SettingType::Switch,
            .help = KV_TEXT("core", "SGLang: prefixes are not kept, so that requests share none and take one state and "
                                    "not three"),
            .standard = always<"off">,
            .matters = hasPrefixes},
    kSpeculationRow,
    kDraftRow,
    Setting{.flag = kSharedRanksFlag,
            .type = SettingType::Switch,
            .help =
                KV_TEXT("core", "SGLang: the replicas of --dp are ranks of one model, each with requests of its own"),
            .standard = always<"off">,
            .matters = hasSeveralDevices},
    Setting{.flag = "indexer-in-log",
            .type = SettingType::Choice,
            .words = "auto on off",
            .help = KV_TEXT("core", "SGLang: index keys count in the size that it prints; default: on since 2025-10"),
            .standard = always<"auto">,
            .matters = hasIndexKeys},
    kRuntimeRow,
    kCommunicationRow,
};

TokenRules rulesOf(const Scenario& scenario)
{
    const SettingValues values = valuesOf(scenario);
    TokenRules rules;
    rules.page = values.count("page-size").value_or(1);
    rules.windowRatio = values.on("disable-hybrid-swa-memory") ? 0 : values.fraction("swa-full-tokens-ratio");
    rules.stateRatio = values.fraction("mamba-full-memory-ratio");
    rules.sharesPrefixes = !values.on("disable-radix-cache");
    rules.statesOfRequest = rules.sharesPrefixes ? kStatesWithPrefixes : 1;
    rules.sparePages = 1;
    rules.spareStates = 1;
    rules.drafts = values.count("num-speculative-tokens").value_or(0);
    rules.draftLayers = values.count(kDraftRow.flag);
    rules.statesDraft = rules.drafts > 0;
    if (const std::optional<std::int64_t> most = values.count("max-running-requests"); most && rules.statesDraft)
        rules.draftStates = rules.drafts * *most;
    rules.scalesSparse = true;
    const std::string_view inLog = values.text("indexer-in-log");
    rules.indexApart =
        inLog == "auto" ? month(scenario.engineVersion).value_or(kIndexInLog) < kIndexInLog : inLog == "off";
    rules.pricesShared = true;
    rules.stateFormat = kvFormat(values.text("mamba-ssm-dtype"));
    rules.tokens = values.count(kTokensFlag);
    rules.states = values.count("max-mamba-cache-size");
    return rules;
}

/// Memory of a device for weights, overhead and pools; nothing where it is not known.
std::optional<Bytes> usableOf(const Scenario& scenario)
{
    const std::optional<Bytes> device = deviceMemory(scenario.hardware);
    return device ? std::optional(fractionOf(*device, valuesOf(scenario).fraction("mem-fraction-static")))
                  : std::nullopt;
}

/// "2025-10" as 202510.
std::optional<int> monthIn(std::string_view text)
{
    if (text.size() < 7 || text[4] != '-')
        return std::nullopt;
    const Result<std::int64_t> year = parseCount(text.substr(0, 4));
    const Result<std::int64_t> number = parseCount(text.substr(5, 2));
    const bool good = year && number && *year >= 2'023 && *number >= 1 && *number <= 12;
    return good ? std::optional(static_cast<int>(100 * *year + *number)) : std::nullopt;
}

} // namespace

std::optional<int> month(std::string_view text)
{
    if (text.empty())
        text = kNewest;
    if (const std::optional<int> found = monthIn(text))
        return found;
    if (text.starts_with('v'))
        text.remove_prefix(1);
    if (!text.starts_with("0."))
        return std::nullopt;
    text.remove_prefix(2);
    const std::string_view first = text.substr(0, text.find('.'));
    std::string_view second = text.substr(std::min(first.size() + 1, text.size()));
    second = second.substr(0, second.find_first_not_of("0123456789"));
    const Result<std::int64_t> minor = parseCount(first);
    const Result<std::int64_t> patch = second.empty() ? Result<std::int64_t>(0) : parseCount(second);
    if (!minor || !patch || *minor > kMostNumber || *patch > kMostNumber)
        return std::nullopt;
    for (const Release& release : kReleases) {
        if (*minor > release.minor || (*minor == release.minor && *patch >= release.patch))
            return release.month;
    }
    return std::nullopt;
}

SglangPlan::SglangPlan(const Scenario& given)
    : TokenPlan(given, rulesOf(given), budgetOf(valuesOf(given), spreadOf(given)), usableOf(given))
{
}

namespace {

void check(const Scenario& scenario, std::vector<Issue>& issues)
{
    if (!month(scenario.engineVersion))
        issues.push_back({Field::EngineVersion,
                          {KV_TEXT("core", "\"{0}\" is no version of SGLang; name a release as 0.5.4, or a month as "
                                           "2025-10."),
                           {scenario.engineVersion}}});
    checkFormats(scenario, kFormats, issues);
}

/// By the typed number, which groups with data parallel attention divide, and by the typed states. Source: SGLang
/// managers/scheduler.py and model_runner_kv_cache_mixin.py.
std::int64_t mostRequests(const Scenario& scenario)
{
    const SettingValues values = valuesOf(scenario);
    const Spread spread = spreadOf(scenario);
    const std::int64_t most =
        values.count("max-running-requests").value_or(0) * (spread.sharesWeights ? 1 : spread.replicas);
    const TokenRules rules = rulesOf(scenario);
    if (!rules.states || !hasStates(scenario))
        return most;
    const std::int64_t byStates = std::max<std::int64_t>(*rules.states / rules.statesOfRequest, 1) * spread.replicas;
    return most > 0 ? std::min(most, byStates) : byStates;
}

} // namespace

constinit const Engine kEngine{.id = EngineId::Sglang,
                               .newest = kNewest,
                               .cause = WasteCause::PoolSplit,
                               .usesMaxContext = true,
                               .isStaircase = true,
                               .ownsMemory = true,
                               .hasPool = true,
                               .takesTensor = true,
                               .sharedRanksFlag = kSharedRanksFlag,
                               .mostRequests = mostRequests,
                               .poolFlag = kTokensFlag,
                               .settings = kSettings,
                               .plan = makePlan<SglangPlan>,
                               .check = check,
                               .readLog = readLog,
                               .withLog = withLog};

} // namespace core::engines::sglang
