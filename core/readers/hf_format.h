// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/element_format.h"
#include "core/readers/hf_values.h"
#include "core/result.h"
#include "core/weights.h"

namespace core::readers {

/// The format of the published weights: what the quantisation in the file says, else its dtype, else bf16. A
/// quantisation that is not known is noted; it says nothing about the cache in any case.
Result<WeightFormat> publishedFormat(ConfigValues& values);

/// The cache format that the file itself asks for, with a note; nothing where it does not.
std::optional<KvFormat> statedKvFormat(ConfigValues& values);

} // namespace core::readers
