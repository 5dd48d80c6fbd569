// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/footprint.h"

#include <nlohmann/json_fwd.hpp>

namespace core {

/// What `size --json` prints: {"format":"kvhorizon.footprint","version":1,"model","kv","weights","memory","limits",
/// "engine"}. Bytes and counts are whole numbers; what does not apply is null.
nlohmann::ordered_json footprintToJson(const Evaluation& evaluation);

} // namespace core
