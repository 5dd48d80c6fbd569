// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/options.h"

#include "app/catalogs.h"
#include "app/engine_options.h"
#include "core/engines/budget.h"
#include "core/engines/engine.h"
#include "core/text/format.h"
#include "core/text/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>

namespace app {

namespace {

using core::Result;
using core::Scenario;

constexpr std::string_view kWorkload = "Workload";
constexpr std::string_view kCache = "Cache";
constexpr std::string_view kWeights = "Weights";
constexpr std::string_view kHardware = "Hardware";

constexpr std::string_view kAuto = "auto";

/// Puts a parsed value into its place in the scenario.
template <typename Place, typename T> Result<void> put(Place& place, Result<T> value)
{
    if (!value)
        return tl::unexpected(std::move(value.error()));
    place = *std::move(value);
    return {};
}

template <typename Row> std::vector<std::string> ids(std::span<const Row> rows)
{
    std::vector<std::string> ids;
    for (const Row& row : rows)
        ids.emplace_back(row.id);
    return ids;
}

/// `value`, or an error that names the closest of `known`, or all of them if none is like `text`.
template <typename T>
Result<T> known(std::optional<T> value, const std::string& text, std::string_view what,
                const std::vector<std::string>& known)
{
    if (value)
        return *value;
    const std::vector<std::string> closest = core::closest(text, known);
    return core::fail("There is no {0} \"{1}\"; {2} {3}.",
                      {std::string(what), text,
                       closest.empty()       ? "choose one of"
                       : closest.size() == 1 ? "the closest is"
                                             : "the closest are",
                       fmt::format("{}", fmt::join(closest.empty() ? known : closest, ", "))});
}

/// "auto" is what the engine takes when nothing is said, which is known when the engine is.
Result<core::KvFormat> cacheFormat(const std::string& text)
{
    if (core::toLower(text) == kAuto)
        return core::KvFormat::Fp16;
    return known(core::kvFormat(text), text, "cache format", ids(core::kvFormats()));
}

Result<void> setBothFormats(Scenario& scenario, const std::string& text)
{
    return put(scenario.kFormat, cacheFormat(text)).map([&] { scenario.vFormat = scenario.kFormat; });
}

Result<void> setWeightFormat(Scenario& scenario, const std::string& text)
{
    return put(scenario.weightFormat,
               known(core::weightFormat(text), text, "weight format", ids(core::weightFormats())));
}

Result<void> setEngine(Scenario& scenario, const std::string& text)
{
    return put(scenario.engine, known(core::engineId(core::toLower(text)), text, "engine",
                                      {core::engineIds().begin(), core::engineIds().end()}));
}

Result<void> setBasis(Scenario& scenario, const std::string& text)
{
    std::optional<core::MemoryBasis> basis = core::memoryBasis(core::toLower(text));
    if (basis == core::MemoryBasis::Typed)
        return core::fail("A typed memory size is given with --vram SIZE.");
    return put(scenario.hardware.basis, known(basis, text, "memory basis", {"label", "driver", "usable"}));
}

Result<void> setMemory(Scenario& scenario, const std::string& text)
{
    scenario.hardware.basis = core::MemoryBasis::Typed;
    return put(scenario.hardware.typed, core::parseSize(text));
}

/// "auto", or vLLM's -1, is the model's own limit.
Result<void> setMaxContext(Scenario& scenario, const std::string& text)
{
    const bool automatic = core::toLower(text) == kAuto || text == "-1";
    if (!automatic)
        return put(scenario.workload.maxContext, core::parseCount(text));
    if (!scenario.model.maxContext)
        return core::fail("The model does not say how long a context it is made for: write a number of tokens.");
    scenario.workload.maxContext = scenario.model.maxContext;
    return {};
}

/// vLLM's units too: "5820M" is 5,820 MiB, "5820m" 5,820 MB.
Result<void> setCacheMemory(Scenario& scenario, const std::string& text)
{
    constexpr std::string_view units = "KMGTkmgt";
    const bool isShort = text.size() > 1 && units.find(text.back()) != std::string_view::npos;
    const bool isBinary = isShort && units.find(text.back()) < units.size() / 2;
    return put(scenario.cacheMemory, core::parseSize(text + (isBinary ? "iB" : isShort ? "B" : "")));
}

/// Divides the context, which is then that of all sequences together, by their number.
Result<void> setSequences(Scenario& scenario, const std::string& text)
{
    std::int64_t sequences = 0;
    if (Result<void> counted = put(sequences, core::parseCount(text)); !counted)
        return counted;
    const std::int64_t context = scenario.workload.context;
    scenario.workload.batch = sequences;
    if (sequences < 1)
        return {};
    if (context < sequences)
        return core::fail("{0} sequences cannot share a context of {1} tokens; give --context more, which counts for "
                          "all of them.",
                          {sequences, context});
    scenario.workload.context = context / sequences;
    scenario.workload.spareTokens = context % sequences;
    return {};
}

constexpr std::array kOptions{
    ScenarioOption{"--context", "", "N", kWorkload, "tokens that each request holds; default 8K",
                   [](Scenario& s, const std::string& t) { return put(s.workload.context, core::parseCount(t)); }},
    ScenarioOption{"--batch", "", "N", kWorkload, "concurrent requests; default 1",
                   [](Scenario& s, const std::string& t) { return put(s.workload.batch, core::parseCount(t)); }},
    ScenarioOption{kParallel, "", "N", kWorkload,
                   "llama.cpp: sequences, in place of --batch; --context is\n"
                   "then that of all of them together (its -c)",
                   setSequences},
    ScenarioOption{
        "--encoder-tokens", "", "N", kWorkload, "tokens of the encoder, for cross attention; default 0",
        [](Scenario& s, const std::string& t) { return put(s.workload.encoderTokens, core::parseCount(t)); }},
    ScenarioOption{"--kv-heads", "", "N", kCache,
                   "KV heads in place of the model's own: as many as query\n"
                   "heads is MHA, 1 is MQA; of a custom model, by default as\n"
                   "many as its heads",
                   [](Scenario& s, const std::string& t) { return put(s.kvHeads, core::parseCount(t)); }},
    ScenarioOption{"--kv-format", "--kv-cache-dtype", "F", kCache,
                   "format of K and V: fp32 fp16 bf16 fp8 int8 int4 nvfp4 mxfp4\n"
                   "q8_0 q5_1 q5_0 q4_1 q4_0 iq4_nl; default fp16. Some engines\n"
                   "know q8_kv (ik_llama.cpp), fp8_ds_mla, and\n"
                   "int8_per_token_head and the like (vLLM); auto: what the\n"
                   "engine takes when nothing is said",
                   setBothFormats},
    ScenarioOption{"--k-format", "", "F", kCache, "format of K alone",
                   [](Scenario& s, const std::string& t) { return put(s.kFormat, cacheFormat(t)); }},
    ScenarioOption{"--v-format", "", "F", kCache, "format of V alone",
                   [](Scenario& s, const std::string& t) { return put(s.vFormat, cacheFormat(t)); }},
    ScenarioOption{"--engine", "", "E", kCache,
                   "how the cache is reserved: ideal (what is used), contiguous\n"
                   "(the maximum length of every request), paged (whole\n"
                   "blocks), llama.cpp, vllm, sglang or tensorrt-llm; default\n"
                   "ideal",
                   setEngine},
    ScenarioOption{"--engine-version", "", "V", kCache,
                   "llama.cpp: build, by its month: 2025-10, or ik-2025-05 for\n"
                   "ik_llama.cpp; vllm: release, as 0.20, or V0; sglang: release\n"
                   "or month; tensorrt-llm: release; default: the newest that is\n"
                   "known",
                   [](Scenario& s, const std::string& t) -> Result<void> {
                       s.engineVersion = t;
                       return {};
                   }},
    ScenarioOption{"--waste", "", "PCT", kCache, "ideal: share of the reserved cache that is empty; default 0",
                   [](Scenario& s, const std::string& t) { return put(s.waste, core::parsePercent(t)); }},
    ScenarioOption{"--max-context", "--max-model-len,--context-length,--max-seq-len", "N", kCache,
                   "tokens reserved for each request (contiguous, llama.cpp), or\n"
                   "of the longest one (other engines); auto: the model's own;\n"
                   "default: the context",
                   setMaxContext},
    ScenarioOption{kBlockSize, "", "N", kCache,
                   "tokens of one block, also of vllm, sglang and tensorrt-llm;\ndefault 16, or the engine's own",
                   [](Scenario& s, const std::string& t) { return put(s.blockTokens, core::parseCount(t)); }},
    ScenarioOption{"--kv-memory", "--kv-cache-memory-bytes,--kv-cache-memory", "SIZE", kCache,
                   "vllm, sglang, tensorrt-llm: memory of each GPU for the cache,\n"
                   "given instead of derived",
                   setCacheMemory},
    ScenarioOption{"--weights-format", "", "F", kWeights,
                   "fp32 bf16 fp16 fp8 int8 awq-4bit gptq-4bit nvfp4 mxfp4\n"
                   "bnb-4bit mlx-4bit mlx-6bit mlx-8bit, or\n"
                   "a GGUF mixture, whose size is about right: q8_0 q6_k\n"
                   "q5_k_m q4_k_m q3_k_m q2_k iq4_xs; default: as the model\n"
                   "was published, or as its weight file stores them",
                   setWeightFormat},
    ScenarioOption{"--weights-bytes", "", "SIZE", kWeights, "size of the weights, given instead of a format",
                   [](Scenario& s, const std::string& t) { return put(s.weightBytes, core::parseSize(t)); }},
    ScenarioOption{"--gpu", "", "ID", kHardware,
                   "one of \"kvhorizon gpus\", such as rtx-4090; ID:SIZE as in\n"
                   "apple-m2-ultra:128 chooses one of the sizes it is sold with",
                   [](Scenario& s, const std::string& t) { return put(s.hardware.gpu, loadGpu(t)); }},
    ScenarioOption{"--gpus", "", "N", kHardware, "how many; default 1, or as many as there are ranks",
                   [](Scenario& s, const std::string& t) { return put(s.hardware.count, core::parseCount(t)); }},
    ScenarioOption{
        "--tp", "--tensor-parallel-size,--tp-size", "N", kHardware,
        "ranks that divide the heads of each layer; default: all GPUs\n"
        "(vllm, sglang, tensorrt-llm), or their memory is pooled",
        [](Scenario& s, const std::string& t) { return put(s.hardware.parallel.tensor, core::parseCount(t)); }},
    ScenarioOption{
        "--pp", "--pipeline-parallel-size,--pp-size", "N", kHardware, "stages that divide the layers; default 1",
        [](Scenario& s, const std::string& t) { return put(s.hardware.parallel.pipeline, core::parseCount(t)); }},
    ScenarioOption{
        "--dp", "--data-parallel-size,--dp-size", "N", kHardware,
        "copies of the model that divide the requests; default 1",
        [](Scenario& s, const std::string& t) { return put(s.hardware.parallel.data, core::parseCount(t)); }},
    ScenarioOption{"--vram", "", "SIZE", kHardware, "memory of each GPU, instead of the catalogue's", setMemory},
    ScenarioOption{"--memory-basis", "", "B", kHardware,
                   "which figure counts: label (on the box), driver (what it\n"
                   "reports) or usable (what a runtime can allocate); default\n"
                   "usable",
                   setBasis},
    ScenarioOption{"--reserve", "", "PCT", kHardware, "share of each GPU that is kept free; default 0",
                   [](Scenario& s, const std::string& t) { return put(s.reserve, core::parsePercent(t)); }},
    ScenarioOption{"--overhead", "", "SIZE", kHardware, "memory of each GPU that the runtime takes; default 0",
                   [](Scenario& s, const std::string& t) { return put(s.overhead, core::parseSize(t)); }},
};

Result<void> applyAll(Scenario& scenario, std::span<const OptionValue> values)
{
    // In the table's order, so that --k-format refines --kv-format wherever it stands on the line.
    for (const ScenarioOption& option : kOptions) {
        const OptionValue* value = find(values, option.name);
        if (!value)
            continue;
        if (Result<void> applied = option.apply(scenario, value->text); !applied)
            return wrongValue(option.name, applied.error());
    }
    return {};
}

Result<void> checkCombination(const Scenario& scenario, std::span<const OptionValue> values)
{
    if (find(values, "--batch") && find(values, kParallel))
        return core::fail("--parallel gives the number of sequences, so --batch cannot: leave one of the two out.");
    if (find(values, "--weights-format") && find(values, "--weights-bytes"))
        return core::fail("--weights-bytes gives the size of the weights, so --weights-format cannot change it: leave "
                          "one of the two out.");
    if (find(values, "--vram") && find(values, "--memory-basis"))
        return core::fail("--vram gives the memory of each GPU, so --memory-basis cannot choose it: leave one of the "
                          "two out.");
    if (find(values, "--memory-basis") && !scenario.hardware.gpu)
        return core::fail("--memory-basis chooses between the figures of a GPU: add --gpu ID.");
    const bool hasMemory = scenario.hardware.gpu || scenario.hardware.typed;
    const bool countsRanks = scenario.hardware.parallel.isTyped() || core::engines::engine(scenario.engine).takesTensor;
    for (const std::string_view option : {"--gpus", "--reserve"}) {
        if (find(values, option) && !hasMemory && !(option == "--gpus" && countsRanks))
            return core::fail("{0} needs a GPU: add --gpu ID or --vram SIZE.", {std::string(option)});
    }
    return {};
}

/// As many GPUs as ranks, where their number is not given.
void spreadOver(Scenario& scenario, std::span<const OptionValue> values)
{
    if (find(values, "--gpus"))
        return;
    core::Parallelism& parallel = scenario.hardware.parallel;
    const OptionValue* sharing = find(values, kContextRanks);
    if (sharing != nullptr && !parallel.tensor) // ranks that divide the tokens are some of those that divide the heads
        parallel.tensor = core::parseCount(sharing->text).value_or(1);
    else if (!(find(values, "--tp") || find(values, "--pp") || find(values, "--dp")))
        return;
    const core::Bytes ranks = core::Bytes(parallel.tensor.value_or(1)) *
                              std::max<std::int64_t>(parallel.pipeline.value_or(1), 0) *
                              std::max<std::int64_t>(parallel.data.value_or(1), 0);
    scenario.hardware.count = std::max<std::int64_t>(ranks.count(), 1);
    const core::engines::Spread spread = core::engines::spreadOf(scenario);
    if (spread.sharesWeights) // the replicas are some of those that divide the heads
        scenario.hardware.count = spread.devices();
}

/// Gives K and V a format where they have none of their own on the line.
void setFormats(Scenario& scenario, core::KvFormat format, std::span<const OptionValue> values)
{
    if (!find(values, "--k-format"))
        scenario.kFormat = format;
    if (!find(values, "--v-format"))
        scenario.vFormat = format;
}

/// Takes out of a scenario file what options on the line stand for.
void makeRoom(Scenario& scenario, std::span<const OptionValue> values)
{
    if (find(values, "--weights-format"))
        scenario.weightBytes.reset();
    if (find(values, "--context") || find(values, "--batch") || find(values, kParallel))
        scenario.workload.spareTokens = 0;
    const bool namesMemory = find(values, "--gpu") || find(values, "--memory-basis");
    if (namesMemory && scenario.hardware.basis == core::MemoryBasis::Typed) {
        scenario.hardware.basis = core::MemoryBasis::Usable;
        scenario.hardware.typed.reset();
    }
}

} // namespace

const OptionValue* find(std::span<const OptionValue> values, std::string_view name)
{
    const auto found = std::ranges::find(values, name, &OptionValue::name);
    return found == values.end() ? nullptr : &*found;
}

tl::unexpected<core::Error> wrongValue(std::string_view option, const core::Error& error)
{
    return core::fail("{0}: {1}", {std::string(option), core::english(error.message)});
}

std::span<const ScenarioOption> scenarioOptions()
{
    return kOptions;
}

Result<Scenario> scenarioFrom(Scenario start, std::span<const OptionValue> values)
{
    Scenario scenario = std::move(start);
    const core::EngineId engine = scenario.engine;
    const std::int64_t blockTokens = scenario.blockTokens;
    makeRoom(scenario, values);
    return applyAll(scenario, values)
        .and_then([&] { return chooseEngine(scenario, values); })
        .map([&] { setFlags(scenario, engine, values); })
        .and_then([&] { return checkCombination(scenario, values); })
        .map([&] {
            if (scenario.engine != engine && !find(values, "--waste"))
                scenario.waste = {}; // a share that belongs to the engine of the file
            const bool hasPool = core::engines::engine(scenario.engine).hasPool;
            if (!hasPool)
                scenario.cacheMemory.reset();
            core::Workload& workload = scenario.workload;
            if (hasPool && !find(values, "--context")) // the longest request, if it is shorter than the default
                workload.context = std::min(workload.context,
                                            std::max<std::int64_t>(workload.maxContext.value_or(workload.context), 1));
            if (scenario.engine != core::EngineId::Paged)
                scenario.blockTokens = blockTokens; // the typed ones are a setting of the engine
            if (const OptionValue* format = find(values, "--kv-format"); format && core::toLower(format->text) == kAuto)
                setFormats(scenario, core::engines::automaticFormat(scenario), values);
            spreadOver(scenario, values);
            return std::move(scenario);
        });
}

} // namespace app
