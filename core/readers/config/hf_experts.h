// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/readers/config/hf_widths.h"

namespace core::readers {

/// Reads the experts into `widths`: which layers have them, how many, how wide, how many a token uses.
void readExperts(ConfigValues& values, const Layout& layout, Widths& widths);

} // namespace core::readers
