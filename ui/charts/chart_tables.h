// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sizing/curves.h"
#include "core/sizing/evaluation.h"
#include "ui/data_table.h"

#include <span>

namespace ui {

/// What the growth chart draws: one row for each context at which a line bends, is sampled or is marked, with the
/// cache, waste and total of the batch, weights, capacity, and the cache of each other batch drawn.
DataTable growthTable(const core::Evaluation& evaluation, std::span<const std::int64_t> contexts,
                      std::span<const std::int64_t> batches);

/// What the budget draws: one row for each part, then total, capacity and what is free (negative: over).
DataTable budgetTable(const core::Evaluation& evaluation);

/// What each device and the host hold, in the shown unit.
DataTable deviceTable(const core::Footprint& footprint);

} // namespace ui
