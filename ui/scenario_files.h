// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/files/scenario_json.h"
#include "core/text/result.h"

#include <QString>

#include <optional>

namespace ui {

/// The scenario in a `.kvh` file. The error names the path and the reason, or the key that cannot be understood.
core::Result<core::ScenarioFile> loadScenario(const QString& path);

/// Writes the file whole or not at all: whatever goes wrong, and whenever the program is killed, what was there before
/// is still there. The error names the path and the reason.
core::Result<void> saveScenario(const QString& path, const core::ScenarioFile& file);

/// Copies a file that cannot be read to NAME.broken-YYYYMMDD-HHMMSS beside it, before something else takes its place.
/// Returns the copy's path; empty when there is nothing to copy or it cannot be written.
QString keepBrokenCopy(const QString& path);

/// To be called before the settings are first read: a settings file that cannot be read is emptied. The message says so
/// and names the copy; empty when all is well.
core::Message mendSettings();

/// Where the session is kept between two starts.
QString sessionPath();

/// Keeps the session, as `saveScenario` does; makes its folder where there is none.
core::Result<void> saveSession(const core::SavedSession& session);

/// The session that was kept last; nothing when there is none. The error is that of a file that cannot be read, of
/// which `keepBrokenCopy(sessionPath())` makes a copy.
core::Result<std::optional<core::SavedSession>> loadSession();

} // namespace ui
