// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/teaching/mistakes.h"

#include <optional>
#include <span>

// The tables of the mistake library, each in a file of its own, and what several of them do to a scenario.
namespace core {

/// Mistakes about what the layers keep: heads, dimensions, windows, states, cache formats, tokens and requests.
std::span<const Mistake> cacheMistakes();
/// Mistakes about the weights, the waste and the memory that counts.
std::span<const Mistake> memoryMistakes();
/// Mistakes about engines that have a pool, and about several GPUs.
std::span<const Mistake> engineMistakes();
/// Mistakes in calculating with the right inputs: shapes, factors, roundings.
std::span<const Mistake> arithmeticMistakes();

/// Moves a typed number of KV heads into the groups of the model, where a mistake can change them one by one. No number
/// depends on where it stands.
void putKvHeadsInGroups(Scenario& scenario);

/// Takes an engine without any waste.
void wasteNothing(Scenario& scenario);

/// The product, where there is a factor.
std::optional<double> times(double number, std::optional<double> factor);

} // namespace core
