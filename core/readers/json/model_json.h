// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/model.h"
#include "core/readers/json/json_reader.h"
#include "core/text/result.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <string_view>

namespace core::readers {

/// Our own description of a model: {"format":"kvhorizon.model","version":1,"id"?,"model":{…},"weights":{…},
/// "provenance":[…]}, which `inspect --json` prints and a person may edit. Unknown keys and kinds, missing or
/// out-of-range numbers, layers that do not match are errors that name the key. `file` names the file in messages.
Result<Model> modelFromJson(const nlohmann::json& json, std::string_view file);

/// The same for the description at an object inside another file; unknown keys are errors where the object says so.
Result<Model> modelFromJson(const JsonObject& document);

/// The inverse: modelFromJson(modelToJson(m)) equals m.
nlohmann::ordered_json modelToJson(const Model& model);

/// The same as text, indented by two blanks: what `inspect --json` prints and a person edits.
std::string modelToText(const Model& model);

/// The "model" object alone, as `size --json` repeats it.
nlohmann::ordered_json layoutToJson(const Model& model);

} // namespace core::readers
