// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engines/engine.h"

#include <memory>

namespace core::engines {

// The engines of the textbook. They pool the memory of all GPUs, but where a spread over ranks is typed.

/// Ideal: exactly what is used; the typed share p of the *reserved* memory is waste, ceil(used·p / (100 − p)).
std::unique_ptr<const Plan> planIdeal(const Scenario& scenario, Bytes weights);

/// Contiguous: every request gets the entries of `maxContext` tokens at once (default: its context, no waste).
std::unique_ptr<const Plan> planContiguous(const Scenario& scenario, Bytes weights);

/// Paged: entries of every layer are rounded up to whole blocks of `blockTokens`; states are not paged.
/// Whole blocks of a prefix that all requests share are kept once, by each replica; layers with windows, states and
/// compressed entries share none.
/// Source: arXiv:2309.06180 (PagedAttention), section 4.
std::unique_ptr<const Plan> planPaged(const Scenario& scenario, Bytes weights);

} // namespace core::engines
