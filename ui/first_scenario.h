// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/scenario/scenario.h"
#include "ui/catalogue.h"

namespace ui {

inline constexpr const char* kFirstModel = "llama-3.1-8b";
inline constexpr const char* kFirstGpu = "rtx-4090";

/// The scenario of the first start: Llama 3.1 8B on an RTX 4090, 8,192 tokens, batch 4, 20 % of the reserved cache
/// wasted, so that each part is seen.
core::Scenario firstScenario(const Catalogue& catalogue);
core::Scenario firstScenario(core::Model model, core::Gpu gpu);

} // namespace ui
