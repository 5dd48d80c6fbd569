// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engines/setting.h"
#include "core/scenario/scenario.h"

#include <optional>

namespace core {

/// The flag of the share of each device's memory that a scenario's engine takes, which is the first fraction of its
/// table; nullptr where it takes no share.
const engines::Setting* memoryShareFlag(const Scenario& scenario);

/// That share, typed or by default.
std::optional<Percent> memoryShareOf(const Scenario& scenario);

} // namespace core
