// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/model.h"

#include <string>

namespace app {

/// What `inspect` prints for people: the layout in words, cache groups, weights by part, each value with its origin.
std::string inspectText(const core::Model& model);

} // namespace app
