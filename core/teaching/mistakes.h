// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/teaching/asked_quantity.h"
#include "core/text/message.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

namespace core {

/// A task with its right number, and the number that the exercise gives with the mistake ("other-layers 32").
struct SolvedTask {
    const Task& task;
    double right = 0;
    std::int64_t number = 0;
};

/// Changes the scenario to what someone who makes the mistake takes it for. Leaves it alone where it gives no occasion
/// for the mistake.
using ChangeScenario = void (*)(Scenario& scenario);
/// The same with the number that the exercise gives.
using ChangeScenarioTo = void (*)(Scenario& scenario, std::int64_t number);
/// The wrong number itself, where the mistake is made in calculating; nothing where the task gives no occasion for it.
using Miscalculate = std::optional<double> (*)(const SolvedTask& solved);

/// A way of going wrong that people are known to take: they misread one input, or they take one wrong turn with the
/// right numbers.
struct Mistake {
    std::string_view id; ///< "query-heads"
    std::variant<ChangeScenario, ChangeScenarioTo, Miscalculate> effect;
    /// What went wrong, in one or two sentences that begin "This fits if …". Placeholders: {0} query heads, {1} KV
    /// heads, {2} the exercise's own number, {3} context, {4} requests, {5} layers, {6} head dimension, {7} GPUs,
    /// {8} share of waste, {9} tokens of a block, {10} bytes of a block of the cache format, {11} its elements.
    std::string_view text;
    /// It stands in place of `text` where the cache format packs elements in blocks; empty: `text` holds there too.
    std::string_view packedText = {};
    bool needsNumber = false; ///< An exercise must give a number with it, such as the layers of another model.
};

/// The mistake library.
std::span<const Mistake> mistakes();

/// The mistake with that id; nullptr when there is none.
const Mistake* mistake(std::string_view id);

/// A mistake as an exercise lists it.
struct MistakeUse {
    const Mistake* mistake = nullptr;
    std::int64_t number = 0; ///< the number that goes with the mistake, where it has one
    bool close = false;      ///< The wrong answer is accepted all the same, with the diagnosis as a note.
};

/// The answer of someone who makes this mistake and no other. Nothing where the task gives no occasion for it or the
/// number stays right.
std::optional<double> wrongAnswer(const Task& task, const MistakeUse& use);

/// The same where the right number is known already.
std::optional<double> wrongAnswer(const Task& task, const MistakeUse& use, double right);

/// What to say to someone who makes the mistake.
Message diagnosisOf(const Task& task, const MistakeUse& use);

/// The mistakes that people usually make with the quantity, for an exercise that names none.
std::vector<MistakeUse> usualMistakes(AskedQuantity quantity);

} // namespace core
