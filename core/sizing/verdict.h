// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sizing/evaluation.h"
#include "core/text/message.h"

#include <cstdint>
#include <vector>

namespace core {

enum class Outcome : std::uint8_t { Fits, Over, NoCapacity, Issues };

/// The answer: one word, one sentence, and remarks on what it rests on.
struct Verdict {
    Outcome outcome = Outcome::NoCapacity;
    Message word;               ///< "Fits", "Over by 3.20 GiB"
    Message sentence;           ///< need, memory and limits
    std::vector<Message> notes; ///< which memory counts, what the label would give, what is unknown
};

/// `mayChoose`: hardware can be chosen where there is none.
Verdict verdictOf(const Evaluation& evaluation, bool mayChoose = true);

} // namespace core
