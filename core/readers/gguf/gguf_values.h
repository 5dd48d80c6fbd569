// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/model.h"
#include "core/readers/json/json_reader.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace core::readers {

/// Takes the values of a GGUF header by their keys without the architecture ("block_count" for "llama.block_count") and
/// keeps where each came from.
class GgufValues {
public:
    /// `values` is the header's flat object and must outlive this; `file` is the file's name.
    GgufValues(const nlohmann::json& values, std::string_view file, std::string architecture);

    const std::string& architecture() const { return m_architecture; }
    const std::string& file() const { return m_file; }
    /// The whole key: "llama.block_count".
    std::string wholeKey(std::string_view key) const;
    bool has(std::string_view key) const { return m_object.has(wholeKey(key)); }

    /// The number at `key`; nothing when it is absent.
    std::optional<std::int64_t> number(std::string_view key, Range range) const;
    /// The number at `key`, recorded as `field`; nothing when it is absent.
    std::optional<std::int64_t> find(std::string_view field, std::string_view key, Range range);
    /// The same where it must be there.
    std::int64_t need(std::string_view field, std::string_view key, Range range);
    /// One number for each of `layers` layers, recorded as `field`: a list, or one number for all; nothing when it is
    /// absent. A longer list is cut, a shorter one is an error.
    std::optional<std::vector<std::int64_t>> perLayer(std::string_view field, std::string_view key, Range range,
                                                      std::int64_t layers);
    /// The list at `key`: numbers, or true as 1 and false as 0, or texts, of which `yes` is 1; nothing when it is
    /// absent or no list.
    std::optional<std::vector<std::int64_t>> list(std::string_view key, Range range, std::string_view yes = {}) const;
    /// A text of the whole file: "general.name".
    std::optional<std::string> text(std::string_view wholeKey) const { return m_object.optionalText(wholeKey); }
    /// The error that `key` is missing.
    [[noreturn]] void missing(std::string_view key) const;

    // What is known of a field.
    void read(std::string_view field, std::string value, std::string_view key);
    void derived(std::string_view field, std::string value, std::string rule);
    void defaulted(std::string_view field, std::string value, std::string rule = {});
    void note(std::string text) { m_notes.push_back(std::move(text)); }

    std::vector<Provenance>& provenance() { return m_provenance; }
    std::vector<std::string>& notes() { return m_notes; }

private:
    void add(Provenance row);

    JsonFields m_object;
    std::string m_file;
    std::string m_architecture;
    std::vector<Provenance> m_provenance;
    std::vector<std::string> m_notes;
};

} // namespace core::readers
