// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/options.h"

#include <CLI/CLI.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace app {

/// What was typed of a command's options.
class Typed {
public:
    explicit Typed(const CLI::App& command) : m_command(command) {}

    bool has(std::string_view name) const
    {
        const CLI::Option* option = m_command.get_option_no_throw(std::string(name));
        return option != nullptr && option->count() > 0;
    }
    std::vector<std::string> all(std::string_view name) const
    {
        return has(name) ? m_command.get_option(std::string(name))->results() : std::vector<std::string>();
    }
    std::string text(std::string_view name) const { return has(name) ? all(name).front() : std::string(); }

private:
    const CLI::App& m_command;
};

/// The typed options of the scenario and of a custom model; a switch has the value "on".
std::vector<OptionValue> scenarioValues(const Typed& typed);

} // namespace app
