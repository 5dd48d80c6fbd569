// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/teaching/lesson_json.h"

#include "core/teaching/exercise_json.h"
#include "core/text/text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace core {

namespace {

using readers::firstError;
using readers::JsonObject;

constexpr std::array<std::string_view, 8> kLessonKeys{"format",      "version", "id",       "title",
                                                      "description", "minutes", "scenario", "steps"};
constexpr std::array<std::string_view, 11> kStepKeys{"title",      "text",       "scenario",  "others",
                                                     "controls",   "prediction", "question",  "hold_back",
                                                     "whole_axis", "reveal",     "reflection"};
constexpr std::array<std::string_view, 4> kPredictionKeys{"text", "kind", "asked", "choices"};
constexpr std::array<std::string_view, 3> kChoiceKeys{"text", "right", "diagnosis"};
constexpr std::array<std::string_view, 2> kChoiceQuestionKeys{"text", "choices"};
constexpr std::size_t kMostSteps = 100;
constexpr std::int64_t kLongestLesson = 600;

/// Reads one step. The scenario is known before the texts that speak of it.
class StepReader {
public:
    StepReader(const JsonObject& object, const LessonSources& sources) : m_object(object), m_sources(sources) {}

    Result<LessonStep> read(const std::optional<Scenario>& base);

private:
    Result<void> readScenarios(const std::optional<Scenario>& base);
    Result<void> readTexts();
    Result<void> readControls();
    Result<void> readView();
    Result<void> readPrediction();
    Result<void> readQuestion();
    Result<void> readNamedExercise();

    /// The Markdown at `key`, whose places can be filled.
    Result<std::string> textAt(const JsonObject& object, std::string_view key, bool needed) const;
    Result<Choice> choiceAt(const JsonObject& object) const;
    Result<std::vector<Choice>> choicesAt(const JsonObject& object) const;

    const JsonObject& m_object;
    const LessonSources& m_sources;
    LessonStep m_step;
};

/// The exercise that the step names, if it names one that exists.
const Exercise* namedExercise(const JsonObject& step, const LessonSources& sources)
{
    const nlohmann::json* question = step.find("question");
    if (question == nullptr || !question->is_string())
        return nullptr;
    const auto found = std::ranges::find(sources.exercises, question->get<std::string>(), &Exercise::id);
    return found == sources.exercises.end() ? nullptr : &*found;
}

Result<void> StepReader::readScenarios(const std::optional<Scenario>& base)
{
    const Exercise* named = namedExercise(m_object, m_sources);
    const std::optional<Scenario>& start = named != nullptr ? std::optional(named->task.scenario) : base;
    Result<Scenario> scenario = lessonScenario(m_object, "scenario", start, m_sources);
    const Result<std::optional<JsonObject>> others = m_object.optionalObject("others");
    if (const std::optional<Error> error = firstError(scenario, others))
        return tl::unexpected<Error>(*error);
    m_step.scenario = *std::move(scenario);
    if (!*others)
        return {};
    for (const auto& [name, value] : (*others)->json().items()) {
        Result<Scenario> other = lessonScenario(**others, name, m_step.scenario, m_sources);
        if (!other)
            return tl::unexpected<Error>(std::move(other.error()));
        m_step.others.push_back({name, *std::move(other)});
    }
    return {};
}

Result<std::string> StepReader::textAt(const JsonObject& object, std::string_view key, bool needed) const
{
    Result<std::string> text = needed ? neededMarkdownAt(object, key) : markdownAt(object, key);
    if (!text)
        return text;
    const Result<void> places = checkPlaces(object, key, *text, m_step.places());
    return places ? text : tl::unexpected<Error>(places.error());
}

Result<void> StepReader::readTexts()
{
    const Result<std::string> title = textAt(m_object, "title", true);
    const Result<std::string> text = textAt(m_object, "text", true);
    const Result<std::string> reveal = textAt(m_object, "reveal", false);
    const Result<std::string> reflection = textAt(m_object, "reflection", false);
    if (const std::optional<Error> error = firstError(title, text, reveal, reflection))
        return tl::unexpected<Error>(*error);
    m_step.title = *title;
    m_step.text = *text;
    m_step.reveal = *reveal;
    m_step.reflection = *reflection;
    return {};
}

Result<void> StepReader::readControls()
{
    const Result<std::vector<std::string>> names = m_object.texts("controls");
    if (!names)
        return tl::unexpected<Error>(names.error());
    for (const std::string& name : *names) {
        const std::optional<Field> known = field(name);
        if (!known) {
            std::vector<std::string> ids;
            for (const Input& input : inputs())
                ids.emplace_back(input.id);
            const std::vector<std::string> near = closest(name, ids, 1);
            return fail(KV_TEXT("core", "In {0}, \"{1}\" names \"{2}\", which is no input; nothing was changed; the "
                                        "closest is \"{3}\"."),
                        {std::string(m_object.file()), m_object.place("controls"), name,
                         near.empty() ? ids.front() : near.front()});
        }
        m_step.controls.push_back(*known);
    }
    return {};
}

Result<void> StepReader::readView()
{
    const Result<std::optional<bool>> holdBack = m_object.optionalBool("hold_back");
    const Result<std::optional<bool>> wholeAxis = m_object.optionalBool("whole_axis");
    if (const std::optional<Error> error = firstError(holdBack, wholeAxis))
        return tl::unexpected<Error>(*error);
    m_step.holdBack = holdBack->value_or(false);
    m_step.wholeAxis = wholeAxis->value_or(false);
    return {};
}

Result<Choice> StepReader::choiceAt(const JsonObject& object) const
{
    const Result<void> keys = object.onlyKeys(kChoiceKeys);
    const Result<std::optional<bool>> right = object.optionalBool("right");
    if (const std::optional<Error> error = firstError(keys, right))
        return tl::unexpected<Error>(*error);
    const bool isRight = right->value_or(false);
    const Result<std::string> text = textAt(object, "text", true);
    const Result<std::string> diagnosis = textAt(object, "diagnosis", !isRight);
    if (const std::optional<Error> error = firstError(text, diagnosis))
        return tl::unexpected<Error>(*error);
    return Choice{*text, isRight, *diagnosis};
}

Result<std::vector<Choice>> StepReader::choicesAt(const JsonObject& object) const
{
    const Result<std::vector<JsonObject>> list = object.objects("choices");
    if (!list)
        return tl::unexpected<Error>(list.error());
    std::vector<Choice> choices;
    for (const JsonObject& entry : *list) {
        Result<Choice> choice = choiceAt(entry);
        if (!choice)
            return tl::unexpected<Error>(std::move(choice.error()));
        choices.push_back(*std::move(choice));
    }
    if (choices.size() < 2 || std::ranges::none_of(choices, &Choice::right) ||
        std::ranges::all_of(choices, &Choice::right))
        return fail(KV_TEXT("core", "In {0}, \"{1}\" needs two choices or more, some of them with \"right\": true and "
                                    "some without; nothing was changed; correct it there."),
                    {std::string(object.file()), object.place("choices")});
    return choices;
}

Result<void> StepReader::readPrediction()
{
    const Result<std::optional<JsonObject>> found = m_object.optionalObject("prediction");
    if (!found || !*found)
        return found ? Result<void>() : tl::unexpected<Error>(found.error());
    const JsonObject& object = **found;
    Prediction prediction;
    const Result<void> keys = object.onlyKeys(kPredictionKeys);
    const Result<std::string> text = textAt(object, "text", true);
    if (const std::optional<Error> error = firstError(keys, text))
        return tl::unexpected<Error>(*error);
    prediction.text = *text;
    if (object.has("choices")) {
        Result<std::vector<Choice>> choices = choicesAt(object);
        if (!choices)
            return tl::unexpected<Error>(std::move(choices.error()));
        prediction.kind = Prediction::Kind::Choice;
        prediction.choices = *std::move(choices);
        m_step.prediction = std::move(prediction);
        return {};
    }
    const Result<std::string> kind = object.text("kind");
    const Result<std::string> name = object.text("asked");
    if (const std::optional<Error> error = firstError(kind, name))
        return tl::unexpected<Error>(*error);
    if (*kind != "marker" && *kind != "number")
        return object.wrong("kind", KV_TEXT("core", "In {0}, \"{1}\" is {2}, but a prediction is a marker or a number, "
                                                    "or has choices; nothing was changed; correct it there."));
    const std::optional<Asked> what = asked(*name);
    prediction.kind = *kind == "marker" ? Prediction::Kind::Marker : Prediction::Kind::Number;
    prediction.asked = what.value_or(Asked::Cache);
    const bool onAxis = prediction.kind != Prediction::Kind::Marker || measureOf(prediction.asked) == Measure::Tokens;
    if (!what || !onAxis || !solve({*what, m_step.scenario, {}}))
        return object.wrong("asked", KV_TEXT("core", "In {0}, \"{1}\" is {2}, which this step's scenario does not have "
                                                     "or, for a marker, does not stand on the context axis; nothing "
                                                     "was changed; ask for something like \"crossover\"."));
    m_step.prediction = std::move(prediction);
    return {};
}

Result<void> StepReader::readNamedExercise()
{
    const Exercise* named = namedExercise(m_object, m_sources);
    if (named != nullptr) {
        m_step.question = *named;
        return {};
    }
    return m_object.wrong(
        "question", KV_TEXT("core", "In {0}, \"{1}\" is {2}, which is no exercise; nothing was changed; write the "
                                    "id of one, such as \"E3\", or the exercise itself."));
}

Result<void> StepReader::readQuestion()
{
    const nlohmann::json* value = m_object.find("question");
    if (value == nullptr)
        return {};
    if (value->is_string())
        return readNamedExercise();
    const Result<JsonObject> object = m_object.object("question");
    if (!object)
        return tl::unexpected<Error>(object.error());
    if (!object->has("choices")) {
        Result<Exercise> exercise = exerciseFromJson(*object, m_step.scenario, m_sources);
        if (!exercise)
            return tl::unexpected<Error>(std::move(exercise.error()));
        m_step.question = *std::move(exercise);
        return {};
    }
    const Result<void> keys = object->onlyKeys(kChoiceQuestionKeys);
    const Result<std::string> text = textAt(*object, "text", true);
    Result<std::vector<Choice>> choices = choicesAt(*object);
    if (const std::optional<Error> error = firstError(keys, text, choices))
        return tl::unexpected<Error>(*error);
    m_step.question = ChoiceQuestion{*text, *std::move(choices)};
    return {};
}

Result<LessonStep> StepReader::read(const std::optional<Scenario>& base)
{
    if (const Result<void> keys = m_object.onlyKeys(kStepKeys); !keys)
        return tl::unexpected<Error>(keys.error());
    if (const Result<void> scenarios = readScenarios(base); !scenarios)
        return tl::unexpected<Error>(scenarios.error());
    for (const auto part : {&StepReader::readTexts, &StepReader::readControls, &StepReader::readView,
                            &StepReader::readPrediction, &StepReader::readQuestion}) {
        if (const Result<void> done = (this->*part)(); !done)
            return tl::unexpected<Error>(done.error());
    }
    return std::move(m_step);
}

Result<Lesson> headOf(const JsonObject& root)
{
    const Result<std::string> format = root.text("format");
    if (format && *format != "kvhorizon.lesson")
        return root.wrong("format", KV_TEXT("core", "{0} is no lesson: its \"{1}\" is {2} and not "
                                                    "\"kvhorizon.lesson\"; choose another file."));
    const Result<std::int64_t> version = root.count("version", {1, 1});
    const Result<void> keys = root.onlyKeys(kLessonKeys);
    const Result<std::string> id = root.text("id");
    const Result<std::string> title = neededMarkdownAt(root, "title");
    const Result<std::string> description = neededMarkdownAt(root, "description");
    const Result<std::optional<std::int64_t>> minutes = root.optionalCount("minutes", {1, kLongestLesson});
    if (const std::optional<Error> error = firstError(format, version, keys, id, title, description, minutes))
        return tl::unexpected<Error>(*error);
    return Lesson{*id, *title, *description, minutes->value_or(0), {}};
}

/// A lesson as far as it can be read, and what cannot.
struct Reading {
    Lesson lesson;
    std::vector<Error> faults;
};

Reading failed(const Error& error)
{
    return {{}, {error}};
}

/// The lesson's own scenario, if it has one.
Result<std::optional<Scenario>> baseOf(const JsonObject& root, const LessonSources& sources)
{
    if (!root.has("scenario"))
        return std::nullopt;
    return lessonScenario(root, "scenario", {}, sources).map([](Scenario&& scenario) {
        return std::optional(std::move(scenario));
    });
}

Reading readFrom(const JsonObject& root, const LessonSources& sources)
{
    Result<Lesson> lesson = headOf(root);
    const Result<std::optional<Scenario>> base = baseOf(root, sources);
    const Result<std::vector<JsonObject>> steps = root.objects("steps");
    if (const std::optional<Error> error = firstError(lesson, base, steps))
        return failed(*error);
    if (steps->empty() || steps->size() > kMostSteps)
        return failed({{KV_TEXT("core", "In {0}, \"steps\" must hold 1 to {1} steps; nothing was changed; correct it "
                                        "there."),
                        {std::string(root.file()), static_cast<std::int64_t>(kMostSteps)}}});
    Reading reading{*std::move(lesson), {}};
    std::int64_t number = 0;
    for (const JsonObject& entry : *steps) {
        const JsonObject placed(entry.json(), root.file(), "step " + std::to_string(++number));
        Result<LessonStep> step = StepReader(placed, sources).read(*base);
        if (step)
            reading.lesson.steps.push_back(*std::move(step));
        else
            reading.faults.push_back(std::move(step.error()));
    }
    return reading;
}

Reading readLesson(std::string_view text, std::string_view name, const LessonSources& sources)
{
    if (text.size() > kLargestLesson)
        return failed({{KV_TEXT("core", "{0} is larger than 1 MiB, which no lesson is; nothing was changed; choose "
                                        "another file."),
                        {std::string(name)}}});
    const Result<readers::JsonDocument> document = readers::parseJson(text, name);
    if (!document)
        return failed(document.error());
    const Result<JsonObject> root = document->root();
    return root ? readFrom(*root, sources) : failed(root.error());
}

} // namespace

LessonFile lessonFile(std::string_view content)
{
    const std::string_view beginning = content.substr(0, kLessonPeek);
    if (beginning.find("\"kvhorizon.exercises\"") != std::string_view::npos)
        return LessonFile::Exercises;
    return beginning.find("\"kvhorizon.lesson\"") != std::string_view::npos ? LessonFile::Lesson : LessonFile::None;
}

Result<Lesson> lessonFromText(std::string_view text, std::string_view name, const LessonSources& sources)
{
    Reading reading = readLesson(text, name, sources);
    if (!reading.faults.empty())
        return tl::unexpected<Error>(std::move(reading.faults.front()));
    return std::move(reading.lesson);
}

std::vector<Error> lessonFaults(std::string_view text, std::string_view name, const LessonSources& sources)
{
    return readLesson(text, name, sources).faults;
}

} // namespace core
