// SPDX-License-Identifier: GPL-3.0-or-later
// The exercises of the course: their right answers, and every wrong one with its diagnosis.
#include "core/teaching/exercise_generator.h"
#include "core/teaching/exercise_hints.h"
#include "tests/core/teaching/course.h"
#include "tests/room.h"

#include <QTest>

#include <set>

namespace {

using core::Exercise;
using core::Grade;
using core::Judgement;
using core::NumberStyle;

/// An answer to an exercise; `diagnoses` are the ids of all mistakes that are named, separated by blanks.
struct Row {
    const char* exercise;
    const char* typed;
    Grade grade;
    const char* diagnoses;
};

constexpr Row kRows[] = {
    {"E1", "2", Grade::Correct, ""},
    {"E1", "×2", Grade::Correct, ""},
    {"E1", "4x", Grade::NotYet, "attention-work"},
    {"E1", "1", Grade::NotYet, "nothing-grows"},
    {"E2", "131072", Grade::Correct, ""},
    {"E2", "131,072 B", Grade::Correct, ""},
    {"E2", "128 KiB", Grade::Correct, ""},
    {"E2", "128", Grade::Correct, ""},
    {"E2", "131 kB", Grade::OtherUnit, ""},
    {"E2", "128 kB", Grade::NotYet, "other-label"},
    {"E2", "64 KiB", Grade::NotYet, "keys-only one-byte"},
    {"E2", "64", Grade::NotYet, "keys-only one-byte"},
    {"E2", "512", Grade::NotYet, "query-heads"},
    {"E2", "4", Grade::NotYet, "one-layer"},
    {"E2", "4096 B", Grade::NotYet, "one-layer"},
    {"E2", "1 MiB", Grade::NotYet, "bits"},
    {"E2", "256 KiB", Grade::NotYet, "four-bytes"},
    {"E3", "2.5", Grade::Correct, ""},
    {"E3", "2.5 GiB", Grade::Correct, ""},
    {"E3", "2560 MiB", Grade::Correct, ""},
    {"E3", "2.68 GB", Grade::OtherUnit, ""},
    {"E3", "2.68", Grade::OtherUnit, ""},
    {"E3", "2.5 GB", Grade::NotYet, "other-label"},
    {"E3", "20", Grade::NotYet, "query-heads bits"},
    {"E3", "1.25 GiB", Grade::NotYet, "keys-only one-byte head-count-for-dim"},
    {"E3", "5", Grade::NotYet, "four-bytes"},
    {"E3", "1", Grade::NotYet, "other-layers"},
    {"E3", "32 MiB", Grade::NotYet, "one-layer"},
    {"E3", "2.44", Grade::Close, "thousands"},
    {"E3", "7.7", Grade::NotYet, ""},
    {"E3", "a lot", Grade::Unreadable, ""},
    {"E3", "2.5 requests", Grade::Unreadable, ""},
    {"E4", "122,533", Grade::Correct, ""},
    {"E4", "122533 tokens", Grade::Correct, ""},
    {"E4", "120K", Grade::Correct, ""},
    {"E4", "118000", Grade::Correct, ""},
    {"E4", "127000", Grade::Correct, ""},
    {"E4", "131,072", Grade::Close, "next-doubling"},
    {"E4", "128K", Grade::Close, "next-doubling"},
    {"E4", "128,000", Grade::Close, "next-doubling-in-thousands"},
    {"E4", "114,441", Grade::NotYet, "decimal-weights"},
    {"E4", "30,633", Grade::NotYet, "query-heads"},
    {"E4", "245,064", Grade::NotYet, "keys-only"},
    {"E5", "20 GiB", Grade::Correct, ""},
    {"E5", "20", Grade::Correct, ""},
    {"E5", "21.5 GB", Grade::OtherUnit, ""},
    {"E5", "19.2", Grade::NotYet, "mark-up"},
    {"E5", "12.8", Grade::NotYet, "taken-off"},
    {"E5", "16", Grade::NotYet, "no-waste"},
    {"E5", "1.25", Grade::NotYet, "one-request"},
    {"E6a", "128", Grade::Correct, ""},
    {"E6a", "640", Grade::NotYet, "width-over-kv-heads"},
    {"E6a", "80", Grade::NotYet, "width-over-layers"}, // 5,120 / 64
    {"E6b", "5", Grade::Correct, ""},
    {"E6b", "8", Grade::NotYet, "kv-heads"},
    {"E6b", "40", Grade::NotYet, "query-head-count"},
    {"E6b", "0.2", Grade::NotYet, "upside-down"},
    {"E6b", "4", Grade::NotYet, "other-model"},
    {"E7", "11.25", Grade::Correct, ""},
    {"E7", "12.1 GB", Grade::OtherUnit, ""},
    {"E7", "10", Grade::NotYet, "no-scales"},
    {"E7", "20", Grade::NotYet, "one-byte"},
    {"E7", "40", Grade::NotYet, "two-bytes"},
    {"E7", "2.5", Grade::NotYet, "sixteenth"},
    {"E7", "2.81", Grade::NotYet, "one-request"},
    {"E7", "90", Grade::NotYet, "query-heads"},
    {"E8a", "15", Grade::Correct, ""},
    {"E8a", "15 requests", Grade::Correct, ""},
    {"E8a", "24", Grade::NotYet, "weights-forgotten"},
    {"E8a", "30", Grade::NotYet, "keys-only one-byte"},
    {"E8a", "13", Grade::NotYet, "decimal-memory"},
    {"E8a", "16", Grade::NotYet, "rounded-up"},
    {"E8a", "7", Grade::NotYet, "four-bytes"},
    {"E8a", "3", Grade::NotYet, "one-gpu query-heads"},
    {"E8a", "15 GiB", Grade::Unreadable, ""},
    {"E8b", "12", Grade::Correct, ""},
    {"E8b", "13", Grade::NotYet, "rounded-up"},
    {"E8b", "15", Grade::NotYet, "reserve-forgotten"},
    {"E8c", "14", Grade::Correct, ""},
    {"E8c", "15", Grade::NotYet, "label-memory rounded-up"},
    {"E9", "64", Grade::Correct, ""},
    {"E9", "68.7 GB", Grade::OtherUnit, ""},
    {"E9", "512", Grade::NotYet, "times"},
    {"E9", "128", Grade::NotYet, "times"},
    {"E9", "256", Grade::NotYet, "query-heads"},
    {"E9", "4", Grade::NotYet, "one-request"},
    {"E9", "62.5", Grade::Close, "thousands"},
    {"E10", "40", Grade::Correct, ""},
    {"E10", "42.9 GB", Grade::OtherUnit, ""},
    {"E10", "320", Grade::NotYet, "query-heads bits"},
    {"E10", "340 GB", Grade::NotYet, "query-heads bits"},
    {"E10", "16", Grade::NotYet, "other-layers"},
    {"E10", "80", Grade::NotYet, "four-bytes"},
    {"E11", "31", Grade::Correct, ""},
    {"E11", "30.96 GiB", Grade::Correct, ""},
    {"E11", "33.2 GB", Grade::OtherUnit, ""},
    {"E11", "255", Grade::NotYet, "weights-each"},
    {"E11", "15", Grade::NotYet, "cache-forgotten"},
    {"E11", "16 GiB", Grade::NotYet, "weights-forgotten one-request"},
    {"E11", "79", Grade::NotYet, "query-heads"},
    {"E12", "18", Grade::Correct, ""},
    {"E12", "9", Grade::NotYet, "two-bytes"},
    {"E12", "48", Grade::NotYet, "weights-forgotten"},
    {"E13", "256 KiB", Grade::Correct, ""},
    {"E13", "160 KiB", Grade::NotYet, "width-over-heads"},
    {"E13", "2 MiB", Grade::NotYet, "query-heads"},
    {"E14", "10.4", Grade::Correct, ""},
    {"E14", "11.2 GB", Grade::OtherUnit, ""},
    {"E14", "62", Grade::NotYet, "window-ignored"},
    {"E14", "20.8", Grade::NotYet, "query-heads"},
    {"E14", "10 GiB", Grade::NotYet, "window-layers-forgotten"}, // 10 · 8 KiB · 131,072
    {"E15", "8.58", Grade::Correct, ""},
    {"E15", "17.16", Grade::NotYet, "latent-twice"},
    {"E15", "7.625", Grade::NotYet, "rotary-forgotten"},
    {"E15", "610", Grade::NotYet, "latent-as-heads"},
    {"E16", "659 MiB", Grade::Correct, ""},
    {"E16", "2 GiB", Grade::NotYet, "every-layer"},
    {"E16", "512 MiB", Grade::NotYet, "states-forgotten"},
    {"E16", "1174 GiB", Grade::NotYet, "state-per-token"},
    {"E17", "32 MiB", Grade::Correct, ""},
    {"E17", "64 MiB", Grade::NotYet, "whole-block"},
    {"E17", "1 MiB", Grade::NotYet, "one-request"},
    {"E18", "59", Grade::Correct, ""},
    {"E18", "65", Grade::NotYet, "binary-memory"},
    {"E18", "60", Grade::NotYet, "rounded-up"},
    {"E19", "74,075", Grade::Correct, ""},
    {"E19", "196,608", Grade::NotYet, "weights-forgotten"},
    {"E19", "18,518", Grade::NotYet, "query-heads"},
    {"E19", "148,150", Grade::NotYet, "keys-only one-byte"},
    {"E20", "75", Grade::Correct, ""},
    {"E20", "128", Grade::NotYet, "weights-forgotten"},
    {"E20", "76", Grade::NotYet, "rounded-up"},
    {"E21", "75 %", Grade::Correct, ""},
    {"E21", "75", Grade::Correct, ""},
    {"E21", "0.75", Grade::Correct, ""},
    {"E21", "3/4", Grade::Correct, ""},
    {"E21", "6144 / 8192", Grade::Correct, ""},
    {"E21", "0.75 %", Grade::NotYet, ""},
    {"E21", "1", Grade::NotYet, ""},
    {"E21", "5/4", Grade::Unreadable, ""},
    {"E21", "1/0", Grade::Unreadable, ""},
    {"E21", "0.25", Grade::NotYet, "used-share"},
    {"E21", "1/4", Grade::NotYet, "used-share"},
    {"E6b", "40/8", Grade::Unreadable, ""}, // no share
    {"E21", "300 %", Grade::NotYet, "share-of-used"},
    {"E21", "25", Grade::NotYet, "used-share"},
    {"E22", "12", Grade::Correct, ""},
    {"E22", "11", Grade::NotYet, "rounded-down"},
    {"E22", "2", Grade::NotYet, "weights-forgotten"},
    {"E22", "10", Grade::NotYet, "cache-forgotten"},
    {"E23", "70.6 GB", Grade::OtherUnit, ""},
    {"E23", "65.7", Grade::Correct, ""},
    {"E23", "131.4", Grade::NotYet, "weights-two-bytes"},
    {"E24", "87", Grade::Correct, ""},
    {"E24", "93.4 GB", Grade::OtherUnit, ""},
    {"E24", "24", Grade::NotYet, "active-only"},
    {"E24", "43.5", Grade::NotYet, "weights-one-byte"},
    {"E25", "2.98", Grade::Correct, ""}, // 0.85 · 23.64 − 15.26 − 1.86
    {"E25", "3052 MiB", Grade::Correct, ""},
    {"E25", "3.2 GB", Grade::OtherUnit, ""},
    {"E25", "2.98 GB", Grade::NotYet, "other-label"},
    {"E25", "5.27 GiB", Grade::NotYet, "share-of-rest"},   // 0.85 · (23.64 − 15.26) − 1.86
    {"E25", "6.52", Grade::NotYet, "whole-card"},          // 23.64 − 15.26 − 1.86
    {"E25", "4.24", Grade::NotYet, "computing-forgotten"}, // 2.98 + 1.26
    {"E25", "4.84", Grade::NotYet, "own-work-forgotten"},
    {"E25", "18.24", Grade::NotYet, "weights-forgotten"},
    {"E25", "3.28", Grade::NotYet, "label-memory"}, // 0.85 · 24 − 15.26 − 1.86
    {"E26", "1952", Grade::Correct, ""},
    {"E26", "1,952 blocks", Grade::Correct, ""},
    {"E26", "1953", Grade::NotYet, "rounded-up"},
    {"E26", "62480", Grade::NotYet, "one-layer"}, // 3,905 MiB / 64 KiB
    {"E26", "3905", Grade::NotYet, "keys-only one-byte"},
    {"E26", "488", Grade::NotYet, "query-heads"},
    {"E26", "31240", Grade::NotYet, "token-for-block"},   // 3,905 MiB / 128 KiB
    {"E26", "31,232", Grade::NotYet, "blocks-as-tokens"}, // 1,952 · 16
    {"E26", "31,232 tokens", Grade::Unreadable, ""},
    {"E26", "2 GiB", Grade::Unreadable, ""},
    {"E27", "3.75", Grade::Correct, ""}, // 40 · 2 · 1 · 128 · 2 bytes · 32,768 · 6
    {"E27", "4.03 GB", Grade::OtherUnit, ""},
    {"E27", "0.94", Grade::NotYet, "heads-cut"}, // 7.5 GiB / 8
    {"E27", "7.5 GiB", Grade::NotYet, "heads-undivided"},
    {"E27", "30 GiB", Grade::NotYet, "all-gpus"},
    {"E27", "1.875", Grade::NotYet, "keys-only one-byte"},
    {"E27", "15", Grade::NotYet, "query-heads"}, // 32 / 8 = 4 heads
    {"E27", "96 MiB", Grade::NotYet, "one-layer"},
    {"E27", "640 MiB", Grade::NotYet, "one-request"},
    {"E28", "11.75", Grade::Correct, ""}, // 2 · 5.875
    {"E28", "5.875", Grade::NotYet, "no-copies"},
    {"E28", "1.47", Grade::NotYet, "one-of-gpus"},
    {"E28", "47", Grade::NotYet, "heads-undivided"},
    {"E28", "94", Grade::NotYet, "query-heads"},
    {"E29", "10.26", Grade::Correct, ""}, // 0.95 · 24 − 9 − 3.54
    {"E29", "11.02 GB", Grade::OtherUnit, ""},
    {"E29", "10.71", Grade::NotYet, "share-of-rest"},
    {"E29", "11.46 GiB", Grade::NotYet, "whole-card"},
    {"E29", "13.8", Grade::NotYet, "own-work-forgotten"},
    {"E29", "25.46", Grade::NotYet, "one-large-gpu"}, // 0.95 · 48 − 18 − 2.14
    {"E29", "20.52 GiB", Grade::NotYet, "all-gpus"},
    {"E29", "1.26", Grade::NotYet, "weights-on-each"},
    {"E29", "19.26", Grade::NotYet, "weights-forgotten"},
};

const char* name(Grade grade)
{
    constexpr const char* kNames[] = {"correct", "other unit", "close", "not yet", "unreadable"};
    return kNames[static_cast<int>(grade)];
}

QString idsOf(const Judgement& judgement)
{
    QStringList ids;
    for (const core::Diagnosis& diagnosis : judgement.diagnoses)
        ids += QString::fromUtf8(diagnosis.mistake.data(), static_cast<qsizetype>(diagnosis.mistake.size()));
    return ids.join(u' ');
}

} // namespace

class TestExercises : public QObject {
    Q_OBJECT

private slots:
    void isJudged_data()
    {
        QTest::addColumn<int>("row");
        for (int i = 0; i < static_cast<int>(std::size(kRows)); ++i)
            QTest::addRow("%s: %s", kRows[i].exercise, kRows[i].typed) << i;
    }
    void isJudged()
    {
        QFETCH(const int, row);
        const Row& expected = kRows[row];
        const Judgement judgement = core::judge(tests::exercise(expected.exercise), expected.typed);
        QCOMPARE(name(judgement.grade), name(expected.grade));
        QCOMPARE(idsOf(judgement), QLatin1String(expected.diagnoses));
        QVERIFY(!core::english(judgement.message).empty());
        for (const core::Diagnosis& diagnosis : judgement.diagnoses) {
            const std::string sentence = core::english(diagnosis.message);
            QVERIFY2(!sentence.empty() && sentence.back() == '.', sentence.c_str());
            QVERIFY2(sentence.find('{') == std::string::npos, sentence.c_str());
        }
    }

    void answersAreReadByLocale()
    {
        const Exercise& exercise = tests::exercise("E3");
        const NumberStyle german{",", ".", core::Unit::Binary};
        const NumberStyle french{",", "\u202F", core::Unit::Binary};
        QCOMPARE(name(core::judge(exercise, "2,5", german).grade), name(Grade::Correct));
        QCOMPARE(name(core::judge(exercise, "2,68 GB", german).grade), name(Grade::OtherUnit));
        QCOMPARE(name(core::judge(exercise, "2,68 Go", french).grade), name(Grade::OtherUnit));
        QCOMPARE(name(core::judge(exercise, "2,5 Gio", french).grade), name(Grade::Correct));
        QCOMPARE(name(core::judge(tests::exercise("E4"), "122.533", german).grade), name(Grade::Correct));
        NumberStyle decimal;
        decimal.unit = core::Unit::Decimal;
        QCOMPARE(name(core::judge(exercise, "2.68 GB", decimal).grade), name(Grade::Correct));
        QCOMPARE(name(core::judge(exercise, "2.5 GiB", decimal).grade), name(Grade::OtherUnit));
    }

    /// The right answers of the published table, which the program computes.
    void rightAnswersAreThose()
    {
        const auto right = [](const char* id) { return *core::rightAnswer(tests::exercise(id)); };
        constexpr double kGib = 1073741824;
        QCOMPARE(right("E1"), 2.0);
        QCOMPARE(right("E2"), 131072.0);
        QCOMPARE(right("E3"), 2684354560.0);
        QCOMPARE(right("E4"), 122533.0);
        QCOMPARE(right("E5"), 20 * kGib);
        QCOMPARE(right("E6a"), 128.0);
        QCOMPARE(right("E6b"), 5.0);
        QCOMPARE(right("E7"), 11.25 * kGib);
        QCOMPARE(right("E8a"), 15.0);
        QCOMPARE(right("E8b"), 12.0);
        QCOMPARE(right("E8c"), 14.0);
        QCOMPARE(right("E9"), 64 * kGib);
        QCOMPARE(right("E10"), 40 * kGib);
    }

    void rightAnswersAreThoseOfEvaluate()
    {
        for (const Exercise& exercise : tests::exercises()) {
            const core::Footprint footprint = tests::footprintOf(exercise.task.scenario);
            const double right = *core::rightAnswer(exercise);
            switch (exercise.task.quantity) {
            case core::AskedQuantity::Cache:
                QCOMPARE(right, static_cast<double>(footprint.kv.total.count()));
                break;
            case core::AskedQuantity::RequestCache:
                QCOMPARE(right, static_cast<double>(footprint.kv.perRequest.count()));
                break;
            case core::AskedQuantity::Total:
                QCOMPARE(right, static_cast<double>(footprint.memory.total().count()));
                break;
            case core::AskedQuantity::Waste:
                QCOMPARE(right, static_cast<double>(footprint.memory.waste.count()));
                break;
            case core::AskedQuantity::MaxBatch:
                QCOMPARE(right, static_cast<double>(*footprint.limits.maxBatch.value));
                break;
            case core::AskedQuantity::MaxContext:
                QCOMPARE(right, static_cast<double>(*footprint.limits.maxContext.value));
                break;
            default:
                break;
            }
        }
    }

    void everyMistakeLeadsSomewhereElse_data() { eachExercise(); }
    void everyMistakeLeadsSomewhereElse()
    {
        QFETCH(const QString, id);
        const Exercise& exercise = tests::exercise(id.toStdString());
        const core::Measure measure = core::measureOf(exercise.task.quantity);
        QVERIFY(!exercise.mistakes.empty());
        for (const core::MistakeUse& use : exercise.mistakes) {
            const std::optional<double> wrong = core::wrongAnswer(exercise.task, use);
            QVERIFY2(wrong, use.mistake->id.data());
            const core::Answer answer{*wrong, measure == core::Measure::Bytes ? core::readAnswer("1 B")->unit
                                                                              : std::optional<core::AnswerUnit>()};
            QVERIFY2(core::fitOf(answer, measure, *core::rightAnswer(exercise), {}, exercise.accepted) == core::Fit::No,
                     use.mistake->id.data());
        }
    }

    /// Not even without a unit, in GiB or in GB.
    void noMistakeIsTakenForRight_data() { eachExercise(); }
    void noMistakeIsTakenForRight()
    {
        QFETCH(const QString, id);
        const Exercise& exercise = tests::exercise(id.toStdString());
        const core::Measure measure = core::measureOf(exercise.task.quantity);
        const double right = *core::rightAnswer(exercise);
        for (const core::MistakeUse& use : exercise.mistakes) {
            const double wrong = core::wrongAnswer(exercise.task, use).value_or(0);
            QVERIFY2(use.close || core::canBeToldApart(measure, wrong, right, right), use.mistake->id.data());
        }
    }

    void hintsAreThree_data() { eachExercise(); }
    void hintsAreThree()
    {
        QFETCH(const QString, id);
        for (const core::Hint& hint : core::hintsFor(tests::exercise(id.toStdString()))) {
            const QString text = QString::fromStdString(core::english(hint.message));
            QVERIFY(!text.isEmpty());
            QVERIFY2(!text.contains(u'{'), qPrintable(text));
        }
    }

    /// Hints about engines: all but the last step, in its numbers.
    void hintsTellWhatAnEngineDoes()
    {
        const auto last = [](const char* id) {
            return QString::fromStdString(core::english(core::hintsFor(tests::exercise(id))[2].message));
        };
        QCOMPARE(last("E25"), QStringLiteral("Of 23.64 GiB the share leaves 3.55 GiB free; the weights take 15.26 GiB "
                                             "and the own work 1.86 GiB. Take all three off."));
        QCOMPARE(last("E26"), QStringLiteral("There are 4,094,689,280 bytes for the cache, and a block takes 2,097,152 "
                                             "bytes. Divide."));
        QVERIFY(last("E27").startsWith(QLatin1String("One GPU keeps 20 KiB for each token")));
        QCOMPARE(last("E28"), QStringLiteral("One GPU keeps 1.47 GiB, and there are 8 of them. Multiply."));
        QVERIFY(last("E29").contains(QLatin1String("9.00 GiB and the own work 3.54 GiB")));
    }

    void textsAreFilled_data() { eachExercise(); }
    void textsAreFilled()
    {
        QFETCH(const QString, id);
        const Exercise& exercise = tests::exercise(id.toStdString());
        for (const std::string& text : {exercise.title, exercise.question, exercise.explanation}) {
            const QString shown = QString::fromStdString(core::filled(text, exercise));
            QVERIFY(!shown.isEmpty());
            QVERIFY2(!shown.contains(u'{') && !shown.contains(u'–'), qPrintable(shown));
        }
        QVERIFY(!core::english(core::answerInWords(exercise)).empty());
    }

    /// The numbers that the texts state themselves, as a configuration or a page on the web does.
    void statedNumbersAreRight()
    {
        const core::KvFormatInfo& q4 = info(core::KvFormat::Q4_0); // E7
        QCOMPARE(q4.blockElements, 32);
        QCOMPARE(q4.blockBytes, 18);
        QCOMPARE(core::bytesOf(core::KvFormat::Bf16, 32), core::Bytes(64));
        QCOMPARE(tests::exercise("E7").task.scenario.kFormat, core::KvFormat::Q4_0);
        const auto value = [](const char* model, const char* field) {
            return core::provenanceOf(tests::model(model), field)->value;
        };
        QCOMPARE(value("mixtral-8x7b", "experts"), std::string("8")); // E9
        QCOMPARE(value("mixtral-8x7b", "experts_per_token"), std::string("2"));
        // E24: everything but the experts, and two eighths of those.
        std::int64_t active = 0;
        for (const core::WeightCount& part : tests::model("mixtral-8x7b").weights.parts)
            active += part.part == core::WeightPart::Experts ? part.parameters / 4 : part.parameters;
        QCOMPARE(active, 12'879'925'248);
        QCOMPARE(tests::exercise("E24").mistakes.front().number, active);
        QCOMPARE(*tests::exercise("E18").task.scenario.hardware.typed, core::Bytes(80'000'000'000));
        QCOMPARE(tests::exercise("E13").mistakes.front().number, 5120);
        // E15: 128 heads, of a key of 128 + 64 and a value of 128 elements each.
        QCOMPARE(tests::model("deepseek-v3").groups.front().queryHeads * (128 + 64 + 128), 40'960);
    }

    void answersFollowAChangedScenario()
    {
        Exercise exercise = tests::exercise("E3");
        exercise.task.scenario.workload.context *= 2;
        QCOMPARE(name(core::judge(exercise, "5").grade), name(Grade::Correct));
        QCOMPARE(idsOf(core::judge(exercise, "40")), QStringLiteral("query-heads bits"));
        QVERIFY(QString::fromStdString(core::filled(exercise.question, exercise)).contains(QStringLiteral("16K")));
    }

    void wrongAnswersDoNotTellTheRightOne()
    {
        const Judgement judgement = core::judge(tests::exercise("E3"), "7.7");
        QCOMPARE(core::english(judgement.message), std::string("Not yet: the right value is smaller."));
        QCOMPARE(core::english(core::judge(tests::exercise("E3"), "1.7").message),
                 std::string("Not yet: the right value is larger."));
    }

    /// What is rounded is accepted, and the number is told.
    void roundedAnswersHearTheExactOne()
    {
        const auto said = [](const char* id, const char* typed) {
            return core::english(core::judge(tests::exercise(id), typed).message);
        };
        QCOMPARE(said("E4", "120K"), std::string("Right: exactly 122,533."));
        QCOMPARE(said("E4", "122,533"), std::string("Right: 122,533."));
        QCOMPARE(said("E11", "31"), std::string("Right: exactly 30.96 GiB."));
        QCOMPARE(said("E3", "2.5"), std::string("Right: 2.50 GiB."));
        QCOMPARE(said("E21", "0.75"), std::string("Right: 75 %."));
    }

    void sharesAreReadAsParts()
    {
        Exercise exercise = tests::exercise("E5");
        exercise.task.quantity = core::AskedQuantity::WasteShare; // 20 %
        for (const char* typed : {"20", "20 %", "0.2", "1/5", "20.0"})
            QCOMPARE(name(core::judge(exercise, typed).grade), name(Grade::Correct));
        for (const char* typed : {"0.2 %", "2", "0.8", "4/5"})
            QCOMPARE(name(core::judge(exercise, typed).grade), name(Grade::NotYet));
        const std::string unreadable = core::english(core::judge(exercise, "a lot").message);
        QVERIFY2(unreadable.find("75 %") != std::string::npos, unreadable.c_str());
    }

    void diagnosesNameTheBytes()
    {
        const auto diagnosis = [](const char* id, const char* typed, std::size_t which) {
            return core::english(core::judge(tests::exercise(id), typed).diagnoses.at(which).message);
        };
        QCOMPARE(diagnosis("E7", "20", 0),
                 std::string("This fits if you counted one byte for each element. In this cache format 32 elements "
                             "take 18 bytes."));
        QCOMPARE(diagnosis("E12", "9", 0),
                 std::string("This fits if you counted two bytes for each element, as a 16-bit cache has. In this "
                             "cache format it is 1."));
        QVERIFY(diagnosis("E3", "5", 0).ends_with("In this cache format it is 2."));
    }

    void hintsSayWhatMatters()
    {
        const auto hint = [](const char* id, std::size_t which) {
            const core::Hint shown = core::hintsFor(tests::exercise(id)).at(which);
            QString text = QString::fromStdString(core::english(shown.message));
            for (const core::Message& line : shown.lines)
                text += u'\n' + QString::fromStdString(core::english(line));
            return text;
        };
        QVERIFY(hint("E7", 0).contains(QStringLiteral("scale")));
        QVERIFY(hint("E7", 1).contains(QStringLiteral("18 / 32")));
        QVERIFY(!hint("E3", 0).contains(QStringLiteral("scale")));
        QVERIFY(!hint("E8a", 1).contains(QStringLiteral("kept free")));
        QVERIFY(hint("E8b", 1).contains(QStringLiteral("kept free")));
        QVERIFY(hint("E24", 2).contains(QStringLiteral("93,405,585,408 bytes"))); // 46,702,792,704 · 2
        QCOMPARE(hint("E14", 2),
                 QStringLiteral("Multiply out, and add up:\n52 layers keep the last tokens only: 52 · 8,192 bytes · "
                                "1,024 tokens.\n10 layers keep every token: 10 · 8,192 bytes · 131,072 tokens."));
        QVERIFY(hint("E16", 2).contains(QStringLiteral("keep a state")));
        QCOMPARE(hint("E15", 2), QStringLiteral("Multiply out:\n61 layers keep every token: 61 · 1,152 bytes · "
                                                "131,072 tokens."));
    }

    void gapsAreFactors()
    {
        const std::string gap = core::english(core::gapInWords(core::Measure::Tokens, 30'000, 122'533));
        QCOMPARE(gap, std::string("You said 30,000, it is 122,533: off by a factor of 4.08."));
        QCOMPARE(core::english(core::gapInWords(core::Measure::Bytes, 131072.0 * 1024, 131072)),
                 std::string("You said 128 MiB, it is 128 KiB: off by a factor of 1,024."));
        QCOMPARE(core::english(core::gapInWords(core::Measure::Tokens, 0, 122'533)),
                 std::string("You said 0, it is 122,533."));
        QVERIFY(core::english(core::gapInWords(core::Measure::Tokens, 122'000, 122'533)).find("factor") ==
                std::string::npos);
    }

private:
    static void eachExercise()
    {
        QTest::addColumn<QString>("id");
        for (const Exercise& exercise : tests::exercises())
            QTest::newRow(exercise.id.c_str()) << QString::fromStdString(exercise.id);
    }
};

ROOM_TEST(TestExercises, void)
#include "test_exercises.moc"
