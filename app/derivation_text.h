// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sizing/explain.h"

#include <string>

namespace app {

/// A step with its numbers: "2 · 32 · 8 · 128 · 8,192 · 2 · 1 = 1,073,741,824 B".
std::string stepText(const core::Step& step);

/// A derivation as `size --explain` prints it: formula, every step with the origin of its inputs, sources.
std::string derivationText(const core::Derivation& derivation);

} // namespace app
