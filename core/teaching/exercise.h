// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/teaching/answer.h"
#include "core/teaching/asked.h"
#include "core/teaching/mistakes.h"
#include "core/text/message.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace core {

/// Wrong answers after which the right one may be shown without being asked for.
inline constexpr int kTriesBeforeAnswer = 3;

/// A question with one number for an answer. The number is computed from the task whenever it is needed, so it follows
/// a changed scenario; nobody types it.
struct Exercise {
    std::string id;       ///< "E3"
    std::string title;    ///< "One 70B request"
    std::string question; ///< Markdown with places such as {context}, filled by `lesson_text.h`
    Task task;
    std::optional<AcceptedRange> accepted;           ///< in place of the usual tolerance
    std::vector<MistakeUse> mistakes;                ///< what is diagnosed
    std::optional<std::array<std::string, 3>> hints; ///< Markdown in place of `hintsFor`
    std::string explanation;                         ///< Markdown, shown with the right answer
};

/// The right number; nothing where the scenario has none.
std::optional<double> rightAnswer(const Exercise& exercise);

/// A mistake that leads to what was answered.
struct Diagnosis {
    std::string_view mistake; ///< its id
    Message message;          ///< "This fits if …"
    bool close = false;       ///< the answer is accepted all the same
};

/// All mistakes of the exercise that lead to this answer, in the exercise's order.
std::vector<Diagnosis> diagnose(const Exercise& exercise, const Answer& answer, const NumberStyle& style = {});

enum class Grade : std::uint8_t {
    Correct,
    OtherUnit, ///< correct, but in GB where the program shows GiB, or the other way round
    Close,     ///< accepted, with a note
    NotYet,
    Unreadable, ///< no number, or a unit that does not count what is asked
};

/// What becomes of an answer.
struct Judgement {
    Grade grade = Grade::Unreadable;
    Message message;                  ///< the result in one sentence; gives the right number away only when accepted
    std::vector<Diagnosis> diagnoses; ///< for Close and NotYet

    bool accepted() const { return grade <= Grade::Close; }
};

/// Judges what a learner typed. `style` is the learner's.
Judgement judge(const Exercise& exercise, std::string_view typed, const NumberStyle& style = {});

/// The right number in both units, or with what it counts: "2.50 GiB (2.68 GB)", "15 requests". Empty where the
/// scenario has none.
Message answerInWords(const Exercise& exercise);

/// "You said {0}, it is {1}: off by a factor of {2}", for a prediction of a number. A guess of zero has no factor.
Message gapInWords(Measure measure, double said, double is);

/// A hint: a sentence and, where it takes a calculation apart, a line for each part (without results).
struct Hint {
    Message message;
    std::vector<Message> lines;
};

/// Three hints, to be shown one by one: which inputs, the formula with blanks, all but the last product.
std::array<Hint, 3> hintsFor(const Exercise& exercise);

/// How the right answer comes about, line by line, for an exercise that brings no explanation of its own; empty where
/// there is nothing to say that the question has not said.
std::vector<Message> workingFor(const Exercise& exercise);

} // namespace core
