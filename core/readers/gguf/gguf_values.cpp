// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/gguf/gguf_values.h"

#include "core/readers/read_error.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace core::readers {

namespace {

/// "8", or "0 to 8" where the numbers differ.
std::string spanOf(const std::vector<std::int64_t>& numbers)
{
    const auto [least, most] = std::ranges::minmax(numbers);
    return least == most ? std::to_string(least) : fmt::format("{} to {}", least, most);
}

/// An entry of a list as a number.
std::optional<std::int64_t> entryOf(const nlohmann::json& entry, std::string_view yes)
{
    if (entry.is_boolean())
        return entry.get<bool>() ? 1 : 0;
    if (entry.is_string() && !yes.empty())
        return entry.get_ref<const std::string&>() == yes ? 1 : 0;
    return wholeNumber(entry);
}

} // namespace

GgufValues::GgufValues(const nlohmann::json& values, std::string_view file, std::string architecture)
    : m_object(values, file, {}, UnknownKeys::Ignore), m_file(file), m_architecture(std::move(architecture))
{
}

std::string GgufValues::wholeKey(std::string_view key) const
{
    return fmt::format("{}.{}", m_architecture, key);
}

void GgufValues::missing(std::string_view key) const
{
    refuse(KV_TEXT("core", "{0} has no \"{1}\", without which the cache of a model of architecture \"{2}\" is not "
                           "known; nothing was changed; convert the model again."),
           {m_file, wholeKey(key), m_architecture});
}

std::optional<std::int64_t> GgufValues::number(std::string_view key, Range range) const
{
    return m_object.optionalCount(wholeKey(key), range);
}

std::optional<std::int64_t> GgufValues::find(std::string_view field, std::string_view key, Range range)
{
    std::optional<std::int64_t> value = number(key, range);
    if (value)
        read(field, std::to_string(*value), key);
    return value;
}

std::int64_t GgufValues::need(std::string_view field, std::string_view key, Range range)
{
    const std::optional<std::int64_t> value = find(field, key, range);
    if (!value)
        missing(key);
    return *value;
}

std::optional<std::vector<std::int64_t>> GgufValues::list(std::string_view key, Range range, std::string_view yes) const
{
    const std::string whole = wholeKey(key);
    const nlohmann::json* value = m_object.find(whole);
    if (value == nullptr || !value->is_array())
        return std::nullopt;
    std::vector<std::int64_t> numbers;
    numbers.reserve(value->size());
    for (const nlohmann::json& entry : *value) {
        const std::optional<std::int64_t> number = entryOf(entry, yes);
        if (!number || *number < range.min || *number > range.max)
            refuse(KV_TEXT("core", "In {0}, \"{1}[{2}]\" is {3}, but it must be a whole number from {4} to {5}; "
                                   "nothing was changed; convert the model again."),
                   {m_file, whole, static_cast<std::int64_t>(numbers.size()), shown(entry), range.min, range.max});
        numbers.push_back(*number);
    }
    return numbers;
}

std::optional<std::vector<std::int64_t>> GgufValues::perLayer(std::string_view field, std::string_view key, Range range,
                                                              std::int64_t layers)
{
    std::optional<std::vector<std::int64_t>> numbers = list(key, range);
    const auto count = static_cast<std::size_t>(layers);
    if (!numbers) {
        const std::optional<std::int64_t> one = find(field, key, range);
        return one ? std::optional(std::vector<std::int64_t>(count, *one)) : std::nullopt;
    }
    if (numbers->size() < count)
        refuse(KV_TEXT("core", "In {0}, \"{1}\" has {2} entries, but there are {3} layers; nothing was changed; "
                               "convert the model again."),
               {m_file, wholeKey(key), static_cast<std::int64_t>(numbers->size()), layers});
    numbers->resize(count);
    if (count > 0)
        read(field, spanOf(*numbers), key);
    return numbers;
}

void GgufValues::add(Provenance row)
{
    if (std::ranges::count(m_provenance, row.field, &Provenance::field) == 0)
        m_provenance.push_back(std::move(row));
}

void GgufValues::read(std::string_view field, std::string value, std::string_view key)
{
    add({std::string(field), std::move(value), How::Read, m_file, wholeKey(key), {}});
}

void GgufValues::derived(std::string_view field, std::string value, std::string rule)
{
    add({std::string(field), std::move(value), How::Derived, m_file, {}, std::move(rule)});
}

void GgufValues::defaulted(std::string_view field, std::string value, std::string rule)
{
    if (rule.empty())
        rule = fmt::format("default of architecture {}", m_architecture);
    add({std::string(field), std::move(value), How::Default, {}, {}, std::move(rule)});
}

} // namespace core::readers
