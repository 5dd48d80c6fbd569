// SPDX-License-Identifier: GPL-3.0-or-later
// Lessons as a learner takes them: predicting, answering, leaving.
#include "tests/ui/lesson_stage.h"
#include "ui/scenario_files.h"
#include "ui/views/overview.h"

#include <QFile>
#include <QSettings>
#include <QStandardPaths>
#include <QTemporaryDir>

using core::Scenario;
using tests::child;
using tests::LessonStage;
using tests::Stage;

namespace {

/// Edit > Undo, whatever it says that it undoes.
void undo(const ui::MainWindow& window)
{
    for (QAction* action : window.findChildren<QAction*>()) {
        if (action->text().remove(QLatin1Char('&')).startsWith(QLatin1String("Undo")))
            return action->trigger();
    }
    qFatal("There is no Undo.");
}

} // namespace

class TestLessonPanel : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName(QStringLiteral("kvh-test"));
        QCoreApplication::setApplicationName(QStringLiteral("kvh-test-lesson-panel"));
    }
    void init()
    {
        QSettings().clear();
        QFile::remove(ui::sessionPath());
    }

    void numbersAreHeldBackUntilPredicted()
    {
        const LessonStage stage(tests::shortLesson());
        for (const char* part : {"formula", "verdict", "budget"})
            QVERIFY2(!stage.sees(part), part);
        QVERIFY(stage.sees("growth"));
        QVERIFY(!stage.description("growth").contains(QLatin1String("1.00 GiB")));
        auto* overview = stage.window.findChild<ui::Overview*>();
        QCOMPARE(overview->growthTable().rows.size(), decltype(overview->growthTable().rows.size()){0});
        QVERIFY(stage.markdown("reveal").isEmpty());
        QVERIFY(!child<QWidget>(stage.window, "batch")->isEnabled());
        stage.say("prediction", "many");
        QVERIFY(stage.label("gap").contains(QLatin1String("many")));
        QVERIFY(!stage.sees("formula"));
        stage.say("prediction", "4 GiB");
        for (const char* part : {"formula", "verdict", "budget"})
            QVERIFY2(stage.sees(part), part);
        for (const char* part : {"4.00 GiB", "1.00 GiB", "factor of 4"})
            QVERIFY2(stage.label("gap").contains(QLatin1String(part)), qPrintable(stage.label("gap")));
        QVERIFY(stage.description("growth").contains(QLatin1String("1.00 GiB")));
        QVERIFY(stage.markdown("reveal").contains(QLatin1String("1.00 GiB")));
        QCOMPARE(stage.label("think"), QStringLiteral("To think about"));
    }

    void skippedIsReleased()
    {
        const LessonStage stage(tests::shortLesson());
        stage.click("skip");
        QVERIFY(stage.sees("formula"));
        QVERIFY(child<QWidget>(stage.window, "batch")->isEnabled());
    }

    void markerIsDraggedOverAnEmptyChart()
    {
        LessonStage stage(tests::courseLesson("the-crossing"));
        QVERIFY(!stage.sees("budget"));
        QChartView* growth = stage.view("growth");
        growth->setFocus();
        for (int i = 0; i < 20; ++i)
            QTest::keyClick(growth, Qt::Key_Right);
        const std::int64_t context = stage.window.session().current().scenario.workload.context;
        QVERIFY(context > 30'000);
        QVERIFY(stage.label("prediction-marker").contains(QLocale().toString(qlonglong{context})));
        const QPoint far(growth->width() * 2 / 3, growth->height() / 2);
        QTest::mouseClick(growth->viewport(), Qt::LeftButton, {}, far);
        QVERIFY(stage.window.session().current().scenario.workload.context > context);
        stage.click("commit");
        QVERIFY(!stage.label("gap").contains(QLatin1String("122,533")));
        QVERIFY(!stage.sees("budget")); // now it is to be worked out
        stage.say("answer", "122533");
        QVERIFY2(stage.label("gap").contains(QLatin1String("122,533")), qPrintable(stage.label("gap")));
        QVERIFY(stage.sees("budget"));
        // The step unlocks nothing more: the marker stays.
        const Scenario said = stage.window.session().current().scenario;
        QTest::keyClick(growth, Qt::Key_Left);
        QCOMPARE(stage.window.session().current().scenario, said);
    }

    void diagnosesAreNamed()
    {
        const LessonStage stage(core::lessonOf(tests::exercise("E3")));
        QVERIFY(stage.markdown("question").contains(QLatin1String("64 query heads")));
        stage.say("answer", "20");
        QVERIFY(stage.label("result").startsWith(QLatin1String("Not yet")));
        const QString diagnoses = stage.label("diagnoses");
        QCOMPARE(diagnoses.count(QLatin1Char('\n')), 1);
        QVERIFY2(diagnoses.contains(QLatin1String("query heads")), qPrintable(diagnoses));
        QVERIFY2(diagnoses.contains(QLatin1String("bits")), qPrintable(diagnoses));
        stage.say("answer", "2.5");
        QVERIFY(stage.label("result").startsWith(QLatin1String("Right")));
        QVERIFY(!stage.markdown("explanation-of-answer").isEmpty());
        QVERIFY(!stage.sees("answer"));
        QVERIFY(stage.sees("formula"));
    }

    void hintsThenAnswer()
    {
        const LessonStage stage(core::lessonOf(tests::exercise("E3")));
        QString before;
        for (int hint = 1; hint <= 3; ++hint) {
            stage.click("hint");
            const QString hints = stage.markdown("hints");
            QVERIFY(hints.startsWith(before.trimmed()) && hints.size() > before.size());
            QVERIFY(hints.contains(QStringLiteral("Hint %1").arg(hint)));
            QVERIFY(!hints.contains(QLatin1String("2.5")));
            before = hints;
        }
        QVERIFY(!child<QWidget>(stage.panel(), "hint")->isEnabled());
        QVERIFY(stage.label("right-answer").isEmpty());
        for (int i = 0; i < core::kTriesBeforeAnswer; ++i)
            stage.say("answer", "7");
        QVERIFY2(stage.label("right-answer").contains(QLatin1String("2.50 GiB")),
                 qPrintable(stage.label("right-answer")));
    }

    void answerOnRequest()
    {
        const LessonStage stage(core::lessonOf(tests::exercise("E3")));
        stage.click("show-answer");
        QVERIFY(stage.label("right-answer").contains(QLatin1String("2.50 GiB")));
        QVERIFY(!stage.sees("check"));
    }

    void leavingRestoresEverything()
    {
        const QTemporaryDir folder;
        Stage stage;
        stage.window.setCatalogue(tests::wholeCatalogue());
        stage.window.restore(false);
        QVERIFY(stage.window.document().save(folder.filePath(QStringLiteral("mine.kvh"))));
        stage.type("context", "12345");
        stage.type("batch", "3");
        const Scenario mine = stage.window.session().current().scenario;
        QVERIFY(stage.window.isWindowModified());
        const QString title = stage.window.windowTitle();

        stage.trigger("The crossing");
        QVERIFY(stage.window.session().current().scenario != mine);
        child<QAbstractButton>(stage.window, "skip")->click();
        child<QAbstractButton>(stage.window, "next")->click();
        child<QAbstractButton>(stage.window, "next")->click();
        stage.type("batch", "4");
        QCOMPARE(stage.window.session().current().scenario.workload.batch, 4);
        undo(stage.window);
        QCOMPARE(stage.window.session().current().scenario.workload.batch, 16);
        stage.type("batch", "5");
        child<QAbstractButton>(stage.window, "leave")->click();
        QCOMPARE(stage.window.session().current().scenario, mine);
        QVERIFY(stage.window.isWindowModified());
        QCOMPARE(stage.window.windowTitle(), title);
        QVERIFY(!child<QWidget>(stage.window, "lesson")->isVisible());
        undo(stage.window);
        undo(stage.window);
        QVERIFY(!stage.window.isWindowModified()); // as it was saved
        QCOMPARE(stage.window.session().undoStack().count(), 2);
    }

    void autosaveKeepsTheUsersScenario()
    {
        const QTemporaryDir folder;
        Stage stage;
        stage.window.setCatalogue(tests::wholeCatalogue());
        stage.window.restore(false);
        stage.type("context", "12345");
        const Scenario mine = stage.window.session().current().scenario;
        stage.window.startLesson(tests::shortLesson());
        stage.window.document().keep();
        const auto kept = ui::loadSession();
        QVERIFY(kept && *kept);
        QCOMPARE((*kept)->file.scenario, mine);
        QVERIFY((*kept)->unsaved);
        const QString path = folder.filePath(QStringLiteral("saved.kvh"));
        QVERIFY(stage.window.document().save(path));
        QCOMPARE(ui::loadScenario(path)->scenario, mine);
        QVERIFY(stage.window.lesson() != nullptr);
        stage.window.close(); // nothing to ask: it is saved
        QCOMPARE((*ui::loadSession())->file.scenario, mine);
    }

    void progressIsTicked()
    {
        Stage stage;
        stage.window.setCatalogue(tests::wholeCatalogue());
        const auto entry = [&stage] {
            for (QAction* action : stage.window.findChildren<QAction*>()) {
                if (action->text() == QLatin1String("The crossing"))
                    return action;
            }
            return static_cast<QAction*>(nullptr);
        };
        QVERIFY(entry() != nullptr && !entry()->isChecked());
        entry()->trigger();
        QVERIFY(!entry()->isChecked()); // begun, not done
        for (int i = 0; i < 2; ++i)
            child<QAbstractButton>(stage.window, "next")->click();
        QVERIFY(entry()->isChecked());
        Stage later;
        later.window.setCatalogue(tests::wholeCatalogue());
        later.trigger("Clear progress");
        QVERIFY(!ui::progressOf("the-crossing").done);
    }

    void finishedGoesOn()
    {
        const LessonStage stage(tests::courseLesson("the-crossing"));
        for (int i = 0; i < 3; ++i)
            stage.click("next");
        QCOMPARE(stage.label("lesson-title"), QStringLiteral("Sharing heads: MHA, GQA, MQA"));
    }

    void exerciseAboutThisModel()
    {
        Stage stage;
        const Scenario mine = stage.window.session().current().scenario;
        stage.trigger("Exercise about this model");
        QVERIFY(stage.window.lesson() != nullptr);
        QCOMPARE(stage.window.lesson()->step().scenario.model.name, mine.model.name);
        child<QAbstractButton>(stage.window, "next")->click();
        QApplication::processEvents();
        QVERIFY(stage.window.lesson() != nullptr); // another one
        stage.trigger("Leave the lesson");
        QVERIFY(stage.window.lesson() == nullptr);
        QCOMPARE(stage.window.session().current().scenario, mine);
    }
};

QTEST_MAIN(TestLessonPanel)
#include "test_lesson_panel.moc"
