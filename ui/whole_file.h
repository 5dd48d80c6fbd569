// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/text/result.h"

#include <QByteArray>
#include <QString>

namespace ui {

/// Puts `content` into the file at `path`, whole or not at all: whatever goes wrong (no rights, a full disk), and
/// whenever the program is killed, what was there before is still there. What is no plain file (a folder, a device) is
/// never replaced. The error names the path and the reason.
core::Result<void> writeWhole(const QString& path, const QByteArray& content);

} // namespace ui
