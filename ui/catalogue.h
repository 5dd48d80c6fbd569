// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hardware.h"
#include "core/model.h"

#include <vector>

namespace ui {

/// What the pickers offer.
struct Catalogue {
    std::vector<core::Model> models;
    std::vector<core::Gpu> gpus;
};

} // namespace ui
