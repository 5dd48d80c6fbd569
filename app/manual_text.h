// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/text/result.h"

#include <string>

namespace app {

/// The topics of the manual, each with a line that says what it tells.
std::string manualTopicsText();

/// A topic of the manual as a terminal shows it; the error names the topics that there are.
core::Result<std::string> manualTopicText(const std::string& name);

} // namespace app
