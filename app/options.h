// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/scenario/scenario.h"
#include "core/text/result.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace app {

/// An option that describes a scenario: `size` and `export` take all of them.
struct ScenarioOption {
    std::string name;             ///< "--max-context"
    std::string_view aliases;     ///< Other names, with commas between: "--max-model-len"; may be empty.
    std::string_view placeholder; ///< Stands for its value in the help: "N"; empty for a switch, which has none.
    std::string_view section;     ///< Heading in the help.
    std::string help;
};

/// The inputs of a scenario, then the flags of all engines; a flag that several engines have is there once.
std::span<const ScenarioOption> scenarioOptions();

/// An option as it was typed.
struct OptionValue {
    std::string_view name; ///< That of its `ScenarioOption`.
    std::string text;
};

/// The value typed for the option `name`; nullptr when there is none.
const OptionValue* find(std::span<const OptionValue> values, std::string_view name);

/// The error of an option's value, with the option's name before it.
tl::unexpected<core::Error> wrongValue(std::string_view option, const core::Error& error);

/// The scenario that `start` becomes with the typed values, which replace what contradicts them there. The error is one
/// sentence that names the option: a value that cannot be understood, two options that contradict each other, one that
/// needs another.
core::Result<core::Scenario> scenarioFrom(core::Scenario start, std::span<const OptionValue> values);

} // namespace app
