// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/readers/config/hf_values.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace core::readers {

/// The heads of one attention layer.
struct Heads {
    std::int64_t query = 0;
    std::int64_t kv = 0;
    std::int64_t keyDim = 0;
    std::int64_t valueDim = 0;

    friend bool operator==(const Heads&, const Heads&) = default;
};

/// The heads of each layer, of which `letters` gives the kinds: the model's own, what the file says of the layers of
/// one kind, and lists with a number for each layer. Layers without attention have none.
std::vector<Heads> readHeads(ConfigValues& values, std::string_view letters);

} // namespace core::readers
