// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/teaching/exercise.h"
#include "core/text/message.h"

#include <array>
#include <vector>

namespace core {

/// A hint: a sentence and, where it takes a calculation apart, a line for each part, without results.
struct Hint {
    Message message;
    std::vector<Message> lines = {};
};

/// Three hints, to be shown one by one: which inputs are needed, the formula with blanks, everything but the last step.
std::array<Hint, 3> hintsFor(const Exercise& exercise);

} // namespace core
