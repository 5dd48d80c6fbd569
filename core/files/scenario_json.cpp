// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/scenario_json.h"

#include "core/files/scenario_section.h"
#include "core/readers/json/gpu_json.h"
#include "core/readers/json/model_json.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <limits>
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

Result<void> readWorkload(const JsonObject& document, Workload& workload)
{
    ScenarioSection section(document, "workload");
    section.count("context", workload.context);
    section.count("max_context", workload.maxContext);
    section.count("batch", workload.batch);
    section.count("encoder_tokens", workload.encoderTokens);
    section.count("spare_tokens", workload.spareTokens);
    return section.result();
}

Result<void> readCache(const JsonObject& document, Scenario& scenario)
{
    constexpr std::string_view kNoFormat =
        KV_TEXT("core", "In {0}, \"{1}\" is {2}, which is no cache format; nothing was changed; write one like fp16, "
                        "fp8 or q8_0.");
    ScenarioSection section(document, "cache");
    section.name("k_format", scenario.kFormat, kvFormat, kNoFormat);
    section.name("v_format", scenario.vFormat, kvFormat, kNoFormat);
    section.count("kv_heads", scenario.kvHeads);
    return section.result();
}

Result<void> readWeights(const JsonObject& document, Scenario& scenario)
{
    ScenarioSection section(document, "weights");
    section.name("format", scenario.weightFormat, weightFormat,
                 KV_TEXT("core", "In {0}, \"{1}\" is {2}, which is no weight format; nothing was changed; write one "
                                 "like bf16, fp8 or awq-4bit."));
    section.bytes("bytes", scenario.weightBytes);
    return section.result();
}

Result<void> readEngine(const JsonObject& document, Scenario& scenario)
{
    ScenarioSection section(document, "engine");
    section.name("id", scenario.engine, engineId,
                 KV_TEXT("core",
                         "In {0}, \"{1}\" is {2}, which is no engine that is known; nothing was changed; write one "
                         "like ideal or paged, or use a newer KV Horizon."));
    section.text("version", scenario.engineVersion);
    section.settings("settings", scenario.settings);
    section.percent("waste_percent", scenario.waste);
    section.count("block_tokens", scenario.blockTokens);
    section.bytes("cache_memory_bytes", scenario.cacheMemory);
    return section.result();
}

Result<void> readHardware(const JsonObject& document, Hardware& hardware)
{
    ScenarioSection section(document, "hardware");
    section.gpu("gpu", hardware.gpu);
    section.count("count", hardware.count);
    section.name("memory_basis", hardware.basis, memoryBasis,
                 KV_TEXT("core", "In {0}, \"{1}\" is {2}, but it must be label, driver, usable or typed; nothing was "
                                 "changed; correct it there."));
    section.bytes("typed_bytes", hardware.typed);
    section.count("tensor_parallel", hardware.parallel.tensor);
    section.count("pipeline_parallel", hardware.parallel.pipeline);
    section.count("data_parallel", hardware.parallel.data);
    return section.result();
}

Result<void> readMargins(const JsonObject& document, Scenario& scenario)
{
    ScenarioSection section(document);
    section.percent("reserve_percent", scenario.reserve);
    section.bytes("overhead_bytes", scenario.overhead);
    return section.values();
}

Json orNull(std::optional<std::int64_t> count)
{
    return count ? Json(*count) : Json();
}

Json orNull(std::optional<Bytes> bytes)
{
    return bytes ? Json(bytes->count()) : Json();
}

/// 20 or 2.5: the double nearest to a number with two decimals is written as that number.
Json percentJson(Percent percent)
{
    if (percent.hundredths % 100 == 0)
        return percent.hundredths / 100;
    return static_cast<double>(percent.hundredths) / 100.0;
}

Json workloadJson(const Workload& workload)
{
    Json json{{"context", workload.context},
              {"max_context", orNull(workload.maxContext)},
              {"batch", workload.batch},
              {"encoder_tokens", workload.encoderTokens}};
    if (workload.spareTokens > 0)
        json["spare_tokens"] = workload.spareTokens;
    return json;
}

/// Version and settings only where they are given, so that other engines' files stay as they were.
Json engineJson(const Scenario& scenario)
{
    Json json{{"id", id(scenario.engine)},
              {"waste_percent", percentJson(scenario.waste)},
              {"block_tokens", scenario.blockTokens}};
    if (!scenario.engineVersion.empty())
        json["version"] = scenario.engineVersion;
    if (scenario.cacheMemory)
        json["cache_memory_bytes"] = scenario.cacheMemory->count();
    for (const auto& [flag, value] : scenario.settings)
        json["settings"][flag] = value;
    return json;
}

Json hardwareJson(const Hardware& hardware)
{
    Json json{{"gpu", hardware.gpu ? readers::gpuToJson(*hardware.gpu) : Json()},
              {"count", hardware.count},
              {"memory_basis", id(hardware.basis)},
              {"typed_bytes", orNull(hardware.typed)}};
    const auto put = [&](std::string_view key, const std::optional<std::int64_t>& ranks) {
        if (ranks)
            json[std::string(key)] = *ranks;
    };
    put("tensor_parallel", hardware.parallel.tensor);
    put("pipeline_parallel", hardware.parallel.pipeline);
    put("data_parallel", hardware.parallel.data);
    return json;
}

Json toJson(const Scenario& scenario)
{
    const Hardware& hardware = scenario.hardware;
    return {{"format", kFormat},
            {"version", kVersion},
            {"model", readers::modelToJson(scenario.model)},
            {"workload", workloadJson(scenario.workload)},
            {"cache",
             {{"k_format", info(scenario.kFormat).id},
              {"v_format", info(scenario.vFormat).id},
              {"kv_heads", orNull(scenario.kvHeads)}}},
            {"weights", {{"format", info(scenario.weightFormat).id}, {"bytes", orNull(scenario.weightBytes)}}},
            {"engine", engineJson(scenario)},
            {"hardware", hardwareJson(hardware)},
            {"reserve_percent", percentJson(scenario.reserve)},
            {"overhead_bytes", scenario.overhead.count()}};
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
    if (original["engine"].is_object()) { // what is gone there was taken away
        original["engine"].erase("settings");
        original["engine"].erase("version");
        original["engine"].erase("cache_memory_bytes");
    }
    if (original["workload"].is_object())
        original["workload"].erase("spare_tokens");
    if (original["hardware"].is_object()) {
        for (const char* key : {"tensor_parallel", "pipeline_parallel", "data_parallel"})
            original["hardware"].erase(key);
    }
    if (before->scenario.hardware.gpu != file.scenario.hardware.gpu && original["hardware"].is_object())
        original["hardware"].erase("gpu");
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
    const Result<void> workload = readWorkload(document, scenario.workload);
    const Result<void> cache = readCache(document, scenario);
    const Result<void> weights = readWeights(document, scenario);
    const Result<void> engine = readEngine(document, scenario);
    const Result<void> hardware = readHardware(document, scenario.hardware);
    const Result<void> margins = readMargins(document, scenario);
    if (const std::optional<Error> error = firstError(workload, cache, weights, engine, hardware, margins))
        return tl::unexpected<Error>(*error);
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
