// SPDX-License-Identifier: GPL-3.0-or-later
// Lessons as a learner takes them: predicting, answering, leaving.
#include "tests/room.h"
#include "tests/ui/lesson_stage.h"
#include "ui/scenario_files.h"
#include "ui/views/chart_view.h"

#include <QApplication>
#include <QChart>
#include <QComboBox>
#include <QFile>
#include <QPushButton>
#include <QSettings>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTimer>
#include <QValueAxis>

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

/// Answers a message box with the button, once one comes up.
void answerNext(QMessageBox::StandardButton button)
{
    QTimer::singleShot(50, qApp, [button] {
        if (auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget()))
            box->button(button)->click();
    });
}

/// The context at the right end of the growth chart.
double lastContext(const Stage& stage)
{
    return qobject_cast<QValueAxis*>(stage.view("growth")->chart()->axes(Qt::Horizontal).front())->max();
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
        QVERIFY(child<ui::ChartView>(stage.window, "growth")->table().rows.empty());
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
        QCOMPARE(stage.label("tries"), QStringLiteral("The answer is shown after 3 tries."));
        stage.say("answer", "7");
        QVERIFY(stage.label("result").startsWith(QLatin1String("Not yet")));
        QVERIFY(stage.label("tries").contains(QLatin1String("number 1")));
        for (int i = 1; i < core::kTriesBeforeAnswer; ++i)
            stage.say("answer", "7");
        QVERIFY(stage.label("result").isEmpty()); // it is over
        QVERIFY(stage.label("tries").isEmpty());
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

    /// Of the panel's facts, what is asked; the chart shows no weights where they are asked.
    void factsAreHeldBack()
    {
        const LessonStage head(core::lessonOf(tests::exercise("E6a")));
        QVERIFY(!head.sees("model-facts"));
        QVERIFY(!head.sees("kv-heads"));
        QVERIFY(head.sees("weight-facts"));
        head.say("answer", "128");
        QVERIFY(head.sees("model-facts"));
        QVERIFY(head.sees("kv-heads"));
        const LessonStage weights(core::lessonOf(tests::exercise("E23")));
        QVERIFY(!weights.sees("weight-facts"));
        QVERIFY(weights.sees("model-facts"));
        QVERIFY(!weights.description("growth").contains(QLatin1String("GiB")));
        weights.say("answer", "70.6 GB");
        QVERIFY(weights.sees("weight-facts"));
        QVERIFY(weights.description("growth").contains(QLatin1String("GiB")));
    }

    void guessNamesItsUnit()
    {
        const LessonStage stage(tests::courseLesson("the-equation"));
        stage.click("next");
        stage.click("next");
        QCOMPARE(child<QLineEdit>(stage.panel(), "prediction")->placeholderText(), QStringLiteral("in KiB"));
        stage.say("prediction", "8192"); // in bytes, that is closer
        QVERIFY2(stage.label("gap").contains(QLatin1String("8 KiB")), qPrintable(stage.label("gap")));
        stage.say("answer", "128");
        QVERIFY2(stage.label("gap").endsWith(QLatin1String("factor of 16.")), qPrintable(stage.label("gap")));
    }

    /// The whole of what the model was trained for is in sight, before the marker can be moved and after.
    void axisReachesTheFarEnd()
    {
        const LessonStage stage(tests::courseLesson("the-crossing"));
        stage.click("next");
        QVERIFY(lastContext(stage) >= 131'072);
        stage.click("skip");
        QVERIFY(lastContext(stage) >= 131'072);
        stage.type("context", "131072");
        QVERIFY(lastContext(stage) < 2 * 131'072);
    }

    void axesComeBack()
    {
        Stage stage;
        stage.window.setCatalogue(tests::wholeCatalogue());
        stage.type("context", "40000");
        stage.type("context", "8000"); // the axes stay
        const double mine = lastContext(stage);
        QVERIFY(mine >= 40'000);
        for (int round = 0; round < 2; ++round) {
            stage.window.course().start(tests::courseLesson("the-crossing"));
            stage.window.course().start(tests::courseLesson("linear-growth")); // one after the other
            child<QAbstractButton>(stage.window, "skip")->click();
            QVERIFY(lastContext(stage) < mine);
            stage.window.course().leave();
            QCOMPARE(lastContext(stage), mine);
        }
    }

    /// A step that says how much is reserved keeps that when the way of reserving is switched.
    void reservedTokensStayTheSteps()
    {
        LessonStage stage(tests::courseLesson("paging"));
        for (int i = 0; i < 3; ++i)
            stage.click("next");
        auto* engine = child<QComboBox>(stage.window, "engine");
        for (const core::EngineId chosen :
             {core::EngineId::Contiguous, core::EngineId::Paged, core::EngineId::Contiguous}) {
            engine->setCurrentIndex(engine->findData(static_cast<int>(chosen)));
            emit engine->activated(engine->currentIndex());
            QCOMPARE(stage.window.session().current().scenario.engine, chosen);
            QCOMPARE(stage.window.session().current().scenario.workload.maxContext,
                     std::optional<std::int64_t>(16'384));
        }
    }

    /// Where no hardware can be chosen, the verdict does not ask for it.
    void verdictAsksForNothingLocked()
    {
        const LessonStage stage(tests::courseLesson("why-caching"));
        stage.click("skip");
        QVERIFY(!stage.verdict().contains(QLatin1String("Choose hardware")));
        QVERIFY(stage.verdict().contains(QLatin1String("needed")));
    }

    void leavingRestoresEverything()
    {
        const QTemporaryDir folder;
        Stage stage;
        stage.window.setCatalogue(tests::wholeCatalogue());
        stage.window.restore(false);
        QVERIFY(stage.window.opening().document().save(folder.filePath(QStringLiteral("mine.kvh"))));
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
        stage.window.course().start(tests::shortLesson());
        stage.window.opening().document().keep();
        const auto kept = ui::loadSession();
        QVERIFY(kept && *kept);
        QCOMPARE((*kept)->file.scenario, mine);
        QVERIFY((*kept)->unsaved);
        const QString path = folder.filePath(QStringLiteral("saved.kvh"));
        QVERIFY(stage.window.opening().document().save(path));
        QCOMPARE(ui::loadScenario(path)->scenario, mine);
        QVERIFY(stage.window.course().run() != nullptr);
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
        QVERIFY(ui::progressOf("the-crossing").done);
        QVERIFY(!entry()->isChecked()); // clicked through, not solved
        child<QAbstractButton>(stage.window, "back")->click();
        child<QAbstractButton>(stage.window, "back")->click();
        child<QAbstractButton>(stage.window, "skip")->click();
        tests::typeInto(child<QLineEdit>(stage.window, "answer"), QStringLiteral("122533"));
        QVERIFY(entry()->isChecked());
        Stage later;
        later.window.setCatalogue(tests::wholeCatalogue());
        answerNext(QMessageBox::No);
        later.trigger("Clear progress…");
        QVERIFY(ui::progressOf("the-crossing").solved);
        answerNext(QMessageBox::Yes);
        later.trigger("Clear progress…");
        QVERIFY(!ui::progressOf("the-crossing").done);
    }

    /// An exercise of which the answer was shown is not ticked.
    void shownIsNotTicked()
    {
        Stage stage;
        stage.window.setCatalogue(tests::wholeCatalogue());
        stage.window.course().start(core::lessonOf(tests::exercise("E3")));
        child<QAbstractButton>(stage.window, "show-answer")->click();
        QVERIFY(!ui::progressOf("exercise E3").solved);
    }

    void finishedGoesOn()
    {
        const LessonStage stage(tests::courseLesson("the-crossing"));
        for (int i = 0; i < 3; ++i)
            stage.click("next");
        QCOMPARE(stage.label("lesson-title"), QStringLiteral("Sharing heads: MHA, GQA, MQA"));
    }

    void lastLessonLeadsToTheExercises()
    {
        const LessonStage stage(tests::courseLesson("what-engines-print"));
        auto* next = child<QAbstractButton>(stage.panel(), "next");
        for (int i = 0; i < 5; ++i)
            next->click();
        QCOMPARE(next->text().remove(u'&'), QStringLiteral("Go to the exercises"));
        next->click();
        QApplication::processEvents();
        QCOMPARE(stage.label("lesson-title"), QString::fromStdString(tests::exercises().front().title));
    }

    void exerciseAboutThisModel()
    {
        Stage stage;
        const Scenario mine = stage.window.session().current().scenario;
        stage.trigger("Exercise about this model");
        QVERIFY(stage.window.course().run() != nullptr);
        QCOMPARE(stage.window.course().run()->step().scenario.model.name, mine.model.name);
        QString before;
        for (int i = 0; i < 20; ++i) {
            const QString question = child<ui::MarkdownView>(stage.window, "question")->toPlainText();
            QVERIFY2(question != before, qPrintable(question)); // another one
            before = question;
            child<QAbstractButton>(stage.window, "show-answer")->click();
            QVERIFY(!child<ui::MarkdownView>(stage.window, "explanation-of-answer")->toPlainText().isEmpty());
            child<QAbstractButton>(stage.window, "next")->click();
            QApplication::processEvents();
            QVERIFY(stage.window.course().run() != nullptr);
        }
        stage.trigger("Leave the lesson");
        QVERIFY(stage.window.course().run() == nullptr);
        QCOMPARE(stage.window.session().current().scenario, mine);
    }
};

ROOM_TEST(TestLessonPanel, QApplication)
#include "test_lesson_panel.moc"
