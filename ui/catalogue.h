// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/model.h"
#include "core/scenario/hardware.h"
#include "core/teaching/lesson.h"

#include <vector>

namespace ui {

/// What the pickers and the menu of lessons offer.
struct Catalogue {
    std::vector<core::Model> models;
    std::vector<core::Gpu> gpus;
    std::vector<core::Exercise> exercises = {};
    std::vector<core::Lesson> lessons = {}; ///< in the order in which they are taught
};

} // namespace ui
