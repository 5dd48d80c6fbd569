// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/element_format.h"
#include "core/model/model.h"
#include "core/model/weights.h"
#include "core/readers/config/hf_values.h"

#include <nlohmann/json_fwd.hpp>

#include <string_view>

namespace core::readers {

/// The format of the published weights: what the quantisation in the file says, else its dtype, else bf16. A
/// quantisation that is not known is noted; it says nothing about the cache in any case.
WeightFormat publishedFormat(ConfigValues& values);

/// The cache format that the file itself asks for, with a note; nothing where it does not.
std::optional<KvFormat> statedKvFormat(ConfigValues& values);

/// Adds to `model`, whose config.json lies beside it, what a quantisation tool wrote into hf_quant_config.json: the
/// formats of weights and cache, each where the config.json does not say one.
void addQuantFile(const nlohmann::json& json, std::string_view file, Model& model);

} // namespace core::readers
