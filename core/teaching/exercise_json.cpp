// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/teaching/lesson_reader.h"
#include "core/text/text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <limits>

namespace core {

namespace {

using readers::JsonObject;

constexpr std::array<std::string_view, 11> kExerciseKeys{"id",       "title", "question",   "scenario",
                                                         "compared", "asked", "accepted",   "mistakes",
                                                         "close",    "hints", "explanation"};
constexpr std::array<std::string_view, 4> kFileKeys{"format", "version", "title", "exercises"};
constexpr std::array<std::string_view, 2> kRangeKeys{"from", "to"};
constexpr std::size_t kHints = 3;

AskedQuantity quantityAt(const JsonObject& object)
{
    const std::string name = orRefuse(object.text("asked"));
    const std::optional<AskedQuantity> quantity = askedQuantityNamed(name);
    if (!quantity)
        refuse(object.wrong("asked",
                            KV_TEXT("core", "In {0}, \"{1}\" is {2}, which cannot be asked for; nothing was changed; "
                                            "ask for something like \"{3}\"."),
                            {closestOrFirst(name, {askedQuantityIds().begin(), askedQuantityIds().end()})}));
    return *quantity;
}

Task taskFrom(const JsonObject& object, const Scenario* base, const LessonSources& sources)
{
    Task task;
    task.quantity = quantityAt(object);
    task.scenario = scenarioAt(object, "scenario", base, sources);
    if (object.has("compared"))
        task.compared = scenarioAt(object, "compared", &task.scenario, sources);
    return task;
}

/// Reads "query-heads", or "other-layers 32".
MistakeUse mistakeFrom(const JsonObject& object, std::string_view key, const std::string& text, bool close)
{
    const std::size_t blank = text.find(' ');
    const std::string id = text.substr(0, blank);
    MistakeUse use{mistake(id), 0, close};
    if (use.mistake == nullptr) {
        std::vector<std::string> ids;
        for (const Mistake& known : mistakes())
            ids.emplace_back(known.id);
        refuseText(
            object, key,
            KV_TEXT(
                "core",
                "In {0}, \"{1}\" names \"{2}\", which is not in the library of mistakes; the closest one is \"{3}\"."),
            text, {closestOrFirst(id, ids)});
    }
    const Result<std::int64_t> number = parseCount(blank == std::string::npos ? "0" : text.substr(blank + 1));
    if (!number || (use.mistake->needsNumber && *number < 1))
        refuseText(object, key,
                   KV_TEXT("core", "In {0}, \"{1}\" names \"{2}\", but this mistake needs a whole number after its "
                                   "name, such as \"other-layers 32\"."),
                   text);
    use.number = *number;
    return use;
}

/// The mistakes in both lists, those that are close behind the others.
std::vector<MistakeUse> mistakesFrom(const JsonObject& object)
{
    std::vector<MistakeUse> uses;
    for (const std::string& text : orRefuse(object.texts("mistakes")))
        uses.push_back(mistakeFrom(object, "mistakes", text, false));
    for (const std::string& text : orRefuse(object.texts("close")))
        uses.push_back(mistakeFrom(object, "close", text, true));
    return uses;
}

std::optional<AcceptedRange> acceptedFrom(const JsonObject& object)
{
    constexpr readers::Range kAny{0, std::numeric_limits<std::int64_t>::max() - 1};
    const std::optional<JsonObject> range = orRefuse(object.optionalObject("accepted"));
    if (!range)
        return std::nullopt;
    orRefuse(range->onlyKeys(kRangeKeys));
    const auto low = static_cast<double>(orRefuse(range->count("from", kAny)));
    const auto high = static_cast<double>(orRefuse(range->count("to", kAny)));
    return AcceptedRange{low, high};
}

std::optional<std::array<std::string, kHints>> hintsFrom(const JsonObject& object)
{
    const std::vector<std::string> hints = orRefuse(object.texts("hints"));
    if (hints.empty())
        return std::nullopt;
    if (hints.size() != kHints)
        refuse(object.wrong(
            "hints",
            KV_TEXT("core", "In {0}, \"{1}\" must hold three texts: which inputs are needed, the formula with blanks, "
                            "and everything but the last step; nothing was changed; correct it there.")));
    for (const std::string& hint : hints) {
        if (const std::optional<std::string> forbidden = forbiddenIn(hint))
            refuse(object.wrong("hints",
                                KV_TEXT("core", "In {0}, \"{1}\" holds \"{3}\", but a text may hold only plain "
                                                "Markdown; nothing was changed; remove it."),
                                {*forbidden}));
    }
    return std::array{hints[0], hints[1], hints[2]};
}

/// Refuses an exercise of whose texts a placeholder cannot be filled.
void checkTexts(const JsonObject& object, const Exercise& exercise)
{
    const PlaceholderScenarios scenarios = placeholderScenariosOf(exercise);
    checkPlaceholders(object, "question", exercise.question, scenarios);
    checkPlaceholders(object, "explanation", exercise.explanation, scenarios);
    for (std::size_t i = 0; exercise.hints && i < kHints; ++i)
        checkPlaceholders(object, "hints", exercise.hints->at(i), scenarios);
}

/// Refuses an exercise that has no right answer, or does not accept it.
void checkRightAnswer(const JsonObject& object, const Exercise& exercise, std::optional<double> right)
{
    if (!right)
        refuse(object.wrong("asked", KV_TEXT("core", "In {0}, \"{1}\" is {2}, which its scenario does not have; give "
                                                     "it what is missing, such as a \"gpu\" or \"compared\".")));
    if (exercise.accepted && !exercise.accepted->holds(*right))
        refuse(object.wrong(
            "accepted",
            KV_TEXT("core", "In {0}, \"{1}\" leaves out the right answer, {3}; nothing was changed; correct it there."),
            {shownNumber(measureOf(exercise.task.quantity), *right)}));
}

/// Refuses an exercise that names a mistake whose number counts as right.
void checkMistakes(const JsonObject& object, const Exercise& exercise, double right)
{
    const Measure measure = measureOf(exercise.task.quantity);
    const auto isRight = [&](double number) {
        return exercise.accepted ? exercise.accepted->holds(number) : isNear(measure, number, right);
    };
    for (const MistakeUse& use : exercise.mistakes) {
        const std::optional<double> wrong = wrongAnswer(exercise.task, use, right);
        if (!wrong || isRight(*wrong))
            refuseText(object, "mistakes",
                       KV_TEXT("core", "In {0}, the mistake \"{2}\" of \"{1}\" leads to a number that counts as right; "
                                       "nothing was changed; remove it or change the scenario."),
                       std::string(use.mistake->id));
    }
}

ExerciseSet exercisesIn(const JsonObject& root, const LessonSources& sources)
{
    const std::string format = orRefuse(root.text("format"));
    orRefuse(root.count("version", {1, 1}));
    if (format != "kvhorizon.exercises")
        refuse(root.wrong(
            "format",
            KV_TEXT(
                "core",
                "{0} holds no exercises: its \"{1}\" is {2} and not \"kvhorizon.exercises\"; choose another file.")));
    orRefuse(root.onlyKeys(kFileKeys));
    ExerciseSet set{orRefuse(root.text("title")), {}};
    for (const JsonObject& entry : orRefuse(root.objects("exercises"))) {
        const std::string place = "exercise " + std::to_string(set.exercises.size() + 1);
        const JsonObject placed(entry.json(), root.file(), place);
        Exercise exercise = exerciseFrom(placed, nullptr, sources);
        if (exercise.id.empty())
            refuse(placed.missing("id"));
        if (std::ranges::count(set.exercises, exercise.id, &Exercise::id) > 0)
            refuse(placed.wrong(
                "id", KV_TEXT("core", "In {0}, \"{1}\" is {2}, which another exercise has too; give each its own.")));
        set.exercises.push_back(std::move(exercise));
    }
    return set;
}

} // namespace

Exercise exerciseFrom(const JsonObject& object, const Scenario* base, const LessonSources& sources)
{
    orRefuse(object.onlyKeys(kExerciseKeys));
    Exercise exercise;
    exercise.id = orRefuse(object.optionalText("id")).value_or("");
    exercise.title = markdownAt(object, "title");
    exercise.question = neededMarkdownAt(object, "question");
    exercise.explanation = markdownAt(object, "explanation");
    exercise.task = taskFrom(object, base, sources);
    exercise.mistakes = mistakesFrom(object);
    exercise.accepted = acceptedFrom(object);
    exercise.hints = hintsFrom(object);
    checkTexts(object, exercise);
    const std::optional<double> right = rightAnswer(exercise);
    checkRightAnswer(object, exercise, right);
    checkMistakes(object, exercise, *right);
    if (exercise.mistakes.empty())
        exercise.mistakes = usualMistakes(exercise.task.quantity);
    return exercise;
}

Result<ExerciseSet> exercisesFromText(std::string_view text, std::string_view name, const LessonSources& sources)
{
    return resultOf([&] {
        const readers::JsonDocument document = orRefuse(readers::parseJson(text, name));
        return exercisesIn(orRefuse(document.root()), sources);
    });
}

} // namespace core
