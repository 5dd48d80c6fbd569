// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/readers/config/hf_parameters.h"
#include "core/readers/config/hf_widths.h"

namespace core::readers {

/// The parameters of what mixes tokens in one layer: projections, and norms and the like beside them.
struct MixerCount {
    Parameters projections;
    Parameters other;
};

/// All mixers of one layer: attention of any kind, indexer, recurrent mixer.
MixerCount mixerParameters(const Widths& widths, const Layout& layout, const Layer& layer);

/// Attention with K and V for heads, as an encoder has it too.
MixerCount headsParameters(const Widths& widths, const Layer& layer);

} // namespace core::readers
