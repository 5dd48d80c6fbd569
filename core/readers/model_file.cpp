// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/model_file.h"

#include "core/readers/hf_config.h"
#include "core/readers/hf_format.h"
#include "core/readers/json_reader.h"
#include "core/readers/model_json.h"
#include "core/scenario_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <fstream>

namespace core::readers {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxBytes = std::size_t{256} << 20U;
constexpr std::size_t kChunkBytes = std::size_t{1} << 18U;

/// The file itself, or the config.json of the folder that `path` names.
Result<fs::path> fileAt(const fs::path& path)
{
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (status.type() == fs::file_type::not_found || status.type() == fs::file_type::none)
        return fail(KV_TEXT("core", "There is no file \"{0}\" ({1}); check the path."),
                    {path.string(), std::generic_category().message(error ? error.value() : ENOENT)});
    if (status.type() != fs::file_type::directory)
        return path;
    const fs::path config = path / "config.json";
    if (!fs::exists(config, error))
        return fail(KV_TEXT("core",
                            "The folder \"{0}\" has no config.json, so no model can be read from it; choose a model's "
                            "folder or a file."),
                    {path.string()});
    return config;
}

/// The whole file, at most 256 MiB.
Result<std::string> contentOf(const fs::path& path)
{
    errno = 0;
    std::ifstream stream(path, std::ios::binary);
    std::string content;
    while (stream && content.size() <= kMaxBytes) {
        const std::size_t before = content.size();
        content.resize(before + kChunkBytes);
        stream.read(content.data() + before, static_cast<std::streamsize>(kChunkBytes));
        content.resize(before + static_cast<std::size_t>(stream.gcount()));
    }
    if (content.size() > kMaxBytes)
        return fail(KV_TEXT("core",
                            "\"{0}\" is larger than {1}, so it is no model description; nothing was read; choose a "
                            "config.json."),
                    {path.string(), Bytes(kMaxBytes)});
    if (!stream.eof())
        return fail(KV_TEXT("core", "\"{0}\" cannot be read ({1}); check that it is a file you may read."),
                    {path.string(), std::generic_category().message(errno == 0 ? EIO : errno)});
    return content;
}

/// What a person would call the model of this file: the folder of a config.json (the repository of one in a hub's
/// cache, "models--org--name/snapshots/…"), else the file's name.
std::string nameOf(const fs::path& path)
{
    if (path.filename() != "config.json")
        return path.stem().string();
    std::error_code error;
    const fs::path folder = fs::absolute(path, error).lexically_normal().parent_path();
    constexpr std::string_view kCachePrefix = "models--";
    const std::string repository = folder.parent_path().parent_path().filename().string();
    if (folder.parent_path().filename() == "snapshots" && repository.starts_with(kCachePrefix))
        return repository.substr(repository.rfind("--") + 2);
    return folder.filename().string();
}

/// Adds what a quantisation tool wrote into a file of its own beside the config.json at `config`.
void addFileBeside(const fs::path& config, Model& model)
{
    const fs::path path = config.parent_path() / "hf_quant_config.json";
    std::error_code error;
    if (config.filename() != "config.json" || !fs::is_regular_file(path, error))
        return;
    const Result<std::string> content = contentOf(path);
    const Result<JsonDocument> document =
        content ? parseJson(*content, "hf_quant_config.json") : tl::unexpected<Error>(content.error());
    if (document)
        addQuantFile(document->json(), "hf_quant_config.json", model);
    else
        model.notes.emplace_back("hf_quant_config.json beside it cannot be read");
}

/// Ours, or something of ours that is no model, which `modelFromJson` says.
bool isDescription(const JsonObject& object)
{
    const Result<std::optional<std::string>> format = object.optionalText("format");
    const bool ours = format && *format && (*format)->starts_with("kvhorizon.");
    return ours || (object.has("model") && object.has("provenance"));
}

bool isConfig(const JsonObject& object)
{
    constexpr std::array<std::string_view, 5> kKeys{"model_type", "architectures", "text_config", "num_hidden_layers",
                                                    "ssm_cfg"};
    return std::ranges::any_of(kKeys, [&](std::string_view key) { return object.has(key); });
}

/// The model that is described; none of a scenario file.
Result<Model> modelIn(const JsonDocument& document, const JsonObject& object, std::string_view name)
{
    if (object.has("weight_map"))
        return fail(KV_TEXT("core", "{0} is the index of a safetensors repository, which KV Horizon does not read yet; "
                                    "nothing was changed; choose the config.json beside it."),
                    {std::string(name)});
    if (isDescription(object))
        return modelFromJson(document.json(), name);
    if (!isConfig(object))
        return fail(KV_TEXT("core",
                            "{0} does not look like a model's config.json: it has neither model_type nor "
                            "architectures; nothing was changed; choose a config.json, a model description or a "
                            "catalogue model."),
                    {std::string(name)});
    Result<Model> model = readHfConfig(document.json(), name);
    if (!model)
        return model;
    for (const std::string& key : document.repeated())
        model->notes.push_back(fmt::format("{} has the key {} twice in one object; the last one counts", name, key));
    return model;
}

/// The scenario in `text`, or the defaults with the model in it; `path` is where it was read from, if anywhere.
Result<Scenario> scenarioIn(std::string_view text, std::string_view name, const fs::path& path = {})
{
    const Result<JsonDocument> document = parseJson(text, name);
    if (!document)
        return tl::unexpected<Error>(document.error());
    const Result<JsonObject> object = document->root(UnknownKeys::Ignore);
    if (!object)
        return tl::unexpected<Error>(object.error());
    if (isScenario(*object))
        return scenarioFromJson(*object);
    Result<Model> model = modelIn(*document, *object, name);
    if (model && model->source.empty() && !path.empty()) { // a config.json: its path says better what it is
        model->source = path.string();
        model->name = nameOf(path);
        addFileBeside(path, *model);
    }
    return std::move(model).map(scenarioOf);
}

Model modelOf(Scenario&& scenario)
{
    return std::move(scenario.model);
}

} // namespace

Result<Scenario> readScenarioFile(const std::filesystem::path& path)
{
    const Result<fs::path> file = fileAt(path);
    if (!file)
        return tl::unexpected<Error>(file.error());
    const Result<std::string> content = contentOf(*file);
    if (!content)
        return tl::unexpected<Error>(content.error());
    return scenarioIn(*content, file->filename().string(), *file);
}

Result<Model> readModelFile(const std::filesystem::path& path)
{
    return readScenarioFile(path).map(modelOf);
}

Result<Model> readModelText(std::string_view text, std::string_view name)
{
    return scenarioIn(text, name).map(modelOf);
}

} // namespace core::readers
