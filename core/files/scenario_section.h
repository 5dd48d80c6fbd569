// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/readers/json/gpu_json.h"
#include "core/readers/json/json_reader.h"
#include "core/scenario/scenario.h"
#include "core/text/text.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace core {

/// The values of one object of the file, each put in the place of a default where it is given. Keeps the first error.
class ScenarioSection {
public:
    ScenarioSection(const readers::JsonObject& document, std::string_view key)
    {
        const Result<std::optional<readers::JsonObject>> object = document.optionalObject(key);
        if (object)
            m_object = *object;
        else
            m_error = object.error();
    }
    explicit ScenarioSection(readers::JsonObject object) : m_object(std::move(object)) {}

    void count(std::string_view key, std::int64_t& place)
    {
        put(key, place, &readers::JsonObject::optionalCount, kAny);
    }
    void count(std::string_view key, std::optional<std::int64_t>& place)
    {
        put(key, place, &readers::JsonObject::optionalCount, kAny);
    }
    void bytes(std::string_view key, Bytes& place)
    {
        std::int64_t count = place.count();
        put(key, count, &readers::JsonObject::optionalCount, kAny);
        place = Bytes(count);
    }
    void bytes(std::string_view key, std::optional<Bytes>& place)
    {
        std::optional<std::int64_t> count;
        put(key, count, &readers::JsonObject::optionalCount, kAny);
        if (count)
            place = Bytes(*count);
    }

    /// One of the names that `find` knows; `text` refuses the others.
    template <typename T>
    void name(std::string_view key, T& place, std::optional<T> (*find)(std::string_view), std::string_view text)
    {
        std::string typed;
        put(key, typed, &readers::JsonObject::optionalText);
        if (typed.empty() && !has(key))
            return;
        if (const std::optional<T> known = find(typed))
            place = *known;
        else if (!m_error)
            m_error = m_object->wrong(key, text).value();
    }

    void percent(std::string_view key, Percent& place)
    {
        if (!has(key))
            return;
        const nlohmann::json& value = *m_object->find(key);
        const Result<Percent> percent = value.is_number() ? parsePercent(value.dump()) : fail("");
        if (percent)
            place = *percent;
        else if (!m_error)
            m_error = m_object
                          ->wrong(key, KV_TEXT("core", "In {0}, \"{1}\" is {2}, but it must be a percentage: a number "
                                                       "with at most two decimals; nothing was changed; correct it "
                                                       "there."))
                          .value();
    }

    void text(std::string_view key, std::string& place) { put(key, place, &readers::JsonObject::optionalText); }

    /// Flags and their values: texts, numbers, or true and false for on and off.
    void settings(std::string_view key, Settings& place)
    {
        std::optional<readers::JsonObject> object;
        put(key, object, &readers::JsonObject::optionalObject);
        if (!object)
            return;
        place = {};
        for (const auto& [flag, value] : object->json().items()) {
            if (value.is_boolean())
                place.set(flag, value.get<bool>() ? "on" : "off");
            else if (value.is_string() || value.is_number_integer())
                place.set(flag, value.is_string() ? value.get<std::string>() : value.dump());
            else if (!m_error)
                m_error =
                    object
                        ->wrong(flag, KV_TEXT("core", "In {0}, \"{1}\" is {2}, but the value of a flag is a text, a "
                                                      "whole number, true or false; nothing was changed; correct "
                                                      "it there."))
                        .value();
        }
    }

    void gpu(std::string_view key, std::optional<Gpu>& place)
    {
        std::optional<readers::JsonObject> object;
        put(key, object, &readers::JsonObject::optionalObject);
        if (!object)
            return;
        Result<Gpu> gpu = readers::gpuFromJson(*object);
        if (gpu)
            place = *std::move(gpu);
        else
            m_error = gpu.error();
    }

    /// The first error; besides, a key of the object that nobody asked for.
    Result<void> result() const
    {
        const Result<void> own = values();
        return own && m_object ? m_object->onlyKeys(m_asked) : own;
    }

    /// The first error of the values.
    Result<void> values() const { return m_error ? Result<void>(tl::unexpected<Error>(*m_error)) : Result<void>(); }

private:
    /// Everything that can be counted: a session keeps inputs that are out of range too.
    static constexpr readers::Range kAny{0, std::numeric_limits<std::int64_t>::max() - 1};

    bool has(std::string_view key)
    {
        m_asked.push_back(key);
        return !m_error && m_object && m_object->has(key);
    }

    template <typename Place, typename T, typename... Range>
    void put(std::string_view key, Place& place,
             Result<std::optional<T>> (readers::JsonObject::*read)(std::string_view, Range...) const, Range... range)
    {
        if (!has(key))
            return;
        Result<std::optional<T>> value = ((*m_object).*read)(key, range...);
        if (value)
            place = **std::move(value);
        else
            m_error = value.error();
    }

    std::optional<readers::JsonObject> m_object;
    std::optional<Error> m_error;
    std::vector<std::string_view> m_asked;
};

} // namespace core
