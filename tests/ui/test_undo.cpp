// SPDX-License-Identifier: GPL-3.0-or-later
// The way back: every change of the scenario is a step, a gesture is one.
#include "tests/room.h"
#include "tests/ui/window_stage.h"
#include "ui/control_panel.h"
#include "ui/count_slider.h"
#include "ui/first_scenario.h"
#include "ui/main_window.h"
#include "ui/views/growth_view.h"
#include "ui/views/overview.h"

#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QTemporaryDir>
#include <QTest>

using core::Scenario;

namespace {

QAction* actionOf(const QWidget& window, const QString& text)
{
    for (QAction* action : window.findChildren<QAction*>()) {
        if (action->text().remove(QLatin1Char('&')).startsWith(text))
            return action;
    }
    return nullptr;
}

} // namespace

class TestUndo : public QObject {
    Q_OBJECT

private slots:
    void gestureIsOneStep()
    {
        ui::Session session(tests::scenarioOf("llama-3.1-8b"));
        session.beginGesture();
        for (const std::int64_t context : {9'000, 10'000, 11'000})
            session.edit(tests::with(session.current().scenario, context, 1));
        session.endGesture();
        session.edit(tests::with(session.current().scenario, 11'000, 2));
        QCOMPARE(session.undoStack().count(), 2);
        session.undoStack().undo();
        QCOMPARE(session.current().scenario.workload.batch, 1);
        session.undoStack().undo();
        QCOMPARE(session.current().scenario, tests::scenarioOf("llama-3.1-8b"));
        session.undoStack().redo();
        QCOMPARE(session.current().scenario.workload.context, 11'000);
    }

    void gestureBackToItsStartIsNoStep()
    {
        ui::Session session(tests::scenarioOf("llama-3.1-8b"));
        session.beginGesture();
        session.edit(tests::with(session.current().scenario, 9'000, 1));
        session.edit(tests::scenarioOf("llama-3.1-8b"));
        session.endGesture();
        QCOMPARE(session.undoStack().count(), 0);
    }

    void sliderDragIsOneStepInTheWindow()
    {
        ui::MainWindow window(tests::catalogue(), ui::firstScenario(tests::catalogue()));
        QVERIFY(tests::showActive(window));
        auto* slider = tests::child<ui::CountSlider>(window, "context-slider");
        const QPoint start(slider->width() / 2, slider->height() / 2 - 3);
        QTest::mousePress(slider, Qt::LeftButton, {}, start);
        for (int x = 10; x <= 60; x += 10)
            QTest::mouseMove(slider, start + QPoint(x, 0));
        QTest::mouseRelease(slider, Qt::LeftButton, {}, start + QPoint(60, 0));
        QVERIFY(window.session().current().scenario.workload.context > 8'192);
        QCOMPARE(window.session().undoStack().count(), 1);
        actionOf(window, QStringLiteral("Undo"))->trigger();
        QCOMPARE(window.session().current().scenario, ui::firstScenario(tests::catalogue()));
        actionOf(window, QStringLiteral("Redo"))->trigger();
        QVERIFY(window.session().current().scenario.workload.context > 8'192);
    }

    void keysInABoxUndoTheScenarioOnceTypingIsDone()
    {
        ui::MainWindow window(tests::catalogue(), ui::firstScenario(tests::catalogue()));
        QVERIFY(tests::showActive(window));
        auto* batch = tests::child<QLineEdit>(window, "batch");
        tests::typeInto(batch, QStringLiteral("16"));
        QCOMPARE(window.session().current().scenario.workload.batch, 16);
        QTest::keyClick(batch, Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(window.session().current().scenario.workload.batch, 4);
        QCOMPARE(batch->text(), QStringLiteral("4"));
        QTest::keyClick(batch, Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(window.session().current().scenario.workload.batch, 16);
        batch->selectAll();
        QTest::keyClicks(batch, QStringLiteral("3"));
        QTest::keyClick(batch, Qt::Key_Z, Qt::ControlModifier); // of what is being typed
        QCOMPARE(batch->text(), QStringLiteral("16"));
        QCOMPARE(window.session().current().scenario.workload.batch, 16);
        auto* model = tests::child<QComboBox>(window, "model");
        model->setFocus();
        QTest::keyClick(model, Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(window.session().current().scenario.workload.batch, 4);
    }

    void typedTextIsSaved_data()
    {
        QTest::addColumn<QString>("box");
        QTest::addColumn<QString>("typed");
        QTest::newRow("number") << "batch"
                                << "16";
        QTest::newRow("list") << "model"
                              << "GPT-2";
    }
    /// Also without Enter, and though the focus stays.
    void typedTextIsSaved()
    {
        QFETCH(const QString, box);
        QFETCH(const QString, typed);
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("a.kvh"));
        ui::MainWindow window(tests::catalogue(), ui::firstScenario(tests::catalogue()));
        QVERIFY(window.opening().document().save(path));
        QVERIFY(tests::showActive(window));
        auto* widget = tests::child<QWidget>(window, qPrintable(box));
        widget->setFocus();
        auto* edit = qobject_cast<QLineEdit*>(widget);
        if (edit == nullptr)
            edit = qobject_cast<QComboBox*>(widget)->lineEdit();
        edit->selectAll();
        QTest::keyClicks(widget, typed);
        const Scenario before = window.session().current().scenario;
        const tests::Dialogs dialogs; // which save nothing
        window.close();
        QCOMPARE(dialogs.texts().size(), 1);
        QVERIFY(dialogs.texts().front().contains(QLatin1String("Save it first?")));
        QVERIFY(window.session().current().scenario != before);
        window.session().undoStack().undo();
        QVERIFY(!window.isWindowModified());
        QVERIFY(tests::showActive(window)); // as it was before the box came up
        widget->setFocus();
        edit->selectAll();
        QTest::keyClicks(widget, typed);
        QTest::keyClick(widget, Qt::Key_S, Qt::ControlModifier);
        ui::Session read(ui::firstScenario(tests::catalogue()));
        QVERIFY(ui::Document(read).open(path));
        QVERIFY(read.current().scenario != before);
        QCOMPARE(read.current().scenario, window.session().current().scenario);
    }

    void resetCanBeUndone()
    {
        ui::MainWindow window(tests::catalogue(), ui::firstScenario(tests::catalogue()));
        window.session().edit(tests::with(window.session().current().scenario, 5'000, 7));
        actionOf(window, QStringLiteral("Reset"))->trigger();
        QCOMPARE(window.session().current().scenario, ui::firstScenario(tests::catalogue()));
        window.session().undoStack().undo();
        QCOMPARE(window.session().current().scenario.workload.batch, 7);
    }

    void markerSetsTheContext()
    {
        ui::MainWindow window(tests::catalogue(), ui::firstScenario(tests::catalogue()));
        QVERIFY(tests::showActive(window));
        auto* view = tests::child<ui::GrowthView>(window, "growth");
        view->setFocus();
        QTest::keyClick(view, Qt::Key_Right);
        const std::int64_t moved = window.session().current().scenario.workload.context;
        QVERIFY(moved > 8'192);
        QTest::keyClick(view, Qt::Key_Left);
        QCOMPARE(window.session().current().scenario.workload.context, 8'192);
        QTest::keyClick(view, Qt::Key_Right, Qt::ShiftModifier); // reads only
        QCOMPARE(window.session().current().scenario.workload.context, 8'192);
        // A press anywhere in the plot brings the marker there; the drag is one step.
        const int before = window.session().undoStack().count();
        QWidget* port = view->viewport();
        QTest::mousePress(port, Qt::LeftButton, {}, QPoint(port->width() / 2, port->height() / 2));
        QTest::mouseMove(port, QPoint(port->width() / 2 + 40, port->height() / 2));
        QTest::mouseRelease(port, Qt::LeftButton, {}, QPoint(port->width() / 2 + 40, port->height() / 2));
        QVERIFY(window.session().current().scenario.workload.context > moved);
        QCOMPARE(window.session().undoStack().count(), before + 1);
    }

    void adviceIsOneClickAndCanBeUndone()
    {
        ui::MainWindow window(tests::catalogue(), ui::firstScenario(tests::catalogue()));
        Scenario over = ui::firstScenario(tests::catalogue());
        over.workload.batch = 16;
        window.session().edit(over);
        QVERIFY(!*window.session().current().footprint.fits());
        QTest::mouseClick(tests::child<QWidget>(window, "advice-0"), Qt::LeftButton);
        QVERIFY(*window.session().current().footprint.fits());
        QCOMPARE(window.session().current().scenario.workload.batch, 6); // the largest that fits at 20 % waste
        window.session().undoStack().undo();
        QCOMPARE(window.session().current().scenario, over);
    }
};

ROOM_TEST(TestUndo, QApplication)
#include "test_undo.moc"
