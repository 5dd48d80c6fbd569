// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/readers/config/hf_values.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace core::readers {

/// The kinds of a model's layers, one letter each (`kFull`, `kWindow`, …).
struct LayerKinds {
    std::string letters;
    std::string key; ///< where the pattern was read; empty where it is the class's own or all layers are alike

    std::int64_t count() const { return static_cast<std::int64_t>(letters.size()); }
};

/// Reads how many layers there are and of which kind each is: from the first of the known pattern keys, else by the
/// family's own pattern. A list longer than the model is cut with a note, a shorter one is refused, and so is a kind
/// that the family (named `declared`) does not have. Windows are not looked at yet.
LayerKinds readKinds(ConfigValues& values, std::string_view declared);

} // namespace core::readers
