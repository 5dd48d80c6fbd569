// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/options.h"

#include "app/catalogs.h"
#include "app/engine_options.h"
#include "core/engines/budget.h"
#include "core/engines/engine.h"
#include "core/engines/parallel.h"
#include "core/scenario/inputs.h"
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

constexpr std::string_view kAuto = "auto";
constexpr std::string_view kBothFormats = "--kv-format";

/// Puts a parsed value into its place in the scenario.
template <typename Place, typename T> Result<void> put(Place& place, Result<T> value)
{
    if (!value)
        return tl::unexpected(std::move(value.error()));
    place = *std::move(value);
    return {};
}

/// The error for a word that an input does not know. It names the closest words, or all of them if none is like `text`.
tl::unexpected<core::Error> unknownWord(const core::InputWords& words, const std::string& text)
{
    const std::vector<std::string> all = words.all();
    const std::vector<std::string> closest = core::closest(text, all);
    return core::fail("There is no {0} \"{1}\"; {2} {3}.",
                      {std::string(words.what), text,
                       closest.empty()       ? "choose one of"
                       : closest.size() == 1 ? "the closest is"
                                             : "the closest are",
                       fmt::format("{}", fmt::join(closest.empty() ? all : closest, ", "))});
}

/// Understands the text by the type of the input and puts it into the scenario.
Result<void> setInput(core::Field field, Scenario& scenario, const std::string& text)
{
    const core::Input& input = core::input(field);
    Result<core::Value> value = core::parseInput(input, text);
    if (!value)
        return tl::unexpected(std::move(value.error()));
    if (!input.place.set(scenario, *value))
        return unknownWord(*input.words, text);
    return {};
}

/// "auto" is what the engine takes when nothing is said, which is known when the engine is.
template <core::Field field> Result<void> setFormat(Scenario& scenario, const std::string& text)
{
    return setInput(field, scenario, core::toLower(text) == kAuto ? "fp16" : text);
}

Result<void> setBothFormats(Scenario& scenario, const std::string& text)
{
    return setFormat<core::Field::KFormat>(scenario, text).map([&] { scenario.vFormat = scenario.kFormat; });
}

Result<void> setGpu(Scenario& scenario, const std::string& text)
{
    return put(scenario.hardware.gpu, loadGpu(text));
}

Result<void> setBasis(Scenario& scenario, const std::string& text)
{
    if (core::memoryBasis(core::toLower(text)) == core::MemoryBasis::Typed)
        return core::fail("A typed memory size is given with --vram SIZE.");
    return setInput(core::Field::MemoryBasis, scenario, text);
}

Result<void> setMemory(Scenario& scenario, const std::string& text)
{
    scenario.hardware.basis = core::MemoryBasis::Typed;
    return setInput(core::Field::Memory, scenario, text);
}

/// "auto", or vLLM's -1, is the model's own limit.
Result<void> setMaxContext(Scenario& scenario, const std::string& text)
{
    const bool automatic = core::toLower(text) == kAuto || text == "-1";
    if (!automatic)
        return setInput(core::Field::MaxContext, scenario, text);
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
    return setInput(core::Field::CacheMemory, scenario, text + (isBinary ? "iB" : isShort ? "B" : ""));
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

/// How an option is understood that says more than the value of its input.
struct OwnReading {
    std::string_view name;
    Result<void> (*apply)(Scenario& scenario, const std::string& text);
};
constexpr std::array kOwnReadings{OwnReading{kParallel, setSequences},
                                  OwnReading{kBothFormats, setBothFormats},
                                  OwnReading{"--k-format", setFormat<core::Field::KFormat>},
                                  OwnReading{"--v-format", setFormat<core::Field::VFormat>},
                                  OwnReading{"--max-context", setMaxContext},
                                  OwnReading{"--kv-memory", setCacheMemory},
                                  OwnReading{"--gpu", setGpu},
                                  OwnReading{"--vram", setMemory},
                                  OwnReading{"--memory-basis", setBasis}};

Result<void> apply(std::string_view option, Scenario& scenario, const std::string& text)
{
    const auto* const own = std::ranges::find(kOwnReadings, option, &OwnReading::name);
    if (own != kOwnReadings.end())
        return own->apply(scenario, text);
    const std::optional<core::Field> field = core::field(option.substr(2));
    return field ? setInput(*field, scenario, text) : Result<void>(); // flags of engines come later
}

Result<void> applyAll(Scenario& scenario, std::span<const OptionValue> values)
{
    // In the table's order, so that --k-format refines --kv-format wherever it stands on the line.
    for (const ScenarioOption& option : scenarioOptions()) {
        const OptionValue* value = find(values, option.name);
        if (!value)
            continue;
        if (Result<void> applied = apply(option.name, scenario, value->text); !applied)
            return wrongValue(option.name, applied.error());
    }
    return {};
}

std::string_view placeholderOf(const core::Input& input)
{
    if (!input.placeholder.empty())
        return input.placeholder;
    switch (input.place.type) {
    case core::InputType::Size:
        return "SIZE";
    case core::InputType::Share:
        return "PCT";
    default:
        return "N";
    }
}

std::vector<ScenarioOption> makeOptions()
{
    std::vector<ScenarioOption> options;
    for (const core::Input& input : core::inputs()) {
        if (input.field == core::Field::KFormat)
            options.push_back({std::string(kBothFormats), "--kv-cache-dtype", "F", input.group,
                               "format of K and V: fp32 fp16 bf16 fp8 int8 int4 nvfp4 mxfp4\n"
                               "q8_0 q5_1 q5_0 q4_1 q4_0 iq4_nl; default fp16. Some engines\n"
                               "know q8_kv (ik_llama.cpp), fp8_ds_mla, and\n"
                               "int8_per_token_head and the like (vLLM); auto: what the\n"
                               "engine takes when nothing is said"});
        if (!input.help.empty())
            options.push_back({fmt::format("--{}", input.id), input.aliases, placeholderOf(input), input.group,
                               std::string(input.help)});
        if (input.field == core::Field::Batch)
            options.push_back({std::string(kParallel), "", "N", input.group,
                               "llama.cpp: sequences, in place of --batch; --context is\n"
                               "then that of all of them together (its -c)"});
    }
    addFlagOptions(options);
    return options;
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
    static const std::vector<ScenarioOption> options = makeOptions(); // a table: never changed
    return options;
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
            if (const OptionValue* format = find(values, kBothFormats); format && core::toLower(format->text) == kAuto)
                setFormats(scenario, core::engines::automaticFormat(scenario), values);
            spreadOver(scenario, values);
            return std::move(scenario);
        });
}

} // namespace app
