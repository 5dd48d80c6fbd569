// SPDX-License-Identifier: GPL-3.0-or-later
// The model tab: what the layers keep and where it is read, and the model edited as text.
#include "core/files/model_file.h"
#include "core/sizing/evaluate.h"
#include "tests/room.h"
#include "tests/ui/window_stage.h"
#include "ui/theme.h"
#include "ui/views/layer_strip.h"
#include "ui/views/model_tables.h"
#include "ui/views/model_view.h"

#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QStackedWidget>
#include <QTabWidget>
#include <QTableView>

using core::Scenario;
using tests::Stage;
using ui::DataTable;

namespace {

/// The row of a table whose first cell reads so; fails where there is none.
const std::vector<QVariant>& rowOf(const DataTable& table, const QString& first)
{
    for (const std::vector<QVariant>& row : table.rows) {
        if (row.front().toString() == first)
            return row;
    }
    qFatal("There is no row %s.", qPrintable(first));
}

QString shown(const Stage& stage, const char* label)
{
    return tests::child<QLabel>(stage.window, label)->text();
}

void replaceIn(QPlainTextEdit* box, const QString& before, const QString& after)
{
    QString text = box->toPlainText();
    QVERIFY2(text.contains(before), qPrintable(before));
    box->setPlainText(text.replace(text.indexOf(before), before.size(), after));
    box->document()->setModified(true); // as typing does
}

} // namespace

class TestModelView : public QObject {
    Q_OBJECT

private slots:
    void init() { QApplication::setPalette(ui::Theme::light().palette()); }

    void groups()
    {
        // Gemma 3 27B: 62 layers of 16 KV heads of 128 in 16 bit, every sixth without a window of 1,024.
        const DataTable table = ui::groupTable(tests::with(tests::scenarioOf("gemma-3-27b"), 131'072, 1));
        QCOMPARE(table.rows.size(), 2U);
        const std::vector<QVariant>& window = rowOf(table, QStringLiteral("52"));
        QCOMPARE(window.at(1).toString(), QStringLiteral("attention over the last 1,024 tokens"));
        QCOMPARE(window.at(2).toString(), QStringLiteral("16 × 128"));
        QCOMPARE(window.at(3).toLongLong(), 2 * 16 * 128 * 2);
        QCOMPARE(window.at(4).toString(), QStringLiteral("min(t, 1,024)"));
        QCOMPARE(window.at(5).toLongLong(), 1'024);
        QCOMPARE(window.at(6).toString(), QStringLiteral("no longer grows"));
        QCOMPARE(window.at(7).toLongLong(), qint64{8'192} * 1'024 * 52);
        const std::vector<QVariant>& full = rowOf(table, QStringLiteral("10"));
        QCOMPARE(full.at(6).toString(), QStringLiteral("80 KiB per token"));
        QCOMPARE(full.at(7).toLongLong(), qint64{8'192} * 131'072 * 10);
        QCOMPARE(full.at(8).toString(), QStringLiteral("5,11,17,23,29,35,41,47,53,59"));
    }

    void groupsSumToTheCache_data()
    {
        QTest::addColumn<QString>("model");
        for (const core::Model& model : tests::models())
            QTest::newRow(model.id.c_str()) << QString::fromStdString(model.id);
    }
    void groupsSumToTheCache()
    {
        QFETCH(const QString, model);
        const Scenario scenario = tests::with(tests::scenarioOf(model.toStdString()), 5'000, 1);
        qint64 sum = 0;
        for (const std::vector<QVariant>& row : ui::groupTable(scenario).rows)
            sum += row.at(7).toLongLong();
        QCOMPARE(sum, core::assess(scenario).footprint.kv.perRequest.count());
    }

    void origins()
    {
        const DataTable table = ui::provenanceTable(tests::model("llama-3.1-8b"));
        const std::vector<QVariant>& heads = rowOf(table, QStringLiteral("kv heads"));
        QCOMPARE(heads.at(1).toString(), QStringLiteral("8"));
        QCOMPARE(heads.at(2).toString(), QStringLiteral("read"));
        QCOMPARE(heads.at(3).toString(), QStringLiteral("num_key_value_heads in config.json"));
        QCOMPARE(rowOf(table, QStringLiteral("head dim")).at(2).toString(), QStringLiteral("derived"));
    }

    void weights()
    {
        const DataTable table = ui::weightTable(tests::scenarioOf("llama-3.1-8b"));
        const std::vector<QVariant>& total = rowOf(table, QStringLiteral("total"));
        QCOMPARE(total.at(1).toLongLong(), 8'030'261'248);
        QCOMPARE(total.at(3).toLongLong(), 16'060'522'496);
    }

    void strip()
    {
        Stage stage;
        stage.window.session().edit(tests::scenarioOf("gemma-3-27b"));
        stage.trigger("Model");
        auto* strip = tests::child<ui::LayerStrip>(stage.window, "layers");
        QVERIFY(strip->isVisible());
        strip->setFocus();
        for (int i = 0; i < 6; ++i)
            QTest::keyClick(strip, Qt::Key_Right);
        QCOMPARE(shown(stage, "layer"), QStringLiteral("Layer 5: full attention, 16 × 128, entries of 8 KiB"));
        QTest::keyClick(strip, Qt::Key_Home);
        QVERIFY(shown(stage, "layer").startsWith(QLatin1String("Layer 0: attention over the last 1,024 tokens")));
        QTest::keyClick(strip, Qt::Key_End);
        QVERIFY(shown(stage, "layer").startsWith(QLatin1String("Layer 61:")));
        // Every kind has a paint of its own: colour is not the only sign.
        std::vector<std::pair<double, Qt::BrushStyle>> paints;
        for (int kind = 0; kind <= static_cast<int>(core::CacheKind::None); ++kind) {
            const ui::KindPaint paint = ui::paintOf(static_cast<core::CacheKind>(kind));
            const std::pair both(paint.strength, paint.pattern);
            QVERIFY(std::ranges::find(paints, both) == paints.end());
            paints.push_back(both);
        }
    }

    void remarks()
    {
        Stage stage;
        stage.trigger("Model");
        QVERIFY(!tests::child<QLabel>(stage.window, "notes")->isVisible());
        Scenario scenario = stage.window.session().current().scenario;
        scenario.model.notes = {"no KV head key: MHA assumed"};
        stage.window.session().edit(scenario);
        QVERIFY(shown(stage, "notes").contains(QLatin1String("MHA assumed")));
    }

    void hiddenViewsGetNothing()
    {
        Stage stage;
        const QString before = stage.description("growth");
        stage.trigger("Model");
        stage.window.session().edit(tests::with(stage.window.session().current().scenario, 10'000, 4));
        QCOMPARE(stage.description("growth"), before);
        auto* groups = tests::child<QTableView>(stage.window, "groups-table");
        QCOMPARE(groups->model()->index(0, 5).data().toString(), QStringLiteral("10,000"));
        stage.trigger("Overview");
        QVERIFY(stage.description("growth").startsWith(QLatin1String("At 10,000 tokens")));
        stage.window.session().edit(tests::with(stage.window.session().current().scenario, 11'000, 4));
        QCOMPARE(groups->model()->index(0, 5).data().toString(), QStringLiteral("10,000"));
    }

    void editedAsText()
    {
        Stage stage;
        stage.trigger("Edit as text");
        auto* text = tests::child<QPlainTextEdit>(stage.window, "model-text");
        QVERIFY(text->isVisible());
        replaceIn(text, QStringLiteral("\"kv_heads\": 8"), QStringLiteral("\"kv_heads\": 4"));
        tests::child<QPushButton>(stage.window, "use-text")->click();
        const core::Model& model = stage.window.session().current().scenario.model;
        QCOMPARE(model.groups.front().kvHeads, 4);
        QVERIFY(model.id.empty());
        QCOMPARE(QString::fromStdString(model.name), QStringLiteral("Llama 3.1 8B (edited)"));
        QVERIFY(model.source.ends_with("edited by hand"));
        QVERIFY(model.provenance.empty()); // nothing is "read from config.json" any more
        QVERIFY(stage.formula().endsWith(QLatin1String("= 2.00 GiB (2.15 GB)")));
        QVERIFY(!text->isVisible());
        stage.window.session().undoStack().undo();
        QVERIFY(stage.formula().endsWith(QLatin1String("= 4.00 GiB (4.29 GB)")));
    }

    void wrongTextIsKept_data()
    {
        QTest::addColumn<QString>("before");
        QTest::addColumn<QString>("after");
        QTest::addColumn<QString>("says");
        QTest::newRow("no JSON") << "\"version\": 1,"
                                 << "\"version\" 1,"
                                 << "the text";
        QTest::newRow("a fraction") << "\"kv_heads\": 8"
                                    << "\"kv_heads\": 8.5"
                                    << "kv_heads";
        QTest::newRow("a misspelt key") << "\"kv_heads\""
                                        << "\"kv_head\""
                                        << "kv_head";
        QTest::newRow("layers that do not match") << "\"layer_numbers\": \"0-31\""
                                                  << "\"layer_numbers\": \"0-30\""
                                                  << "layer_numbers";
    }
    void wrongTextIsKept()
    {
        QFETCH(const QString, before);
        QFETCH(const QString, after);
        QFETCH(const QString, says);
        Stage stage;
        const Scenario scenario = stage.window.session().current().scenario;
        stage.trigger("Edit as text");
        auto* text = tests::child<QPlainTextEdit>(stage.window, "model-text");
        replaceIn(text, before, after);
        tests::child<QPushButton>(stage.window, "use-text")->click();
        QVERIFY(text->isVisible() && text->toPlainText().contains(after));
        auto* issue = tests::child<QLabel>(stage.window, "model-text-issue");
        QVERIFY(issue->isVisible());
        QVERIFY2(issue->text().contains(says), qPrintable(issue->text()));
        QCOMPARE(stage.window.session().current().scenario, scenario);
        // Another model does not overwrite what is being written.
        stage.window.session().edit(tests::scenarioOf("gemma-3-27b"));
        QVERIFY(text->toPlainText().contains(after));
        tests::child<QPushButton>(stage.window, "leave-text")->click();
        QVERIFY(text->toPlainText().contains(QLatin1String("Gemma 3 27B")));
    }
};

ROOM_TEST(TestModelView, QApplication)
#include "test_model_view.moc"
