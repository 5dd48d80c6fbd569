// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engines/engine.h"

#include <fmt/format.h>

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

namespace core::engines {

/// "float32", "float16" or "bfloat16".
std::string_view torchName(KvFormat format);

/// A launch command of an engine, put together flag by flag.
class LaunchCommand {
public:
    /// The command begins with `start`. `scenario` must outlive it.
    LaunchCommand(const Scenario& scenario, std::string start) : m_scenario(scenario), m_text(std::move(start)) {}

    template <typename T> void add(std::string_view flag, const T& value)
    {
        m_text += fmt::format(" --{} {}", flag, value);
    }
    /// Adds a number of ranks, unless it is 1.
    void addRanks(std::string_view flag, std::int64_t ranks);
    /// Adds a flag as it is typed, under `name` where the command calls it otherwise.
    void addTyped(std::string_view flag, std::string_view name = {});
    /// Adds a switch that is typed and on, or off where it may be on by itself.
    void addSwitch(std::string_view flag);
    void append(std::string_view text) { m_text += text; }
    const std::string& text() const { return m_text; }

    /// The typed value of a flag as a command takes it: counts in digits, so that "100K" is "102400". Nothing where
    /// none is typed, where it is "auto", and where the engine does not allow it.
    std::optional<std::string> typed(std::string_view flag) const;

private:
    const Scenario& m_scenario;
    std::string m_text;
};

} // namespace core::engines
