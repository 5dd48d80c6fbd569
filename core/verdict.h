// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/footprint.h"
#include "core/message.h"

#include <cstdint>

namespace core {

enum class Outcome : std::uint8_t { Fits, Over, NoCapacity, Issues };

/// The answer in one word and one sentence.
struct Verdict {
    Outcome outcome = Outcome::NoCapacity;
    Message word;     ///< "Fits", "Over by 3.20 GiB"
    Message sentence; ///< need and memory, the limits
    Message basis;    ///< which memory counts: "24 GiB card, 23.6 usable; 15 requests with label memory"; may be empty
};

Verdict verdictOf(const Evaluation& evaluation);

} // namespace core
