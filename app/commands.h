// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/scenario/scenario.h"

#include <functional>
#include <iosfwd>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace app {

inline constexpr int kDone = 0;
inline constexpr int kFailed = 1;     ///< a file, name or value is unknown or out of range
inline constexpr int kUnparsable = 2; ///< the line cannot be understood
inline constexpr int kDoesNotFit = 3; ///< only with --fail-if-over

/// A picture to be written.
struct Picture {
    std::string view;                       ///< "window", or one of `WindowSide::charts`
    std::string file;                       ///< "growth.png"
    std::optional<core::Scenario> scenario; ///< without issues; nothing: the one the window starts with
    std::string size;                       ///< "1600x900" (pixels), "174x100mm"; empty: the default
    std::string dpi;                        ///< empty: 96
    std::string title;                      ///< empty: the chart's own
    std::string theme;                      ///< "light", "dark"; empty: light
};

/// What needs a window system or a painter; each returns the exit code.
struct WindowSide {
    /// `model` is what `subject` names; nothing: the session that was left, or the scenario of the first start, and
    /// `subject` is empty or a lesson's file.
    std::function<int(const std::optional<core::Model>& model, const std::string& subject)> start;
    std::function<int(const Picture& picture)> draw;
    std::vector<std::string> charts; ///< names of the pictures that it draws beside the window's
};

/// Runs the command line `arguments` (without the program's name): data to `out`, messages to `err`, one sentence a
/// line. Returns the exit code.
int run(std::span<const std::string> arguments, std::ostream& out, std::ostream& err, const WindowSide& windowSide);

} // namespace app
