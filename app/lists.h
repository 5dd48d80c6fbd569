// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/model.h"
#include "core/scenario/hardware.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace app {

/// The tables that `models` and `gpus` print.
std::string modelsText(const std::vector<core::Model>& models);
std::string gpusText(const std::vector<core::Gpu>& gpus);

/// The catalogues as arrays of {"id", "name", …} with exact bytes.
nlohmann::ordered_json modelsJson(const std::vector<core::Model>& models);
nlohmann::ordered_json gpusJson(const std::vector<core::Gpu>& gpus);

} // namespace app
