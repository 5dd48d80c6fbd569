// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/teaching/lesson_scenario.h"

#include "core/files/catalog.h"
#include "core/files/scenario_json.h"
#include "core/readers/json/model_json.h"
#include "core/sizing/evaluate.h"
#include "core/text/text.h"

#include <nlohmann/json.hpp>

#include <array>

namespace core {

namespace {

using readers::JsonObject;

constexpr std::array<std::string_view, 9> kKeys{"model",  "gpu",      "workload",        "cache",         "weights",
                                                "engine", "hardware", "reserve_percent", "overhead_bytes"};
constexpr std::size_t kLongestText = 20'000;

template <typename T> std::vector<std::string> idsOf(const std::vector<T>& entries)
{
    std::vector<std::string> ids;
    ids.reserve(entries.size());
    for (const T& entry : entries)
        ids.push_back(entry.id);
    return ids;
}

/// The error for a name that the catalogue does not have.
tl::unexpected<Error> unknown(const JsonObject& object, std::string_view key, const std::string& name,
                              const std::vector<std::string>& known)
{
    const std::vector<std::string> near = closest(name, known, 1);
    return object.wrong(key,
                        near.empty() ? KV_TEXT("core", "In {0}, \"{1}\" is {2}, which the catalogue does not have; "
                                                       "\"kvhorizon models\" and \"kvhorizon gpus\" list what it has.")
                                     : KV_TEXT("core", "In {0}, \"{1}\" is {2}, which the catalogue does not have; did "
                                                       "you mean \"{3}\"?"),
                        {near.empty() ? std::string() : near.front()});
}

Result<Model> modelAt(const JsonObject& object, const LessonSources& sources)
{
    const nlohmann::json* value = object.find("model");
    if (value->is_object()) {
        const Result<JsonObject> whole = object.object("model");
        return whole ? readers::modelFromJson(*whole) : tl::unexpected<Error>(whole.error());
    }
    const Result<std::string> name = object.text("model");
    if (!name)
        return tl::unexpected<Error>(name.error());
    Result<Model> model = findModel(sources.models, *name);
    return model ? model : unknown(object, "model", *name, idsOf(sources.models));
}

Result<Scenario> onGpu(Scenario scenario, const JsonObject& object, const LessonSources& sources)
{
    const Result<std::optional<std::string>> name = object.optionalText("gpu");
    if (!name)
        return tl::unexpected<Error>(name.error());
    if (!*name)
        return scenario;
    Result<Gpu> gpu = findGpu(sources.gpus, **name);
    if (!gpu)
        return unknown(object, "gpu", **name, idsOf(sources.gpus));
    scenario.hardware.gpu = *std::move(gpu);
    return scenario;
}

/// The scenario, when `check` finds nothing wrong with it. What it finds is a sentence of its own, so the place stands
/// before it as the input's name.
Result<Scenario> checked(Scenario scenario, const JsonObject& object, std::string_view key)
{
    const std::vector<Issue> issues = check(scenario);
    if (issues.empty())
        return scenario;
    return fail(KV_TEXT("core", "In {0}, \"{1}\" cannot be evaluated: the value of \"{2}\" is missing, out of range or "
                                "contradicts another one; correct it there."),
                {std::string(object.file()), object.place(key), std::string(id(issues.front().field))});
}

} // namespace

Result<Scenario> lessonScenario(const JsonObject& object, std::string_view key, const std::optional<Scenario>& base,
                                const LessonSources& sources)
{
    const Result<std::optional<JsonObject>> found = object.optionalObject(key);
    if (!found)
        return tl::unexpected<Error>(found.error());
    if (!*found)
        return base ? Result<Scenario>(*base) : object.missing(key);
    const JsonObject& given = **found;
    if (const Result<void> keys = given.onlyKeys(kKeys); !keys)
        return tl::unexpected<Error>(keys.error());
    if (!base && !given.has("model"))
        return given.missing("model");
    Scenario start = base.value_or(Scenario());
    if (given.has("model")) {
        Result<Model> model = modelAt(given, sources);
        if (!model)
            return tl::unexpected<Error>(std::move(model.error()));
        start = scenarioOf(*std::move(model));
        start.workload.encoderTokens = start.model.encoderTokens.value_or(0);
    }
    return scenarioWith(std::move(start), given)
        .and_then([&](Scenario&& scenario) { return onGpu(std::move(scenario), given, sources); })
        .and_then([&](Scenario&& scenario) { return checked(std::move(scenario), object, key); });
}

Result<std::string> markdownAt(const JsonObject& object, std::string_view key)
{
    std::string text;
    const nlohmann::json* value = object.find(key);
    if (value != nullptr && value->is_array()) {
        const Result<std::vector<std::string>> paragraphs = object.texts(key);
        if (!paragraphs)
            return tl::unexpected<Error>(paragraphs.error());
        for (const std::string& paragraph : *paragraphs)
            text.append(text.empty() ? "" : "\n\n").append(paragraph);
    } else if (value != nullptr) {
        Result<std::string> whole = object.text(key);
        if (!whole)
            return whole;
        text = *std::move(whole);
    }
    if (text.size() > kLongestText)
        return fail(KV_TEXT("core", "In {0}, \"{1}\" is longer than {2} letters; nothing was changed; make steps of "
                                    "it."),
                    {std::string(object.file()), object.place(key), static_cast<std::int64_t>(kLongestText)});
    if (const std::optional<std::string> forbidden = forbiddenIn(text))
        return fail(KV_TEXT("core", "In {0}, \"{1}\" holds \"{2}\", but a text may hold Markdown, links to http pages "
                                    "and figures such as figure:allocation-flow only; nothing was changed; remove it."),
                    {std::string(object.file()), object.place(key), *forbidden});
    return text;
}

Result<std::string> neededMarkdownAt(const JsonObject& object, std::string_view key)
{
    return object.has(key) ? markdownAt(object, key) : object.missing(key);
}

Result<void> checkPlaces(const JsonObject& object, std::string_view key, std::string_view text, const Places& places)
{
    const Result<std::string> all = filled(text, places);
    if (all)
        return {};
    return fail(KV_TEXT("core", "In {0}, \"{1}\" holds {2}, which is no value of its scenario; nothing was changed; "
                                "write a place such as {context} or {cache}."),
                {std::string(object.file()), object.place(key), all.error().message.args.front()});
}

} // namespace core
