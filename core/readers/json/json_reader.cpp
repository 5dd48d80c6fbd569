// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/json/json_reader.h"

#include "core/readers/file_kind.h"
#include "core/readers/json/json_text.h"
#include "core/readers/read_error.h"
#include "core/text/text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <unordered_set>

namespace core::readers {

namespace {

constexpr std::size_t kShownBytes = 40;

/// `text` cut to `limit` bytes, not inside a UTF-8 letter.
std::string cut(std::string_view text, std::size_t limit)
{
    if (text.size() <= limit)
        return std::string(text);
    while (limit > 0 && (static_cast<unsigned char>(text[limit]) & 0xC0U) == 0x80U)
        --limit;
    return std::string(text.substr(0, limit)) + "…";
}

/// The error for text that is no JSON from byte `position` (counted from 1) on.
[[noreturn]] void refuseSyntax(std::string_view text, std::string_view file, std::size_t position)
{
    const std::size_t last = text.find_last_not_of(" \t\r\n");
    if (position == 0 || position - 1 > last)
        refuse(KV_TEXT("core", "{0} ends in the middle of its JSON text (after {1} bytes), so it seems to be "
                               "truncated; nothing was changed; copy or download it again."),
               {std::string(file), static_cast<std::int64_t>(text.size())});
    const std::size_t line = text.find_first_of("\r\n", position - 1);
    const std::string_view rest =
        text.substr(position - 1, line == std::string_view::npos ? line : line - position + 1);
    refuse(KV_TEXT("core", "{0} is no valid JSON at byte {1} (at \"{2}\"); nothing was changed; correct it there or "
                           "download it again."),
           {std::string(file), static_cast<std::int64_t>(position), cut(rest.empty() ? "line end" : rest, 20)});
}

/// Watches a parser go by and keeps the keys that stand twice in one object.
class RepeatedKeys {
public:
    void see(nlohmann::json::parse_event_t event, const nlohmann::json& value)
    {
        using Event = nlohmann::json::parse_event_t;
        if (event == Event::object_start)
            m_open.emplace_back();
        else if (event == Event::object_end && !m_open.empty())
            m_open.pop_back();
        else if (event == Event::key && !m_open.empty() && !m_open.back().insert(value.get<std::string>()).second)
            add(value.get<std::string>());
    }

    std::vector<std::string>& found() { return m_found; }

private:
    void add(const std::string& key)
    {
        constexpr std::size_t kMost = 8;
        const std::string shortened = cut(key, kShownBytes);
        if (m_found.size() < kMost && std::ranges::count(m_found, shortened) == 0)
            m_found.push_back(shortened);
    }

    std::vector<std::unordered_set<std::string>> m_open;
    std::vector<std::string> m_found;
};

JsonDocument parse(std::string_view text, std::string_view file)
{
    if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
        refuse(KV_TEXT("core", "{0} is empty, so there is nothing to read; choose another file or download it again."),
               {std::string(file)});
    if (const std::optional<Message> other = notJson(text, file))
        throw ReadError(Error{*other});
    const StrictJson strict = strictJson(text, file);
    try {
        RepeatedKeys keys;
        const auto see = [&keys](int, nlohmann::json::parse_event_t event, const nlohmann::json& value) {
            keys.see(event, value);
            return true;
        };
        auto json = nlohmann::json::parse(strict.quoted.empty() ? text : std::string_view(strict.changed), see);
        return JsonDocument(std::move(json), file, std::move(keys.found()));
    } catch (const nlohmann::json::parse_error& error) {
        refuseSyntax(text, file, strict.original(error.byte));
    } catch (const nlohmann::json::exception&) {
        refuse(KV_TEXT("core", "{0} is no valid JSON; nothing was changed; download it again."), {std::string(file)});
    }
}

} // namespace

Result<JsonDocument> parseJson(std::string_view text, std::string_view file)
{
    return asResult([&] { return parse(text, file); });
}

std::string shown(const nlohmann::json& value)
{
    if (value.is_object() || value.is_array())
        return value.is_object() ? "{…}" : "[…]";
    return cut(value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace), kShownBytes);
}

std::optional<std::int64_t> wholeNumber(const nlohmann::json& value)
{
    constexpr double kTooLarge = 9223372036854775808.0; // 2^63
    if (value.is_number_unsigned()) {
        const auto number = value.get<std::uint64_t>();
        return number >> 63U == 0 ? std::optional(static_cast<std::int64_t>(number)) : std::nullopt;
    }
    if (value.is_number_integer())
        return value.get<std::int64_t>();
    if (!value.is_number_float())
        return std::nullopt;
    const auto number = value.get<double>();
    const bool whole = std::trunc(number) == number && std::abs(number) < kTooLarge;
    return whole ? std::optional(static_cast<std::int64_t>(number)) : std::nullopt;
}

JsonDocument::JsonDocument(nlohmann::json json, std::string_view file, std::vector<std::string> repeated)
    : m_json(std::make_shared<const nlohmann::json>(std::move(json))), m_file(file), m_repeated(std::move(repeated))
{
}

Result<JsonObject> JsonDocument::root(UnknownKeys unknown) const
{
    if (m_json->is_object())
        return JsonObject(*m_json, m_file, {}, unknown);
    return fail(KV_TEXT("core",
                        "{0} holds a JSON list and no object; nothing was changed; choose a config.json, a model "
                        "description or a catalogue model."),
                {m_file});
}

JsonFields::JsonFields(const nlohmann::json& json, std::string_view file, std::string place, UnknownKeys unknown)
    : m_json(&json), m_file(file), m_place(std::move(place)), m_unknown(unknown)
{
}

const nlohmann::json* JsonFields::find(std::string_view key) const
{
    const auto found = m_json->find(key);
    return found == m_json->end() || found->is_null() ? nullptr : &*found;
}

std::int64_t JsonFields::count(std::string_view key, Range range) const
{
    const std::optional<std::int64_t> number = optionalCount(key, range);
    return number ? *number : (missing(key), 0);
}

std::optional<std::int64_t> JsonFields::optionalCount(std::string_view key, Range range) const
{
    const nlohmann::json* value = find(key);
    if (value == nullptr)
        return std::nullopt;
    const std::optional<std::int64_t> number = wholeNumber(*value);
    if (!number || *number < range.min || *number > range.max)
        wrong(key,
              KV_TEXT("core", "In {0}, \"{1}\" is {2}, but it must be a whole number from {3} to {4}; nothing was "
                              "changed; correct it there."),
              {range.min, range.max});
    return number;
}

std::string JsonFields::text(std::string_view key) const
{
    std::optional<std::string> value = optionalText(key);
    return value ? std::move(*value) : (missing(key), "");
}

std::optional<std::string> JsonFields::optionalText(std::string_view key) const
{
    const nlohmann::json* value = find(key);
    if (value == nullptr)
        return std::nullopt;
    if (!value->is_string())
        wrong(key, KV_TEXT("core", "In {0}, \"{1}\" is {2}, but it must be a text; nothing was changed; correct it "
                                   "there."));
    return value->get<std::string>();
}

std::optional<bool> JsonFields::optionalBool(std::string_view key) const
{
    const nlohmann::json* value = find(key);
    if (value == nullptr)
        return std::nullopt;
    if (!value->is_boolean())
        wrong(key, KV_TEXT("core", "In {0}, \"{1}\" is {2}, but it must be true or false; nothing was changed; "
                                   "correct it there."));
    return value->get<bool>();
}

std::optional<JsonFields> JsonFields::optionalObject(std::string_view key) const
{
    const nlohmann::json* value = find(key);
    if (value == nullptr)
        return std::nullopt;
    if (!value->is_object())
        wrong(key, KV_TEXT("core", "In {0}, \"{1}\" is {2}, but it must be an object; nothing was changed; correct "
                                   "it there."));
    return JsonFields(*value, m_file, place(key), m_unknown);
}

JsonFields JsonFields::object(std::string_view key) const
{
    const std::optional<JsonFields> value = optionalObject(key);
    if (!value)
        missing(key);
    return *value;
}

std::vector<JsonFields> JsonFields::objects(std::string_view key) const
{
    const nlohmann::json* value = find(key);
    std::vector<JsonFields> result;
    if (value == nullptr)
        return result;
    if (!value->is_array() || !std::ranges::all_of(*value, [](const nlohmann::json& item) { return item.is_object(); }))
        wrong(key, KV_TEXT("core", "In {0}, \"{1}\" is {2}, but it must be a list of objects; nothing was changed; "
                                   "correct it there."));
    for (const nlohmann::json& item : *value)
        result.emplace_back(item, m_file, fmt::format("{}[{}]", place(key), result.size()), m_unknown);
    return result;
}

std::vector<std::string> JsonFields::texts(std::string_view key) const
{
    const nlohmann::json* value = find(key);
    std::vector<std::string> result;
    if (value == nullptr)
        return result;
    if (!value->is_array() || !std::ranges::all_of(*value, [](const nlohmann::json& item) { return item.is_string(); }))
        wrong(key, KV_TEXT("core", "In {0}, \"{1}\" is {2}, but it must be a list of texts; nothing was changed; "
                                   "correct it there."));
    for (const nlohmann::json& item : *value)
        result.push_back(item.get<std::string>());
    return result;
}

void JsonFields::onlyKeys(std::span<const std::string_view> known) const
{
    for (const auto& [key, value] : m_json->items()) {
        if (m_unknown == UnknownKeys::Ignore || std::ranges::count(known, key) > 0)
            continue;
        const std::vector<std::string> names(known.begin(), known.end());
        const std::vector<std::string> near = closest(key, names, 1);
        if (near.empty())
            refuse(KV_TEXT("core", "In {0}, the key \"{1}\" is not known, so it would have no effect; nothing was "
                                   "changed; correct or remove it."),
                   {std::string(m_file), place(key)});
        refuse(KV_TEXT("core", "In {0}, the key \"{1}\" is not known, so it would have no effect; nothing was "
                               "changed; did you mean \"{2}\"?"),
               {std::string(m_file), place(key), near.front()});
    }
}

std::string JsonFields::place(std::string_view key) const
{
    std::string result = m_place;
    if (!result.empty())
        result += '.';
    return result += key;
}

void JsonFields::missing(std::string_view key) const
{
    refuse(KV_TEXT("core", "{0} has no value for \"{1}\", which is needed; nothing was changed; add it there."),
           {std::string(m_file), place(key)});
}

void JsonFields::wrong(std::string_view key, std::string_view text, std::vector<Value> more) const
{
    const nlohmann::json* value = find(key);
    std::vector<Value> args{std::string(m_file), place(key), value == nullptr ? "null" : shown(*value)};
    args.insert(args.end(), more.begin(), more.end());
    refuse(text, std::move(args));
}

Result<std::int64_t> JsonObject::count(std::string_view key, Range range) const
{
    return asResult([&] { return JsonFields::count(key, range); });
}

Result<std::optional<std::int64_t>> JsonObject::optionalCount(std::string_view key, Range range) const
{
    return asResult([&] { return JsonFields::optionalCount(key, range); });
}

Result<std::string> JsonObject::text(std::string_view key) const
{
    return asResult([&] { return JsonFields::text(key); });
}

Result<std::optional<std::string>> JsonObject::optionalText(std::string_view key) const
{
    return asResult([&] { return JsonFields::optionalText(key); });
}

Result<std::optional<bool>> JsonObject::optionalBool(std::string_view key) const
{
    return asResult([&] { return JsonFields::optionalBool(key); });
}

Result<std::optional<JsonObject>> JsonObject::optionalObject(std::string_view key) const
{
    return asResult([&]() -> std::optional<JsonObject> { return JsonFields::optionalObject(key); });
}

Result<JsonObject> JsonObject::object(std::string_view key) const
{
    return asResult([&] { return JsonObject(JsonFields::object(key)); });
}

Result<std::vector<JsonObject>> JsonObject::objects(std::string_view key) const
{
    return asResult([&] {
        const std::vector<JsonFields> list = JsonFields::objects(key);
        return std::vector<JsonObject>(list.begin(), list.end());
    });
}

Result<std::vector<std::string>> JsonObject::texts(std::string_view key) const
{
    return asResult([&] { return JsonFields::texts(key); });
}

Result<void> JsonObject::onlyKeys(std::span<const std::string_view> known) const
{
    return asResult([&] { JsonFields::onlyKeys(known); });
}

tl::unexpected<Error> JsonObject::missing(std::string_view key) const
{
    return tl::unexpected<Error>(asResult([&] { JsonFields::missing(key); }).error());
}

tl::unexpected<Error> JsonObject::wrong(std::string_view key, std::string_view text, std::vector<Value> more) const
{
    return tl::unexpected<Error>(asResult([&] { JsonFields::wrong(key, text, std::move(more)); }).error());
}

} // namespace core::readers
