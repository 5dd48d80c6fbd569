// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/element_format.h"

#include <cstdint>

namespace core {

/// Elements and the bytes that they take together, scales included, as one says it: 1 element in 2 bytes, 32 in 34.
struct ElementBlock {
    std::int64_t elements = 1;
    std::int64_t bytes = 0;
};

/// That of a format; 32 elements where fewer share a byte.
ElementBlock blockOf(KvFormat format);

} // namespace core
