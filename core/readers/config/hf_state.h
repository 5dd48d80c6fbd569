// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/element_format.h"
#include "core/readers/config/hf_values.h"

#include <cstdint>
#include <string>

namespace core::readers {

/// The recurrent mixer of a model and the state that one layer of it keeps for each request. Fields that its kind does
/// not use are 0.
struct StateShape {
    std::int64_t inner = 0; ///< width inside the mixer
    std::int64_t heads = 0;
    std::int64_t headDim = 0; ///< of values
    std::int64_t keyHeads = 0;
    std::int64_t keyDim = 0;
    std::int64_t groups = 0;
    std::int64_t size = 0;   ///< numbers of the state for each channel
    std::int64_t kernel = 1; ///< of the convolution; its state has one row less
    std::int64_t dtRank = 0;
    std::int64_t convElements = 0;
    KvFormat convFormat = KvFormat::Bf16;
    std::int64_t recurrentElements = 0;
    KvFormat recurrentFormat = KvFormat::Fp32;
};

/// Reads the shape by the family's kind of mixer; `width` is the model's.
StateShape readState(ConfigValues& values, std::int64_t width);

} // namespace core::readers
