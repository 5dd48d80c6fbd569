// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/model.h"
#include "core/readers/json/json_reader.h"
#include "core/text/result.h"

#include <cstdint>
#include <string_view>

namespace core::readers {

/// What a JSON file of a model is.
enum class ModelText : std::uint8_t {
    Description, ///< ours, or something of ours that is no model, which `modelFromJson` says
    Config,      ///< a Hugging Face config.json
    Unknown,
};

ModelText kindOf(const JsonObject& object);

/// The model that `document`, which holds `object`, describes; `name` is its file's. An object of something else is an
/// error.
Result<Model> modelIn(const JsonDocument& document, const JsonObject& object, std::string_view name);

} // namespace core::readers
