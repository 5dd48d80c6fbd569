// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engines/engine.h"

namespace core::engines {

// The engines of the textbook. They pool the memory of all GPUs, unless a spread over ranks is typed.

/// Exactly what is used; the typed share p of the *reserved* memory is waste, ceil(used·p / (100 − p)).
extern const Engine kIdeal;

/// Every request gets the entries of `maxContext` tokens at once (default: its context, no waste).
extern const Engine kContiguous;

/// Entries of every layer are rounded up to whole blocks of `blockTokens`; states are not paged. Whole blocks of a
/// prefix that all requests share are kept once by each replica; layers with windows, states and compressed entries
/// share none. Source: arXiv:2309.06180 (PagedAttention), section 4.
extern const Engine kPaged;

} // namespace core::engines
