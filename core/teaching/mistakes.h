// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/teaching/asked.h"
#include "core/text/message.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace core {

/// A way to go wrong that people are known to go: one input changed, or one turn taken with the right numbers. It
/// either changes the scenario, after which the same is asked of it, or turns the right number into the wrong one.
struct Mistake {
    std::string_view id; ///< "query-heads"
    /// What went wrong, in one or two sentences that begin "This fits if …". Places: {0} query heads, {1} KV heads,
    /// {2} the exercise's own number, {3} context, {4} requests, {5} layers, {6} head dimension, {7} GPUs,
    /// {8} share of waste, {9} block of tokens, {10} bytes of a block of the cache format, {11} its elements.
    std::string_view text;
    bool needsNumber = false; ///< true where an exercise must say a number: the other model's layers
    /// Makes the change; false where the scenario gives no occasion for it. nullptr where `turn` is the mistake.
    bool (*change)(Scenario& scenario, std::int64_t number) = nullptr;
    /// The wrong number from the right one; nothing where there is no occasion.
    std::optional<double> (*turn)(const Task& task, double right, std::int64_t number) = nullptr;
    /// In place of `text` where the cache format packs elements in blocks; empty: no difference.
    std::string_view packedText = {};
};

/// The mistake library.
std::span<const Mistake> mistakes();

/// The mistake of that id; nullptr when there is none.
const Mistake* mistake(std::string_view id);

/// A mistake as an exercise lists it.
struct MistakeUse {
    const Mistake* mistake = nullptr;
    std::int64_t number = 0; ///< where the mistake needs one
    bool close = false;      ///< accepted, with the text as a note
};

/// The answer that someone gives who makes this mistake and no other; nothing where the task gives no occasion for it
/// or the mistake changes nothing.
std::optional<double> wrongAnswer(const Task& task, const MistakeUse& use);

/// The same where the right number is known.
std::optional<double> wrongAnswer(const Task& task, const MistakeUse& use, double right);

/// What to say about it.
Message diagnosisOf(const Task& task, const MistakeUse& use);

/// The mistakes that people make with what is asked, for an exercise that names none.
std::vector<MistakeUse> usualMistakes(Asked asked);

} // namespace core
