// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/commands.h"
#include "core/model/model.h"

#include <optional>
#include <string>
#include <vector>

namespace app {

/// Opens the window and runs it until it is closed: with the file or catalogue model `subject` (`model`), or with the
/// session that was left.
int startWindow(int& argc, char** argv, const std::optional<core::Model>& model, const std::string& subject);

/// Names of the charts that `drawPicture` knows beside the window.
std::vector<std::string> chartNames();

/// Writes a picture of the window (PNG) or one of its charts (PNG, SVG, PDF, CSV), without a display.
int drawPicture(int& argc, char** argv, const Picture& picture);

} // namespace app
