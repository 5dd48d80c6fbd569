// SPDX-License-Identifier: GPL-3.0-or-later
// vLLM, SGLang and TensorRT-LLM in the window: ranks, the pool, a bar for each device, what is printed.
#include "core/engines/engine.h"
#include "core/sizing/evaluate.h"
#include "tests/room.h"
#include "tests/ui/window_stage.h"
#include "ui/charts/chart_tables.h"
#include "ui/data_table.h"
#include "ui/views/engine_view.h"

#include <QApplication>
#include <QBarSet>
#include <QComboBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTabWidget>
#include <QTableView>

using core::EngineId;
using core::Scenario;
using tests::child;
using tests::Stage;

namespace {

constexpr int kEngineTab = 2;

/// The window with a scenario on `count` cards.
struct Served : Stage {
    Served(const char* model, EngineId engine, const char* gpu, std::int64_t count)
    {
        Scenario scenario = tests::on(tests::scenarioOf(model), gpu, count);
        scenario.engine = engine;
        window.session().edit(scenario);
    }
    const Scenario& scenario() { return window.session().current().scenario; }
    const core::Footprint& footprint() { return window.session().current().footprint; }
    ui::ValueBox* box(const char* name) const { return child<ui::ValueBox>(window, name); }
    void choose(const char* list, const char* entry) const
    {
        auto* combo = child<QComboBox>(window, list);
        const int row = combo->findText(QString::fromUtf8(entry));
        QVERIFY2(row >= 0, entry);
        combo->setCurrentIndex(row);
        emit combo->activated(row);
    }
    void clear(const char* name) const
    {
        box(name)->setFocus();
        box(name)->selectAll();
        QTest::keyClick(box(name), Qt::Key_Delete);
        QTest::keyClick(box(name), Qt::Key_Return);
    }
    void set(const char* flag, const char* value)
    {
        Scenario next = scenario();
        next.settings.set(flag, value);
        window.session().edit(next);
    }
    void openEngineTab() const { window.findChild<QTabWidget*>()->setCurrentIndex(kEngineTab); }
    QString label(const char* name) const { return child<QLabel>(window, name)->text(); }
    QString lines(const char* name) const { return child<QPlainTextEdit>(window, name)->toPlainText(); }
};

} // namespace

class TestServingWindow : public QObject {
    Q_OBJECT

private slots:
    /// Nothing typed: textbook engines pool the memory, servers divide the heads over all GPUs.
    void ranksFollowFromTheGpus()
    {
        Served stage("llama-3.1-8b", EngineId::Ideal, "rtx-4090", 1);
        QVERIFY(!stage.box("tp")->isVisible());
        stage.type("gpus", "4");
        QVERIFY(stage.box("tp")->isVisible());
        QCOMPARE(stage.box("tp")->placeholderText(), QStringLiteral("pooled"));
        QVERIFY(!stage.footprint().tellsDevicesApart());
        stage.choose("engine", "vLLM");
        QCOMPARE(stage.box("tp")->placeholderText(), QStringLiteral("4"));
        QCOMPARE(stage.footprint().devices.size(), 4U);
        stage.type("pp", "2");
        QCOMPARE(stage.scenario().hardware.parallel.pipeline, std::optional<std::int64_t>(2));
        QCOMPARE(stage.box("tp")->placeholderText(), QStringLiteral("2")); // of 4 GPUs in 2 stages
        stage.clear("pp");
        QVERIFY(!stage.scenario().hardware.parallel.isTyped());
        stage.type("dp", "four");
        QVERIFY(child<QLabel>(stage.window, "issue-dp")->isVisible());
        stage.choose("engine", "llama.cpp"); // splits layers by itself
        QVERIFY(!stage.box("tp")->isVisible());
    }

    void ranksAreDroppedWhereAnEngineHasNone()
    {
        Served stage("llama-3.1-8b", EngineId::Vllm, "rtx-4090", 4);
        stage.type("dp", "2");
        QCOMPARE(stage.scenario().hardware.parallel.data, std::optional<std::int64_t>(2));
        const Scenario before = stage.scenario();
        stage.choose("engine", "llama.cpp");
        QVERIFY(!stage.scenario().hardware.parallel.isTyped());
        QVERIFY(stage.window.session().current().issues.empty());
        stage.trigger("Undo");
        QVERIFY(stage.scenario() == before);
    }

    /// 3.8125 GiB on a 3090 are 1,952 blocks of 16 tokens, 1.56 requests of 20,000 tokens (vLLM issue 10517).
    void poolThatIsGiven()
    {
        Served stage("llama-3.1-8b", EngineId::Ideal, "rtx-3090", 1);
        QVERIFY(!stage.box("kv-memory")->isVisible());
        stage.type("reserve", "10");
        const Scenario before = stage.scenario();
        stage.choose("engine", "vLLM");
        QVERIFY(!stage.box("reserve")->isVisible()); // what is left free follows from the utilization
        QVERIFY(stage.window.session().current().issues.empty());
        const std::optional<core::Bytes> derived = stage.footprint().fullest()->pool;
        QVERIFY(derived && *derived > core::Bytes());
        QCOMPARE(stage.box("kv-memory")->placeholderText(), QString::fromStdString(core::formatBytes(*derived)));
        stage.type("kv-memory", "3.8125GiB");
        QCOMPARE(stage.scenario().cacheMemory, std::optional(core::Bytes(4'093'640'704)));
        stage.type("engine-version", "V0");
        stage.type("max-context", "20,000");
        stage.openEngineTab();
        QCOMPARE(stage.label("pool"), QStringLiteral("The 3.81 GiB pool of each GPU holds 1,952 blocks of 16 tokens. "
                                                     "Concurrent requests of 20,000 tokens: 1.56."));
        QVERIFY(stage.lines("log-lines").contains(QLatin1String("# cuda blocks: 1952, # CPU blocks: 2048")));
        stage.clear("kv-memory");
        QVERIFY(!stage.scenario().cacheMemory);
        stage.type("kv-memory", "1GiB");
        stage.choose("engine", "Paged blocks"); // which has no pool
        QVERIFY(!stage.scenario().cacheMemory);
        QVERIFY(stage.window.session().current().issues.empty());
        for (int edits = 0; edits < 9 && !(stage.scenario() == before); ++edits)
            stage.trigger("Undo");
        QVERIFY(stage.scenario() == before);
    }

    void emptiedBoxesAreNotSet_data()
    {
        QTest::addColumn<QString>("box");
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QString>("otherwise"); // shown while nothing is typed
        QTest::newRow("longest request") << "max-context"
                                         << "40000"
                                         << "8,192";
        QTest::newRow("tensor ranks") << "tp"
                                      << "2"
                                      << "2";
        QTest::newRow("stages") << "pp"
                                << "2"
                                << "1";
        QTest::newRow("copies") << "dp"
                                << "2"
                                << "1";
        QTest::newRow("pool") << "kv-memory"
                              << "3GiB" << QString();
        QTest::newRow("version") << "engine-version"
                                 << "V0" << QString();
        QTest::newRow("flag") << "max-num-seqs"
                              << "40" << QString();
    }
    void emptiedBoxesAreNotSet()
    {
        QFETCH(const QString, box);
        QFETCH(const QString, typed);
        QFETCH(const QString, otherwise);
        Served stage("llama-3.1-8b", EngineId::Vllm, "rtx-4090", 2);
        const Scenario before = stage.scenario();
        const QByteArray utf8 = box.toUtf8();
        const char* name = utf8.constData();
        stage.type(name, qPrintable(typed));
        QVERIFY(stage.scenario() != before);
        stage.clear(name);
        QVERIFY(stage.scenario() == before);
        QCOMPARE(stage.box(name)->text(), QString());
        QVERIFY(otherwise.isEmpty() || stage.box(name)->placeholderText() == otherwise);
        for (const QLabel* label : stage.window.findChildren<QLabel*>())
            QVERIFY2(!label->isVisible() || !label->objectName().startsWith(QLatin1String("issue-")),
                     qPrintable(label->text()));
    }

    /// Two cards are not one of twice the size: each has its bar, its capacity and its copy of what is not divided.
    void aBarForEachDevice()
    {
        Served stage("deepseek-v3", EngineId::Vllm, "h200-sxm", 8);
        const auto* chart = stage.view("budget")->chart();
        QVERIFY(chart != nullptr);
        const core::Footprint& footprint = stage.footprint();
        QCOMPARE(footprint.devices.size(), 8U);
        for (const core::DeviceFootprint& device : footprint.devices) // latents are whole on every rank
            QCOMPARE(device.parts.cache + device.parts.waste,
                     footprint.devices[0].parts.cache + footprint.devices[0].parts.waste);
        QVERIFY(stage.description("budget").contains(QLatin1String("#7: ")));
        QVERIFY(stage.verdict().contains(QLatin1String("each of 8 GPUs holds as much; their memory is not pooled")));
        stage.openEngineTab();
        QVERIFY(stage.label("spread").contains(QLatin1String("each of 8 GPUs keeps all of them")));
        QCOMPARE(static_cast<ui::DataTableModel*>(child<QTableView>(stage.window, "devices-table")->model())
                     ->table()
                     .rows.size(),
                 8U);
    }

    /// More than can be told apart: one bar of one device, named by all that are like it.
    void manyDevices()
    {
        Served stage("llama-3.1-8b", EngineId::Vllm, "h100-sxm", 32);
        const core::Footprint& footprint = stage.footprint();
        QCOMPARE(footprint.devices.size(), 1U);
        QVERIFY(footprint.tellsDevicesApart());
        const core::DeviceFootprint& device = footprint.devices.front();
        QCOMPARE(device.capacity, core::deviceMemory(stage.scenario().hardware)); // of one
        QVERIFY(QString::fromStdString(device.name).endsWith(QLatin1String(" #0-31")));
        // One of 8 heads on each of 32 ranks: 32 layers · 8,192 tokens · 512 bytes.
        QCOMPARE(device.parts.cache + device.parts.waste, core::mib(128));
        QCOMPARE(core::Bytes(footprint.memory.cache + footprint.memory.waste), core::gib(4));
        QVERIFY(stage.description("budget").contains(QLatin1String("#0-31: ")));
        stage.openEngineTab();
        QVERIFY(stage.label("spread").contains(QLatin1String("32 are kept in place of 8")));
    }

    /// Data parallel copies the model: every copy has weights of its own and half the requests.
    void copiesOfTheModel()
    {
        Served stage("llama-3.1-8b", EngineId::Vllm, "rtx-4090", 2);
        stage.type("batch", "5");
        stage.type("dp", "2");
        const core::Footprint& footprint = stage.footprint();
        QCOMPARE(footprint.devices.size(), 2U);
        QCOMPARE(footprint.devices[0].parts.weights, core::Bytes(16'060'522'496)); // of one model each
        QCOMPARE(footprint.devices[1].parts.weights, core::Bytes(16'060'522'496));
        QCOMPARE(footprint.devices[0].parts.cache, core::gib(3)); // 3 and 2 requests of 1 GiB
        QCOMPARE(footprint.devices[1].parts.cache, core::gib(2));
        QVERIFY(stage.verdict().contains(QLatin1String("#0 is the fullest")));
    }

    /// A setting is seen where it makes a difference, or has a value.
    void settingsThatMatter()
    {
        Served stage("llama-3.1-8b", EngineId::Vllm, "h100-sxm", 1);
        const auto isSeen = [&](const char* flag) { return child<QWidget>(stage.window, flag)->isVisible(); };
        QVERIFY(isSeen("gpu-memory-utilization"));
        QVERIFY(isSeen("activation-memory"));
        for (const char* flag : {"mamba-cache-mode", "swap-space", "mla", "communication-buffer", "pp-layer-partition"})
            QVERIFY2(!isSeen(flag), flag);
        stage.type("engine-version", "V0");
        QVERIFY(isSeen("swap-space"));
        stage.type("gpus", "2");
        QVERIFY(isSeen("communication-buffer"));
        stage.set("mamba-cache-mode", "none"); // has a value
        QVERIFY(isSeen("mamba-cache-mode"));
        stage.choose("model", "Qwen3-Next 80B A3B");
        QVERIFY(isSeen("mamba-ssm-dtype"));
    }

    /// What an engine takes besides is seen line by line, called an estimate, and can be typed.
    void estimatesAreSeenAndTyped()
    {
        Served stage("llama-3.1-8b", EngineId::Vllm, "rtx-4090", 1);
        auto* activation = stage.box("activation-memory");
        QVERIFY(activation->accessibleName().contains(QLatin1String("estimate")));
        QCOMPARE(activation->placeholderText(), QStringLiteral("1.26GiB"));
        const auto row = [&](const char* name) {
            for (const std::vector<QVariant>& cells : ui::budgetTable(stage.window.session().current()).rows) {
                if (cells.front().toString() == QString::fromUtf8(name))
                    return cells.at(1).toLongLong();
            }
            return qlonglong{-1};
        };
        QCOMPARE(row("– compute buffers, estimate"), 1'352'914'699LL); // 1.26 GiB
        const core::Bytes pool = *stage.footprint().fullest()->pool;
        tests::typeInto(activation, QStringLiteral("2GiB"));
        QCOMPARE(row("– compute buffers, estimate"), core::gib(2).count());
        QCOMPARE(*stage.footprint().fullest()->pool, pool - (core::gib(2) - core::Bytes(1'352'914'699)));
    }

    void everyEngineHasLinesAndACommand_data()
    {
        QTest::addColumn<QString>("engine");
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("command");
        QTest::newRow("vLLM") << "vLLM"
                              << "GPU KV cache size: "
                              << "vllm serve MODEL --max-model-len 8192";
        QTest::newRow("SGLang") << "SGLang"
                                << "KV Cache is allocated. #tokens: "
                                << "sglang.launch_server";
        QTest::newRow("TensorRT-LLM") << "TensorRT-LLM"
                                      << "blocks"
                                      << "trtllm-serve";
    }
    void everyEngineHasLinesAndACommand()
    {
        QFETCH(const QString, engine);
        QFETCH(const QString, line);
        QFETCH(const QString, command);
        Served stage("llama-3.1-8b", EngineId::Ideal, "rtx-4090", 1);
        stage.choose("engine", engine.toUtf8().constData());
        stage.openEngineTab();
        QVERIFY2(stage.lines("log-lines").contains(line), qPrintable(stage.lines("log-lines")));
        QVERIFY2(stage.lines("launch-command").contains(command), qPrintable(stage.lines("launch-command")));
        QVERIFY(stage.label("engine-headline").startsWith(engine));
        // Its own lines, pasted, agree to the last figure and teach it nothing.
        const Scenario before = stage.scenario();
        child<QPlainTextEdit>(stage.window, "log-text")->setPlainText(stage.lines("log-lines"));
        QTest::qWait(400);
        const QString summary = stage.label("log-summary");
        const QStringList words = summary.split(QLatin1Char(' '));
        QVERIFY2(words.size() > 3 && words.at(0) == words.at(2) && words.at(0).toInt() > 0, qPrintable(summary));
        QVERIFY(!child<QPlainTextEdit>(stage.window, "log-rest")->isVisible());
        child<QPushButton>(stage.window, "use-log")->click();
        QCOMPARE(stage.scenario().engine, before.engine);
        QVERIFY(stage.window.session().current().issues.empty());
    }

    void aLogOfAnotherEngine()
    {
        Served stage("llama-3.1-8b", EngineId::Sglang, "rtx-3090", 1);
        stage.openEngineTab();
        child<QPlainTextEdit>(stage.window, "log-text")
            ->setPlainText(QStringLiteral("INFO gpu_executor.py:122] # GPU blocks: 1952, # CPU blocks: 2048\n"
                                          "INFO gpu_executor.py:126] Maximum concurrency for 20000 tokens per request: "
                                          "1.56x\n"));
        QTest::qWait(400);
        QVERIFY(stage.label("log-summary").startsWith(QLatin1String("This is a log of vLLM, but")));
        child<QPushButton>(stage.window, "use-log")->click();
        QCOMPARE(stage.scenario().engine, EngineId::Vllm);
        QCOMPARE(stage.scenario().workload.context, 20'000);
        QVERIFY(!stage.label("log-summary").contains(QLatin1String("This is a log of")));
        child<QPlainTextEdit>(stage.window, "log-text")->setPlainText(QStringLiteral("the kettle is on"));
        QTest::qWait(400);
        QVERIFY(!child<QPushButton>(stage.window, "use-log")->isEnabled());
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
        Stage stage(size);
        for (const EngineId engine : {EngineId::Vllm, EngineId::Sglang, EngineId::TensorRtLlm}) {
            // States, windows of no use, several cards: most settings and sentences are seen.
            Scenario scenario = tests::on(tests::scenarioOf("qwen3-next-80b-a3b"), "h100-sxm", 4);
            scenario.engine = engine;
            scenario.hardware.parallel.pipeline = 2;
            stage.window.session().edit(scenario);
            stage.window.findChild<QTabWidget*>()->setCurrentIndex(kEngineTab);
            QTest::qWait(50);
            int seen = 0;
            for (const QWidget* room : {child<QWidget>(stage.window, "engine-view"),
                                        child<QWidget>(stage.window, "runtime-context")->parentWidget()}) {
                for (const QLabel* label : room->findChildren<QLabel*>()) {
                    if (!label->isVisible())
                        continue;
                    ++seen;
                    QVERIFY2(tests::isWhole(*label), qPrintable(label->text()));
                }
            }
            QVERIFY(seen > 12);
        }
    }
};

ROOM_TEST(TestServingWindow, QApplication)
#include "test_serving_window.moc"
