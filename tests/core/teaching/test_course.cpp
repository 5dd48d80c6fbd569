// SPDX-License-Identifier: GPL-3.0-or-later
// The lessons of the course: they can be read, are short, ask, and state no number that core does not compute.
#include "core/teaching/scenario_facts.h"
#include "tests/core/teaching/course.h"
#include "tests/room.h"

#include <QRegularExpression>
#include <QTest>

#include <cmath>
#include <set>

namespace {

using core::Lesson;
using core::LessonStep;

std::vector<std::string> textsOf(const LessonStep& step)
{
    std::vector<std::string> texts{step.title, step.text, step.reveal, step.reflection};
    const auto addChoices = [&](const std::vector<core::Choice>& choices) {
        for (const core::Choice& choice : choices)
            texts.insert(texts.end(), {choice.text, choice.diagnosis});
    };
    if (step.prediction) {
        texts.push_back(step.prediction->text);
        addChoices(step.prediction->choices);
    }
    if (const auto* choice = std::get_if<core::ChoiceQuestion>(&step.question)) {
        texts.push_back(choice->text);
        addChoices(choice->choices);
    }
    return texts;
}

/// The numbers of two digits and more, or with a fraction, that a text holds outside its places.
QStringList numbersIn(const std::string& text)
{
    static const QRegularExpression place(QStringLiteral("\\{[^}]*\\}"));
    static const QRegularExpression number(QStringLiteral("(?<![\\w.])\\d[\\d,]*[\\d.]*\\d(?!\\w)"));
    QString bare = QString::fromStdString(text);
    bare.remove(place);
    QStringList numbers;
    for (auto match = number.globalMatch(bare); match.hasNext();)
        numbers += match.next().captured();
    return numbers;
}

} // namespace

class TestCourse : public QObject {
    Q_OBJECT

private slots:
    void courseIsRead_data() { eachLesson(); }
    void courseIsRead()
    {
        const Lesson lesson = currentLesson();
        QVERIFY(lesson.minutes > 0);
        for (const LessonStep& step : lesson.steps) {
            QVERIFY(core::check(step.scenario).empty());
            for (const std::string& text : textsOf(step)) {
                const QString shown = QString::fromStdString(core::filled(text, step));
                QVERIFY2(!shown.contains(u'{'), qPrintable(shown));
            }
        }
    }

    void stepsAreShort_data() { eachLesson(); }
    void stepsAreShort()
    {
        constexpr std::size_t kLongest = 700;
        const Lesson lesson = currentLesson();
        QVERIFY(lesson.steps.size() >= 3 && lesson.steps.size() <= 8);
        std::size_t active = 0;
        for (const LessonStep& step : lesson.steps) {
            QVERIFY2(step.text.size() <= kLongest, step.title.c_str());
            if (step.prediction || !std::holds_alternative<std::monostate>(step.question))
                ++active;
        }
        QVERIFY(2 * active >= lesson.steps.size()); // half of the steps ask something
    }

    /// A number that an exercise asks for must not stand in the step's text before it.
    void answersAreNotGivenAway_data() { eachLesson(); }
    void answersAreNotGivenAway()
    {
        for (const LessonStep& step : currentLesson().steps) {
            const auto* exercise = std::get_if<core::Exercise>(&step.question);
            if (exercise == nullptr || core::measureOf(exercise->task.quantity) != core::Measure::Bytes)
                continue;
            const core::Bytes right(static_cast<std::int64_t>(*core::rightAnswer(*exercise)));
            for (const std::string& text :
                 {core::filled(step.text, step), core::filled(exercise->question, *exercise)}) {
                for (const std::string& number :
                     {core::formatBytes(right), core::formatShort(right), core::formatCount(right.count())})
                    QVERIFY2(text.find(number) == std::string::npos, text.c_str());
            }
        }
    }

    /// Where the program would show what is asked, it is held back; where an input leads to it, it is not.
    void answersAreHeldBack_data() { eachLesson(); }
    void answersAreHeldBack()
    {
        static const std::set<std::string> kToBeFound{"E1", "E12"}; // by the context, by the format
        for (const LessonStep& step : currentLesson().steps) {
            if (const auto* exercise = std::get_if<core::Exercise>(&step.question))
                QVERIFY2(step.showsItsAnswer() != kToBeFound.contains(exercise->id), exercise->id.c_str());
        }
    }

    /// An exercise stands alone in the menu: it names its model and speaks of no other one.
    void exercisesStandAlone()
    {
        for (const core::Exercise& exercise : tests::exercises()) {
            const bool alone = exercise.question.find("{model}") != std::string::npos ||
                               exercise.task.quantity == core::AskedQuantity::WasteShare; // the same for every model
            QVERIFY2(alone && exercise.question.find("same") == std::string::npos, exercise.id.c_str());
        }
    }

    /// The bend of the last step on windows can be seen: most of what is plotted lies below it.
    void bendCanBeSeen()
    {
        const Lesson lesson = tests::lessonAt(std::string(RESOURCES_DIR "/lessons/10-not-the-whole-story.json"));
        const core::Scenario& scenario = lesson.steps.back().scenario;
        core::Scenario bend = scenario;
        bend.workload = core::withContext(scenario.workload, 1024); // the window
        const core::Footprint all = tests::footprintOf(scenario);
        const core::Bytes before = tests::footprintOf(bend).memory.cache;
        QVERIFY(5 * before.count() > all.memory.weights.count());
        QVERIFY(2 * before.count() > all.memory.cache.count());
        QVERIFY(scenario.workload.context <= 8 * 1024);
    }

    /// Numbers in prose are filled in by core, but for these, which are no results.
    void numbersAreComputed_data() { eachLesson(); }
    void numbersAreComputed()
    {
        static const std::set<QString> kNoResults{
            QStringLiteral("16"),    // bits of a format
            QStringLiteral("10"),    // 10^9
            QStringLiteral("30"),    // 2^30
            QStringLiteral("7.4"),   // GiB against GB, see `statedNumbersAreRight`
            QStringLiteral("24"),    // the label of a card
            QStringLiteral("340"),   // the claim that is refuted
            QStringLiteral("80"),    // 5,120 / 64, see below
            QStringLiteral("10517"), // a public thread
        };
        for (const LessonStep& step : currentLesson().steps) {
            for (const std::string& text : textsOf(step)) {
                for (const QString& number : numbersIn(text))
                    QVERIFY2(kNoResults.contains(number),
                             qPrintable(number + QStringLiteral(" in: ") + QString::fromStdString(text)));
            }
        }
    }

    void statedNumbersAreRight()
    {
        QCOMPARE(std::round(1000 * (1073741824.0 / 1e9 - 1)) / 10, 7.4);
        const core::Model model = tests::model("qwen3-32b");
        const core::CacheGroup& heads = *core::headsOf(model);
        QCOMPARE(5120 / heads.queryHeads, 80);
        QVERIFY(heads.keyDim != 80);
    }

    /// The manual shows how to write a lesson; the example must be one.
    void exampleIsALesson()
    {
        const std::string page = contentOf(RESOURCES_DIR "/manual/lessons.md");
        const std::size_t begin = page.find("{\"format\": \"kvhorizon.lesson\"");
        QVERIFY(begin != std::string::npos);
        const std::string example = page.substr(begin, page.find("```", begin) - begin);
        const Lesson lesson = tests::valueOf(core::lessonFromText(example, "lessons.md", tests::sources()));
        QCOMPARE(std::get<core::Exercise>(lesson.steps.front().question).mistakes.size(), std::size_t{3});
    }

    void courseTakesAnHour()
    {
        std::int64_t minutes = 0;
        std::set<std::string> ids;
        std::size_t predictions = 0;
        std::set<std::string> asked;
        for (const auto& file : tests::lessonFiles()) {
            const Lesson lesson = tests::lessonAt(file);
            minutes += lesson.minutes;
            QVERIFY(ids.insert(lesson.id).second);
            for (const LessonStep& step : lesson.steps) {
                predictions += step.prediction ? 1U : 0U;
                if (const auto* exercise = std::get_if<core::Exercise>(&step.question))
                    asked.insert(exercise->id);
            }
        }
        QCOMPARE(ids.size(), std::size_t{12});
        QVERIFY(predictions >= 10);
        QVERIFY2(minutes >= 68 && minutes <= 74, std::to_string(minutes).c_str()); // "about 70 minutes" in the README
        for (const char* id :
             {"E1", "E2", "E3", "E4", "E5", "E6a", "E6b", "E7", "E8a", "E8b", "E8c", "E9", "E10", "E25", "E26", "E27"})
            QVERIFY2(asked.contains(id), id);
    }

    /// The figures of the course that the issue names.
    void courseSaysTheKnownFigures()
    {
        const auto says = [](const char* file, const char* text) {
            const Lesson lesson = tests::lessonAt(std::string(RESOURCES_DIR "/lessons/") + file);
            for (const LessonStep& step : lesson.steps) {
                for (const std::string& part : textsOf(step)) {
                    if (core::filled(part, step).find(text) != std::string::npos)
                        return true;
                }
            }
            return false;
        };
        QVERIFY(says("02-the-equation.json", "128 KiB"));
        QVERIFY(says("05-the-crossing.json", "122,533"));
        QVERIFY(says("05-the-crossing.json", "128K"));
        QVERIFY(says("06-sharing-heads.json", "4.00 GiB"));
        QVERIFY(says("06-sharing-heads.json", "40.00 GiB (42.95 GB)"));
        QVERIFY(says("08-paging.json", "24.0 GiB") || says("08-paging.json", "12.00 GiB"));
        QVERIFY(says("09-real-hardware.json", "64.00 GiB (68.72 GB)"));
        QVERIFY(says("10-not-the-whole-story.json", "62.00 GiB"));
        for (const char* printed : {"3.81 GiB", "1,952 blocks", "31,232 tokens", "1.56x", "1,250 of the 1,952"})
            QVERIFY2(says("12-what-engines-print.json", printed), printed);
    }

private:
    static void eachLesson()
    {
        QTest::addColumn<QString>("file");
        for (const auto& file : tests::lessonFiles())
            QTest::newRow(file.filename().c_str()) << QString::fromStdString(file.string());
    }
    static Lesson currentLesson()
    {
        QFETCH(const QString, file);
        return tests::lessonAt(file.toStdString());
    }
};

ROOM_TEST(TestCourse, void)
#include "test_course.moc"
