// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/footprint.h"

#include <string>

namespace app {

/// What `size` prints for people: model, workload, formula with numbers, cache, memory, limits, verdict; with
/// `explain` the derivations of cache, weights, total and limits too.
std::string sizeText(const core::Evaluation& evaluation, bool explain);

} // namespace app
