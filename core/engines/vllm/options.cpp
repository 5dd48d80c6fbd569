// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engines/vllm/options.h"

#include "core/engines/vllm/plan.h"
#include "core/engines/vllm/vllm.h"
#include "core/text/text.h"

#include <algorithm>
#include <array>

namespace core::engines::vllm {

namespace {

constexpr std::int64_t kMostTokens = 16'777'216;

std::string_view utilizationOf(std::string_view text)
{
    const std::optional<Version> release = version(text);
    return release && rulesOf(*release).utilization == 9'000 ? "0.9" : "0.92";
}

bool hasSeveralKinds(const Scenario& scenario)
{
    return hasWindows(scenario) || hasStates(scenario);
}

Version releaseOf(const Scenario& scenario)
{
    return version(scenario.engineVersion).value_or(*version(kNewest));
}

bool isFirst(const Scenario& scenario)
{
    return releaseOf(scenario).first;
}

/// True where graphs count in the budget or in the lines about it.
bool namesGraphs(const Scenario& scenario)
{
    return !isFirst(scenario) && releaseOf(scenario).since(kFirstBudget);
}

bool hasStages(const Scenario& scenario)
{
    return scenario.hardware.parallel.pipeline.value_or(1) > 1;
}

constexpr std::array kSettings{
    Setting{.flag = "gpu-memory-utilization",
            .type = SettingType::Fraction,
            .help = KV_TEXT("core", "vLLM: share of each GPU that it takes; default 0.92, before 0.21 it was 0.9"),
            .standard = utilizationOf},
    Setting{.flag = "max-num-batched-tokens",
            .type = SettingType::Count,
            .least = 1,
            .most = kMostTokens,
            .words = "auto",
            .help = KV_TEXT("core", "vLLM: tokens computed at once, which windows hold besides; default 2048, 8192 on "
                                    "GPUs of 70 GiB and more"),
            .standard = always<"auto">},
    Setting{.flag = "max-num-seqs",
            .type = SettingType::Count,
            .least = 1,
            .most = kMaxBatch,
            .words = "auto",
            .help = KV_TEXT("core", "vLLM: most requests at once; default: as many as fit"),
            .standard = always<"auto">},
    Setting{.flag = "block-size",
            .type = SettingType::Count,
            .least = 1,
            .most = kMaxBlockTokens,
            .words = "auto",
            .help = KV_TEXT("core", "tokens of one block; default 16, 64 on Intel GPUs, 128 on Ascend, 256 on TPUs"),
            .standard = always<"auto">},
    Setting{.flag = "enable-prefix-caching",
            .type = SettingType::Switch,
            .words = "auto",
            .help = KV_TEXT("core", "vLLM: requests share the blocks of their common prefix; models with states keep "
                                    "one more state for each request, or one for each block (Mamba); default: on "
                                    "since V1, but off for models with states"),
            .standard = always<"auto">,
            .matters = hasPrefixes},
    Setting{.flag = "mamba-cache-mode",
            .type = SettingType::Choice,
            .words = "auto none align all",
            .help = KV_TEXT("core", "vLLM: states kept of a request: none (the present), align (one more) or all (one "
                                    "for each block); default by prefix caching"),
            .standard = always<"auto">,
            .matters = hasStates},
    kStateFormatRow,
    kSpeculationRow,
    kDraftRow,
    Setting{.flag = "disable-hybrid-kv-cache-manager",
            .type = SettingType::Switch,
            .help = KV_TEXT("core", "vLLM: window layers keep the whole context"),
            .standard = always<"off">,
            .matters = hasSeveralKinds},
    Setting{.flag = "decode-context-parallel-size",
            .type = SettingType::Count,
            .least = 1,
            .most = 1'024,
            .help = KV_TEXT("core", "vLLM: ranks that divide the tokens of a request; default 1"),
            .standard = always<"1">,
            .matters = hasSeveralDevices},
    Setting{.flag = kBlocksFlag,
            .type = SettingType::Count,
            .least = 1,
            .most = std::int64_t{1} << 40,
            .words = "auto",
            .help = KV_TEXT("core", "vLLM: blocks of the pool, given instead of derived"),
            .standard = always<"auto">},
    Setting{.flag = "swap-space",
            .type = SettingType::Count,
            .least = 0,
            .most = 65'536,
            .help = KV_TEXT("core", "vLLM V0: GiB of each rank on the host; default 4"),
            .standard = always<"4">,
            .matters = isFirst},
    Setting{.flag = "mla",
            .type = SettingType::Choice,
            .words = "auto on off",
            .help = KV_TEXT("core", "latent attention: off keeps all heads (VLLM_MLA_DISABLE)"),
            .standard = always<"auto">,
            .matters = hasLatents},
    Setting{.flag = "pp-layer-partition",
            .type = SettingType::Shares,
            .help = KV_TEXT("core", "vLLM: layers of each stage, as 16,32 (VLLM_PP_LAYER_PARTITION); default: even"),
            .standard = nullptr,
            .matters = hasStages},
    Setting{.flag = "platform",
            .type = SettingType::Choice,
            .words = "auto cuda rocm xpu ascend tpu",
            .help = KV_TEXT("core", "vLLM: whose kernels decide about blocks; default: by GPU"),
            .standard = always<"auto">},
    kRuntimeRow,
    kCommunicationRow,
    kActivationRow,
    // Recorded CUDA graphs: 0.1 to 0.7 GiB printed, 2.4 GiB by early versions (issue 7553).
    Setting{.flag = kGraphFlag,
            .type = SettingType::Size,
            .help = KV_TEXT("core", "estimate: memory of each GPU for recorded graphs, where the engine counts them; "
                                    "default 0.28GiB"),
            .standard = always<"0.28GiB">,
            .matters = namesGraphs,
            .estimate = true},
};

Platform platformOf(std::string_view word, const Hardware& hardware)
{
    const std::string vendor = hardware.gpu ? toLower(hardware.gpu->vendor) : std::string();
    if (word == "xpu" || (word == "auto" && vendor == "intel"))
        return Platform::Xpu;
    if (word == "tpu" || (word == "auto" && vendor == "google"))
        return Platform::Tpu;
    return word == "ascend" || (word == "auto" && vendor == "huawei") ? Platform::Ascend : Platform::Cuda;
}

std::int64_t blockOf(Platform platform)
{
    constexpr std::array<std::int64_t, 4> tokens{16, 64, 128, 256};
    return tokens.at(static_cast<std::size_t>(platform));
}

/// Default of a server. Source: vLLM engine/arg_utils.py: 8,192 from 70 GiB on, but not on an A100.
std::int64_t batchedOf(const Hardware& hardware)
{
    const std::optional<Bytes> device = deviceMemory(hardware);
    const bool early = hardware.gpu && hardware.gpu->id.starts_with("a100");
    return device && *device >= gib(70) && !early ? 8'192 : 2'048;
}

/// Classes that keep a state for each block where prefixes are kept: those of Mamba. Source: SupportsMambaPrefixCaching
/// in vLLM model_executor/models.
constexpr std::array<std::string_view, 10> kAllStates{"bamba",  "falcon_h1", "falcon_mamba", "granitemoehybrid",
                                                      "jamba",  "mamba",     "mamba2",       "mamba_ssm",
                                                      "zamba2", "nemotron_h"};

StateMode stateMode(std::string_view word, bool prefixes, std::string_view family)
{
    if (word == "auto" && !prefixes)
        return StateMode::None;
    if (word == "auto")
        return std::ranges::count(kAllStates, family) > 0 ? StateMode::All : StateMode::Align;
    return word == "none" ? StateMode::None : word == "align" ? StateMode::Align : StateMode::All;
}

/// True where requests share the blocks of their prefix. V1 does so by itself but for models with states, whose states
/// must be kept for prefixes, too; with an encoder it never does. Source: vLLM config/vllm.py and engine/arg_utils.py.
bool sharesPrefixes(const Scenario& scenario, std::string_view typed, const Options& options)
{
    const bool isOnByItself = !options.version.first && !hasStates(scenario);
    const bool on = typed == "auto" ? isOnByItself : isOn(typed);
    const bool hasEncoder = keeps(scenario.model, CacheKind::Cross);
    return on && !hasEncoder && (!hasStates(scenario) || options.states != StateMode::None);
}

/// Each replica has its own. Source: vLLM v1/engine/core.py, one scheduler for each rank of data parallel.
std::int64_t mostRequests(const Scenario& scenario)
{
    return valuesOf(scenario).count("max-num-seqs").value_or(0) * spreadOf(scenario).replicas;
}

/// FP8 with scales for latents under sparse attention. Source: vLLM model_executor/models/config.py,
/// DeepseekV32ForCausalLM.
KvFormat automaticFormat(const Scenario& scenario)
{
    const Model& model = scenario.model;
    const bool sparse = keeps(model, CacheKind::Latent) && keeps(model, CacheKind::Index) && !keepsHeads(model);
    return sparse ? KvFormat::Fp8Mla : KvFormat::Fp16;
}

} // namespace

Options optionsOf(const Scenario& scenario)
{
    const SettingValues values = valuesOf(scenario);
    Options options;
    options.version = releaseOf(scenario);
    options.rules = rulesOf(options.version);
    options.platform = platformOf(values.text("platform"), scenario.hardware);
    options.blockTokens = values.count("block-size").value_or(blockOf(options.platform));
    options.batched = values.count("max-num-batched-tokens").value_or(batchedOf(scenario.hardware));
    options.states =
        stateMode(values.text("mamba-cache-mode"), values.on("enable-prefix-caching"), scenario.model.family);
    options.sharesPrefixes = sharesPrefixes(scenario, values.text("enable-prefix-caching"), options);
    options.stateFormat = kvFormat(values.text("mamba-ssm-dtype"));
    options.drafts = values.count("num-speculative-tokens").value_or(0);
    options.draftLayers = values.count(kDraftRow.flag);
    options.groups = options.rules.groups && !values.on("disable-hybrid-kv-cache-manager");
    options.contextRanks = values.count("decode-context-parallel-size").value_or(1);
    options.swap = values.count("swap-space").value_or(0);
    options.blocks = values.count(kBlocksFlag);
    options.latents = options.rules.latents && values.text("mla") != "off";
    options.graphs = values.size(kGraphFlag).value_or(Bytes());
    options.partition = values.text("pp-layer-partition");
    options.utilization = values.fraction("gpu-memory-utilization");
    return options;
}

constinit const Engine kEngine{.id = EngineId::Vllm,
                               .newest = kNewest,
                               .cause = WasteCause::PartialBlock,
                               .usesMaxContext = true,
                               .isStaircase = true,
                               .ownsMemory = true,
                               .hasPool = true,
                               .takesTensor = true,
                               .mostRequests = mostRequests,
                               .poolFlag = kBlocksFlag,
                               .automaticFormat = automaticFormat,
                               .settings = kSettings,
                               .plan = makePlan<VllmPlan>,
                               .check = check,
                               .readLog = readLog,
                               .withLog = withLog};

} // namespace core::engines::vllm
