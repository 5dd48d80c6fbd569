// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/readers/json/json_reader.h"
#include "core/scenario/scenario.h"
#include "core/text/result.h"

#include <string>
#include <string_view>

namespace core {

/// A scenario file (`.kvh`): {"format":"kvhorizon.scenario","version":1,"model":{…},"workload":{…},"cache":{…},
/// "weights":{…},"engine":{…,"settings":{flag: value}},"hardware":{"gpu":{…}|null,…},"reserve_percent",
/// "overhead_bytes"}. The table of inputs (`core/scenario/inputs.h`) has the keys of each object. Model and GPU are
/// whole (`readers/model_json.h`, `readers/gpu_json.h`), so that the file opens anywhere. Percentages have at most two
/// decimals.
struct ScenarioFile {
    Scenario scenario;
    std::string original; ///< the JSON it was read from, whose unknown keys are kept; empty for a new file

    friend bool operator==(const ScenarioFile&, const ScenarioFile&) = default;
};

/// The file in `text`. Absent keys have their defaults, the weights those of the model as published; unknown keys are
/// ignored. Newer versions and values of another type are errors that name `name` and the key; whether values are in
/// range is left to `check`.
Result<ScenarioFile> scenarioFromText(std::string_view text, std::string_view name);

/// The same for an object that has been parsed.
Result<Scenario> scenarioFromJson(const readers::JsonObject& document);

/// `scenario` with the values of `document` in place of its own: the keys of a scenario file from "workload" on, each
/// where it is given. Where the object refuses unknown keys, those of "workload", "cache", "weights", "engine" and
/// "hardware" are errors.
Result<Scenario> scenarioWith(Scenario scenario, const readers::JsonObject& document);

/// True for an object that says it is a scenario file, of whatever version.
bool isScenario(const readers::JsonObject& document);

/// The text to save: keys in a fixed order, indented by two blanks, ended by a newline. Keys of the original that are
/// not known follow those that are, in their object; those of its model or GPU are dropped with that model or GPU.
std::string scenarioToText(const ScenarioFile& file);

/// What the program was doing when it was left: a scenario file with {"session":{"file","unsaved"}} beside its keys.
struct SavedSession {
    ScenarioFile file;
    std::string path;     ///< the file it was opened from or saved to; empty when none
    bool unsaved = false; ///< changed since then

    friend bool operator==(const SavedSession&, const SavedSession&) = default;
};

Result<SavedSession> sessionFromText(std::string_view text, std::string_view name);
std::string sessionToText(const SavedSession& session);

} // namespace core
