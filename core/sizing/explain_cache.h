// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sizing/explain.h"

namespace core {

/// The derivation of Quantity::Cache: one product for each cache group (2·L·Hkv·D·S·P·B where K and V are alike and
/// unblocked, else layers · entry bytes · entries · batch with the entry opened up), then their sum.
Derivation cacheDerivation(const Evaluation& evaluation);

} // namespace core
