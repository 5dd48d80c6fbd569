// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/model.h"
#include "core/teaching/exercise.h"

#include <cstdint>
#include <optional>

namespace core {

/// An exercise on `model`. The quantity, the context, the requests and the format are drawn by `seed`, the same ones
/// for the same seed, until the right answer and those of at least two mistakes can all be told apart, with a unit or
/// without; mistakes whose answers cannot are left out. Nothing when that never succeeds, as with a model without a
/// cache.
std::optional<Exercise> generateExercise(const Model& model, std::uint64_t seed);

/// True when no answer can mean both numbers: they differ by more than the tolerance even when one is written in the
/// binary and the other in the decimal unit. `scale` is the right number, in whose units sizes are written.
bool canBeToldApart(Measure measure, double a, double b, double scale);

} // namespace core
