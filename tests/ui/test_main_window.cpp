// SPDX-License-Identifier: GPL-3.0-or-later
// The window as a person meets it: the first issue's table, bad files, narrow windows, both themes.
#include "tests/room.h"
#include "tests/ui/window_stage.h"
#include "ui/control_panel.h"
#include "ui/formula_bar.h"
#include "ui/main_window.h"
#include "ui/theme.h"
#include "ui/value_box.h"
#include "ui/verdict_bar.h"
#include "ui/views/growth_view.h"

#include <QAccessible>
#include <QApplication>
#include <QChart>
#include <QClipboard>
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QTemporaryDir>
#include <QTest>
#include <QValueAxis>

#include <functional>
#include <memory>

using core::Scenario;
using tests::Dialogs;
using tests::isWhole;
using tests::Stage;
using ui::MainWindow;
using ui::Role;
using ui::Theme;

namespace {

struct Row {
    const char* name;
    std::function<Scenario()> scenario;
    const char* formula; ///< "" where any will do
    const char* verdict;
    const char* chart; ///< growth or budget says it
};

Scenario of(const char* model, std::int64_t context, std::int64_t batch)
{
    return tests::with(tests::scenarioOf(model), context, batch);
}

Scenario withHeads(std::int64_t kvHeads)
{
    Scenario scenario = of("llama-3.1-8b", 8'192, 1);
    scenario.model.groups.front().kvHeads = kvHeads;
    return scenario;
}

Scenario inFormat(Scenario scenario, core::KvFormat format)
{
    scenario.kFormat = scenario.vFormat = format;
    return scenario;
}

Scenario qwen(std::int64_t batch, core::Percent reserve = {})
{
    Scenario scenario = tests::onTyped(of("qwen2.5-32b", 8'192, batch), core::gib(24), 2);
    scenario.weightBytes = core::gib(18);
    scenario.reserve = reserve;
    return scenario;
}

Scenario qwenOnCards()
{
    Scenario scenario = tests::on(of("qwen2.5-32b", 8'192, 1), "rtx-3090", 2);
    scenario.weightBytes = core::gib(18);
    return scenario;
}

Scenario awq()
{
    Scenario scenario = of("qwen2.5-32b", 8'192, 1);
    scenario.weightFormat = core::WeightFormat::Awq4;
    return scenario;
}

Scenario wasting()
{
    Scenario scenario = of("llama-3.1-8b", 8'192, 16);
    scenario.waste = core::Percent::whole(20);
    return scenario;
}

// The table of the first issue.
const Row kTable[] = {
    {"8B, 8,192, batch 1", [] { return of("llama-3.1-8b", 8'192, 1); }, "= 1.00 GiB (1.07 GB)", "15.96 GiB needed",
     "the cache is 1.00 GiB"},
    {"8B, 8,192, batch 16", [] { return of("llama-3.1-8b", 8'192, 16); },
     "2 K and V · 32 layers · 8 KV heads · 128 head dim · 8,192 context · 2 bytes · 16 requests = 16.0 GiB (17.2 GB)",
     "30.96 GiB needed", "Weights 14.96 GiB, Cache in use 16.00 GiB"},
    {"8B, batch 16, RTX 3090", [] { return tests::on(of("llama-3.1-8b", 8'192, 16), "rtx-3090"); }, "",
     "Over by 7.40 GiB", "Over by 7.40 GiB"},
    {"8B, batch 16, RTX 4090", [] { return tests::on(of("llama-3.1-8b", 8'192, 16), "rtx-4090"); }, "",
     "Over by 7.31 GiB", "Over by 7.31 GiB"},
    {"8B as MHA", [] { return withHeads(32); }, "= 4.00 GiB", "", "the cache is 4.00 GiB"},
    {"8B as MQA", [] { return withHeads(1); }, "= 128 MiB", "", "the cache is 128 MiB"},
    {"8B, 131,072", [] { return inFormat(of("llama-3-8b", 131'072, 1), core::KvFormat::Bf16); }, "= 16.0 GiB (17.2 GB)",
     "", "The cache reaches the weights at 122,533 tokens."},
    {"70B, 8,192", [] { return inFormat(of("llama-3-70b", 8'192, 1), core::KvFormat::Bf16); }, "= 2.50 GiB (2.68 GB)",
     "", "the cache is 2.50 GiB"},
    {"32B, 15 on 2 x 24 GiB", [] { return qwen(15); }, "= 30.0 GiB", "Fits. 48.00 GiB of 48.00 GiB used",
     "batch up to 15"},
    {"32B, 16 on 2 x 24 GiB", [] { return qwen(16); }, "",
     "Over by 2.00 GiB. 50.00 GiB needed, 48.00 GiB there. Fits with "
     "batch up to 15",
     "Over by 2.00 GiB"},
    {"32B, 10 % reserve", [] { return qwen(12, core::Percent::whole(10)); }, "", "batch up to 12",
     "Kept free 4.80 GiB"},
    {"32B on 2 x rtx-3090", [] { return qwenOnCards(); }, "", "14 requests usable, 15 with label memory",
     "batch up to 14"},
    {"32B in AWQ", [] { return awq(); }, "", "20.00 GiB needed", "Weights 18.00 GiB"},
    {"Mixtral, FP16", [] { return of("mixtral-8x7b", 32'768, 1); }, "= 4.00 GiB (4.29 GB)", "",
     "the cache is 4.00 GiB"},
    {"Mixtral, FP8", [] { return inFormat(of("mixtral-8x7b", 32'768, 1), core::KvFormat::Fp8); },
     "= 2.00 GiB (2.15 GB)", "", "the cache is 2.00 GiB"},
    {"Mixtral, 16 users, A100", [] { return tests::on(of("mixtral-8x7b", 32'768, 16), "a100-sxm-80"); },
     "= 64.0 GiB (68.7 GB)", "Over by", "Weights 86.99 GiB, Cache in use 64.00 GiB"},
    {"Mixtral, 16 users, M2 Ultra", [] { return tests::on(of("mixtral-8x7b", 32'768, 16), "apple-m2-ultra:128"); }, "",
     "128 GiB machine, 107.52 GiB usable", "Over by"},
    {"8B, 131,072, q8_0", [] { return inFormat(of("llama-3.1-8b", 131'072, 1), core::KvFormat::Q8_0); }, "= 8.50 GiB",
     "", "the cache is 8.50 GiB"},
    {"8B, 131,072, q4_0", [] { return inFormat(of("llama-3.1-8b", 131'072, 1), core::KvFormat::Q4_0); }, "= 4.50 GiB",
     "", "the cache is 4.50 GiB"},
    {"16 GiB at 20 % waste", [] { return wasting(); }, "= 16.0 GiB", "34.96 GiB needed",
     "Cache in use 16.00 GiB, Waste: typed share 4.00"},
    {"largest inputs", [] { return of("llama-3.1-405b", 16'777'216, 65'536); }, "", "needed", ""},
};

QByteArray written(const QTemporaryDir& folder, const char* name, const QByteArray& content)
{
    const QString path = folder.filePath(QLatin1String(name));
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
        qFatal("%s could not be written.", name);
    return path.toUtf8();
}

QColor pixelOf(const QImage& window, const QWidget& part, QPoint place)
{
    return window.pixelColor(part.mapTo(part.window(), place));
}

} // namespace

class TestMainWindow : public QObject {
    Q_OBJECT

private slots:
    void cleanupTestCase() { m_table.reset(); }
    void init() { QApplication::setPalette(Theme::light().palette()); }

    void firstStart()
    {
        const Stage stage;
        QCOMPARE(stage.formula(), QStringLiteral("KV cache = 2 K and V · 32 layers · 8 KV heads · 128 head dim · 8,192 "
                                                 "context · 2 bytes · 4 requests = 4.00 GiB (4.29 GB)"));
        // 14.957 + 4 + 1 of 23.643 GiB; (23.643 − 14.957) · 0.8 = 6.95 requests of 1 GiB.
        QVERIFY(stage.verdict().startsWith(
            QLatin1String("Fits. 19.96 GiB of 23.64 GiB used, 3.69 GiB free: batch up to 6 ")));
        QVERIFY(stage.verdict().contains(QLatin1String("24 GiB card, 23.64 GiB usable")));
        for (const char* part :
             {"Weights 14.96 GiB", "Cache in use 4.00 GiB", "Waste: typed share 1.00 GiB", "Free 3.69 GiB"})
            QVERIFY2(stage.description("budget").contains(QLatin1String(part)), part);
    }

    void table_data()
    {
        QTest::addColumn<int>("row");
        for (std::size_t i = 0; i < std::size(kTable); ++i)
            QTest::newRow(kTable[i].name) << static_cast<int>(i);
    }
    void table()
    {
        QFETCH(const int, row);
        if (m_table == nullptr)
            m_table = std::make_unique<Stage>();
        Stage& stage = *m_table;
        const Row& expected = kTable[row];
        stage.window.session().edit(expected.scenario());
        QVERIFY(stage.window.session().current().issues.empty());
        QVERIFY2(stage.formula().contains(QString::fromUtf8(expected.formula)), qPrintable(stage.formula()));
        QVERIFY2(stage.verdict().contains(QString::fromUtf8(expected.verdict)), qPrintable(stage.verdict()));
        const QString said = stage.description("growth") + stage.description("budget") + stage.verdict();
        QVERIFY2(said.contains(QString::fromUtf8(expected.chart)), qPrintable(said));
    }

    void byTheControls()
    {
        const Stage stage;
        stage.type("batch", "16");
        QVERIFY(stage.formula().endsWith(QLatin1String("16 requests = 16.0 GiB (17.2 GB)")));
        QVERIFY(stage.verdict().startsWith(QLatin1String("Over by 11.31 GiB."))); // with a fifth of waste
        QVERIFY(stage.description("budget").contains(QLatin1String("Over by 11.31 GiB")));
        stage.type("waste", "0");
        QVERIFY(stage.verdict().startsWith(QLatin1String("Over by 7.31 GiB.")));
        stage.type("context", "4K");
        QVERIFY(stage.verdict().startsWith(QLatin1String("Fits. 22.96 GiB of 23.64 GiB used")));
        QVERIFY(stage.description("growth").startsWith(QLatin1String("At 4,096 tokens and batch 16")));
    }

    void lastValidStays()
    {
        const Stage stage;
        const QString formula = stage.formula();
        const QString growth = stage.description("growth");
        const QString budget = stage.description("budget");
        stage.type("context", "0");
        QVERIFY(stage.verdict().startsWith(QLatin1String("Cannot be sized. Context is 0 tokens")));
        QCOMPARE(stage.formula(), formula);
        QCOMPARE(stage.description("growth"), growth);
        QCOMPARE(stage.description("budget"), budget);
        QVERIFY(stage.view("growth")->chart()->opacity() < 1); // greyed
        QVERIFY(tests::child<QLabel>(stage.window, "issue-context")->isVisible());
        stage.type("context", "8K");
        QVERIFY(stage.verdict().startsWith(QLatin1String("Fits.")));
        QCOMPARE(stage.view("growth")->chart()->opacity(), 1.0);
        QVERIFY(!tests::child<QLabel>(stage.window, "issue-context")->isVisible());
    }

    void badFiles_data()
    {
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<bool>("exists");
        QTest::newRow("missing") << QByteArray() << false;
        QTest::newRow("empty") << QByteArray() << true;
        QTest::newRow("binary") << QByteArray("\x7f"
                                              "ELF\0\1\2\3",
                                              8)
                                << true;
        QTest::newRow("truncated") << QByteArray("{\"model_type\": \"llama\", \"hidden_") << true;
        QTest::newRow("deeply nested") << QByteArray(100'000, '[') << true;
        QTest::newRow("layers as text") << QByteArray("{\"model_type\": \"llama\", \"num_hidden_layers\": \"32\"}")
                                        << true;
        QTest::newRow("another family") << QByteArray("{\"model_type\": \"retnet\"}") << true;
    }
    void badFiles()
    {
        QFETCH(const QByteArray, content);
        QFETCH(const bool, exists);
        const QTemporaryDir folder;
        if (exists)
            written(folder, "config.json", content);
        Stage stage;
        const Scenario before = stage.window.session().current().scenario;
        const QString formula = stage.formula();
        const Dialogs dialogs;
        stage.window.opening().open(folder.filePath(QStringLiteral("config.json")));
        QCOMPARE(dialogs.texts().size(), 1);
        QVERIFY2(dialogs.texts().front().contains(QLatin1String("config.json")), qPrintable(dialogs.texts().front()));
        stage.drop(folder.filePath(QStringLiteral("config.json")));
        QCOMPARE(dialogs.texts().size(), 2);
        QVERIFY(stage.window.session().current().scenario == before);
        QCOMPARE(stage.formula(), formula);
    }

    void droppedConfig()
    {
        Stage stage;
        const Dialogs dialogs;
        stage.drop(QStringLiteral(TESTS_DATA_DIR "/configs/qwen2.5-7b/config.json"));
        QVERIFY(dialogs.texts().isEmpty());
        const core::Evaluation& now = stage.window.session().current();
        QCOMPARE(now.scenario.model.layers, 28);
        QCOMPARE(now.footprint.kv.perToken.bytes, core::Bytes(57'344));
        QVERIFY(stage.formula().contains(QStringLiteral("28 layers · 4 KV heads · 128 head dim")));
        bool facts = false;
        for (const QLabel* label : stage.window.findChildren<QLabel*>())
            facts |= label->isVisible() && label->text() == QStringLiteral("28 layers · 4 KV heads · head dim 128");
        QVERIFY(facts);
        QCOMPARE(now.scenario.workload.batch, 4); // the workload stays
    }

    void menu()
    {
        Stage stage;
        stage.trigger("Copy formula");
        QCOMPARE(QApplication::clipboard()->text(), stage.formula());
        stage.trigger("Copy verdict");
        QCOMPARE(QApplication::clipboard()->text(), stage.verdict());
        stage.type("batch", "16");
        stage.trigger("Reset to default");
        QCOMPARE(stage.window.session().current().scenario.workload.batch, 4);
        QVERIFY(stage.verdict().startsWith(QLatin1String("Fits.")));
        const Dialogs dialogs;
        stage.trigger("About KV Horizon");
        QCOMPARE(dialogs.texts().size(), 1);
    }

    /// Axes that a long context has stretched are those of the start when a scenario starts afresh.
    void axesStartAfresh()
    {
        Stage stage;
        const auto end = [&] {
            const auto axes = stage.window.findChild<ui::GrowthView*>()->growth().chart()->axes(Qt::Horizontal);
            return qobject_cast<QValueAxis*>(axes.value(0))->max();
        };
        const double atStart = end();
        stage.type("context", "100000");
        QVERIFY(end() > atStart);
        stage.trigger("Reset to default");
        QCOMPARE(end(), atStart);
        stage.type("context", "100000");
        stage.window.session().undoStack().setIndex(0); // nothing is left to be saved
        QVERIFY(end() > atStart);
        stage.trigger("New");
        QCOMPARE(end(), atStart);
    }

    void narrow_data()
    {
        QTest::addColumn<int>("width");
        QTest::addColumn<bool>("narrow");
        QTest::newRow("1,280 is wide enough") << 1'280 << false;
        QTest::newRow("1,279 is narrow") << 1'279 << true;
        QTest::newRow("smallest") << 1'024 << true;
    }
    void narrow()
    {
        QFETCH(const int, width);
        QFETCH(const bool, narrow);
        Stage stage({1'600, 900});
        stage.window.resize(width, 700);
        QApplication::processEvents();
        const QRect growth(stage.view("growth")->mapTo(&stage.window, QPoint()), stage.view("growth")->size());
        const QRect budget(stage.view("budget")->mapTo(&stage.window, QPoint()), stage.view("budget")->size());
        QCOMPARE(budget.top() > growth.bottom(), narrow);
        QCOMPARE(budget.left() > growth.right(), !narrow);
        QVERIFY(stage.window.rect().contains(growth) && stage.window.rect().contains(budget));
        QVERIFY(growth.height() >= 200);
        stage.window.resize(1'600, 900); // and back
        QApplication::processEvents();
        QVERIFY(stage.view("budget")->mapTo(&stage.window, QPoint()).x() >
                stage.view("growth")->mapTo(&stage.window, QPoint()).x() + stage.view("growth")->width());
    }

    void nothingIsCut_data()
    {
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("gpu");
        QTest::newRow("first start") << "llama-3.1-8b"
                                     << "rtx-4090";
        QTest::newRow("several kinds of layers") << "nemotron-h-8b"
                                                 << "apple-m2-ultra:128";
        QTest::newRow("long names") << "deepseek-r1-distill-qwen-32b"
                                    << "rtx-4090-laptop";
    }
    void nothingIsCut()
    {
        QFETCH(const QString, model);
        QFETCH(const QString, gpu);
        Stage stage({1'024, 700});
        Scenario scenario =
            tests::onTyped(tests::on(of(model.toUtf8().constData(), 16'777'216, 65'536), gpu.toStdString(), 65'536),
                           core::gib(1'024), 128);
        scenario.weightBytes = core::Bytes(123'456'789'012);
        stage.window.session().edit(scenario);
        stage.type("reserve", "nothing at all that could be read as a number"); // a long issue
        QApplication::processEvents();
        QCOMPARE(stage.window.size(), QSize(1'024, 700));
        const auto* panel = stage.window.findChild<ui::ControlPanel*>();
        QVERIFY(panel->widget()->width() <= panel->viewport()->width());
        for (const QLabel* label : stage.window.findChildren<QLabel*>())
            QVERIFY2(!label->isVisible() || isWhole(*label), qPrintable(label->text()));
        for (const auto* box : panel->findChildren<ui::ValueBox*>())
            QVERIFY2(!box->isVisible() || box->objectName() == QLatin1String("reserve") || isWhole(*box),
                     qPrintable(box->text()));
        // The formula ends before its last column.
        const QImage image = stage.window.grab().toImage();
        const auto& formula = *tests::child<QWidget>(stage.window, "formula");
        for (int y = 0; y < formula.height(); ++y)
            QVERIFY(pixelOf(image, formula, {formula.width() - 1, y}).lightness() > 240);
    }

    void noCache()
    {
        Stage stage;
        Scenario scenario = stage.window.session().current().scenario;
        scenario.model.groups.front().kind = core::CacheKind::None;
        stage.window.session().edit(scenario);
        QCOMPARE(stage.formula(), QStringLiteral("KV cache = 0 B"));
        QVERIFY(stage.verdict().contains(QLatin1String("this model keeps no cache")));
    }

    void themesRepaint()
    {
        Stage stage;
        const QImage light = stage.window.grab().toImage();
        const Theme& dark = Theme::dark();
        stage.trigger("Dark");
        QApplication::processEvents();
        const QImage image = stage.window.grab().toImage();
        const QWidget& verdict = *tests::child<QWidget>(stage.window, "verdict");
        QCOMPARE(pixelOf(image, *stage.view("growth"), {2, 2}), dark.color(Role::Page));
        QCOMPARE(pixelOf(image, *stage.view("budget"), {2, 2}), dark.color(Role::Page));
        QCOMPARE(pixelOf(image, verdict, {2, 2}), dark.color(Role::Panel));
        QCOMPARE(pixelOf(image, *stage.window.findChild<ui::ControlPanel*>(), {2, 2}), dark.color(Role::Panel));
        stage.trigger("Light");
        QApplication::processEvents();
        QCOMPARE(stage.window.grab().toImage(), light); // nothing dark is left
    }

    void everythingHasAName()
    {
        const Stage stage;
        for (QWidget* widget : stage.window.findChildren<QWidget*>()) {
            if (!widget->isVisible() || widget->focusProxy() != nullptr || (widget->focusPolicy() & Qt::TabFocus) == 0)
                continue;
            QAccessibleInterface* interface = QAccessible::queryAccessibleInterface(widget);
            QVERIFY2(interface != nullptr && !interface->text(QAccessible::Name).isEmpty(),
                     qPrintable(widget->objectName()));
        }
        for (const char* name : {"formula", "verdict", "growth", "budget"}) {
            auto* widget = tests::child<QWidget>(stage.window, name);
            QVERIFY2(!widget->accessibleName().isEmpty() && !widget->accessibleDescription().isEmpty(), name);
        }
    }

private:
    std::unique_ptr<Stage> m_table; ///< one window for all rows
};

ROOM_TEST(TestMainWindow, QApplication)
#include "test_main_window.moc"
