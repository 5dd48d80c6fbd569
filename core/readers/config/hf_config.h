// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/model.h"
#include "core/text/result.h"

#include <nlohmann/json_fwd.hpp>

#include <string_view>

namespace core::readers {

/// The model that a Hugging Face config.json describes. Key spellings, class defaults and weight shapes stand in
/// tables by family (`hf_families.cpp`); each value gets its provenance. A family whose cache law is not in the tables
/// is refused by name. `file` is the file's name in messages and provenance.
Result<Model> readHfConfig(const nlohmann::json& config, std::string_view file);

} // namespace core::readers
