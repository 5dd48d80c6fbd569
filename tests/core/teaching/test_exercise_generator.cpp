// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/teaching/exercise_generator.h"
#include "core/teaching/exercise_hints.h"
#include "core/teaching/lesson.h"
#include "core/teaching/worked_solution.h"
#include "tests/core/catalogue.h"
#include "tests/room.h"

#include <QTest>

#include <algorithm>
#include <set>

namespace {

using core::Exercise;
using core::Measure;

constexpr std::uint64_t kSeeds = 500;

/// A size as a learner writes it: three digits in `unit`, without the unit's name.
std::string typed(Measure measure, double number, core::Unit unit)
{
    const double size = measure == Measure::Bytes ? core::unitSize(number, unit) : 1;
    return QString::number(number / size, 'g', 15).toStdString();
}

/// The first two of the right and wrong numbers that could be taken for each other; empty when there are none.
QString confused(Exercise exercise)
{
    exercise.task.scenario.model.provenance.clear(); // copied for every mistake otherwise
    const Measure measure = core::measureOf(exercise.task.quantity);
    const double right = *core::rightAnswer(exercise);
    std::vector<double> numbers{right};
    for (const core::MistakeUse& use : exercise.mistakes)
        numbers.push_back(core::wrongAnswer(exercise.task, use, right).value_or(right));
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        for (std::size_t j = i + 1; j < numbers.size(); ++j) {
            if (!core::canBeToldApart(measure, numbers[i], numbers[j], right))
                return QStringLiteral("%1: %2 and %3")
                    .arg(QString::fromStdString(exercise.id))
                    .arg(numbers[i])
                    .arg(numbers[j]);
        }
    }
    return {};
}

/// The first of the exercise's wrong numbers, written in either unit, that is accepted; empty when none is.
QString accepted(const Exercise& exercise)
{
    const Measure measure = core::measureOf(exercise.task.quantity);
    for (const core::MistakeUse& use : exercise.mistakes) {
        for (const core::Unit unit : {core::Unit::Binary, core::Unit::Decimal}) {
            const std::string text = typed(measure, *core::wrongAnswer(exercise.task, use), unit);
            const core::Judgement judgement = core::judge(exercise, text);
            const bool named = std::ranges::any_of(judgement.diagnoses, [&](const core::Diagnosis& diagnosis) {
                return diagnosis.mistake == use.mistake->id;
            });
            if (judgement.accepted() || !named)
                return QString::fromStdString(exercise.id + ", " + std::string(use.mistake->id) + ": " + text);
        }
    }
    return {};
}

} // namespace

class TestExerciseGenerator : public QObject {
    Q_OBJECT

private slots:
    void mistakesCanBeToldApart_data()
    {
        QTest::addColumn<int>("model");
        for (std::size_t i = 0; i < tests::models().size(); ++i)
            QTest::newRow(tests::models()[i].id.c_str()) << static_cast<int>(i);
    }
    void mistakesCanBeToldApart()
    {
        QFETCH(const int, model);
        std::set<core::AskedQuantity> quantities;
        for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
            const auto exercise = core::generateExercise(tests::models()[static_cast<std::size_t>(model)], seed);
            QVERIFY2(exercise, std::to_string(seed).c_str());
            QVERIFY(exercise->mistakes.size() >= 2);
            const QString pair = confused(*exercise);
            QVERIFY2(pair.isEmpty(), qPrintable(pair));
            quantities.insert(exercise->task.quantity);
        }
        QVERIFY(quantities.size() >= 2); // a model that keeps nothing but states has no more
    }

    /// Typed without a unit, in GiB or GB, each wrong answer is named and none passes; the right one passes in both.
    void wrongAnswersAreNamed()
    {
        for (const core::Model& model : tests::models()) {
            for (std::uint64_t seed = 0; seed < 10; ++seed) {
                const Exercise exercise = *core::generateExercise(model, seed);
                const QString wrong = accepted(exercise);
                QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
                const Measure measure = core::measureOf(exercise.task.quantity);
                for (const core::Unit unit : {core::Unit::Binary, core::Unit::Decimal}) {
                    const std::string text = typed(measure, *core::rightAnswer(exercise), unit);
                    QVERIFY2(core::judge(exercise, text).accepted(), text.c_str());
                }
            }
        }
    }

    void sameSeedIsTheSameExercise()
    {
        const core::Model model = tests::model("llama-3.1-8b");
        std::set<double> numbers;
        for (std::uint64_t seed = 0; seed < 40; ++seed) {
            const auto one = core::generateExercise(model, seed);
            const auto other = core::generateExercise(model, seed);
            QVERIFY(one->task.scenario == other->task.scenario);
            QCOMPARE(one->question, other->question);
            QVERIFY(one->task.scenario.model == model);
            numbers.insert(*core::rightAnswer(*one));
        }
        QVERIFY(numbers.size() > 25);
    }

    void textsAreFilled()
    {
        for (std::uint64_t seed = 0; seed < 60; ++seed) {
            const Exercise exercise = *core::generateExercise(tests::model("gemma-3-27b"), seed);
            const QString question = QString::fromStdString(core::filled(exercise.question, exercise));
            QVERIFY2(!question.contains(u'{') && !question.contains(u'–'), qPrintable(question));
            for (const core::Hint& hint : core::hintsFor(exercise))
                QVERIFY(!core::english(hint.message).empty());
        }
    }

    /// A format in blocks says what its blocks take, and every exercise shows its working, up to the right number.
    void formatAndWorkingAreTold()
    {
        for (const char* id : {"llama-3.1-8b", "gemma-3-27b", "deepseek-v3", "qwen3.5-27b"}) {
            for (std::uint64_t seed = 0; seed < 60; ++seed) {
                const Exercise exercise = *core::generateExercise(tests::model(id), seed);
                const QString question = QString::fromStdString(core::filled(exercise.question, exercise));
                const bool packed = exercise.task.scenario.kFormat == core::KvFormat::Q8_0;
                QVERIFY2(!packed || question.contains(QStringLiteral("34 bytes for 32 elements")),
                         qPrintable(question));
                QVERIFY(question.contains(QStringLiteral("byte")));
                const std::vector<core::Message> working = core::workedSolution(exercise);
                QVERIFY(!working.empty());
                const Measure measure = core::measureOf(exercise.task.quantity);
                const std::string right = core::formatValue(core::shownNumber(measure, *core::rightAnswer(exercise)));
                const std::string last = core::english(working.back());
                QVERIFY2(last.find(right) != std::string::npos, (right + " in: " + last).c_str());
            }
        }
    }

    void modelWithoutCacheGivesNone()
    {
        core::Model model = tests::modelOf(tests::attention(core::CacheKind::None, 4, 0, 0));
        QVERIFY(!core::generateExercise(model, 1));
        QVERIFY(!core::generateExercise(core::Model(), 1));
    }

    void numbersApartInBothUnits()
    {
        constexpr double kGib = 1073741824;
        QVERIFY(core::canBeToldApart(Measure::Bytes, 2 * kGib, kGib, kGib));
        QVERIFY(!core::canBeToldApart(Measure::Bytes, 1.01 * kGib, kGib, kGib));
        QVERIFY(!core::canBeToldApart(Measure::Bytes, 20e9, 20 * kGib, 20 * kGib)); // "20" in either unit
        QVERIFY(!core::canBeToldApart(Measure::Bytes, 20 * kGib, 20e9, 20 * kGib));
        QVERIFY(!core::canBeToldApart(Measure::Bytes, 21.47 * kGib, 20 * kGib, 20 * kGib)); // 21.47 GB is 20 GiB
        QVERIFY(core::canBeToldApart(Measure::Requests, 15, 16, 15));
    }
};

ROOM_TEST(TestExerciseGenerator, void)
#include "test_exercise_generator.moc"
