// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sizing/advice.h"
#include "core/sizing/evaluation.h"

#include <nlohmann/json_fwd.hpp>

#include <span>

namespace core {

/// What `size --json` prints: {"format":"kvhorizon.footprint","version":1,"model","kv","weights","memory","limits",
/// "engine"}. Bytes and counts are whole numbers; what does not apply is null. "kv" has "kv_heads" where they are
/// chosen.
nlohmann::ordered_json footprintToJson(const Evaluation& evaluation);

/// Growth as a number of bytes for each token: whole, or a fraction where entries are compressed.
nlohmann::ordered_json rateToJson(const Rate& rate);

/// [{"lever","action","free_bytes"}]: what each piece of advice changes, in English, and what is free after it.
nlohmann::ordered_json adviceToJson(std::span<const Advice> advice);

} // namespace core
