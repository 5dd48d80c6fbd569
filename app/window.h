// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/commands.h"

#include "core/model.h"

#include <optional>

namespace app {

/// Opens the window, with `model` in place of the first scenario's, and runs it until it is closed.
int startWindow(int& argc, char** argv, const std::optional<core::Model>& model);

/// Writes a picture of the window or of one of its charts as PNG, without a display.
int drawPicture(int& argc, char** argv, const Picture& picture);

} // namespace app
