// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

class QMenu;

namespace ui {

/// Adds the choice of the unit of sizes and of the colours, which are kept for the next start. `unitChosen` is called
/// when everything has to be shown in another unit.
void addAppearance(QMenu& menu, const std::function<void()>& unitChosen);

} // namespace ui
