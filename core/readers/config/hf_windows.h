// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/readers/config/hf_pattern.h"
#include "core/readers/config/hf_values.h"

#include <cstdint>
#include <optional>

namespace core::readers {

/// Decides which layers keep a window only: turns letters of `kinds` into windows where the class has one without a
/// pattern, and windows into full attention where the window is missing, switched off or not below `maxContext`; notes
/// what is declared without effect. Returns the window or chunk in tokens, 0 where no layer has one.
std::int64_t applyWindow(ConfigValues& values, LayerKinds& kinds, std::optional<std::int64_t> maxContext);

} // namespace core::readers
