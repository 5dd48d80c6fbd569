// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/model_file.h"

#include "core/files/model_folder.h"
#include "core/files/scenario_json.h"
#include "core/readers/byte_source.h"
#include "core/readers/model_text.h"

#include <cerrno>

namespace core::readers {

namespace {

namespace fs = std::filesystem;

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

/// The scenario in `text`, or the defaults with the model in it.
Result<Scenario> scenarioIn(std::string_view text, std::string_view name)
{
    const Result<JsonDocument> document = parseJson(text, name);
    if (!document)
        return tl::unexpected<Error>(document.error());
    const Result<JsonObject> object = document->root(UnknownKeys::Ignore);
    if (!object)
        return tl::unexpected<Error>(object.error());
    if (isScenario(*object))
        return scenarioFromJson(*object);
    return modelIn(*document, *object, name).map(scenarioOf);
}

Model modelOf(Scenario&& scenario)
{
    return std::move(scenario.model);
}

} // namespace

Result<Scenario> readScenarioFile(const std::filesystem::path& path)
{
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (status.type() == fs::file_type::not_found || status.type() == fs::file_type::none)
        return fail(KV_TEXT("core", "There is no file \"{0}\" ({1}); check the path."),
                    {path.string(), std::generic_category().message(error ? error.value() : ENOENT)});
    const bool isFolder = status.type() == fs::file_type::directory;
    const fs::path folder = isFolder ? path : path.parent_path();
    const FolderFiles files(folder);
    Result<FolderContent> content =
        isFolder ? readFolder(files, path.string()) : readFileOf(files, path.filename().string());
    if (!content)
        return tl::unexpected<Error>(std::move(content.error()));
    const fs::path origin = folder / content->file;
    if (content->needsSource)
        content->scenario.model.source = origin.string();
    if (content->needsName)
        content->scenario.model.name = nameOf(origin);
    return std::move(content->scenario);
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
