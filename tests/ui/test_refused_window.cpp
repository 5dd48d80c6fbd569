// SPDX-License-Identifier: GPL-3.0-or-later
// A scenario that cannot be sized: edits are of it, and no figure of another one is told as if it were its own.
#include "tests/room.h"
#include "tests/ui/window_stage.h"
#include "ui/theme.h"
#include "ui/views/engine_view.h"
#include "ui/views/growth_view.h"
#include "ui/views/model_view.h"

#include <QApplication>
#include <QChart>
#include <QComboBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTabWidget>
#include <QTableView>
#include <QTemporaryDir>

#include <cmath>
#include <limits>
#include <utility>

using core::EngineId;
using core::Scenario;
using tests::child;
using tests::Stage;

namespace {

enum Tab { Overview, Model, Engine };

Scenario onFourCards(const char* model)
{
    Scenario scenario = tests::on(tests::scenarioOf(model), "h100-sxm", 4);
    scenario.engine = EngineId::Vllm;
    return scenario;
}

/// The 10 KV heads of Phi-4 cannot be divided over 4 cards.
Scenario refusedOne()
{
    return onFourCards("phi-4");
}

struct Refused : Stage {
    Refused()
    {
        window.session().edit(onFourCards("llama-3.3-70b"));
        for (const Tab tab : {Model, Engine, Overview}) // all have something to show
            open(tab);
        window.session().edit(refusedOne());
    }
    void open(Tab tab) const { window.findChild<QTabWidget*>()->setCurrentIndex(tab); }
    const Scenario& scenario() { return window.session().current().scenario; }
    QAction* action(const char* text) const
    {
        for (QAction* entry : window.findChildren<QAction*>()) {
            if (entry->text().remove(QLatin1Char('&')) == QString::fromUtf8(text))
                return entry;
        }
        qFatal("There is no action %s.", text);
    }
};

using Edit = void (*)(Refused& stage, Scenario& expected);

void dragMarker(Refused& stage, Scenario& expected)
{
    QWidget* port = stage.view("growth")->viewport();
    const QPoint middle(port->width() / 2, port->height() / 2);
    QTest::mousePress(port, Qt::LeftButton, {}, middle);
    QTest::mouseMove(port, middle + QPoint(40, 0));
    QTest::mouseRelease(port, Qt::LeftButton, {}, middle + QPoint(40, 0));
    QVERIFY(stage.scenario().workload.context != expected.workload.context);
    expected.workload.context = stage.scenario().workload.context;
}

void moveMarkerByKey(Refused& stage, Scenario& expected)
{
    Scenario next = stage.scenario();
    next.workload.context = expected.workload.context = 20'000; // where the key sets out from
    stage.window.session().edit(next);
    stage.view("growth")->setFocus();
    QTest::keyClick(stage.view("growth"), Qt::Key_Right);
    QVERIFY(stage.scenario().workload.context > 20'000);
    expected.workload.context = stage.scenario().workload.context;
}

void useLog(Refused& stage, Scenario& expected)
{
    stage.open(Engine);
    child<QPlainTextEdit>(stage.window, "log-text")
        ->setPlainText(QStringLiteral("INFO gpu_executor.py:126] Maximum concurrency for 20000 tokens per request: "
                                      "1.56x\n"));
    QTest::qWait(400);
    child<QPushButton>(stage.window, "use-log")->click();
    QCOMPARE(stage.scenario().workload.context, 20'000);
    expected.workload.context = 20'000;
}

void changeText(Refused& stage, Scenario& expected)
{
    stage.open(Model);
    stage.trigger("Edit as text");
    auto* text = child<QPlainTextEdit>(stage.window, "model-text");
    QVERIFY(text->toPlainText().contains(QLatin1String("\"Phi-4\"")));
    text->setPlainText(text->toPlainText().replace(QLatin1String("\"Phi-4\""), QLatin1String("\"Phi-4, mine\"")));
    text->document()->setModified(true);
    child<QPushButton>(stage.window, "use-text")->click();
    QCOMPARE(stage.scenario().model.name, std::string("Phi-4, mine"));
    expected.model = stage.scenario().model;
}

QString pathOf(const QTemporaryDir& folder, const Scenario& scenario)
{
    QString path = folder.filePath(QStringLiteral("refused.kvh"));
    ui::Session session(scenario);
    if (!ui::Document(session).save(path))
        qFatal("%s cannot be written.", qPrintable(path));
    return path;
}

} // namespace

Q_DECLARE_METATYPE(Edit)

class TestRefusedWindow : public QObject {
    Q_OBJECT

private slots:
    void editsAreOfTheCurrentScenario_data()
    {
        QTest::addColumn<Edit>("edit");
        QTest::newRow("marker dragged") << &dragMarker;
        QTest::newRow("marker moved by a key") << &moveMarkerByKey;
        QTest::newRow("settings of a log") << &useLog;
        QTest::newRow("model as text") << &changeText;
    }
    void editsAreOfTheCurrentScenario()
    {
        QFETCH(const Edit, edit);
        Refused stage;
        QVERIFY(!stage.window.session().current().issues.empty());
        Scenario expected = stage.scenario();
        edit(stage, expected);
        QVERIFY(stage.scenario() == expected);
    }

    void modelTabShowsTheCurrentModel()
    {
        const Refused stage;
        stage.open(Model);
        const auto* view = child<ui::ModelView>(stage.window, "model-view");
        bool named = false;
        for (const QLabel* label : view->findChildren<QLabel*>())
            named = named || label->text() == QLatin1String("Phi-4");
        QVERIFY(named);
    }

    /// Whatever was typed, also what no engine could count with.
    void modelTabCountsWithAnything()
    {
        ui::ModelView view;
        constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
        for (const std::int64_t number : {-kMost, std::int64_t{-1}, std::int64_t{0}, std::int64_t{1}, kMost}) {
            for (const char* model : {"phi-4", "gemma-3-27b", "deepseek-v3", "qwen3-next-80b-a3b"}) {
                Scenario scenario = tests::with(tests::scenarioOf(model), number, number);
                scenario.kvHeads = number;
                const core::Evaluation evaluation = core::assess(scenario);
                view.show({evaluation, evaluation});
            }
        }
    }

    void oldFiguresArePale()
    {
        const Refused stage;
        QVERIFY(!child<QWidget>(stage.window, "formula")->isEnabled());
        for (const char* chart : {"growth", "budget"})
            QVERIFY(stage.view(chart)->chart()->opacity() < 1);
        for (const char* caption : {"weight-facts", "kv-facts"})
            QVERIFY2(!child<QLabel>(stage.window, caption)->isVisible(), caption);
        QCOMPARE(child<ui::ValueBox>(stage.window, "kv-memory")->placeholderText(), QString());
        stage.open(Engine);
        QVERIFY(stage.view("waste")->chart()->opacity() < 1);
        for (const char* old : {"engine-headline", "pool", "devices-table", "spread", "log-lines", "launch-command",
                                "copy-steps", "copy-log-lines", "copy-launch-command", "log-summary", "log-figures"})
            QVERIFY2(!child<QWidget>(stage.window, old)->isEnabled(), old);
        const auto* headline = child<QLabel>(stage.window, "engine-headline");
        QVERIFY(std::abs(headline->palette().color(QPalette::WindowText).alphaF() - ui::kFaded) < 0.01); // as charts
        for (const char* entry : {"Copy formula", "Copy budget as table", "Export growth chart…", "Explain"})
            QVERIFY2(!stage.action(entry)->isEnabled(), entry);
        QVERIFY(stage.action("Copy verdict")->isEnabled()); // says why
        stage.type("gpus", "2");
        QVERIFY(child<QWidget>(stage.window, "launch-command")->isEnabled());
        QVERIFY(child<QWidget>(stage.window, "formula")->isEnabled());
        QVERIFY(child<QLabel>(stage.window, "kv-facts")->isVisible());
        QVERIFY(stage.action("Copy formula")->isEnabled());
    }

    void tablesArePale()
    {
        Refused stage;
        stage.trigger("Data tables");
        for (const char* table : {"growth-table", "budget-table"})
            QVERIFY2(!child<QTableView>(stage.window, table)->isEnabled(), table);
    }

    void issuesFollowTheTheme()
    {
        Refused stage;
        Scenario input = onFourCards("llama-3.3-70b");
        input.workload.batch = 0;
        Scenario setting = onFourCards("llama-3.3-70b");
        setting.settings.set("gpu-memory-utilization", "most of it");
        for (const auto& [scenario, name] :
             {std::pair(input, "issue-batch"), std::pair(setting, "issue-gpu-memory-utilization")}) {
            stage.window.session().edit(scenario);
            for (const ui::Theme* theme : {&ui::Theme::dark(), &ui::Theme::light()}) {
                stage.trigger(theme->isDark() ? "Dark" : "Light");
                QApplication::processEvents();
                const auto* issue = child<QLabel>(stage.window, name);
                QVERIFY2(issue->isVisible(), name);
                QCOMPARE(issue->palette().color(issue->foregroundRole()), theme->color(ui::Role::Bad));
            }
        }
    }

    /// What was shown before is of another scenario.
    void openedFileShowsNothingOfAnother()
    {
        const QTemporaryDir folder;
        Stage stage;
        auto* tabs = stage.window.findChild<QTabWidget*>();
        for (const Tab tab : {Model, Engine, Overview})
            tabs->setCurrentIndex(tab);
        stage.window.opening().open(pathOf(folder, refusedOne()));
        QVERIFY(!stage.window.session().current().issues.empty());
        const auto sees = [&](const char* name) { return child<QWidget>(stage.window, name)->isVisible(); };
        for (const char* old : {"formula", "growth", "budget", "weight-facts", "kv-facts"})
            QVERIFY2(!sees(old), old);
        const QString why = stage.verdict();
        const QString reason = child<QLabel>(stage.window, "overview-reason")->text();
        QVERIFY2(sees("overview-reason") && why.contains(reason.section(u' ', -3)), qPrintable(reason));
        tabs->setCurrentIndex(Engine);
        for (const char* old : {"engine-headline", "waste", "launch-command"})
            QVERIFY2(!sees(old), old);
        QVERIFY(sees("engine-reason"));
        stage.trigger("Reset to default");
        QVERIFY(sees("engine-headline") && sees("formula") && !sees("engine-reason"));
        stage.trigger("Undo"); // now there is something old to be shown
        QVERIFY(sees("engine-headline") && !child<QWidget>(stage.window, "engine-headline")->isEnabled());
        QVERIFY(stage.window.session().current().scenario == refusedOne());
    }

    void startWithARefusedScenario()
    {
        ui::MainWindow window(tests::catalogue(), refusedOne());
        QVERIFY(tests::showActive(window));
        QVERIFY(child<QWidget>(window, "overview-reason")->isVisible());
        QVERIFY(!child<QWidget>(window, "growth")->isVisible());
        for (const Tab tab : {Model, Engine})
            window.findChild<QTabWidget*>()->setCurrentIndex(tab);
        QVERIFY(child<QWidget>(window, "engine-reason")->isVisible());
        QVERIFY(!child<QWidget>(window, "launch-command")->isVisible());
    }
};

ROOM_TEST(TestRefusedWindow, QApplication)
#include "test_refused_window.moc"
