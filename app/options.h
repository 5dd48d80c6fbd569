// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model.h"
#include "core/result.h"
#include "core/scenario.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace app {

/// An option that describes a scenario: `size` and `export` take all of them.
struct ScenarioOption {
    std::string_view name;        ///< "--max-context"
    std::string_view alias;       ///< "--max-model-len"; may be empty
    std::string_view placeholder; ///< of its value, in the help: "N"
    std::string_view section;     ///< heading in the help
    std::string_view help;
    core::Result<void> (*apply)(core::Scenario& scenario, const std::string& text);
};

std::span<const ScenarioOption> scenarioOptions();

/// An option as it was typed.
struct OptionValue {
    std::string_view name; ///< that of its `ScenarioOption`
    std::string text;
};

/// The scenario of `model` with the typed values in the defaults' place. The error is one sentence that names the
/// option: a value that cannot be understood, two options that contradict each other, one that needs another.
core::Result<core::Scenario> scenarioFrom(core::Model model, std::span<const OptionValue> values);

} // namespace app
