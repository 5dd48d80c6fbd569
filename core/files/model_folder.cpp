// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/model_folder.h"

#include "core/files/scenario_json.h"
#include "core/readers/config/hf_format.h"
#include "core/readers/file_kind.h"
#include "core/readers/gguf/gguf_header.h"
#include "core/readers/gguf/gguf_model.h"
#include "core/readers/model_text.h"
#include "core/readers/safetensors/safetensors_index.h"
#include "core/readers/safetensors/safetensors_weights.h"
#include "core/readers/weight_names.h"
#include "core/text/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace core::readers {

namespace {

constexpr std::int64_t kMaxText = std::int64_t{256} << 20U;
constexpr std::string_view kConfig = "config.json";
constexpr std::string_view kQuantFile = "hf_quant_config.json";
constexpr std::string_view kGguf = ".gguf";
constexpr std::string_view kSafetensors = ".safetensors";
constexpr std::string_view kIndex = ".safetensors.index.json";

Result<std::string> textOf(const FileSet& files, std::string_view name)
{
    const auto source = files.open(name);
    if (!source)
        return tl::unexpected<Error>(source.error());
    return readWhole(**source, name, kMaxText);
}

/// The first bytes of a file; fewer where it is shorter.
Result<std::string> firstBytesOf(ByteSource& source)
{
    constexpr std::size_t kFirst = 64;
    std::string bytes(kFirst, '\0');
    const Result<std::size_t> got = source.read(0, bytes);
    if (!got)
        return tl::unexpected<Error>(got.error());
    bytes.resize(*got);
    return bytes;
}

/// A model's config.json, or a scenario or description.
struct Parsed {
    JsonDocument document;
    FolderContent content;
    bool isConfig = false;
};

/// Adds what a quantisation tool wrote into a file of its own beside the config.json.
void addQuantisation(const FileSet& files, Model& model)
{
    if (!files.has(kQuantFile))
        return;
    const Result<std::string> text = textOf(files, kQuantFile);
    const Result<JsonDocument> document = text ? parseJson(*text, kQuantFile) : tl::unexpected<Error>(text.error());
    if (document)
        addQuantFile(document->json(), kQuantFile, model);
    else
        model.notes.push_back(fmt::format("{} beside it cannot be read", kQuantFile));
}

Result<Parsed> parse(const FileSet& files, std::string_view text, std::string_view name)
{
    Result<JsonDocument> document = parseJson(text, name);
    if (!document)
        return tl::unexpected<Error>(std::move(document.error()));
    const Result<JsonObject> object = document->root(UnknownKeys::Ignore);
    if (!object)
        return tl::unexpected<Error>(object.error());
    Parsed parsed{*document, {{}, std::string(name), false, false}, false};
    if (isScenario(*object)) {
        Result<Scenario> scenario = scenarioFromJson(*object);
        if (!scenario)
            return tl::unexpected<Error>(std::move(scenario.error()));
        parsed.content.scenario = std::move(*scenario);
        return parsed;
    }
    Result<Model> model = modelIn(*document, *object, name);
    if (!model)
        return tl::unexpected<Error>(std::move(model.error()));
    parsed.isConfig = kindOf(*object) == ModelText::Config;
    parsed.content.needsSource = model->source.empty();
    parsed.content.needsName = parsed.isConfig;
    if (parsed.isConfig && name == kConfig)
        addQuantisation(files, *model);
    parsed.content.scenario = scenarioOf(std::move(*model));
    return parsed;
}

Result<Parsed> parseConfig(const FileSet& files)
{
    const Result<std::string> text = textOf(files, kConfig);
    return text ? parse(files, *text, kConfig) : tl::unexpected<Error>(text.error());
}

/// Puts the weights of `tensors` into the model of the config.json.
Result<FolderContent> join(Parsed&& parsed, const SafetensorsFiles& tensors)
{
    Model model = std::move(parsed.content.scenario.model);
    if (const Result<void> joined = joinTensors(model, parsed.document.json(), tensors); !joined)
        return tl::unexpected<Error>(joined.error());
    parsed.content.scenario = scenarioOf(std::move(model));
    return std::move(parsed.content);
}

/// The model of weights that need a config.json: those of the file `name`, or of the files that `index` names.
Result<FolderContent> joinWithConfig(const FileSet& files, std::string_view name,
                                     const SafetensorsIndex* index = nullptr)
{
    if (!files.has(kConfig))
        return fail(KV_TEXT("core", "{0} holds weights but not the layout of the model; nothing was changed; put the "
                                    "model's config.json beside it."),
                    {std::string(name)});
    Result<Parsed> parsed = parseConfig(files);
    if (!parsed)
        return tl::unexpected<Error>(std::move(parsed.error()));
    if (!parsed->isConfig)
        return fail(KV_TEXT("core", "The config.json beside {0} describes no model of Hugging Face, so the weights "
                                    "cannot be joined with it; nothing was changed; open it alone."),
                    {std::string(name)});
    const Result<SafetensorsFiles> tensors =
        index != nullptr ? readIndexedFiles(files, *index, name) : readSafetensorsFiles(files, name);
    if (!tensors)
        return tl::unexpected<Error>(tensors.error());
    return join(std::move(*parsed), *tensors);
}

Result<FolderContent> readGguf(const FileSet& files, ByteSource& source, std::string_view name)
{
    Result<Model> model = readGgufModel(source, name, files);
    if (!model)
        return tl::unexpected<Error>(std::move(model.error()));
    const bool titled = !model->name.empty();
    return FolderContent{scenarioOf(std::move(*model)), std::string(name), true, !titled};
}

/// "a.gguf, b.gguf and 3 more"
std::string listed(const std::vector<std::string>& names)
{
    constexpr std::size_t kMost = 5;
    std::string text;
    for (std::size_t i = 0; i < std::min(names.size(), kMost); ++i)
        text += fmt::format("{}{}", i == 0 ? "" : ", ", names[i]);
    return names.size() > kMost ? fmt::format("{} and {} more", text, names.size() - kMost) : text;
}

/// The safetensors file or index of a folder that its config.json belongs to; empty where there is none or several.
std::string weightsIn(const FileSet& files, const std::vector<std::string>& names, Model& model)
{
    for (const std::string_view usual : {"model.safetensors.index.json", "model.safetensors"}) {
        if (files.has(usual))
            return std::string(usual);
    }
    for (const std::string_view ending : {kIndex, kSafetensors}) {
        const std::vector<std::string> sets = weightSets(names, ending);
        if (sets.size() > 1)
            model.notes.push_back(fmt::format("the folder holds several sets of weights ({}); none was read: open one "
                                              "of them for its exact size",
                                              listed(sets)));
        if (!sets.empty())
            return sets.size() == 1 ? sets.front() : std::string();
    }
    return {};
}

bool isPointer(const FileSet& files, std::string_view name)
{
    const auto source = files.open(name);
    const Result<std::string> bytes = source ? firstBytesOf(**source) : tl::unexpected<Error>(source.error());
    return bytes && bytes->starts_with("version https://git-lfs");
}

/// The config.json of a folder and the weights beside it.
Result<FolderContent> readConfigFolder(const FileSet& files, const std::vector<std::string>& names)
{
    Result<Parsed> parsed = parseConfig(files);
    if (!parsed)
        return tl::unexpected<Error>(std::move(parsed.error()));
    if (!parsed->isConfig)
        return std::move(parsed->content);
    Model& model = parsed->content.scenario.model;
    const std::vector<std::string> gguf = weightSets(names, kGguf);
    if (!gguf.empty())
        model.notes.push_back(
            fmt::format("the folder also holds {}: open it for its own layout and weights", listed(gguf)));
    const std::string weights = weightsIn(files, names, model);
    if (weights.empty())
        return std::move(parsed->content);
    if (isPointer(files, weights)) {
        model.notes.push_back(fmt::format("{} is a Git LFS pointer and not the file itself: weights are counted from "
                                          "the shapes in config.json",
                                          weights));
        return std::move(parsed->content);
    }
    const Result<SafetensorsFiles> tensors = readSafetensorsFiles(files, weights);
    if (!tensors)
        return tl::unexpected<Error>(tensors.error());
    return join(std::move(*parsed), *tensors);
}

/// The content of a file by its first bytes.
Result<FolderContent> readSource(const FileSet& files, ByteSource& source, std::string_view name)
{
    const Result<std::string> first = firstBytesOf(source);
    if (!first)
        return tl::unexpected<Error>(first.error());
    if (first->starts_with(kGgufMagic))
        return readGguf(files, source, name);
    if (isSafetensors(*first))
        return joinWithConfig(files, name);
    const Result<std::string> text = readWhole(source, name, kMaxText);
    if (!text)
        return tl::unexpected<Error>(text.error());
    const Result<std::optional<SafetensorsIndex>> index = readSafetensorsIndex(*text, name);
    if (!index)
        return tl::unexpected<Error>(index.error());
    if (*index)
        return joinWithConfig(files, name, &**index);
    return parse(files, *text, name).map([](Parsed&& parsed) { return std::move(parsed.content); });
}

} // namespace

Result<FolderContent> readFolder(const FileSet& files, std::string_view folder)
{
    const std::vector<std::string> names = files.names();
    if (files.has(kConfig))
        return readConfigFolder(files, names);
    const std::vector<std::string> gguf = weightSets(names, kGguf);
    if (gguf.size() == 1)
        return readFileOf(files, gguf.front());
    if (gguf.size() > 1)
        return fail(KV_TEXT("core", "The folder \"{0}\" holds several models ({1}); nothing was changed; choose one of "
                                    "these files."),
                    {std::string(folder), listed(gguf)});
    const std::vector<std::string> tensors = weightSets(names, kSafetensors);
    if (!tensors.empty())
        return joinWithConfig(files, tensors.front());
    return fail(KV_TEXT("core",
                        "The folder \"{0}\" has no config.json and no GGUF file, so no model can be read from it; "
                        "choose a model's folder or a file."),
                {std::string(folder)});
}

Result<FolderContent> readFileOf(const FileSet& files, std::string_view name)
{
    const auto opened = files.open(name);
    if (!opened)
        return tl::unexpected<Error>(opened.error());
    if ((*opened)->size())
        return readSource(files, **opened, name);
    const Result<std::string> whole = readWhole(**opened, name, kMaxText); // a pipe or a device
    if (!whole)
        return tl::unexpected<Error>(whole.error());
    MemorySource memory(*whole);
    return readSource(files, memory, name);
}

} // namespace core::readers
