// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/config/hf_values.h"

#include "core/readers/read_error.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace core::readers {

namespace {

/// The one number that a list repeats for each layer; null for layers that it does not count for.
std::optional<std::int64_t> repeatedNumber(const nlohmann::json& list)
{
    const auto first = std::ranges::find_if(list, [](const auto& item) { return !item.is_null(); });
    if (list.size() < 2 || first == list.end())
        return std::nullopt;
    const bool alike = std::ranges::all_of(list, [&](const auto& item) { return item.is_null() || item == *first; });
    return alike ? wholeNumber(*first) : std::nullopt;
}

} // namespace

ConfigValues::ConfigValues(const JsonFields& language, const JsonFields& whole, const Family& family)
    : m_language(language), m_whole(whole), m_family(family), m_file(whole.file())
{
}

std::optional<std::int64_t> ConfigValues::find(Quantity quantity)
{
    const QuantityInfo& row = info(quantity);
    std::optional<std::int64_t> value = readFirst(row);
    if (value || isWrittenAsNull(keysOf(quantity)))
        return value;
    const auto found = std::ranges::find(m_family.defaults, quantity, &ClassDefault::quantity);
    if (found == m_family.defaults.end())
        return std::nullopt;
    defaulted(row.field, std::to_string(found->value), classDefault());
    return found->value;
}

std::int64_t ConfigValues::need(Quantity quantity)
{
    const std::optional<std::int64_t> value = find(quantity);
    if (value)
        return *value;
    std::string keys;
    for (const std::string_view key : split(keysOf(quantity)))
        keys.append(keys.empty() || key == "/" ? "" : "/").append(key == "/" ? "" : key);
    refuse(KV_TEXT("core", "{0} does not say {1}: it has no value for {2}; nothing was changed; add it there or choose "
                           "another file."),
           {m_file, std::string(info(quantity).field), keys});
}

std::int64_t ConfigValues::findOr(Quantity quantity, std::int64_t otherwise)
{
    const std::optional<std::int64_t> value = find(quantity);
    return value.value_or(otherwise);
}

std::string_view ConfigValues::keysOf(Quantity quantity) const
{
    const auto found = std::ranges::find(m_family.spellings, quantity, &Spelling::quantity);
    return found == m_family.spellings.end() ? info(quantity).keys : found->keys;
}

/// A number, or the one number that a list repeats for each layer.
std::int64_t ConfigValues::numberAt(const JsonFields& object, std::string_view key, Range range) const
{
    const nlohmann::json* value = object.find(key);
    const std::optional<std::int64_t> number =
        value != nullptr && value->is_array() ? repeatedNumber(*value) : std::nullopt;
    return number && *number >= range.min && *number <= range.max ? *number : object.count(key, range);
}

std::optional<std::int64_t> ConfigValues::readFirst(const QuantityInfo& row)
{
    std::optional<std::int64_t> first;
    std::string firstKey;
    for (const std::string_view key : split(keysOf(row.quantity))) {
        if (key == "/" && first)
            break;
        const auto place = owner(key);
        if (!place)
            continue;
        const nlohmann::json* value = place->first.find(place->second);
        if (value == nullptr)
            continue;
        const std::string written = m_language.place(key);
        if (!first) {
            first = numberAt(place->first, place->second, row.range);
            firstKey = written;
            read(row.field, std::to_string(*first), written);
        } else if (wholeNumber(*value) != first) {
            note(fmt::format("{} says {} twice: {} = {} and {} = {}; the first is used", m_file, row.field, firstKey,
                             *first, written, shown(*value)));
        }
    }
    return first;
}

std::optional<std::vector<std::int64_t>> ConfigValues::numbers(std::string_view key, Range range) const
{
    const nlohmann::json* list = at(key);
    if (list == nullptr || !list->is_array())
        return std::nullopt;
    std::vector<std::int64_t> result;
    for (const nlohmann::json& item : *list) {
        const std::optional<std::int64_t> number = wholeNumber(item);
        if (!number || *number < range.min || *number > range.max)
            refuse(KV_TEXT("core",
                           "In {0}, \"{1}\" has the entry {2}, but its entries must be whole numbers from {3} to "
                           "{4}; nothing was changed; correct it there."),
                   {m_file, m_language.place(key), shown(item), range.min, range.max});
        result.push_back(*number);
    }
    return result;
}

std::optional<std::int64_t> ConfigValues::number(std::string_view key, Range range) const
{
    const auto place = owner(key);
    return place ? place->first.optionalCount(place->second, range) : std::nullopt;
}

bool ConfigValues::isWrittenAsNull(std::string_view keys) const
{
    return std::ranges::any_of(split(keys), [this](std::string_view key) { return m_language.json().contains(key); });
}

std::optional<std::pair<JsonFields, std::string_view>> ConfigValues::owner(std::string_view key) const
{
    const std::size_t dot = key.find('.');
    if (dot == std::string_view::npos)
        return std::pair(m_language, key);
    const nlohmann::json* inner = m_language.find(key.substr(0, dot));
    if (inner == nullptr || !inner->is_object())
        return std::nullopt;
    return std::pair(JsonFields(*inner, m_file, m_language.place(key.substr(0, dot))), key.substr(dot + 1));
}

std::optional<bool> ConfigValues::flag(std::string_view key) const
{
    const auto place = owner(key);
    return place ? place->first.optionalBool(place->second) : std::nullopt;
}

bool ConfigValues::flag(const Flag& flag) const
{
    if (flag.key.empty())
        return flag.absent;
    const std::optional<bool> value = this->flag(flag.key);
    return value.value_or(flag.absent);
}

const nlohmann::json* ConfigValues::at(std::string_view key) const
{
    const auto place = owner(key);
    return place ? place->first.find(place->second) : nullptr;
}

const nlohmann::json* ConfigValues::anywhere(std::string_view key) const
{
    const nlohmann::json* value = m_language.find(key);
    return value != nullptr ? value : m_whole.find(key);
}

void ConfigValues::read(std::string_view field, std::string value, std::string_view key)
{
    add({std::string(field), std::move(value), How::Read, m_file, std::string(key), {}});
}

void ConfigValues::derived(std::string_view field, std::string value, std::string rule)
{
    add({std::string(field), std::move(value), How::Derived, m_file, {}, std::move(rule)});
}

void ConfigValues::defaulted(std::string_view field, std::string value, std::string rule)
{
    add({std::string(field), std::move(value), How::Default, m_file, {}, std::move(rule)});
}

void ConfigValues::add(Provenance row)
{
    if (std::ranges::find(m_provenance, row.field, &Provenance::field) == m_provenance.end())
        m_provenance.push_back(std::move(row));
}

std::string ConfigValues::classDefault() const
{
    return fmt::format("default of {}", m_family.configClass);
}

void ConfigValues::note(std::string text)
{
    if (std::ranges::find(m_notes, text) == m_notes.end())
        m_notes.push_back(std::move(text));
}

std::vector<std::string_view> split(std::string_view words)
{
    std::vector<std::string_view> result;
    for (std::size_t place = 0; place < words.size();) {
        const std::size_t end = std::min(words.find(' ', place), words.size());
        result.push_back(words.substr(place, end - place));
        place = end + 1;
    }
    return result;
}

} // namespace core::readers
