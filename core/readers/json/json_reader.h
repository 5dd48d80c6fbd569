// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/text/result.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace core::readers {

/// Deepest nesting of objects and lists that is read.
inline constexpr int kMaxNesting = 200;

class JsonDocument;

/// The JSON document in `text`. Accepts what published files contain beside the standard: a byte order mark, the tokens
/// Infinity, -Infinity and NaN, numbers beyond the range of a double (both are kept as texts, so no count can be taken
/// from them), keys that stand twice (the last one counts). The error names `file`, the byte and what stands there.
Result<JsonDocument> parseJson(std::string_view text, std::string_view file);

/// `value` as JSON text for a message: 8, "8", null, cut to 40 bytes.
std::string shown(const nlohmann::json& value);

/// Whole numbers that are accepted.
struct Range {
    std::int64_t min = 0;
    std::int64_t max = 0;
};

/// What becomes of keys that nobody asks for: refused, as they would have no effect, or left to whoever keeps them.
enum class UnknownKeys : std::uint8_t { Refuse, Ignore };

/// The values of an object inside a JSON file, for readers inside core/readers: what is missing or wrong is thrown as a
/// ReadError, which names the file, the key with its place ("model.groups[2].window") and the value. A key that is null
/// counts as absent. Refers to the value and the file that it was made from, which must outlive it.
class JsonFields {
public:
    /// `json` must be an object; `place` is its path in the file, "" for the whole file. `unknown` holds for the
    /// objects inside too.
    JsonFields(const nlohmann::json& json, std::string_view file, std::string place = {},
               UnknownKeys unknown = UnknownKeys::Refuse);

    const nlohmann::json& json() const { return *m_json; }
    std::string_view file() const { return m_file; }

    /// The value of `key`, nullptr when it is absent or null.
    const nlohmann::json* find(std::string_view key) const;
    bool has(std::string_view key) const { return find(key) != nullptr; }

    /// Whole numbers within `range`; 4.0 is 4; 3.5, "8", true and numbers out of range are refused.
    std::int64_t count(std::string_view key, Range range) const;
    std::optional<std::int64_t> optionalCount(std::string_view key, Range range) const;

    std::string text(std::string_view key) const;
    std::optional<std::string> optionalText(std::string_view key) const;
    std::optional<bool> optionalBool(std::string_view key) const;

    /// The object at `key`; nothing when it is absent.
    std::optional<JsonFields> optionalObject(std::string_view key) const;
    JsonFields object(std::string_view key) const;
    /// The objects in the list at `key`; empty when it is absent.
    std::vector<JsonFields> objects(std::string_view key) const;
    /// The texts in the list at `key`; empty when it is absent.
    std::vector<std::string> texts(std::string_view key) const;

    /// Refuses the first key that is not in `known`, unless unknown keys are ignored.
    void onlyKeys(std::span<const std::string_view> known) const;

    /// The path of `key` in the file: "model.groups[2].window".
    std::string place(std::string_view key) const;

    /// Refuses the object because it has no value for `key`.
    [[noreturn]] void missing(std::string_view key) const;
    /// Refuses the value of `key`, which should have been what `text` says: a template with {0} file, {1} key, {2}
    /// value and, from {3} on, `more`.
    [[noreturn]] void wrong(std::string_view key, std::string_view text, std::vector<Value> more = {}) const;

private:
    const nlohmann::json* m_json;
    std::string_view m_file;
    std::string m_place;
    UnknownKeys m_unknown;
};

/// The same values for everybody outside core/readers: what is missing or wrong is an error in the Result.
class JsonObject : public JsonFields {
public:
    using JsonFields::JsonFields;
    JsonObject(JsonFields fields) : JsonFields(std::move(fields)) {}

    Result<std::int64_t> count(std::string_view key, Range range) const;
    Result<std::optional<std::int64_t>> optionalCount(std::string_view key, Range range) const;
    Result<std::string> text(std::string_view key) const;
    Result<std::optional<std::string>> optionalText(std::string_view key) const;
    Result<std::optional<bool>> optionalBool(std::string_view key) const;
    Result<std::optional<JsonObject>> optionalObject(std::string_view key) const;
    Result<JsonObject> object(std::string_view key) const;
    Result<std::vector<JsonObject>> objects(std::string_view key) const;
    Result<std::vector<std::string>> texts(std::string_view key) const;
    Result<void> onlyKeys(std::span<const std::string_view> known) const;
    tl::unexpected<Error> missing(std::string_view key) const;
    tl::unexpected<Error> wrong(std::string_view key, std::string_view text, std::vector<Value> more = {}) const;
};

/// A parsed file. Copies share what was parsed.
class JsonDocument {
public:
    JsonDocument(nlohmann::json json, std::string_view file, std::vector<std::string> repeated = {});

    const nlohmann::json& json() const { return *m_json; }
    /// Keys that stand twice in one object, the first few of them.
    const std::vector<std::string>& repeated() const { return m_repeated; }
    /// The object that the file holds; an error when it holds a list or a single value. Refers to this document.
    Result<JsonObject> root(UnknownKeys unknown = UnknownKeys::Refuse) const;

private:
    std::shared_ptr<const nlohmann::json> m_json;
    std::string m_file;
    std::vector<std::string> m_repeated;
};

/// `value` as a whole number when it is one that fits 63 bits: 4, 4.0, 1e5.
std::optional<std::int64_t> wholeNumber(const nlohmann::json& value);

/// The error of the first of `results` that has one.
template <typename... T> std::optional<Error> firstError(const Result<T>&... results)
{
    std::optional<Error> error;
    ((error || results ? void() : void(error = results.error())), ...);
    return error;
}

} // namespace core::readers
