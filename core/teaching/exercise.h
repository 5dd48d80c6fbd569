// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/teaching/answer.h"
#include "core/teaching/asked_quantity.h"
#include "core/teaching/mistakes.h"
#include "core/text/message.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace core {

/// The right answer may be shown after this many wrong ones without being asked for.
inline constexpr int kTriesBeforeAnswer = 3;

/// A question with one number for an answer. The number is computed from the task whenever it is needed, so it follows
/// a changed scenario; nobody types it.
struct Exercise {
    std::string id;       ///< "E3"
    std::string title;    ///< "One 70B request"
    std::string question; ///< Markdown with placeholders such as {context}, filled by `lesson_text.h`
    Task task;
    std::optional<AcceptedRange> accepted;           ///< what is accepted in place of the usual tolerance
    std::vector<MistakeUse> mistakes;                ///< the mistakes that are diagnosed
    std::optional<std::array<std::string, 3>> hints; ///< Markdown in place of `hintsFor`
    std::string explanation;                         ///< Markdown that is shown with the right answer
};

/// The right number; nothing where the scenario has none.
std::optional<double> rightAnswer(const Exercise& exercise);

/// A mistake that leads to what was answered.
struct Diagnosis {
    std::string_view mistake; ///< the id of the mistake
    Message message;          ///< "This fits if …"
    bool close = false;       ///< True where the answer is accepted all the same.
};

/// All mistakes of the exercise that lead to this answer, in the order of the exercise.
std::vector<Diagnosis> diagnose(const Exercise& exercise, const Answer& answer, const NumberStyle& style = {});

/// How good an answer is. The first three are accepted.
enum class Grade : std::uint8_t {
    Correct,
    OtherUnit,  ///< It is correct in GB where the program shows GiB, or the other way round.
    Close,      ///< It is accepted with a note.
    NotYet,     ///< It is wrong.
    Unreadable, ///< It holds no number, or its unit counts something else.
};

/// What becomes of an answer.
struct Judgement {
    Grade grade = Grade::Unreadable;
    Message message;                  ///< the result in a sentence, which gives the right number away only if accepted
    std::vector<Diagnosis> diagnoses; ///< what may have gone wrong, for `Close` and `NotYet`

    bool accepted() const { return grade <= Grade::Close; }
};

/// Judges what a learner typed in the learner's `style`.
Judgement judge(const Exercise& exercise, std::string_view typed, const NumberStyle& style = {});

/// The right number in both units, or with what it counts: "2.50 GiB (2.68 GB)", "15 requests". Empty where the
/// scenario has none.
Message answerInWords(const Exercise& exercise);

/// "You said {0}, it is {1}: off by a factor of {2}", for a number that was predicted. A guess of zero has no factor.
Message gapInWords(Measure measure, double said, double is);

} // namespace core
