// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/readers/json/json_reader.h"
#include "core/scenario/inputs.h"
#include "core/scenario/scenario.h"

#include <optional>
#include <string_view>
#include <vector>

namespace core {

/// One object of a scenario file, whose values take the place of those of a scenario. Keeps the first error.
class ScenarioSection {
public:
    /// The object at `key` of the document, or the document itself where the key is empty.
    ScenarioSection(const readers::JsonObject& document, std::string_view key);

    /// Puts the value of the input into the scenario where it is given.
    void read(const Input& input, Scenario& scenario);

    /// The first error; besides, a key of the object that no input asked for. Other rooms' keys stand in the document
    /// itself, where none is refused.
    Result<void> result() const;

private:
    bool has(std::string_view key);
    std::optional<Value> valueOf(const Input& input);
    std::optional<Value> shareAt(std::string_view key);
    void readGpu(std::string_view key, Scenario& scenario);
    void readSettings(std::string_view key, Scenario& scenario);
    /// The value at the key, or nothing where it cannot be read; then the error is kept.
    template <typename T> std::optional<T> kept(Result<std::optional<T>> value);

    std::optional<readers::JsonObject> m_object;
    std::optional<Error> m_error;
    std::vector<std::string_view> m_asked;
    bool m_isDocument;
};

} // namespace core
