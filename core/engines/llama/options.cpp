// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engines/llama/options.h"

#include "core/engines/llama/llama.h"
#include "core/engines/llama/plan.h"
#include "core/text/text.h"

#include <algorithm>
#include <charconv>
#include <string>

namespace core::engines::llama {

namespace {

constexpr std::int64_t kMostBatch = 1'048'576;
constexpr std::string_view kSharesFlag = "tensor-split";

std::string_view flashDefault(std::string_view text)
{
    const std::optional<Version> build = version(text);
    if (build && !rulesOf(*build).flashByDefault)
        return "off";
    return build && build->ik ? "on" : "auto";
}

/// ik_llama.cpp's default is 0, in its newest source 3; llama.cpp has no such flag: the file decides.
std::string_view latentDefault(std::string_view text)
{
    const std::optional<Version> build = version(text);
    if (!build || !build->ik)
        return "auto";
    return build->since(2026, 8) ? "3" : "off";
}

constexpr std::array kSettings{
    Setting{.flag = "batch-size",
            .type = SettingType::Count,
            .least = 1,
            .most = kMostBatch,
            .help = KV_TEXT("core", "tokens of a logical batch; default 2048"),
            .standard = always<"2048">},
    Setting{.flag = "ubatch-size",
            .type = SettingType::Count,
            .least = 1,
            .most = kMostBatch,
            .help = KV_TEXT("core", "tokens computed at once, which window caches hold besides; default 512"),
            .standard = always<"512">},
    Setting{.flag = "flash-attn",
            .type = SettingType::Choice,
            .words = "on off auto",
            .help = KV_TEXT("core", "flash attention: on, off or auto (counted as on); default by version"),
            .standard = flashDefault},
    Setting{.flag = "swa-full",
            .type = SettingType::Switch,
            .help = KV_TEXT("core", "window layers keep the whole context"),
            .standard = always<"off">,
            .matters = hasWindows},
    Setting{.flag = "kv-unified",
            .type = SettingType::Switch,
            .help = KV_TEXT("core", "all sequences share one stretch of cells"),
            .standard = always<"off">},
    Setting{.flag = "mla",
            .type = SettingType::Choice,
            .words = "auto off on 0 1 2 3",
            .help = KV_TEXT("core", "latent attention: on, off, auto (as the file says), or ik_llama.cpp's 0 to 3"),
            .standard = latentDefault,
            .matters = hasLatents},
    Setting{.flag = "n-gpu-layers",
            .type = SettingType::Count,
            .least = 0,
            .most = 65'536,
            .words = "all auto",
            .help =
                KV_TEXT("core", "layers on GPUs, the output counted as one; the rest stays on the host; default all"),
            .standard = always<"all">},
    Setting{.flag = "no-kv-offload",
            .type = SettingType::Switch,
            .help = KV_TEXT("core", "the cache stays on the host"),
            .standard = always<"off">},
    Setting{.flag = "split-mode",
            .type = SettingType::Choice,
            .words = "layer none",
            .help = KV_TEXT("core", "over several GPUs: layer (whole layers) or none (one GPU); default layer"),
            .standard = always<"layer">,
            .matters = hasSeveralDevices,
            .refusedWord = "row",
            .whyRefused = KV_TEXT("core", "\"row\" cuts each matrix into rows, whose buffers KV Horizon does not size; "
                                          "use layer or none.")},
    Setting{.flag = kSharesFlag,
            .type = SettingType::Shares,
            .help = KV_TEXT("core", "share of the layers for each GPU, as 3,1; default: by memory"),
            .standard = nullptr,
            .matters = hasSeveralDevices},
    Setting{.flag = "num-speculative-tokens",
            .type = SettingType::Count,
            .least = 0,
            .most = 64,
            .help = KV_TEXT("core", "tokens drafted at once by the model's own draft layers; default 0"),
            .standard = always<"0">},
    Setting{.flag = "runtime-context",
            .type = SettingType::Size,
            .help = KV_TEXT("core", "estimate: memory of each GPU for the runtime itself; default 250MiB, for other "
                                    "engines 0.6GiB"),
            .standard = always<"250MiB">,
            .estimate = true},
    Setting{.flag = "compute-buffer",
            .type = SettingType::Size,
            .words = "auto",
            .help = KV_TEXT("core", "estimate: memory of each GPU to compute in; default: from vocabulary and ubatch"),
            .standard = always<"auto">,
            .estimate = true},
};

LatentMode latentMode(std::string_view text)
{
    if (text == "auto")
        return LatentMode::ByFile;
    if (text == "off" || text == "0")
        return LatentMode::Off;
    return text == "1" ? LatentMode::Values : LatentMode::Only;
}

std::array<float, kMaxDevices> sharesOf(std::string_view text)
{
    std::array<float, kMaxDevices> shares{};
    std::size_t device = 0;
    for (const std::string_view number : split(text, ','))
        std::from_chars(number.data(), number.data() + number.size(), shares.at(device++));
    return shares;
}

} // namespace

Options optionsOf(const Scenario& scenario)
{
    const SettingValues values = valuesOf(scenario);
    Options options;
    options.version = version(scenario.engineVersion).value_or(*version(kNewest));
    options.rules = rulesOf(options.version);
    options.flash = values.text("flash-attn") != "off";
    options.unified = values.on("kv-unified");
    options.wholeWindows = values.on("swa-full");
    options.batch = values.count("batch-size").value_or(options.batch);
    options.ubatch = values.count("ubatch-size").value_or(options.ubatch);
    options.latents = latentMode(values.text("mla"));
    options.gpuLayers = values.count("n-gpu-layers").value_or(kAllLayers);
    options.offloadsCache = !values.on("no-kv-offload");
    options.splitsLayers = values.text("split-mode") == "layer";
    if (const std::string_view shares = values.text(kSharesFlag); !wrong(*find(kSettings, kSharesFlag), shares))
        options.shares = sharesOf(shares);
    options.drafts = values.count("num-speculative-tokens").value_or(0);
    options.runtime = values.size("runtime-context").value_or(Bytes());
    options.buffers = values.size("compute-buffer");
    return options;
}

constinit const Engine kEngine{.id = EngineId::LlamaCpp,
                               .newest = kNewest,
                               .cause = WasteCause::Padding,
                               .usesMaxContext = true,
                               .isStaircase = true,
                               .ownsMemory = true,
                               .mostSequences = kMostSequences,
                               .sequencesFlag = "parallel",
                               .settings = kSettings,
                               .plan = makePlan<LlamaPlan>,
                               .check = check,
                               .readLog = readLog,
                               .withLog = withLog};

} // namespace core::engines::llama
