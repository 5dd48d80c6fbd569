// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/teaching/exercise_json.h"

#include "core/text/text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <limits>

namespace core {

namespace {

using readers::JsonObject;

constexpr std::array<std::string_view, 11> kKeys{"id",       "title",    "question", "scenario", "compared",   "asked",
                                                 "accepted", "mistakes", "close",    "hints",    "explanation"};
constexpr std::array<std::string_view, 4> kFileKeys{"format", "version", "title", "exercises"};
constexpr std::size_t kHints = 3;

Result<Asked> askedAt(const JsonObject& object)
{
    const Result<std::string> name = object.text("asked");
    if (!name)
        return tl::unexpected<Error>(name.error());
    if (const std::optional<Asked> known = asked(*name))
        return *known;
    const std::vector<std::string> ids(askedIds().begin(), askedIds().end());
    const std::vector<std::string> near = closest(*name, ids, 1);
    return object.wrong("asked",
                        KV_TEXT("core", "In {0}, \"{1}\" is {2}, which cannot be asked; nothing was changed; ask for "
                                        "something like \"{3}\"."),
                        {near.empty() ? std::string(ids.front()) : near.front()});
}

/// "query-heads", or "other-layers 32".
Result<MistakeUse> mistakeFrom(const JsonObject& object, std::string_view key, const std::string& text, bool close)
{
    const std::size_t blank = text.find(' ');
    MistakeUse use{mistake(text.substr(0, blank)), 0, close};
    const Result<std::int64_t> number =
        blank == std::string::npos ? Result<std::int64_t>(0) : parseCount(text.substr(blank + 1));
    const std::vector<Value> where{std::string(object.file()), object.place(key), text};
    if (use.mistake == nullptr) {
        std::vector<std::string> ids;
        for (const Mistake& known : mistakes())
            ids.emplace_back(known.id);
        const std::vector<std::string> near = closest(text.substr(0, blank), ids, 1);
        return fail(KV_TEXT("core", "In {0}, \"{1}\" names \"{2}\", which is no mistake of the library; the closest is "
                                    "\"{3}\"."),
                    {where[0], where[1], where[2], near.empty() ? ids.front() : near.front()});
    }
    if (!number || (use.mistake->needsNumber && *number < 1))
        return fail(KV_TEXT("core", "In {0}, \"{1}\" names \"{2}\", but this mistake needs a whole number behind its "
                                    "name, such as \"other-layers 32\"."),
                    where);
    use.number = *number;
    return use;
}

Result<void> addMistakes(const JsonObject& object, std::string_view key, bool close, std::vector<MistakeUse>& uses)
{
    const Result<std::vector<std::string>> names = object.texts(key);
    if (!names)
        return tl::unexpected<Error>(names.error());
    for (const std::string& name : *names) {
        const Result<MistakeUse> use = mistakeFrom(object, key, name, close);
        if (!use)
            return tl::unexpected<Error>(use.error());
        uses.push_back(*use);
    }
    return {};
}

Result<void> readMistakes(const JsonObject& object, Exercise& exercise)
{
    const Result<void> wrong = addMistakes(object, "mistakes", false, exercise.mistakes);
    const Result<void> close = addMistakes(object, "close", true, exercise.mistakes);
    if (const std::optional<Error> error = readers::firstError(wrong, close))
        return tl::unexpected<Error>(*error);
    return {};
}

Result<void> readAccepted(const JsonObject& object, Exercise& exercise)
{
    static constexpr std::array<std::string_view, 2> kRangeKeys{"from", "to"};
    constexpr readers::Range kAny{0, std::numeric_limits<std::int64_t>::max() - 1};
    const Result<std::optional<JsonObject>> range = object.optionalObject("accepted");
    if (!range)
        return tl::unexpected<Error>(range.error());
    if (!*range)
        return {};
    const Result<void> keys = (*range)->onlyKeys(kRangeKeys);
    const Result<std::int64_t> from = (*range)->count("from", kAny);
    const Result<std::int64_t> to = (*range)->count("to", kAny);
    if (const std::optional<Error> error = readers::firstError(keys, from, to))
        return tl::unexpected<Error>(*error);
    exercise.accepted = AcceptedRange{static_cast<double>(*from), static_cast<double>(*to)};
    return {};
}

Result<void> readHints(const JsonObject& object, Exercise& exercise)
{
    const Result<std::vector<std::string>> hints = object.texts("hints");
    if (!hints)
        return tl::unexpected<Error>(hints.error());
    if (hints->empty())
        return {};
    if (hints->size() != kHints)
        return object.wrong("hints",
                            KV_TEXT("core", "In {0}, \"{1}\" must hold three texts: which inputs, the formula with "
                                            "blanks, all but the last step; nothing was changed; correct it there."));
    if (const auto bad =
            std::ranges::find_if(*hints, [](const std::string& hint) { return forbiddenIn(hint).has_value(); });
        bad != hints->end())
        return object.wrong("hints",
                            KV_TEXT("core", "In {0}, \"{1}\" holds \"{3}\", but a text may hold plain Markdown "
                                            "only; nothing was changed; remove it."),
                            {*forbiddenIn(*bad)});
    exercise.hints = std::array<std::string, kHints>{(*hints)[0], (*hints)[1], (*hints)[2]};
    return {};
}

Result<void> readTexts(const JsonObject& object, Exercise& exercise)
{
    const Result<std::optional<std::string>> id = object.optionalText("id");
    const Result<std::string> title = markdownAt(object, "title");
    const Result<std::string> question = neededMarkdownAt(object, "question");
    const Result<std::string> explanation = markdownAt(object, "explanation");
    if (const std::optional<Error> error = readers::firstError(id, title, question, explanation))
        return tl::unexpected<Error>(*error);
    exercise.id = id->value_or("");
    exercise.title = *title;
    exercise.question = *question;
    exercise.explanation = *explanation;
    return {};
}

Result<void> readTask(const JsonObject& object, const std::optional<Scenario>& base, const LessonSources& sources,
                      Task& task)
{
    const Result<Asked> what = askedAt(object);
    if (!what)
        return tl::unexpected<Error>(what.error());
    task.asked = *what;
    Result<Scenario> scenario = lessonScenario(object, "scenario", base, sources);
    if (!scenario)
        return tl::unexpected<Error>(std::move(scenario.error()));
    task.scenario = *std::move(scenario);
    if (!object.has("compared"))
        return {};
    Result<Scenario> compared = lessonScenario(object, "compared", task.scenario, sources);
    if (!compared)
        return tl::unexpected<Error>(std::move(compared.error()));
    task.compared = *std::move(compared);
    return {};
}

/// Each mistake that the file names leads to a number that is not accepted; where it names none, the usual ones stand.
Result<void> checkMistakes(const JsonObject& object, Exercise& exercise, double right)
{
    const Measure measure = measureOf(exercise.task.asked);
    for (const MistakeUse& use : exercise.mistakes) {
        const std::optional<double> wrong = wrongAnswer(exercise.task, use, right);
        const bool passes =
            wrong && (exercise.accepted ? exercise.accepted->holds(*wrong) : isNear(measure, *wrong, right));
        if (!wrong || passes)
            return fail(KV_TEXT("core",
                                "In {0}, the mistake \"{2}\" of \"{1}\" leads to a number that counts as right; "
                                "nothing was changed; remove it or change the scenario."),
                        {std::string(object.file()), object.place("mistakes"), std::string(use.mistake->id)});
    }
    if (exercise.mistakes.empty())
        exercise.mistakes = usualMistakes(exercise.task.asked);
    return {};
}

/// Every place of its texts can be filled.
Result<void> checkTexts(const JsonObject& object, const Exercise& exercise)
{
    std::vector<NamedScenario> others;
    if (exercise.task.compared)
        others.push_back({"before", *exercise.task.compared});
    const Places places{&exercise.task.scenario, others};
    const Result<void> question = checkPlaces(object, "question", exercise.question, places);
    const Result<void> explanation = checkPlaces(object, "explanation", exercise.explanation, places);
    if (const std::optional<Error> error = readers::firstError(question, explanation))
        return tl::unexpected<Error>(*error);
    for (std::size_t i = 0; exercise.hints && i < kHints; ++i) {
        if (Result<void> hint = checkPlaces(object, "hints", exercise.hints->at(i), places); !hint)
            return hint;
    }
    return {};
}

/// There is an answer, which is within the range that is accepted.
Result<void> checkAnswers(const JsonObject& object, Exercise& exercise)
{
    const std::optional<double> right = rightAnswer(exercise);
    if (!right)
        return object.wrong("asked",
                            KV_TEXT("core", "In {0}, \"{1}\" is {2}, which its scenario does not have; give it "
                                            "what is missing, such as a \"gpu\" or \"compared\"."));
    if (exercise.accepted && !exercise.accepted->holds(*right))
        return object.wrong("accepted",
                            KV_TEXT("core", "In {0}, \"{1}\" leaves out the right answer, {3}; nothing was "
                                            "changed; correct it there."),
                            {shownNumber(measureOf(exercise.task.asked), *right)});
    return checkMistakes(object, exercise, *right);
}

Result<void> checkFormat(const JsonObject& document)
{
    const Result<std::string> format = document.text("format");
    const Result<std::int64_t> version = document.count("version", {1, 1});
    if (const std::optional<Error> error = readers::firstError(format, version))
        return tl::unexpected<Error>(*error);
    if (*format != "kvhorizon.exercises")
        return document.wrong("format", KV_TEXT("core", "{0} holds no exercises: its \"{1}\" is {2} and not "
                                                        "\"kvhorizon.exercises\"; choose another file."));
    return document.onlyKeys(kFileKeys);
}

} // namespace

Result<Exercise> exerciseFromJson(const JsonObject& object, const std::optional<Scenario>& base,
                                  const LessonSources& sources)
{
    Exercise exercise;
    const Result<void> keys = object.onlyKeys(kKeys);
    if (!keys)
        return tl::unexpected<Error>(keys.error());
    const Result<void> texts = readTexts(object, exercise);
    const Result<void> task = readTask(object, base, sources, exercise.task);
    const Result<void> mistakes = readMistakes(object, exercise);
    const Result<void> accepted = readAccepted(object, exercise);
    const Result<void> hints = readHints(object, exercise);
    if (const std::optional<Error> error = readers::firstError(texts, task, mistakes, accepted, hints))
        return tl::unexpected<Error>(*error);
    const Result<void> complete = checkTexts(object, exercise);
    const Result<void> answers = checkAnswers(object, exercise);
    if (const std::optional<Error> error = readers::firstError(complete, answers))
        return tl::unexpected<Error>(*error);
    return exercise;
}

Result<ExerciseSet> exercisesFromText(std::string_view text, std::string_view name, const LessonSources& sources)
{
    const Result<readers::JsonDocument> document = readers::parseJson(text, name);
    if (!document)
        return tl::unexpected<Error>(document.error());
    const Result<JsonObject> root = document->root();
    if (!root)
        return tl::unexpected<Error>(root.error());
    const Result<void> format = checkFormat(*root);
    const Result<std::string> title = root->text("title");
    const Result<std::vector<JsonObject>> list = root->objects("exercises");
    if (const std::optional<Error> error = readers::firstError(format, title, list))
        return tl::unexpected<Error>(*error);
    ExerciseSet set{*title, {}};
    std::int64_t number = 0;
    for (const JsonObject& entry : *list) {
        const JsonObject placed(entry.json(), name, "exercise " + std::to_string(++number));
        Result<Exercise> exercise = exerciseFromJson(placed, std::nullopt, sources);
        if (!exercise)
            return tl::unexpected<Error>(std::move(exercise.error()));
        if (exercise->id.empty())
            return placed.missing("id");
        if (std::ranges::count(set.exercises, exercise->id, &Exercise::id) > 0)
            return placed.wrong("id", KV_TEXT("core", "In {0}, \"{1}\" is {2}, which another exercise has too; give "
                                                      "each its own."));
        set.exercises.push_back(*std::move(exercise));
    }
    return set;
}

} // namespace core
