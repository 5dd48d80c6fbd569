// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/model.h"

#include <string>

namespace app {

/// The text that `inspect` prints: the layout in words, the groups of layers, the weights by part, and where each value
/// comes from.
std::string inspectText(const core::Model& model);

} // namespace app
