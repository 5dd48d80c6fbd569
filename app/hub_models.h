// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/scenario/scenario.h"
#include "core/text/result.h"

#include <string>

namespace app {

/// The scenario with the model of that name on a hub ("hf:org/name"), fetched as far as it is not kept on this
/// computer. Makes a QCoreApplication where there is no application yet. On a terminal the bytes that come are counted
/// on stderr.
core::Result<core::Scenario> loadFromHub(const std::string& name);

} // namespace app
