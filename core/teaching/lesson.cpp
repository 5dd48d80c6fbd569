// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/teaching/lesson.h"

namespace core {

namespace {

/// The reader has tried every place; one that a changed scenario no longer has (no capacity, say) is left as a dash.
std::string orDash(Result<std::string> text, const std::string& original)
{
    if (text)
        return *std::move(text);
    std::string without = original;
    for (std::size_t open = without.find('{'); open != std::string::npos; open = without.find('{')) {
        const std::size_t close = without.find('}', open);
        without.replace(open, close == std::string::npos ? close : close - open + 1, "–");
    }
    return without;
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
           exercise->task.asked == prediction->asked;
}

bool LessonStep::showsItsAnswer() const
{
    const auto* exercise = std::get_if<Exercise>(&question);
    if (exercise == nullptr)
        return holdBack && std::holds_alternative<ChoiceQuestion>(question);
    return holdBack || controls.empty() || asksWhatIsPredicted() || exercise->task.scenario == scenario;
}

std::optional<Asked> LessonStep::askedNumber() const
{
    if (const auto* exercise = std::get_if<Exercise>(&question))
        return exercise->task.asked;
    return prediction && prediction->kind != Prediction::Kind::Choice ? std::optional(prediction->asked) : std::nullopt;
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

std::string filled(const std::string& text, const Exercise& exercise, const NumberStyle& style)
{
    std::vector<NamedScenario> others;
    if (exercise.task.compared)
        others.push_back({"before", *exercise.task.compared});
    return orDash(filled(std::string_view(text), Places{&exercise.task.scenario, others}, style), text);
}

std::string filled(const std::string& text, const LessonStep& step, const NumberStyle& style)
{
    return orDash(filled(std::string_view(text), step.places(), style), text);
}

} // namespace core
