// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/options.h"

#include "app/catalogs.h"
#include "core/engines/engine.h"
#include "core/format.h"
#include "core/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>

namespace app {

namespace {

using core::Result;
using core::Scenario;

constexpr std::string_view kWorkload = "Workload";
constexpr std::string_view kCache = "Cache";
constexpr std::string_view kWeights = "Weights";
constexpr std::string_view kHardware = "Hardware";
constexpr std::string_view kParallel = "--parallel";

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

Result<core::KvFormat> cacheFormat(const std::string& text)
{
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
    ScenarioOption{"--kv-format", "", "F", kCache,
                   "format of K and V: fp32 fp16 bf16 fp8 int8 int4 nvfp4 mxfp4\n"
                   "q8_0 q5_1 q5_0 q4_1 q4_0 iq4_nl; default fp16",
                   setBothFormats},
    ScenarioOption{"--k-format", "", "F", kCache, "format of K alone",
                   [](Scenario& s, const std::string& t) { return put(s.kFormat, cacheFormat(t)); }},
    ScenarioOption{"--v-format", "", "F", kCache, "format of V alone",
                   [](Scenario& s, const std::string& t) { return put(s.vFormat, cacheFormat(t)); }},
    ScenarioOption{"--engine", "", "E", kCache,
                   "how the cache is reserved: ideal (what is used), contiguous\n"
                   "(the maximum length of every request), paged (whole\n"
                   "blocks) or llama.cpp; default ideal",
                   setEngine},
    ScenarioOption{"--engine-version", "", "V", kCache,
                   "llama.cpp: build, by its month: 2025-10, or ik-2025-05 for\n"
                   "ik_llama.cpp; default: the newest that is known",
                   [](Scenario& s, const std::string& t) -> Result<void> {
                       s.engineVersion = t;
                       return {};
                   }},
    ScenarioOption{"--waste", "", "PCT", kCache, "ideal: share of the reserved cache that is empty; default 0",
                   [](Scenario& s, const std::string& t) { return put(s.waste, core::parsePercent(t)); }},
    ScenarioOption{"--max-context", "--max-model-len", "N", kCache,
                   "contiguous, llama.cpp: tokens reserved for each request;\n"
                   "default: the context",
                   [](Scenario& s, const std::string& t) { return put(s.workload.maxContext, core::parseCount(t)); }},
    ScenarioOption{"--block-size", "", "N", kCache, "paged: tokens of one block; default 16",
                   [](Scenario& s, const std::string& t) { return put(s.blockTokens, core::parseCount(t)); }},
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
    ScenarioOption{"--gpus", "", "N", kHardware, "how many; their memory is pooled; default 1",
                   [](Scenario& s, const std::string& t) { return put(s.hardware.count, core::parseCount(t)); }},
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

using EngineIds = std::vector<core::EngineId>;

std::string_view withoutDashes(std::string_view name)
{
    return name.substr(std::min(name.find_first_not_of('-'), name.size()));
}

/// True where an engine understands the option `name`, which not all of them do.
bool understands(core::EngineId engine, std::string_view name)
{
    const core::engines::Engine& row = core::engines::engine(engine);
    if (name == "--waste")
        return engine == core::EngineId::Ideal;
    if (name == "--block-size")
        return engine == core::EngineId::Paged;
    if (name == "--max-context")
        return row.usesMaxContext;
    if (name == "--engine-version")
        return !row.newest.empty();
    if (name == kParallel)
        return row.sequencesFlag == withoutDashes(kParallel);
    return core::engines::find(core::engines::settings(engine), withoutDashes(name)) != nullptr;
}

/// The engines that understand `name`; empty where all do.
EngineIds ownersOf(std::string_view name)
{
    EngineIds owners;
    for (std::size_t i = 0; i < core::engineIds().size(); ++i) {
        if (understands(static_cast<core::EngineId>(i), name))
            owners.push_back(static_cast<core::EngineId>(i));
    }
    return owners;
}

/// The engine that the options ask for: the typed one, or the one that understands the options of some engines alone;
/// of several the file's own, else the first.
Result<void> chooseEngine(Scenario& scenario, std::span<const OptionValue> values)
{
    const bool typed = find(values, "--engine") != nullptr;
    EngineIds possible;
    std::string_view chosenBy;
    if (typed)
        possible = {scenario.engine};
    for (const OptionValue& value : values) {
        const EngineIds owners = ownersOf(value.name);
        if (owners.empty())
            continue;
        EngineIds left;
        std::ranges::set_intersection(possible.empty() ? owners : possible, owners, std::back_inserter(left));
        if (left.empty()) {
            const std::string other = typed ? fmt::format("but --engine is {}", id(scenario.engine))
                                            : fmt::format("and {} for the {} one", chosenBy, id(possible.front()));
            return core::fail("{0} is for the {1} engine, {2}: leave one of the two out.",
                              {std::string(value.name), std::string(id(owners.front())), other});
        }
        chosenBy = possible.empty() ? value.name : chosenBy;
        possible = std::move(left);
    }
    if (!possible.empty() && std::ranges::count(possible, scenario.engine) == 0)
        scenario.engine = possible.front();
    return {};
}

/// Puts the typed values of the engine's flags into the scenario; those of a file stay only for the same engine.
void setFlags(Scenario& scenario, core::EngineId before, std::span<const OptionValue> values)
{
    if (scenario.engine != before) {
        scenario.settings = {};
        if (!find(values, "--engine-version"))
            scenario.engineVersion.clear();
    }
    for (const FlagOption& option : flagOptions()) {
        if (const OptionValue* value = find(values, option.name))
            scenario.settings.set(withoutDashes(option.name), value->text);
    }
}

std::string_view placeholderOf(core::engines::SettingType type)
{
    using core::engines::SettingType;
    switch (type) {
    case SettingType::Switch:
        return {};
    case SettingType::Count:
        return "N";
    case SettingType::Choice:
        return "WORD";
    case SettingType::Size:
        return "SIZE";
    case SettingType::Shares:
        return "N,N";
    }
    return {};
}

/// Breaks a help text into lines that fit beside the options.
std::string wrapped(std::string_view text)
{
    constexpr std::size_t width = 58;
    std::string lines;
    while (text.size() > width) {
        const std::size_t blank = text.rfind(' ', width);
        lines.append(text.substr(0, blank)).append("\n");
        text.remove_prefix(blank + 1);
    }
    return lines.append(text);
}

std::vector<FlagOption> makeFlagOptions()
{
    std::vector<FlagOption> options;
    for (std::size_t i = 0; i < core::engineIds().size(); ++i) {
        for (const core::engines::Setting& setting : core::engines::settings(static_cast<core::EngineId>(i))) {
            std::string name = fmt::format("--{}", setting.flag);
            if (std::ranges::count(options, name, &FlagOption::name) == 0)
                options.push_back({std::move(name), placeholderOf(setting.type), wrapped(setting.help)});
        }
    }
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
    for (const std::string_view option : {"--gpus", "--reserve"}) {
        if (find(values, option) && !hasMemory)
            return core::fail("{0} needs a GPU: add --gpu ID or --vram SIZE.", {std::string(option)});
    }
    return {};
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

std::span<const FlagOption> flagOptions()
{
    static const std::vector<FlagOption> options = makeFlagOptions(); // a table: never changed
    return options;
}

Result<Scenario> scenarioFrom(Scenario start, std::span<const OptionValue> values)
{
    Scenario scenario = std::move(start);
    const core::EngineId engine = scenario.engine;
    makeRoom(scenario, values);
    return applyAll(scenario, values)
        .and_then([&] { return chooseEngine(scenario, values); })
        .map([&] { setFlags(scenario, engine, values); })
        .and_then([&] { return checkCombination(scenario, values); })
        .map([&] {
            if (scenario.engine != engine && !find(values, "--waste"))
                scenario.waste = {}; // a share that belongs to the engine of the file
            return std::move(scenario);
        });
}

} // namespace app
