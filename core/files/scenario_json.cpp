// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/scenario_json.h"

#include "core/files/scenario_section.h"
#include "core/readers/json/gpu_json.h"
#include "core/readers/json/model_json.h"
#include "core/scenario/inputs.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace core {

namespace {

using Json = nlohmann::ordered_json;
using readers::firstError;
using readers::JsonObject;

constexpr std::string_view kFormat = "kvhorizon.scenario";
constexpr std::int64_t kVersion = 1;

/// The objects that hold inputs, in their order; the last is the document itself.
constexpr std::array<std::string_view, 6> kSections{"workload", "cache", "weights", "engine", "hardware", ""};
/// The keys that stand first in their objects, in this order. All others follow in the order of the inputs.
constexpr std::array<std::string_view, 10> kFirstKeys{"context",       "max_context", "batch",    "encoder_tokens",
                                                      "k_format",      "v_format",    "kv_heads", "id",
                                                      "waste_percent", "block_tokens"};

Result<void> checkFormat(const JsonObject& document)
{
    const Result<std::string> format = document.text("format");
    if (!format)
        return tl::unexpected<Error>(format.error());
    if (*format != kFormat)
        return document.wrong("format", KV_TEXT("core", "{0} is no scenario: its \"{1}\" is {2} and not "
                                                        "\"kvhorizon.scenario\"; nothing was changed; choose a file "
                                                        "that KV Horizon saved."));
    const Result<std::int64_t> version = document.count("version", {1, 1'000'000});
    if (!version)
        return tl::unexpected<Error>(version.error());
    if (*version > kVersion)
        return document.wrong("version",
                              KV_TEXT("core", "{0} is a scenario of version {2}, but this program reads "
                                              "version {3} only; nothing was changed; use a newer "
                                              "KV Horizon."),
                              {kVersion});
    return {};
}

/// 20 or 2.5: the double nearest to a number with two decimals is written as that number.
Json percentJson(Percent percent)
{
    if (percent.hundredths % 100 == 0)
        return percent.hundredths / 100;
    return static_cast<double>(percent.hundredths) / 100.0;
}

/// null stands for a value that is not given.
Json valueJson(const std::optional<Value>& value)
{
    if (!value)
        return {};
    if (const auto* bytes = std::get_if<Bytes>(&*value))
        return bytes->count();
    if (const auto* percent = std::get_if<Percent>(&*value))
        return percentJson(*percent);
    if (const auto* text = std::get_if<std::string>(&*value))
        return *text;
    return std::get<std::int64_t>(*value);
}

Json settingsJson(const Settings& settings)
{
    Json json;
    for (const auto& [flag, value] : settings)
        json[flag] = value;
    return json;
}

Json inputJson(const Input& input, const Scenario& scenario)
{
    if (input.field == Field::Gpu)
        return scenario.hardware.gpu ? readers::gpuToJson(*scenario.hardware.gpu) : Json();
    return input.field == Field::Setting ? settingsJson(scenario.settings) : valueJson(input.place.get(scenario));
}

/// The inputs of a section in the order in which their keys are written.
std::vector<const Input*> inputsOf(std::string_view section)
{
    std::vector<const Input*> rows;
    for (const Input& input : inputs()) {
        if (!input.key.empty() && input.section == section)
            rows.push_back(&input);
    }
    std::ranges::stable_sort(rows, {}, [](const Input* row) { return std::ranges::find(kFirstKeys, row->key); });
    return rows;
}

bool isWritten(const Input& input, const Scenario& scenario)
{
    if (input.field == Field::Setting)
        return scenario.settings != Settings{};
    return !input.onlyWrittenWhereGiven || input.place.get(scenario) != input.place.get(Scenario{});
}

Json toJson(const Scenario& scenario)
{
    Json json{{"format", kFormat}, {"version", kVersion}, {"model", readers::modelToJson(scenario.model)}};
    for (const std::string_view section : kSections) {
        Json& object = section.empty() ? json : json[std::string(section)];
        for (const Input* input : inputsOf(section)) {
            if (isWritten(*input, scenario))
                object[std::string(input->key)] = inputJson(*input, scenario);
        }
    }
    return json;
}

/// Adds to `written` what `original` has beside it: keys in objects, and in the objects of lists of the same length.
void keepUnknown(Json& written, const Json& original)
{
    if (written.is_array() && original.is_array() && written.size() == original.size()) {
        for (std::size_t i = 0; i < written.size(); ++i)
            keepUnknown(written[i], original[i]);
    }
    if (!written.is_object() || !original.is_object())
        return;
    for (const auto& [key, value] : original.items()) {
        const auto known = written.find(key);
        if (known == written.end())
            written[key] = value;
        else
            keepUnknown(*known, value);
    }
}

/// The scenario as JSON, with the unknown keys of the file it came from.
Json toJson(const ScenarioFile& file)
{
    Json written = toJson(file.scenario);
    Json original = Json::parse(file.original, nullptr, false);
    if (!original.is_object())
        return written;
    const Result<ScenarioFile> before = scenarioFromText(file.original, "");
    if (!before)
        return written;
    if (before->scenario.model != file.scenario.model)
        original.erase("model");
    const bool sameGpu = before->scenario.hardware.gpu == file.scenario.hardware.gpu;
    for (const Input& input : inputs()) { // what is not written was taken away
        const std::string section(input.section);
        if (!section.empty() && original[section].is_object() && !(input.field == Field::Gpu && sameGpu))
            original[section].erase(std::string(input.key));
    }
    keepUnknown(written, original);
    return written;
}

std::string toText(const Json& json)
{
    // Names of files may hold bytes that are no UTF-8.
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

} // namespace

bool isScenario(const JsonObject& document)
{
    const Result<std::optional<std::string>> format = document.optionalText("format");
    return format && *format == kFormat;
}

Result<Scenario> scenarioFromJson(const JsonObject& document)
{
    if (const Result<void> format = checkFormat(document); !format)
        return tl::unexpected<Error>(format.error());
    const Result<JsonObject> object = document.object("model");
    if (!object)
        return tl::unexpected<Error>(object.error());
    Result<Model> model = readers::modelFromJson(*object);
    if (!model)
        return tl::unexpected<Error>(std::move(model.error()));
    return scenarioWith(scenarioOf(*std::move(model)), document);
}

Result<Scenario> scenarioWith(Scenario scenario, const JsonObject& document)
{
    for (const std::string_view key : kSections) {
        ScenarioSection section(document, key);
        for (const Input* input : inputsOf(key))
            section.read(*input, scenario);
        if (const Result<void> result = section.result(); !result)
            return tl::unexpected<Error>(result.error());
    }
    return scenario;
}

Result<ScenarioFile> scenarioFromText(std::string_view text, std::string_view name)
{
    const Result<readers::JsonDocument> document = readers::parseJson(text, name);
    if (!document)
        return tl::unexpected<Error>(document.error());
    return document->root(readers::UnknownKeys::Ignore).and_then(scenarioFromJson).map([&](Scenario&& scenario) {
        return ScenarioFile{std::move(scenario), document->json().dump()};
    });
}

std::string scenarioToText(const ScenarioFile& file)
{
    return toText(toJson(file));
}

Result<SavedSession> sessionFromText(std::string_view text, std::string_view name)
{
    Result<ScenarioFile> file = scenarioFromText(text, name);
    if (!file)
        return tl::unexpected<Error>(std::move(file.error()));
    nlohmann::json json = nlohmann::json::parse(file->original);
    const Result<std::optional<JsonObject>> object = JsonObject(json, name).optionalObject("session");
    if (!object)
        return tl::unexpected<Error>(object.error());
    SavedSession session{*std::move(file), {}, false};
    if (!*object)
        return session;
    const Result<std::optional<std::string>> path = (*object)->optionalText("file");
    const Result<std::optional<bool>> unsaved = (*object)->optionalBool("unsaved");
    if (const std::optional<Error> error = firstError(path, unsaved))
        return tl::unexpected<Error>(*error);
    session.path = path->value_or("");
    session.unsaved = unsaved->value_or(false);
    json.erase("session");
    session.file.original = json.dump();
    return session;
}

std::string sessionToText(const SavedSession& session)
{
    Json json = toJson(session.file);
    json["session"] = {{"file", session.path.empty() ? Json() : Json(session.path)}, {"unsaved", session.unsaved}};
    return toText(json);
}

} // namespace core
