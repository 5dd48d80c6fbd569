// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/custom_model.h"
#include "core/result.h"
#include "core/scenario.h"

#include <cstdint>
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

/// An option that describes a custom model, with `--kv-heads`.
struct ModelOption {
    std::string_view name;        ///< "--layers"
    std::string_view placeholder; ///< of its value, in the help: "N"
    std::string_view help;
    std::int64_t core::CustomModel::*value;
    core::Result<std::int64_t> (*parse)(std::string_view text);
};

std::span<const ModelOption> modelOptions();

/// MODEL for a model that the options describe.
inline constexpr std::string_view kCustom = "custom";
inline constexpr std::string_view kKvHeads = "--kv-heads";

/// The scenario that `start` becomes with the typed values. The error is one sentence that names the
/// option: a value that cannot be understood, two options that contradict each other, one that needs another.
core::Result<core::Scenario> scenarioFrom(core::Scenario start, std::span<const OptionValue> values);

/// The model of the name, path or description of a command line: a custom one by its options, else one that takes none
/// of them.
core::Result<core::Scenario> startingFrom(const std::string& subject, std::span<const OptionValue> values);

} // namespace app
