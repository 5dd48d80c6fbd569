// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/cache_group.h"
#include "core/readers/json/json_reader.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>

namespace core::readers {

/// A cache group of a model with `layers` layers; see `model_json.h`. Which keys belong to which kind stands in a
/// table; a key of another kind is an error.
CacheGroup groupFromJson(const JsonFields& json, std::int64_t layers);

/// The inverse.
nlohmann::ordered_json groupToJson(const CacheGroup& group);

} // namespace core::readers
