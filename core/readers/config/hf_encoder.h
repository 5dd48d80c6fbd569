// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/readers/config/hf_parameters.h"
#include "core/readers/config/hf_widths.h"

namespace core::readers {

/// The encoder of an encoder-decoder model.
struct Encoder {
    std::int64_t layers = 0;
    std::int64_t mlp = 0;
    std::int64_t mels = 0;                 ///< 0: no convolutions before the first layer
    std::int64_t buckets = 0;              ///< of relative positions
    std::optional<std::int64_t> positions; ///< learned ones, where they are not as many as the decoder's
};

struct EncoderCount {
    Parameters attention;
    Parameters mlp;
    Parameters positions;
    Parameters other;
};

/// Nothing where the family has no encoder.
std::optional<Encoder> readEncoder(ConfigValues& values);

/// The encoder's parameters; attention and widths are those of the decoder.
EncoderCount encoderParameters(const Encoder& encoder, const Widths& widths, const Layout& layout);

/// A feed-forward network from `in` to `inner` and back.
Parameters feedForward(const Widths& widths, std::int64_t in, std::int64_t inner, int bias);

/// A norm over the width.
Parameters norm(const Widths& widths);

} // namespace core::readers
