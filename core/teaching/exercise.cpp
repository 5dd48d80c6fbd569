// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/teaching/exercise.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace core {

namespace {

/// True when the answer is in GB and its number is right in GiB, or the other way round.
bool hasWrongUnit(const Answer& answer, double right)
{
    const double binary = unitSize(right, Unit::Binary);
    const double decimal = unitSize(right, Unit::Decimal);
    if (!answer.unit || answer.unit->measure != Measure::Bytes)
        return false;
    const double other = answer.unit->size == binary ? decimal : answer.unit->size == decimal ? binary : 0;
    return isNear(Measure::Bytes, answer.number * other, right);
}

/// What is said of answers of each measure, in the order of `Measure`.
struct MeasureWords {
    std::string_view wrongUnit;
    std::string_view answer; ///< Placeholders: {0} the number as it is shown, {1} the number of bytes.
};

constexpr std::array kMeasureWords{
    MeasureWords{KV_TEXT("core", "\"{0}\" is no unit of memory: answer in GiB, GB or another size."),
                 KV_TEXT("core", "{0} ({1} bytes)")},
    MeasureWords{KV_TEXT("core", "\"{0}\" does not count tokens: answer with a number of tokens."),
                 KV_TEXT("core", "{0} tokens")},
    MeasureWords{KV_TEXT("core", "\"{0}\" does not count requests: answer with a number of requests."),
                 KV_TEXT("core", "{0} requests")},
    MeasureWords{KV_TEXT("core", "\"{0}\" does not count GPUs: answer with a number of GPUs."),
                 KV_TEXT("core", "{0} GPUs")},
    MeasureWords{KV_TEXT("core", "\"{0}\" is no share: answer in percent."), KV_TEXT("core", "{0}")},
    MeasureWords{KV_TEXT("core", "\"{0}\" is no factor: answer with a number such as 4."), KV_TEXT("core", "× {0}")},
    MeasureWords{KV_TEXT("core", "\"{0}\" does not belong here: answer with a plain number."), KV_TEXT("core", "{0}")},
    MeasureWords{KV_TEXT("core", "\"{0}\" does not count blocks: answer with a number of blocks."),
                 KV_TEXT("core", "{0} blocks")},
};

const MeasureWords& wordsFor(Measure measure)
{
    return kMeasureWords.at(static_cast<std::size_t>(measure));
}

/// True when the answer rounds the right number more than the program does in showing it.
bool isRounded(Measure measure, double said, double right)
{
    constexpr double kUnseen = 0.001;
    return measure == Measure::Tokens ? std::round(said) != right : std::abs(said - right) > kUnseen * right;
}

Message acceptedText(Grade grade, Measure measure, double said, double right)
{
    const Value value = shownNumber(measure, right);
    switch (grade) {
    case Grade::Correct:
        if (isRounded(measure, said, right))
            return {KV_TEXT("core", "Right: exactly {0}."), {value}};
        return {KV_TEXT("core", "Right: {0}."), {value}};
    case Grade::OtherUnit:
        return {KV_TEXT("core", "Right, in the other unit: here it is written {0}."), {value}};
    default:
        return {KV_TEXT("core", "Close enough to count; exactly it is {0}."), {value}};
    }
}

/// Says which way to look, where no known mistake fits.
Message directionText(const Answer& answer, Measure measure, double right, const NumberStyle& style)
{
    if (meantBy(answer, measure, right, style) < right)
        return {KV_TEXT("core", "Not yet: the right value is larger."), {}};
    return {KV_TEXT("core", "Not yet: the right value is smaller."), {}};
}

Judgement notYet(const Exercise& exercise, const Answer& answer, double right, const NumberStyle& style,
                 std::vector<Diagnosis> diagnoses)
{
    const Measure measure = measureOf(exercise.task.quantity);
    if (measure == Measure::Bytes && hasWrongUnit(answer, right))
        diagnoses.insert(
            diagnoses.begin(),
            {"other-label",
             {KV_TEXT("core", "The number is right, but not with this unit: GiB counts in powers of 1,024 and GB in "
                              "powers of 1,000, so they differ by 7.4 %."),
              {}},
             false});
    const Message direction = directionText(answer, measure, right, style);
    return {Grade::NotYet, diagnoses.empty() ? direction : Message{KV_TEXT("core", "Not yet."), {}},
            std::move(diagnoses)};
}

/// A factor with two decimals, or without any where they would be zeros.
Value shownFactor(double factor)
{
    constexpr double kHundred = 100;
    const double written = std::round(factor * kHundred) / kHundred;
    return shownNumber(Measure::Times, written);
}

} // namespace

std::optional<double> rightAnswer(const Exercise& exercise)
{
    return solve(exercise.task);
}

std::vector<Diagnosis> diagnose(const Exercise& exercise, const Answer& answer, const NumberStyle& style)
{
    const Measure measure = measureOf(exercise.task.quantity);
    const std::optional<double> right = rightAnswer(exercise);
    std::vector<Diagnosis> diagnoses;
    if (!right)
        return diagnoses;
    for (const MistakeUse& use : exercise.mistakes) {
        const std::optional<double> wrong = wrongAnswer(exercise.task, use, *right);
        if (wrong && fitOf(answer, measure, *wrong, style, {}, right) != Fit::No)
            diagnoses.push_back({use.mistake->id, diagnosisOf(exercise.task, use), use.close});
    }
    return diagnoses;
}

Judgement judge(const Exercise& exercise, std::string_view typed, const NumberStyle& style)
{
    const Measure measure = measureOf(exercise.task.quantity);
    const Result<Answer> answer = readAnswer(typed, style, measure);
    if (!answer)
        return {Grade::Unreadable, answer.error().message, {}};
    if (!canMean(*answer, measure))
        return {Grade::Unreadable, {wordsFor(measure).wrongUnit, {std::string(answer->unit->name)}}, {}};
    const std::optional<double> right = rightAnswer(exercise);
    if (!right)
        return {
            Grade::Unreadable, {KV_TEXT("core", "With these inputs the question has no answer; reset them."), {}}, {}};
    const Fit fit = fitOf(*answer, measure, *right, style, exercise.accepted);
    const double said = meantBy(*answer, measure, *right, style);
    if (fit != Fit::No) {
        const Grade grade = fit == Fit::Yes ? Grade::Correct : Grade::OtherUnit;
        return {grade, acceptedText(grade, measure, said, *right), {}};
    }
    std::vector<Diagnosis> diagnoses = diagnose(exercise, *answer, style);
    if (std::ranges::any_of(diagnoses, &Diagnosis::close)) {
        std::erase_if(diagnoses, [](const Diagnosis& diagnosis) { return !diagnosis.close; });
        return {Grade::Close, acceptedText(Grade::Close, measure, said, *right), std::move(diagnoses)};
    }
    return notYet(exercise, *answer, *right, style, std::move(diagnoses));
}

Message answerInWords(const Exercise& exercise)
{
    const std::optional<double> right = rightAnswer(exercise);
    if (!right)
        return {};
    const Measure measure = measureOf(exercise.task.quantity);
    return {wordsFor(measure).answer, {shownNumber(measure, *right), static_cast<std::int64_t>(*right)}};
}

Message gapInWords(Measure measure, double said, double is)
{
    const std::vector<Value> both{shownNumber(measure, said), shownNumber(measure, is)};
    if (isNear(measure, said, is))
        return {KV_TEXT("core", "You said {0}, and it is {1}."), both};
    if (said <= 0 || is <= 0)
        return {KV_TEXT("core", "You said {0}, it is {1}."), both};
    return {KV_TEXT("core", "You said {0}, it is {1}: off by a factor of {2}."),
            {both[0], both[1], shownFactor(std::max(said, is) / std::min(said, is))}};
}

} // namespace core
