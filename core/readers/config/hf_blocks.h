// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/readers/config/hf_layout.h"
#include "core/readers/config/hf_values.h"

namespace core::readers {

/// Puts what `block_configs` says of each layer into `layout`, which holds the layers as if all were alike: attention
/// with its own number of KV heads, left out or replaced by one matrix, and an MLP with its own width. Files without
/// `block_configs` change nothing.
void applyBlocks(ConfigValues& values, Layout& layout);

} // namespace core::readers
