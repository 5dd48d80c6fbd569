// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/options.h"
#include "core/model/custom_model.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace app {

/// The MODEL that stands for one which the options of the line describe.
inline constexpr std::string_view kCustom = "custom";

/// An option that describes a custom model; `--kv-heads`, which every model takes, is one more.
struct ModelOption {
    std::string_view name;        ///< "--layers"
    std::string_view placeholder; ///< What stands for the value in the help: "N".
    std::string_view help;
    std::int64_t core::CustomModel::*value;
    core::Result<std::int64_t> (*parse)(std::string_view text);
    bool needed;
};

std::span<const ModelOption> modelOptions();
inline constexpr std::string_view kKvHeadsOption = "--kv-heads";

/// The model that `subject` names: a catalogue id, a file, or the custom model of `values`. The error is one sentence;
/// options of a custom model with another one are an error.
core::Result<core::Model> modelFor(const std::string& subject, std::span<const OptionValue> values);

/// The scenario of that model, or that of a scenario file, with the typed values in its values' place.
core::Result<core::Scenario> scenarioFor(const std::string& subject, std::span<const OptionValue> values);

} // namespace app
