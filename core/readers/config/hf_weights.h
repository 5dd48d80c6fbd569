// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/weights.h"
#include "core/readers/config/hf_layout.h"
#include "core/readers/config/hf_values.h"

namespace core::readers {

/// The parameters by part that follow from the shapes in a config.json: embedding, head, attention, MLP or experts,
/// and other (norms, routers), by the family's `Shape`. Multi-token prediction and vision are not counted. Unknown,
/// with a note, where the file lacks a width that is needed.
Weights countWeights(ConfigValues& values, const Layout& layout);

} // namespace core::readers
