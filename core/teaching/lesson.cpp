// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/teaching/lesson.h"

namespace core {

namespace {

/// `text` with its placeholders filled, or with dashes in their place where one has no value. The reader has tried
/// every placeholder, but a changed scenario may no longer have its value (no capacity, say).
std::string filledOrDashes(std::string text, const PlaceholderScenarios& scenarios, const NumberStyle& style)
{
    if (Result<std::string> complete = filled(std::string_view(text), scenarios, style))
        return *std::move(complete);
    for (std::size_t open = text.find('{'); open != std::string::npos; open = text.find('{')) {
        const std::size_t close = text.find('}', open);
        text.replace(open, close == std::string::npos ? close : close - open + 1, "–");
    }
    return text;
}

LessonStep stepOf(const Exercise& exercise)
{
    LessonStep step;
    step.title = exercise.title;
    step.scenario = exercise.task.scenario;
    step.question = exercise;
    return step;
}

} // namespace

bool LessonStep::asksWhatIsPredicted() const
{
    const auto* exercise = std::get_if<Exercise>(&question);
    return prediction && prediction->kind != Prediction::Kind::Choice && exercise != nullptr &&
           exercise->task.quantity == prediction->quantity;
}

bool LessonStep::showsItsAnswer() const
{
    const auto* exercise = std::get_if<Exercise>(&question);
    if (exercise == nullptr)
        return holdBack && std::holds_alternative<ChoiceQuestion>(question);
    return holdBack || controls.empty() || asksWhatIsPredicted() || exercise->task.scenario == scenario;
}

std::optional<AskedQuantity> LessonStep::askedQuantity() const
{
    if (const auto* exercise = std::get_if<Exercise>(&question))
        return exercise->task.quantity;
    return prediction && prediction->kind != Prediction::Kind::Choice ? std::optional(prediction->quantity)
                                                                      : std::nullopt;
}

Lesson lessonOf(const Exercise& exercise)
{
    Lesson lesson;
    lesson.id = exercise.id.empty() ? std::string() : "exercise " + exercise.id;
    lesson.title = exercise.title;
    lesson.steps.push_back(stepOf(exercise));
    lesson.steps.front().title.clear(); // it is the lesson's
    return lesson;
}

Lesson lessonOf(const ExerciseSet& set)
{
    Lesson lesson;
    lesson.id = "exercises " + set.title;
    lesson.title = set.title;
    for (const Exercise& exercise : set.exercises)
        lesson.steps.push_back(stepOf(exercise));
    return lesson;
}

PlaceholderScenarios placeholderScenariosOf(const Exercise& exercise)
{
    const Task& task = exercise.task;
    return {&task.scenario, {}, task.compared ? &*task.compared : nullptr};
}

std::string filled(const std::string& text, const Exercise& exercise, const NumberStyle& style)
{
    return filledOrDashes(text, placeholderScenariosOf(exercise), style);
}

std::string filled(const std::string& text, const LessonStep& step, const NumberStyle& style)
{
    return filledOrDashes(text, step.placeholderScenarios(), style);
}

} // namespace core
