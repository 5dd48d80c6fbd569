// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/footprint.h"
#include "core/scenario.h"

namespace core::engines {

/// Cache that an engine sets aside for a workload, over all devices.
struct Reservation {
    Bytes used;  ///< the ideal cache of all requests
    Bytes waste; ///< reserved beyond that
    WasteCause cause = WasteCause::None;
};

/// Ideal: exactly what is used; the typed share p of the *reserved* memory is waste, ceil(used·p / (100 − p)).
Reservation reserveIdeal(const Scenario& scenario, const Workload& workload);

/// Contiguous: every request gets the entries of `maxContext` tokens at once (default: its context, no waste).
Reservation reserveContiguous(const Scenario& scenario, const Workload& workload);

/// Paged: entries of every layer are rounded up to whole blocks of `blockTokens`; states are not paged.
/// Source: arXiv:2309.06180 (PagedAttention), section 4.
Reservation reservePaged(const Scenario& scenario, const Workload& workload);

/// The reservation of the scenario's engine for `workload`.
Reservation reserve(const Scenario& scenario, const Workload& workload);

} // namespace core::engines
