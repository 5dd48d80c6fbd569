// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/teaching/lesson_reader.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace core {

namespace {

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
constexpr std::int64_t kLongestLesson = 600; ///< minutes

enum class Need : std::uint8_t { Needed, Optional };

/// Reads one step. Its scenarios are known before the texts that speak of them.
class StepReader {
public:
    StepReader(const JsonObject& object, const LessonSources& sources) : m_object(object), m_sources(sources) {}

    LessonStep read(const std::optional<Scenario>& lessonScenario);

private:
    void readScenarios(const std::optional<Scenario>& lessonScenario);
    std::vector<Field> controls() const;
    std::optional<Prediction> prediction() const;
    Question question() const;
    ChoiceQuestion choiceQuestionAt(const JsonObject& object) const;

    /// The exercise that the step names; nullptr if it names none that exists.
    const Exercise* namedExercise() const;
    /// The Markdown at `key`, whose placeholders can be filled.
    std::string textAt(const JsonObject& object, std::string_view key, Need need) const;
    Choice choiceAt(const JsonObject& object) const;
    std::vector<Choice> choicesAt(const JsonObject& object) const;

    const JsonObject& m_object;
    const LessonSources& m_sources;
    LessonStep m_step;
};

LessonStep StepReader::read(const std::optional<Scenario>& lessonScenario)
{
    orRefuse(m_object.onlyKeys(kStepKeys));
    readScenarios(lessonScenario);
    m_step.title = textAt(m_object, "title", Need::Needed);
    m_step.text = textAt(m_object, "text", Need::Needed);
    m_step.reveal = textAt(m_object, "reveal", Need::Optional);
    m_step.reflection = textAt(m_object, "reflection", Need::Optional);
    m_step.controls = controls();
    m_step.holdBack = orRefuse(m_object.optionalBool("hold_back")).value_or(false);
    m_step.wholeAxis = orRefuse(m_object.optionalBool("whole_axis")).value_or(false);
    m_step.prediction = prediction();
    m_step.question = question();
    return std::move(m_step);
}

void StepReader::readScenarios(const std::optional<Scenario>& lessonScenario)
{
    const Exercise* named = namedExercise();
    const Scenario* ofLesson = lessonScenario ? &*lessonScenario : nullptr;
    m_step.scenario = scenarioAt(m_object, "scenario", named != nullptr ? &named->task.scenario : ofLesson, m_sources);
    const std::optional<JsonObject> others = orRefuse(m_object.optionalObject("others"));
    if (!others)
        return;
    for (const auto& [name, value] : others->json().items())
        m_step.others.push_back({name, scenarioAt(*others, name, &m_step.scenario, m_sources)});
}

const Exercise* StepReader::namedExercise() const
{
    const nlohmann::json* question = m_object.find("question");
    if (question == nullptr || !question->is_string())
        return nullptr;
    const auto found = std::ranges::find(m_sources.exercises, question->get<std::string>(), &Exercise::id);
    return found == m_sources.exercises.end() ? nullptr : &*found;
}

std::string StepReader::textAt(const JsonObject& object, std::string_view key, Need need) const
{
    std::string text = need == Need::Needed ? neededMarkdownAt(object, key) : markdownAt(object, key);
    checkPlaceholders(object, key, text, m_step.placeholderScenarios());
    return text;
}

std::vector<Field> StepReader::controls() const
{
    std::vector<Field> controls;
    std::vector<std::string> ids;
    for (const Input& input : inputs())
        ids.emplace_back(input.id);
    for (const std::string& name : orRefuse(m_object.texts("controls"))) {
        const std::optional<Field> control = field(name);
        if (!control)
            refuseText(m_object, "controls",
                       KV_TEXT("core", "In {0}, \"{1}\" names \"{2}\", which is not an input; nothing was changed; the "
                                       "closest one is \"{3}\"."),
                       name, {closestOrFirst(name, ids)});
        controls.push_back(*control);
    }
    return controls;
}

Choice StepReader::choiceAt(const JsonObject& object) const
{
    orRefuse(object.onlyKeys(kChoiceKeys));
    Choice choice;
    choice.right = orRefuse(object.optionalBool("right")).value_or(false);
    choice.text = textAt(object, "text", Need::Needed);
    choice.diagnosis = textAt(object, "diagnosis", choice.right ? Need::Optional : Need::Needed);
    return choice;
}

std::vector<Choice> StepReader::choicesAt(const JsonObject& object) const
{
    std::vector<Choice> choices;
    for (const JsonObject& choice : orRefuse(object.objects("choices")))
        choices.push_back(choiceAt(choice));
    const auto right = std::ranges::count_if(choices, &Choice::right);
    if (right == 0 || right == std::ssize(choices))
        refuse(fail(KV_TEXT("core", "In {0}, \"{1}\" needs two choices or more, some of them with \"right\": true and "
                                    "some without; nothing was changed; correct it there."),
                    {std::string(object.file()), object.place("choices")}));
    return choices;
}

std::optional<Prediction> StepReader::prediction() const
{
    const std::optional<JsonObject> object = orRefuse(m_object.optionalObject("prediction"));
    if (!object)
        return std::nullopt;
    orRefuse(object->onlyKeys(kPredictionKeys));
    Prediction prediction;
    prediction.text = textAt(*object, "text", Need::Needed);
    if (object->has("choices")) {
        prediction.kind = Prediction::Kind::Choice;
        prediction.choices = choicesAt(*object);
        return prediction;
    }
    const std::string kind = orRefuse(object->text("kind"));
    const std::optional<AskedQuantity> quantity = askedQuantityNamed(orRefuse(object->text("asked")));
    if (kind != "marker" && kind != "number")
        refuse(
            object->wrong("kind", KV_TEXT("core", "In {0}, \"{1}\" is {2}, but a prediction is a marker or a number, "
                                                  "or has choices; nothing was changed; correct it there.")));
    prediction.kind = kind == "marker" ? Prediction::Kind::Marker : Prediction::Kind::Number;
    prediction.quantity = quantity.value_or(AskedQuantity::Cache);
    const bool onAxis = kind != "marker" || measureOf(prediction.quantity) == Measure::Tokens;
    if (!quantity || !onAxis || !solve(*quantity, m_step.scenario))
        refuse(object->wrong(
            "asked",
            KV_TEXT("core", "In {0}, \"{1}\" is {2}, which this step's scenario does not have or, for a marker, is not "
                            "on the context axis; nothing was changed; ask for something like \"crossover\".")));
    return prediction;
}

Question StepReader::question() const
{
    const nlohmann::json* value = m_object.find("question");
    if (value == nullptr)
        return {};
    if (const Exercise* named = namedExercise())
        return *named;
    if (value->is_string())
        refuse(m_object.wrong("question",
                              KV_TEXT("core", "In {0}, \"{1}\" is {2}, which is not an exercise; nothing was changed; "
                                              "write the id of one, such as \"E3\", or the exercise itself.")));
    const JsonObject object = orRefuse(m_object.object("question"));
    if (object.has("choices"))
        return choiceQuestionAt(object);
    return exerciseFrom(object, &m_step.scenario, m_sources);
}

ChoiceQuestion StepReader::choiceQuestionAt(const JsonObject& object) const
{
    orRefuse(object.onlyKeys(kChoiceQuestionKeys));
    ChoiceQuestion question;
    question.text = textAt(object, "text", Need::Needed);
    question.choices = choicesAt(object);
    return question;
}

/// The lesson without its steps.
Lesson headOf(const JsonObject& root)
{
    if (orRefuse(root.text("format")) != "kvhorizon.lesson")
        refuse(root.wrong(
            "format",
            KV_TEXT("core",
                    "{0} is not a lesson: its \"{1}\" is {2} and not \"kvhorizon.lesson\"; choose another file.")));
    orRefuse(root.count("version", {1, 1}));
    orRefuse(root.onlyKeys(kLessonKeys));
    Lesson lesson;
    lesson.id = orRefuse(root.text("id"));
    lesson.title = neededMarkdownAt(root, "title");
    lesson.description = neededMarkdownAt(root, "description");
    lesson.minutes = orRefuse(root.optionalCount("minutes", {1, kLongestLesson})).value_or(0);
    return lesson;
}

/// Reads the lesson but for the steps that cannot be read, whose errors it adds to `faults`.
Lesson lessonIn(const JsonObject& root, const LessonSources& sources, std::vector<Error>& faults)
{
    Lesson lesson = headOf(root);
    std::optional<Scenario> scenario;
    if (root.has("scenario"))
        scenario = scenarioAt(root, "scenario", nullptr, sources);
    const std::vector<JsonObject> steps = orRefuse(root.objects("steps"));
    if (steps.empty() || steps.size() > kMostSteps)
        refuse(
            fail(KV_TEXT("core", "In {0}, \"steps\" must hold 1 to {1} steps; nothing was changed; correct it there."),
                 {std::string(root.file()), static_cast<std::int64_t>(kMostSteps)}));
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const JsonObject placed(steps[i].json(), root.file(), "step " + std::to_string(i + 1));
        Result<LessonStep> step = resultOf([&] { return StepReader(placed, sources).read(scenario); });
        if (step)
            lesson.steps.push_back(*std::move(step));
        else
            faults.push_back(std::move(step.error()));
    }
    return lesson;
}

/// The same for a file; `faults` also holds what is wrong outside the steps.
Lesson lessonIn(std::string_view text, std::string_view name, const LessonSources& sources, std::vector<Error>& faults)
{
    Result<Lesson> lesson = resultOf([&] {
        if (text.size() > kLargestLesson)
            refuse(fail(KV_TEXT("core", "{0} is larger than 1 MiB, the most that a lesson may have; nothing was "
                                        "changed; choose another file."),
                        {std::string(name)}));
        const readers::JsonDocument document = orRefuse(readers::parseJson(text, name));
        return lessonIn(orRefuse(document.root()), sources, faults);
    });
    if (!lesson)
        faults.push_back(std::move(lesson.error()));
    return std::move(lesson).value_or(Lesson());
}

} // namespace

Result<Lesson> lessonFromText(std::string_view text, std::string_view name, const LessonSources& sources)
{
    std::vector<Error> faults;
    Lesson lesson = lessonIn(text, name, sources, faults);
    if (!faults.empty())
        return tl::unexpected<Error>(std::move(faults.front()));
    return lesson;
}

std::vector<Error> lessonFaults(std::string_view text, std::string_view name, const LessonSources& sources)
{
    std::vector<Error> faults;
    lessonIn(text, name, sources, faults);
    return faults;
}

} // namespace core
