// SPDX-License-Identifier: GPL-3.0-or-later
// A lesson's state, without a window.
#include "tests/room.h"
#include "tests/ui/lesson_files.h"
#include "ui/lessons/lesson_run.h"
#include "ui/session.h"
#include "ui/texts.h"

#include <QCoreApplication>
#include <QSettings>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTest>

using core::Field;
using core::Grade;
using ui::LessonRun;

class TestLessonRun : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName(QStringLiteral("kvh-test"));
        QCoreApplication::setApplicationName(QStringLiteral("kvh-test-lesson-run"));
    }
    void init() { QSettings().clear(); }

    void lockedUntilPredicted()
    {
        LessonRun run(tests::shortLesson());
        const QSignalSpy changed(&run, &LessonRun::changed);
        QVERIFY(run.isPredictionOpen());
        QVERIFY(run.holdsNumbersBack());
        QVERIFY(!run.isSettled());
        QVERIFY(run.controls().empty());
        QVERIFY(run.predictionResult().empty());
        QVERIFY(!run.predict(QStringLiteral("a lot")).empty());
        QVERIFY(!run.predict(QStringLiteral("4 tokens")).empty());
        QVERIFY(run.isPredictionOpen());
        QCOMPARE(changed.count(), 0);
        QVERIFY(run.predict(QStringLiteral("4 GiB")).empty());
        QCOMPARE(changed.count(), 1);
        QVERIFY(run.isSettled());
        QVERIFY(!run.holdsNumbersBack());
        QCOMPARE(run.controls(), std::vector{Field::Batch});
        const QString gap = ui::text(run.predictionResult());
        for (const char* part : {"4.00 GiB", "1.00 GiB", "factor of 4"})
            QVERIFY2(gap.contains(QLatin1String(part)), qPrintable(gap));
    }

    void skippedIsReleased()
    {
        LessonRun run(tests::shortLesson());
        run.skipPrediction();
        QVERIFY(run.isSettled());
        QVERIFY(run.predictionResult().empty());
    }

    void markerMayMoveBeforeTheRest()
    {
        LessonRun run(tests::courseLesson("the-crossing"));
        QVERIFY(run.isPredictionOpen());
        QCOMPARE(run.controls(), std::vector{Field::Context});
        run.predictNumber(61'000);
        // The question asks for the same number: it is not told in between.
        QVERIFY(run.holdsNumbersBack());
        QVERIFY(!ui::text(run.predictionResult()).contains(QLatin1String("122,533")));
        run.answer(QStringLiteral("122533"));
        QVERIFY(!run.holdsNumbersBack());
        const QString gap = ui::text(run.predictionResult());
        for (const char* part : {"61,000", "122,533", "2.0"})
            QVERIFY2(gap.contains(QLatin1String(part)), qPrintable(gap));
        QVERIFY(!run.mayChange(Field::Batch));
    }

    void wrongAnswersAreDiagnosed()
    {
        LessonRun run(core::lessonOf(tests::exercise("E3")));
        QVERIFY(run.holdsNumbersBack()); // the formula would say it
        run.answer(QStringLiteral("20"));
        QCOMPARE(run.state().judgement->grade, Grade::NotYet);
        QStringList named;
        for (const core::Diagnosis& diagnosis : run.state().judgement->diagnoses)
            named << QString::fromUtf8(diagnosis.mistake.data());
        QCOMPARE(named, QStringList({QStringLiteral("query-heads"), QStringLiteral("bits")}));
        QVERIFY(run.isQuestionOpen());
        run.answer(QStringLiteral("2.5"));
        QVERIFY(run.isSettled());
        QVERIFY(!run.holdsNumbersBack());
    }

    void answerAfterThreeTries()
    {
        LessonRun run(core::lessonOf(tests::exercise("E3")));
        run.answer(QStringLiteral("what"));
        QCOMPARE(run.state().wrong, 0); // could not be read: no try
        for (int i = 1; i < core::kTriesBeforeAnswer; ++i) {
            run.answer(QStringLiteral("7"));
            QVERIFY(!run.state().answerShown);
        }
        run.answer(QStringLiteral("7"));
        QVERIFY(run.state().answerShown);
        QVERIFY(!run.state().solved);
        QVERIFY(run.isSettled());
    }

    void answerOnRequest()
    {
        LessonRun run(core::lessonOf(tests::exercise("E3")));
        run.showAnswer();
        QVERIFY(run.isSettled());
    }

    void hintsComeOneByOne()
    {
        LessonRun run(core::lessonOf(tests::exercise("E3")));
        for (int hint = 1; hint <= 3; ++hint) {
            QVERIFY(run.hasHint());
            run.showHint();
            QCOMPARE(run.state().hints, hint);
        }
        QVERIFY(!run.hasHint());
    }

    void choicesAreJudged()
    {
        LessonRun run(tests::courseLesson("why-caching"));
        run.predictChoice(0);
        QVERIFY(run.isSettled());
        run.next();
        run.choose(0); // query, key and value
        QVERIFY(run.isQuestionOpen());
        run.choose(1);
        QVERIFY(run.isSettled());
        run.back();
        QCOMPARE(run.state().saidChoice, std::optional(0)); // not forgotten
    }

    void progressSurvives()
    {
        {
            LessonRun run(tests::shortLesson());
            QCOMPARE(run.index(), 0);
            run.next();
        }
        QCOMPARE(ui::progressOf("short/one").furthest, 1);
        QVERIFY(!ui::progressOf("short/one").done);
        {
            LessonRun run(tests::shortLesson());
            QCOMPARE(run.index(), 1); // where it was left
            run.answer(QStringLiteral("2.5 GiB"));
        }
        QVERIFY(ui::progressOf("short/one").done);
        QVERIFY(ui::progressOf("short/one").solved);
        LessonRun again(tests::shortLesson());
        QCOMPARE(again.index(), 0);
        QVERIFY(ui::progressOf("short/one").done);
        ui::clearProgress();
        QVERIFY(!ui::progressOf("short/one").done);
        QCOMPARE(ui::progressOf("short/one").furthest, 0);
    }

    /// What was only looked at is done, but not solved; what was solved at another time counts.
    void seenIsNotSolved()
    {
        const core::Lesson lesson = tests::courseLesson("sharing-heads");
        {
            LessonRun run(lesson);
            for (int step = 0; step < run.count(); ++step, run.next()) {
                run.skipPrediction();
                if (step == 1)
                    run.answer(QStringLiteral("5"));
                run.showAnswer();
            }
        }
        QVERIFY(ui::progressOf(lesson.id).done);
        QVERIFY(!ui::progressOf(lesson.id).solved);
        LessonRun again(lesson);
        for (const char* answer : {"", "", "128", "40 GiB"}) {
            again.answer(QString::fromLatin1(answer));
            again.next();
        }
        QVERIFY(!ui::progressOf(lesson.id).solved);
        again.choose(0); // 64 query heads
        QVERIFY(ui::progressOf(lesson.id).solved);
    }

    void brokenProgressIsNoTrap()
    {
        QSettings().setValue(QStringLiteral("lessons/short%2Fone/step"), 99);
        LessonRun run(tests::shortLesson());
        QCOMPARE(run.index(), 1);
        QSettings().setValue(QStringLiteral("lessons/short%2Fone/step"), -4);
        LessonRun other(tests::shortLesson());
        QCOMPARE(other.index(), 0);
    }

    /// Every step of the course can be passed by saying nothing, and shows its texts.
    void courseCanBeWalked()
    {
        for (const core::Lesson& lesson : tests::wholeCatalogue().lessons) {
            LessonRun run(lesson);
            for (int step = 0; step < run.count(); ++step, run.next()) {
                QCOMPARE(run.index(), step);
                if (run.isPredictionOpen())
                    run.skipPrediction();
                if (run.isQuestionOpen())
                    run.showAnswer();
                QVERIFY(run.isSettled());
            }
            QVERIFY(ui::progressOf(lesson.id).done);
            QVERIFY(!ui::progressOf(lesson.id).solved);
        }
    }

    /// A guess without a unit is in the unit that is shown, or in bytes: 131,072 bytes are 128 KiB.
    void plainGuessIsInTheNearerUnit()
    {
        for (const char* typed : {"131072", "131,072", "128"}) {
            LessonRun run(tests::courseLesson("the-equation"));
            run.next();
            run.next();
            QCOMPARE(run.predictionUnit(), QStringLiteral("KiB"));
            QVERIFY(run.predict(QString::fromLatin1(typed)).empty());
            QCOMPARE(*run.state().saidNumber, 131072.0);
            ui::clearProgress();
        }
        LessonRun requests(tests::courseLesson("real-hardware"));
        QVERIFY(requests.predictionUnit().isEmpty()); // requests are requests
    }

    /// What the numbers would give away: while the question is open they are held back and inputs are locked.
    void openQuestionsHoldNumbersBack_data()
    {
        QTest::addColumn<QString>("lesson");
        QTest::addColumn<int>("step");
        QTest::addColumn<bool>("layout");
        QTest::newRow("waste of blocks") << "paging" << 2 << false;
        QTest::newRow("requests with some kept free") << "real-hardware" << 1 << false;
        QTest::newRow("a latent") << "not-the-whole-story" << 1 << false;
        QTest::newRow("states") << "not-the-whole-story" << 2 << false;
        QTest::newRow("a missing line") << "reading-a-config" << 2 << true;
        QTest::newRow("blocks") << "what-engines-print" << 1 << false;
        QTest::newRow("length of a head") << "sharing-heads" << 2 << true;
    }
    void openQuestionsHoldNumbersBack()
    {
        QFETCH(const QString, lesson);
        QFETCH(const int, step);
        QFETCH(const bool, layout);
        LessonRun run(tests::courseLesson(lesson.toStdString()));
        while (run.index() < step)
            run.next();
        QVERIFY(run.holdsNumbersBack());
        QVERIFY(run.controls().empty());
        QCOMPARE(run.holdsLayoutBack(), layout);
        QVERIFY(!run.holdsWeightsBack());
        run.showAnswer();
        QVERIFY(!run.holdsNumbersBack());
        QVERIFY(!run.holdsLayoutBack());
        QCOMPARE(run.controls(), run.step().controls);
    }

    void weightsAreHeldBackWhereAsked()
    {
        LessonRun run(core::lessonOf(tests::exercise("E23")));
        QVERIFY(run.holdsWeightsBack());
        run.answer(QStringLiteral("70.6 GB"));
        QVERIFY(!run.holdsWeightsBack());
        // By the format to the number of requests: the inputs are open.
        LessonRun precision(tests::courseLesson("cache-precision"));
        QVERIFY(!precision.holdsNumbersBack());
        QVERIFY(precision.mayChange(Field::KFormat));
    }

    void sessionIsLentAndGivenBack()
    {
        ui::Session session(tests::scenarioOf("llama-3.1-8b"));
        session.edit(tests::with(session.current().scenario, 9'000, 2));
        const core::Evaluation mine = session.current();
        session.enter(tests::scenarioOf("gpt2"));
        QVERIFY(session.isInLesson());
        QCOMPARE(session.own(), mine.scenario);
        QVERIFY(!session.undoGroup().canUndo()); // not into the user's past
        session.edit(tests::with(session.current().scenario, 512, 1));
        QVERIFY(session.undoGroup().canUndo());
        session.undoGroup().undo();
        QCOMPARE(session.current().scenario, tests::scenarioOf("gpt2"));
        session.enter(tests::scenarioOf("llama-3-70b")); // the next step
        QVERIFY(!session.undoGroup().canUndo());
        const QSignalSpy changed(&session, &ui::Session::changed);
        session.leave();
        QCOMPARE(changed.count(), 1);
        QCOMPARE(session.current().scenario, mine.scenario);
        QCOMPARE(session.current().footprint, mine.footprint);
        QCOMPARE(session.undoStack().count(), 1);
        session.undoGroup().undo();
        QCOMPARE(session.current().scenario, tests::scenarioOf("llama-3.1-8b"));
        session.leave();
        QCOMPARE(session.current().scenario, tests::scenarioOf("llama-3.1-8b"));
    }

    void issueSurvivesALesson()
    {
        ui::Session session(tests::scenarioOf("llama-3.1-8b"));
        session.edit(tests::with(session.current().scenario, 0, 1));
        session.enter(tests::scenarioOf("gpt2"));
        QVERIFY(session.current().issues.empty());
        session.leave();
        QCOMPARE(session.current().issues.size(), std::size_t{1});
        QCOMPARE(session.lastValid().scenario, tests::scenarioOf("llama-3.1-8b"));
    }
};

ROOM_TEST(TestLessonRun, QCoreApplication)
#include "test_lesson_run.moc"
