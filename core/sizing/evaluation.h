// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engines/plan.h"
#include "core/scenario/footprint.h"
#include "core/scenario/scenario.h"

#include <memory>
#include <vector>

namespace core {

/// A scenario and what follows from it. Copies share the plan, by which limits, curves and explanations are found. With
/// issues there is no plan, and footprint and reservation are empty.
struct Evaluation {
    Scenario scenario;
    std::vector<Issue> issues{};
    Footprint footprint{};
    engines::Reservation reservation{};
    std::shared_ptr<const engines::Plan> plan{};
};

} // namespace core
