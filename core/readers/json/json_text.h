// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace core::readers {

/// JSON text made acceptable to a strict parser.
struct StrictJson {
    std::string changed;             ///< the text with tokens put between quotes; empty when there were none
    std::vector<std::size_t> quoted; ///< where those tokens stand in the original

    /// The byte of the original that corresponds to byte `position` of the changed text.
    std::size_t original(std::size_t position) const;
};

/// Puts Infinity, -Infinity, NaN and numbers beyond the range of a double between quotes, and refuses text that nests
/// deeper than `kMaxNesting`. One pass over the text, no recursion.
StrictJson strictJson(std::string_view text, std::string_view file);

} // namespace core::readers
