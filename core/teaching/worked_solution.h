// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/scenario/scenario.h"
#include "core/teaching/exercise.h"
#include "core/text/message.h"

#include <vector>

namespace core {

/// How the right answer comes about, line by line, for an exercise that brings no explanation of its own. Empty where
/// the question has already said all there is to say.
std::vector<Message> workedSolution(const Exercise& exercise);

/// What each kind of layers keeps of one request, as a product: "10 layers keep every token: 10 · 8,192 bytes · 131,072
/// tokens.", with what it comes to if `results` is true.
std::vector<Message> layersInWords(const Scenario& scenario, bool results);

/// The memory of all GPUs, and what is taken off it before the cache gets the rest.
struct MemoryForCache {
    Bytes all;
    Bytes keptFree; ///< the reserve and the overhead
    Bytes weights;

    explicit MemoryForCache(const Scenario& scenario);
    Bytes left() const { return all - keptFree - weights; }
};

} // namespace core
