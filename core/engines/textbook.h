// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engines/plan.h"

#include <memory>

namespace core::engines {

// The engines of the textbook. They pool the memory of all GPUs, unless a spread over ranks is typed.

/// Ideal: exactly what is used; the typed share p of the *reserved* memory is waste, ceil(used·p / (100 − p)).
std::unique_ptr<const Plan> planIdeal(const Scenario& scenario);

/// Contiguous: every request gets the entries of `maxContext` tokens at once (default: its context, no waste).
std::unique_ptr<const Plan> planContiguous(const Scenario& scenario);

/// Paged: entries of every layer are rounded up to whole blocks of `blockTokens`; states are not paged.
/// Source: arXiv:2309.06180 (PagedAttention), section 4.
std::unique_ptr<const Plan> planPaged(const Scenario& scenario);

} // namespace core::engines
