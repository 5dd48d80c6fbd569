// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/scenario_section.h"

#include "core/readers/json/gpu_json.h"
#include "core/text/text.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <limits>
#include <string>
#include <utility>

namespace core {

namespace {

using readers::JsonObject;

/// Everything that can be counted: a session keeps inputs that are out of range too.
constexpr readers::Range kAnyCount{0, std::numeric_limits<std::int64_t>::max() - 1};

} // namespace

ScenarioSection::ScenarioSection(const JsonObject& document, std::string_view key) : m_isDocument(key.empty())
{
    if (m_isDocument)
        m_object = document;
    else
        m_object = kept(document.optionalObject(key));
}

template <typename T> std::optional<T> ScenarioSection::kept(Result<std::optional<T>> value)
{
    if (value)
        return *std::move(value);
    if (!m_error)
        m_error = value.error();
    return std::nullopt;
}

bool ScenarioSection::has(std::string_view key)
{
    m_asked.push_back(key);
    return !m_error && m_object && m_object->has(key);
}

void ScenarioSection::read(const Input& input, Scenario& scenario)
{
    if (!has(input.key))
        return;
    if (input.field == Field::Gpu)
        return readGpu(input.key, scenario);
    if (input.field == Field::Setting)
        return readSettings(input.key, scenario);
    const std::optional<Value> value = valueOf(input);
    if (value && !input.place.set(scenario, value))
        m_error = m_object->wrong(input.key, input.words->refusal).value();
}

std::optional<Value> ScenarioSection::valueOf(const Input& input)
{
    switch (input.place.type) {
    case InputType::Share:
        return shareAt(input.key);
    case InputType::Word:
    case InputType::Text:
        return kept(m_object->optionalText(input.key));
    default:
        break;
    }
    const std::optional<std::int64_t> count = kept(m_object->optionalCount(input.key, kAnyCount));
    if (count && input.place.type == InputType::Size)
        return Bytes(*count);
    return count;
}

std::optional<Value> ScenarioSection::shareAt(std::string_view key)
{
    const nlohmann::json& value = *m_object->find(key);
    const Result<Percent> percent = value.is_number() ? parsePercent(value.dump()) : fail("");
    if (percent)
        return *percent;
    m_error = m_object
                  ->wrong(key, KV_TEXT("core", "In {0}, \"{1}\" is {2}, but it must be a percentage: a number with at "
                                               "most two decimals; nothing was changed; correct it there."))
                  .value();
    return std::nullopt;
}

void ScenarioSection::readGpu(std::string_view key, Scenario& scenario)
{
    const std::optional<JsonObject> object = kept(m_object->optionalObject(key));
    if (!object)
        return;
    Result<Gpu> gpu = readers::gpuFromJson(*object);
    if (gpu)
        scenario.hardware.gpu = *std::move(gpu);
    else
        m_error = gpu.error();
}

/// Flags and their values: texts, numbers, or true and false for on and off.
void ScenarioSection::readSettings(std::string_view key, Scenario& scenario)
{
    const std::optional<JsonObject> object = kept(m_object->optionalObject(key));
    if (!object)
        return;
    scenario.settings = {};
    for (const auto& [flag, value] : object->json().items()) {
        if (value.is_boolean())
            scenario.settings.set(flag, value.get<bool>() ? "on" : "off");
        else if (value.is_string() || value.is_number_integer())
            scenario.settings.set(flag, value.is_string() ? value.get<std::string>() : value.dump());
        else if (!m_error)
            m_error = object
                          ->wrong(flag, KV_TEXT("core", "In {0}, \"{1}\" is {2}, but the value of a flag is a text, a "
                                                        "whole number, true or false; nothing was changed; correct it "
                                                        "there."))
                          .value();
    }
}

Result<void> ScenarioSection::result() const
{
    if (m_error)
        return tl::unexpected<Error>(*m_error);
    return m_object && !m_isDocument ? m_object->onlyKeys(m_asked) : Result<void>();
}

} // namespace core
