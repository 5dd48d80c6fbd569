// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/model.h"
#include "core/readers/config/hf_families.h"
#include "core/readers/json/json_reader.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace core::readers {

/// Takes the values of a config.json by the tables of quantities and class defaults, and keeps where each came from.
class ConfigValues {
public:
    /// `language` is the part of the file that describes the language model, `whole` the file.
    ConfigValues(const JsonFields& language, const JsonFields& whole, const Family& family);

    const JsonFields& language() const { return m_language; }
    const JsonFields& whole() const { return m_whole; }
    const Family& family() const { return m_family; }

    /// The value of `quantity`: read under the first of its spellings that is not null, else the class default, else
    /// nothing. A second spelling with another value is noted. Null stands for "none": it keeps the default away.
    std::optional<std::int64_t> find(Quantity quantity);
    /// The same where the value must be there.
    std::int64_t need(Quantity quantity);
    /// The value or 0; the same where 0 stands for "none".
    std::int64_t findOr(Quantity quantity, std::int64_t otherwise);
    /// The keys under which this family's files give `quantity`.
    std::string_view keysOf(Quantity quantity) const;

    /// True or false at `key` ("a.b" is b inside a), nothing when it is absent.
    std::optional<bool> flag(std::string_view key) const;
    bool flag(const Flag& flag) const;
    /// The value at `key` ("a.b" is b inside a); nullptr when it is absent or null.
    const nlohmann::json* at(std::string_view key) const;
    /// The same in the language part, else at the top of the file (quantisation, formats, tied embedding).
    const nlohmann::json* anywhere(std::string_view key) const;
    /// The numbers in the list at `key`, all within `range`; nothing when there is no list.
    std::optional<std::vector<std::int64_t>> numbers(std::string_view key, Range range) const;
    /// The number at `key` ("a.b" is b inside a); nothing when it is absent.
    std::optional<std::int64_t> number(std::string_view key, Range range) const;

    // What is known of a field; the first thing said of one stays.
    void read(std::string_view field, std::string value, std::string_view key);
    void derived(std::string_view field, std::string value, std::string rule);
    void defaulted(std::string_view field, std::string value, std::string rule);
    /// The rule of a class default: "default of LlamaConfig".
    std::string classDefault() const;
    void note(std::string text);

    const std::string& file() const { return m_file; }
    std::vector<Provenance>& provenance() { return m_provenance; }
    std::vector<std::string>& notes() { return m_notes; }

private:
    /// The object and the last name of a key like "a.b".
    std::optional<std::pair<JsonFields, std::string_view>> owner(std::string_view key) const;
    bool isWrittenAsNull(std::string_view keys) const;
    void add(Provenance row);
    std::optional<std::int64_t> readFirst(const QuantityInfo& info);
    std::int64_t numberAt(const JsonFields& object, std::string_view key, Range range) const;

    JsonFields m_language;
    JsonFields m_whole;
    const Family& m_family;
    std::string m_file;
    std::vector<Provenance> m_provenance;
    std::vector<std::string> m_notes;
};

/// The words of `words`, which are separated by blanks.
std::vector<std::string_view> split(std::string_view words);

} // namespace core::readers
