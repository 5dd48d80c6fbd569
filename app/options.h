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
    std::string_view name;        ///< "--max-context"
    std::string_view alias;       ///< other names, with commas between: "--max-model-len"; may be empty
    std::string_view placeholder; ///< of its value, in the help: "N"
    std::string_view section;     ///< heading in the help
    std::string_view help;
    core::Result<void> (*apply)(core::Scenario& scenario, const std::string& text);
};

std::span<const ScenarioOption> scenarioOptions();

/// An option that is a flag of an engine, under the flag's own name.
struct FlagOption {
    std::string name;             ///< "--ubatch-size"
    std::string_view alias;       ///< what an engine calls it, where we call it otherwise; may be empty
    std::string_view placeholder; ///< of its value; empty for a switch, which has none
    std::string help;
};

/// The flags of all engines, from their tables; one that several have is there once.
std::span<const FlagOption> flagOptions();

/// An option as it was typed.
struct OptionValue {
    std::string_view name; ///< that of its `ScenarioOption`
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
