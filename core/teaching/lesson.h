// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/scenario/footprint.h"
#include "core/teaching/exercise.h"
#include "core/teaching/lesson_text.h"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace core {

// All texts of lessons are Markdown with placeholders (`lesson_text.h`). The readers of lesson files have tried every
// placeholder, and have refused HTML, pictures and links that a text may not hold.

/// One of the answers to choose from.
struct Choice {
    std::string text;
    bool right = false;
    std::string diagnosis; ///< what is said when it is chosen
};

/// A question with answers to choose from, at least one of which is right.
struct ChoiceQuestion {
    std::string text;
    std::vector<Choice> choices;
};

/// What the learner commits to before the value is shown.
struct Prediction {
    enum class Kind : std::uint8_t {
        Marker, ///< It is dragged along the chart's context axis; `quantity` counts tokens.
        Number, ///< It is typed.
        Choice, ///< It is one of `choices`.
    };
    Kind kind = Kind::Number;
    std::string text;
    AskedQuantity quantity = AskedQuantity::Cache; ///< what is predicted of the step's scenario, unless it is a choice
    std::vector<Choice> choices;
};

/// What a step asks: nothing, a number, or a choice.
using Question = std::variant<std::monostate, Exercise, ChoiceQuestion>;

/// One step: a text beside the live charts. A prediction holds back the charts' numbers, and all that follows it, until
/// it is made or skipped. A question whose answer could be read off the charts (`showsItsAnswer`) holds the numbers
/// back until it is answered. The reveal comes last.
struct LessonStep {
    std::string title;
    std::string text;
    Scenario scenario;                 ///< the scenario that is shown when the step begins
    std::vector<NamedScenario> others; ///< other scenarios of which its texts speak
    std::vector<Field> controls;       ///< the inputs that stay unlocked
    bool holdBack = false;             ///< The numbers are held back until the question is answered, even a choice.
    bool wholeAxis = false;            ///< The chart shows all contexts that the model was trained for.
    std::optional<Prediction> prediction;
    Question question;
    std::string reveal;     ///< what the step has shown
    std::string reflection; ///< something to think about

    PlaceholderScenarios placeholderScenarios() const { return {&scenario, others}; }
    /// True when the question asks for the very number that was predicted, which must not be told in between.
    bool asksWhatIsPredicted() const;
    /// True when the program would show what the question asks before anything is changed: it asks for a number of the
    /// scenario that the step begins with, or no input is unlocked that leads to another one, or the step says so.
    bool showsItsAnswer() const;
    /// The number that the step wants to hear, as an answer or as a prediction.
    std::optional<AskedQuantity> askedQuantity() const;
};

/// A lesson: about ten minutes of steps.
struct Lesson {
    std::string id; ///< names its progress: "linear-growth"
    std::string title;
    std::string description;
    std::int64_t minutes = 0;
    std::vector<LessonStep> steps;
};

/// A collection of exercises.
struct ExerciseSet {
    std::string title;
    std::vector<Exercise> exercises;
};

/// An exercise as a lesson of one step, and a collection of exercises as a lesson with a step for each.
Lesson lessonOf(const Exercise& exercise);
Lesson lessonOf(const ExerciseSet& set);

/// The scenarios of which the texts of an exercise speak.
PlaceholderScenarios placeholderScenariosOf(const Exercise& exercise);

/// A question, hint or explanation of the exercise with its placeholders filled.
std::string filled(const std::string& text, const Exercise& exercise, const NumberStyle& style = {});

/// A text of the step with its placeholders filled.
std::string filled(const std::string& text, const LessonStep& step, const NumberStyle& style = {});

} // namespace core
