// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/teaching/lesson_reader.h"

#include "core/files/catalog.h"
#include "core/files/scenario_json.h"
#include "core/readers/json/model_json.h"
#include "core/sizing/evaluate.h"
#include "core/text/text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace core {

namespace {

using readers::JsonObject;

constexpr std::array<std::string_view, 9> kScenarioKeys{
    "model", "gpu", "workload", "cache", "weights", "engine", "hardware", "reserve_percent", "overhead_bytes"};
constexpr std::size_t kLongestText = 20'000;

/// The entry that the text at `key` names, found by `find`; refused with the closest name where there is none.
template <typename T>
T entryAt(const JsonObject& object, std::string_view key, const std::vector<T>& entries,
          Result<T> (*find)(const std::vector<T>&, std::string_view))
{
    const std::string name = orRefuse(object.text(key));
    Result<T> entry = find(entries, name);
    if (entry)
        return *std::move(entry);
    std::vector<std::string> ids;
    std::ranges::transform(entries, std::back_inserter(ids), &T::id);
    const std::vector<std::string> near = closest(name, ids, 1);
    if (near.empty())
        refuse(object.wrong(key, KV_TEXT("core", "In {0}, \"{1}\" is {2}, which the catalogue does not have; "
                                                 "\"kvhorizon models\" and \"kvhorizon gpus\" list what it has.")));
    refuse(object.wrong(
        key, KV_TEXT("core", "In {0}, \"{1}\" is {2}, which the catalogue does not have; did you mean \"{3}\"?"),
        {near.front()}));
}

Scenario withModel(const JsonObject& given, const LessonSources& sources)
{
    Scenario scenario =
        scenarioOf(given.find("model")->is_object() ? orRefuse(readers::modelFromJson(orRefuse(given.object("model"))))
                                                    : entryAt(given, "model", sources.models, findModel));
    scenario.workload.encoderTokens = scenario.model.encoderTokens.value_or(0);
    return scenario;
}

} // namespace

void refuseText(const JsonObject& object, std::string_view key, std::string_view text, std::string value,
                std::vector<Value> more)
{
    std::vector<Value> values{std::string(object.file()), object.place(key), std::move(value)};
    values.insert(values.end(), more.begin(), more.end());
    refuse(fail(text, std::move(values)));
}

std::string closestOrFirst(std::string_view name, const std::vector<std::string>& known)
{
    const std::vector<std::string> near = closest(name, known, 1);
    return near.empty() ? known.front() : near.front();
}

Scenario scenarioAt(const JsonObject& object, std::string_view key, const Scenario* base, const LessonSources& sources)
{
    const std::optional<JsonObject> given = orRefuse(object.optionalObject(key));
    if (!given && base != nullptr)
        return *base;
    if (!given)
        refuse(object.missing(key));
    orRefuse(given->onlyKeys(kScenarioKeys));
    if (base == nullptr && !given->has("model"))
        refuse(given->missing("model"));
    Scenario scenario = orRefuse(scenarioWith(given->has("model") ? withModel(*given, sources) : *base, *given));
    if (given->has("gpu"))
        scenario.hardware.gpu = entryAt(*given, "gpu", sources.gpus, findGpu);
    // An issue is a sentence of its own, so only the name of its input is told.
    if (const std::vector<Issue> issues = check(scenario); !issues.empty())
        refuseText(object, key,
                   KV_TEXT("core", "In {0}, \"{1}\" cannot be evaluated: the value of \"{2}\" is missing, out of range "
                                   "or contradicts another one; correct it there."),
                   std::string(id(issues.front().field)));
    return scenario;
}

std::string markdownAt(const JsonObject& object, std::string_view key)
{
    const nlohmann::json* value = object.find(key);
    std::string text;
    if (value != nullptr && value->is_array()) {
        for (const std::string& paragraph : orRefuse(object.texts(key)))
            text.append(text.empty() ? "" : "\n\n").append(paragraph);
    } else if (value != nullptr) {
        text = orRefuse(object.text(key));
    }
    if (text.size() > kLongestText)
        refuse(fail(KV_TEXT("core", "In {0}, \"{1}\" is longer than {2} bytes; nothing was changed; make it shorter, "
                                    "for instance by dividing it between two steps."),
                    {std::string(object.file()), object.place(key), static_cast<std::int64_t>(kLongestText)}));
    if (const std::optional<std::string> forbidden = forbiddenIn(text))
        refuseText(object, key,
                   KV_TEXT("core", "In {0}, \"{1}\" holds \"{2}\", but a text may hold only Markdown, links to web "
                                   "pages and figures such as figure:allocation-flow; nothing was changed; remove it."),
                   *forbidden);
    return text;
}

std::string neededMarkdownAt(const JsonObject& object, std::string_view key)
{
    if (!object.has(key))
        refuse(object.missing(key));
    return markdownAt(object, key);
}

void checkPlaceholders(const JsonObject& object, std::string_view key, std::string_view text,
                       const PlaceholderScenarios& scenarios)
{
    const Result<std::string> complete = filled(text, scenarios);
    if (!complete)
        refuseText(object, key,
                   KV_TEXT("core", "In {0}, \"{1}\" holds {2}, for which its scenario has no value; nothing was "
                                   "changed; write a placeholder such as {context} or {cache}."),
                   std::get<std::string>(complete.error().message.args.front()));
}

} // namespace core
