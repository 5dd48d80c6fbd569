// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sizing/advice.h"
#include "core/sizing/evaluation.h"

#include <span>
#include <string>

namespace app {

/// What `size` prints for people: model, workload, formula with numbers, cache, memory, limits, verdict, advice; with
/// `explain` the derivations of cache, weights, total and limits too.
std::string sizeText(const core::Evaluation& evaluation, std::span<const core::Advice> advice, bool explain);

} // namespace app
