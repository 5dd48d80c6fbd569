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

// All texts of lessons are Markdown with places (`lesson_text.h`); the reader (`lesson_json.h`) has tried every place
// and refused everything but plain text.

/// One answer to choose.
struct Choice {
    std::string text;
    bool right = false;
    std::string diagnosis; ///< what to say when it is chosen
};

/// A question with answers to choose from, at least one of which is right.
struct ChoiceQuestion {
    std::string text;
    std::vector<Choice> choices;
};

/// What the learner commits to before the value is shown.
struct Prediction {
    enum class Kind : std::uint8_t {
        Marker, ///< dragged on the chart's context axis; `asked` is a number of tokens
        Number, ///< typed
        Choice, ///< one of `choices`
    };
    Kind kind = Kind::Number;
    std::string text;
    Asked asked = Asked::Cache; ///< of the step's scenario: `solve`, then `gapInWords`
    std::vector<Choice> choices;
};

/// What a step asks: nothing, a number, or a choice.
using Question = std::variant<std::monostate, Exercise, ChoiceQuestion>;

/// One step: a text beside the live charts. Where there is a prediction, the charts' numbers and all that follows it
/// are held back until it is made or skipped, and where the question's number could be read off, until that is answered
/// too (`showsItsAnswer`); the reveal comes last.
struct LessonStep {
    std::string title;
    std::string text;
    Scenario scenario;                 ///< shown when the step begins
    std::vector<NamedScenario> others; ///< of which its texts speak besides
    std::vector<Field> controls;       ///< the inputs that stay unlocked
    bool holdBack = false;             ///< numbers are held back until a choice is right, as for a number
    bool wholeAxis = false;            ///< the chart shows all contexts that the model was trained for
    std::optional<Prediction> prediction;
    Question question;
    std::string reveal;
    std::string reflection;

    Places places() const { return {&scenario, others}; }
    /// True when the question asks for the very number that was predicted: do not tell it in between.
    bool asksWhatIsPredicted() const;
    /// True when the program would show what the question asks, without anything being changed: a number is asked of
    /// the scenario that the step begins with, or no input is there to come to the other one, or the step says so.
    bool showsItsAnswer() const;
    /// What the step's numbers would tell, of which some are always in sight.
    std::optional<Asked> askedNumber() const;
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

/// An exercise as a lesson of one step, and a collection of them as one of as many steps.
Lesson lessonOf(const Exercise& exercise);
Lesson lessonOf(const ExerciseSet& set);

/// The exercise's question, hint or explanation with its places filled; "before" names what it is compared with.
std::string filled(const std::string& text, const Exercise& exercise, const NumberStyle& style = {});

/// A text of a step with its places filled from the step's scenario.
std::string filled(const std::string& text, const LessonStep& step, const NumberStyle& style = {});

} // namespace core
