// SPDX-License-Identifier: GPL-3.0-or-later
// The engine tab: from the ideal cache to what is reserved, the lines of the log, the command, a log compared.
#include "core/engines/engine.h"
#include "core/sizing/evaluate.h"
#include "tests/core/planned.h"
#include "tests/room.h"
#include "tests/ui/window_stage.h"
#include "ui/charts/chart_tables.h"
#include "ui/theme.h"
#include "ui/views/engine_view.h"
#include "ui/views/log_view.h"

#include <QApplication>
#include <QBarSet>
#include <QChart>
#include <QClipboard>
#include <QHorizontalStackedBarSeries>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTableView>
#include <QTemporaryDir>

using core::EngineId;
using core::Scenario;
using tests::child;
using ui::DataTable;

namespace {

Scenario onLlamaCpp(const char* model, std::int64_t context, std::int64_t batch)
{
    Scenario scenario = tests::on(tests::with(tests::scenarioOf(model), context, batch), "rtx-5090");
    scenario.engine = EngineId::LlamaCpp;
    return scenario;
}

/// The tab alone.
struct View {
    ui::EngineView view;

    explicit View(const Scenario& scenario, QSize size = {900, 1'200})
    {
        view.resize(size);
        show(scenario);
        tests::showActive(view);
    }
    void show(const Scenario& scenario)
    {
        const core::Evaluation evaluation = core::assess(scenario);
        view.show({evaluation, evaluation});
    }
    QString text(const char* name) const { return child<QPlainTextEdit>(view, name)->toPlainText(); }
    QString label(const char* name) const { return child<QLabel>(view, name)->text(); }
    const DataTable& table(const char* name) const
    {
        return static_cast<ui::DataTableModel*>(child<QTableView>(view, name)->model())->table();
    }
    void paste(const QString& log) const
    {
        child<QPlainTextEdit>(view, "log-text")->setPlainText(log);
        QTest::qWait(400); // it is read when no more text comes
    }
    ui::LogView* log() const { return child<ui::LogView>(view, "log"); }
};

/// What a build of August 2025 printed for Gemma 3 27B, with times before it and a line of something else.
const char* const kLog = "0.00.123 I llama_context: n_ctx         = 8192\n"
                         "0.00.124 I llama_context: n_batch       = 2048\n"
                         "0.00.125 I llama_context: n_ubatch      = 512\n"
                         "the kettle is on\n"
                         "0.00.126 I llama_kv_cache_unified: size =  640.00 MiB (  8192 cells,  10 layers,  1/1 seqs), "
                         "K (f16):  320.00 MiB, V (f16):  320.00 MiB\n"
                         "0.00.127 I llama_kv_cache_unified: size =  624.00 MiB (  1536 cells,  52 layers,  1/1 seqs), "
                         "K (f16):  312.00 MiB, V (f16):  312.00 MiB\n";

} // namespace

class TestEngineView : public QObject {
    Q_OBJECT

private slots:
    void init() { QApplication::setPalette(ui::Theme::light().palette()); }

    void waterfall()
    {
        // Gemma 3 27B, 131,072 tokens: 10 layers keep all, 52 the last 1,024: 10,240 + 416 MiB are in use. llama.cpp
        // prints 10,240 + 624 MiB with a ubatch of 512.
        const Scenario scenario = onLlamaCpp("gemma-3-27b", 131'072, 1);
        const core::engines::Reservation reservation = core::engines::reserve(scenario);
        const std::vector<ui::WasteRow> rows = ui::wasteRows(reservation.used(), tests::described(scenario));
        QCOMPARE(rows.size(), 3U);
        QCOMPARE(rows[0].bytes, core::mib(10'656));
        QCOMPARE(rows[1].bytes, core::mib(208));
        QCOMPARE(rows[1].name, QStringLiteral("Tokens of the batch in hand beside the windows"));
        QVERIFY(rows[1].sentence.startsWith(QLatin1String("Beside its window,")));
        QCOMPARE(rows[2].bytes, core::mib(10'864));
        ui::WasteChart waste;
        const QChartView owner{waste.chart()};
        waste.show(rows);
        const DataTable table = waste.table();
        QCOMPARE(table.rows[1].at(2).toLongLong(), core::mib(10'864).count());
        const View stage(scenario);
        QCOMPARE(stage.label("engine-headline"),
                 QStringLiteral("llama.cpp 2026-09: 10.61 GiB reserved for a cache of 10.41 GiB"));
        const auto* chart = child<QChartView>(stage.view, "waste")->chart();
        const auto sets = qobject_cast<QHorizontalStackedBarSeries*>(chart->series().front())->barSets();
        QCOMPARE(sets.at(0)->at(1), core::toGib(core::mib(10'656))); // where the step begins; rows from the bottom up
        QCOMPARE(sets.at(2)->at(1), core::toGib(core::mib(208)));
        QCOMPARE(sets.at(3)->at(0), core::toGib(core::mib(10'864)));
    }

    void rowsKeepTheirHeight()
    {
        View stage(onLlamaCpp("gemma-3-27b", 131'072, 1));
        QApplication::processEvents();
        const int height = child<QChartView>(stage.view, "waste")->height();
        for (std::int64_t batch = 2; batch <= 31; ++batch)
            stage.show(onLlamaCpp("gemma-3-27b", 131'072, batch));
        QCOMPARE(child<QChartView>(stage.view, "waste")->height(), height);
    }

    /// Whatever the engine and the model, the steps lead from what is in use to what is reserved.
    void stepsLeadToTheReservation_data()
    {
        QTest::addColumn<QString>("model");
        for (const core::Model& model : tests::models())
            QTest::newRow(model.id.c_str()) << QString::fromStdString(model.id);
    }
    void stepsLeadToTheReservation()
    {
        QFETCH(const QString, model);
        for (std::size_t i = 0; i < core::engineIds().size(); ++i) {
            Scenario scenario = tests::with(tests::scenarioOf(model.toStdString()), 5'000, 3);
            scenario.engine = static_cast<EngineId>(i);
            const core::engines::Reservation reservation = core::engines::reserve(scenario);
            const auto rows = ui::wasteRows(reservation.used(), tests::described(scenario));
            core::Bytes end = rows.front().bytes;
            for (std::size_t step = 1; step + 1 < rows.size(); ++step) {
                QCOMPARE(rows[step].from, end);
                QVERIFY(!rows[step].sentence.isEmpty());
                end += rows[step].bytes;
            }
            QCOMPARE(rows.back().bytes, end);
            QCOMPARE(end, reservation.used() + reservation.waste().total());
        }
    }

    void linesAndCommandAreCopied()
    {
        const View stage(onLlamaCpp("gemma-3-27b", 131'072, 1));
        const QString lines = stage.text("log-lines");
        QVERIFY(
            lines.contains(QLatin1String("llama_kv_cache: size =  624.00 MiB (  1536 cells,  52 layers,  1/1 seqs), K "
                                         "(f16):  312.00 MiB, V (f16):  312.00 MiB")));
        QCOMPARE(stage.text("launch-command"), QStringLiteral("llama-server -m MODEL.gguf -c 131072 -np 1"));
        child<QPushButton>(stage.view, "copy-log-lines")->click();
        QCOMPARE(QGuiApplication::clipboard()->text(), lines);
        child<QPushButton>(stage.view, "copy-launch-command")->click();
        QCOMPARE(QGuiApplication::clipboard()->text(), stage.text("launch-command"));
        child<QPushButton>(stage.view, "copy-steps")->click();
        QVERIFY(QGuiApplication::clipboard()->text().contains(QLatin1String("Reserved\t11,391,729,664\t")));
    }

    void textbookEnginesPrintNothing()
    {
        Scenario scenario = tests::with(tests::scenarioOf("llama-3.1-8b"), 8'192, 1);
        scenario.waste = core::Percent::whole(20); // of what is reserved: 1 GiB in use, 0.25 beyond
        const View stage(scenario);
        QCOMPARE(stage.label("engine-headline"),
                 QStringLiteral("Share of waste: 1.25 GiB reserved for a cache of 1.00 GiB"));
        QVERIFY(!child<QPlainTextEdit>(stage.view, "log-lines")->isVisible());
        stage.paste(QString::fromUtf8(kLog));
        QVERIFY(stage.label("log-summary").contains(QLatin1String("This is a log of llama.cpp, but")));
        QVERIFY(child<QPushButton>(stage.view, "use-log")->isEnabled());
    }

    void bytesOfDevices()
    {
        Scenario scenario = onLlamaCpp("llama-3.1-8b", 8'192, 4);
        scenario.hardware.count = 2;
        scenario.settings.set("tensor-split", "3,1");
        const View stage(scenario);
        const DataTable& table = stage.table("devices-table");
        const core::Footprint footprint = tests::footprintOf(scenario);
        QCOMPARE(table.rows.size(), 3U); // two GPUs and the host, where the embedding is
        for (std::size_t i = 0; i < 2; ++i) {
            const core::DeviceFootprint& device = footprint.devices.at(i);
            QCOMPARE(table.rows[i].front().toString(), QString::fromStdString(device.name));
            QCOMPARE(table.rows[i].at(2).toDouble(), core::toGib(device.parts.cache));
            QCOMPARE(table.rows[i].at(6).toDouble(), core::toGib(*device.free()));
        }
        // The columns of both in the table of the budget, which is copied and written as CSV.
        const DataTable budget = ui::budgetTable(core::assess(scenario));
        QVERIFY(budget.columns.contains(QStringLiteral("gpu_1_bytes")));
        QVERIFY(budget.columns.contains(QStringLiteral("host_bytes")));
        for (const std::vector<QVariant>& row : budget.rows)
            QCOMPARE(row.size(), static_cast<std::size_t>(budget.columns.size()));
    }

    void logIsCompared()
    {
        const View stage(onLlamaCpp("gemma-3-27b", 8'192, 1));
        stage.paste(QString::fromUtf8(kLog));
        const DataTable figures = stage.table("log-figures");
        QVERIFY(figures.rows.size() >= 11);
        for (const std::vector<QVariant>& row : figures.rows)
            QCOMPARE(row.back().toString(), QStringLiteral("agrees"));
        QCOMPARE(figures.rows.front().front().toLongLong(), 1); // its line
        QCOMPARE(stage.text("log-rest").trimmed(), QStringLiteral("4  the kettle is on"));
        QVERIFY(stage.label("log-summary").startsWith(QLatin1String("13 of 13 figures agree.")));
        stage.paste({});
        QVERIFY(!child<QTableView>(stage.view, "log-figures")->isVisible());
        QVERIFY(!child<QPushButton>(stage.view, "use-log")->isEnabled());
    }

    void settingsOfALogAreTakenOver()
    {
        View stage(onLlamaCpp("gemma-3-27b", 131'072, 2));
        stage.paste(QString::fromUtf8(kLog));
        bool said = false;
        for (const std::vector<QVariant>& row : stage.table("log-figures").rows)
            said = said || row.back().toString().contains(QLatin1String("settings in the log explain it"));
        QVERIFY(said);
        const QSignalSpy edited(&stage.view, &ui::View::edited);
        child<QPushButton>(stage.view, "use-log")->click();
        QCOMPARE(edited.count(), 1);
        const auto next = edited.front().front().value<Scenario>();
        QCOMPARE(next.workload.context, 8'192);
        QCOMPARE(next.workload.batch, 1);
        stage.show(next);
        QVERIFY(stage.label("log-summary").startsWith(QLatin1String("13 of 13 figures agree.")));
        const core::Evaluation evaluation = core::assess(next);
        ui::Locks locks;
        locks.isLesson = true; // and allows no change
        stage.view.show({evaluation, evaluation, locks});
        QVERIFY(!child<QPushButton>(stage.view, "use-log")->isEnabled());
    }

    void causesCanBeRead_data()
    {
        QTest::addColumn<int>("width");
        QTest::newRow("narrow") << 700;
        QTest::newRow("wide") << 1'200;
    }
    void causesCanBeRead()
    {
        QFETCH(const int, width);
        Scenario scenario = tests::on(tests::scenarioOf("llama-3.1-8b"), "rtx-4090");
        scenario.engine = EngineId::Vllm;
        View stage(scenario);
        stage.paste(QStringLiteral("INFO GPU KV cache size: 60,000 tokens"));
        stage.view.resize(width, 1'200);
        QApplication::processEvents();
        const auto* table = child<QTableView>(stage.view, "log-figures");
        const int column = table->model()->columnCount() - 1;
        for (int row = 0; row < table->model()->rowCount(); ++row) {
            const QString cause = table->model()->index(row, column).data().toString();
            const QRect room(0, 0, table->columnWidth(column) - 8, 10'000);
            const int needed = table->fontMetrics().boundingRect(room, Qt::TextWordWrap, cause).height();
            QVERIFY2(needed <= table->rowHeight(row), qPrintable(cause));
        }
        QVERIFY(table->model()->rowCount() > 0);
        QVERIFY(table->verticalScrollBar()->maximum() == 0); // the page scrolls
    }

    void ofManyLinesTheFirstAreShown()
    {
        const View stage(onLlamaCpp("gemma-3-27b", 131'072, 2));
        stage.paste(QStringLiteral("the kettle is on\n").repeated(2'345));
        QCOMPARE(child<QPlainTextEdit>(stage.view, "log-rest")->blockCount(), 1'000);
        QCOMPARE(stage.label("log-rest-title"),
                 QStringLiteral("Lines that were not understood: the first 1,000 of 2,345"));
        stage.paste(QStringLiteral("the kettle is on"));
        QCOMPARE(stage.label("log-rest-title"), QStringLiteral("Lines that were not understood"));
    }

    void engineOfALogIsUndoable()
    {
        tests::Stage stage;
        auto* tabs = stage.window.findChild<QTabWidget*>();
        tabs->setCurrentIndex(2);
        QCOMPARE(tabs->tabText(2), QStringLiteral("Engine"));
        const Scenario before = stage.window.session().current().scenario;
        child<QPlainTextEdit>(stage.window, "log-text")->setPlainText(QString::fromUtf8(kLog));
        QTest::qWait(400);
        child<QPushButton>(stage.window, "use-log")->click();
        QCOMPARE(stage.window.session().current().scenario.engine, EngineId::LlamaCpp);
        QVERIFY(child<QLabel>(stage.window, "engine-headline")->text().startsWith(QLatin1String("llama.cpp")));
        stage.trigger("Undo");
        QVERIFY(stage.window.session().current().scenario == before);
    }

    void nothingIsCutInALongerLanguage_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::newRow("small") << QSize(1'024, 700);
        QTest::newRow("usual") << QSize(1'600, 900);
    }
    void nothingIsCutInALongerLanguage()
    {
        QFETCH(const QSize, size);
        const tests::LongWords longer;
        // Full heads in place of latents, and padding: two long sentences.
        Scenario scenario = onLlamaCpp("deepseek-v3", 4'000, 3);
        scenario.settings.set("mla", "off");
        tests::Stage stage(size);
        stage.window.session().edit(scenario);
        stage.window.findChild<QTabWidget*>()->setCurrentIndex(2);
        QTest::qWait(50);
        const auto* view = child<ui::EngineView>(stage.window, "engine-view");
        int seen = 0;
        for (const QLabel* label : view->findChildren<QLabel*>()) {
            if (!label->isVisible())
                continue;
            ++seen;
            QVERIFY2(tests::isWhole(*label), qPrintable(label->text()));
        }
        QVERIFY(seen > 6);
        // The panel's settings, flags and estimates.
        for (const QLabel* label :
             child<QWidget>(stage.window, "ubatch-size")->parentWidget()->findChildren<QLabel*>()) {
            if (label->isVisible())
                QVERIFY2(tests::isWhole(*label), qPrintable(label->text()));
        }
    }
};

ROOM_TEST(TestEngineView, QApplication)
#include "test_engine_view.moc"
