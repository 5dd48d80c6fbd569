// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/scenario/scenario.h"
#include "ui/data_table.h"

namespace ui {

/// "full attention", "sliding window", …: a kind's name beside its paint.
QString kindName(core::CacheKind kind);

/// One row for each group of layers: kind, layers, heads, entry, law, growth and bytes of one request.
DataTable groupTable(const core::Scenario& scenario);

/// One row for each part of the weights.
DataTable weightTable(const core::Scenario& scenario);

/// One row for each value that was read, derived, assumed or typed, with the key or rule it comes from.
DataTable provenanceTable(const core::Model& model);

/// What one layer keeps, in one line: "Layer 5: full attention, 16 KV heads × 128; 8,192 B of each token".
QString layerText(const core::Scenario& scenario, int layer);

} // namespace ui
