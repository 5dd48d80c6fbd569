// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/custom_model.h"
#include "core/text/text.h"
#include "tests/core/catalogue.h"
#include "tests/room.h"

#include <QTest>

using core::Bytes;
using core::CustomModel;
using core::customModel;

class TestCustomModel : public QObject {
    Q_OBJECT

private slots:
    void shapeOfLlama8BNeedsTheSame()
    {
        const core::Model model = tests::valueOf(
            customModel({.layers = 32, .heads = 32, .kvHeads = 8, .headDim = 128, .parameters = 8'030'261'248}));
        const core::Footprint custom = tests::footprintOf(tests::scenarioOf(model));
        const core::Footprint llama = tests::footprintOf(tests::scenarioOf("llama-3.1-8b"));
        QVERIFY(custom.kv == llama.kv);
        QVERIFY(custom.weights == llama.weights);
    }

    void cacheIsTheFormula_data()
    {
        QTest::addColumn<qint64>("kvHeads");
        QTest::addColumn<qint64>("bytes"); // 2 · 48 · kvHeads · 96 · 8,192 · 2
        QTest::newRow("MHA") << qint64{40} << qint64{6'039'797'760};
        QTest::newRow("GQA") << qint64{8} << qint64{1'207'959'552};
        QTest::newRow("MQA") << qint64{1} << qint64{150'994'944};
    }
    void cacheIsTheFormula()
    {
        QFETCH(const qint64, kvHeads);
        QFETCH(const qint64, bytes);
        const core::Model model = tests::valueOf(
            customModel({.layers = 48, .heads = 40, .kvHeads = kvHeads, .headDim = 96, .parameters = 1}));
        QCOMPARE(tests::footprintOf(tests::scenarioOf(model)).kv.total, Bytes(bytes));
        // The same by the KV heads chosen in the scenario.
        core::Scenario chosen = tests::scenarioOf(
            tests::valueOf(customModel({.layers = 48, .heads = 40, .kvHeads = 40, .headDim = 96, .parameters = 1})));
        chosen.kvHeads = kvHeads;
        QCOMPARE(tests::footprintOf(chosen).kv.total, Bytes(bytes));
    }

    void everyValueIsTyped()
    {
        const core::Model model = tests::valueOf(customModel(CustomModel{}));
        for (const char* field : {"layers", "heads", "kv_heads", "head_dim", "parameters"}) {
            const core::Provenance* row = core::provenanceOf(model, field);
            QVERIFY2(row != nullptr, field);
            QCOMPARE(row->how, core::How::Typed);
        }
    }

    void noParametersAreUnknownWeights()
    {
        const core::Model model = tests::valueOf(customModel({.parameters = 0}));
        QVERIFY(!model.weights.known());
        QVERIFY(core::provenanceOf(model, "parameters") == nullptr);
        QVERIFY(!tests::footprintOf(tests::scenarioOf(model)).weights);
    }

    void numbersOutOfRangeAreNamed_data()
    {
        QTest::addColumn<qint64>("layers");
        QTest::addColumn<qint64>("heads");
        QTest::addColumn<qint64>("kvHeads");
        QTest::addColumn<qint64>("headDim");
        QTest::addColumn<qint64>("parameters");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* name, CustomModel m, const char* says) {
            QTest::newRow(name) << qint64{m.layers} << qint64{m.heads} << qint64{m.kvHeads} << qint64{m.headDim}
                                << qint64{m.parameters} << says;
        };
        row("no layers", {.layers = 0}, "layers|65,535");
        row("too many layers", {.layers = 65'536}, "layers|65,536");
        row("no heads", {.heads = 0}, "heads|1,048,576");
        row("no KV heads", {.kvHeads = 0}, "kv_heads");
        row("negative dimension", {.headDim = -1}, "head_dim");
        row("too many parameters", {.parameters = 1'000'000'000'000'001}, "parameters");
        row("heads that cannot be shared", {.heads = 32, .kvHeads = 5}, "32|5|divisor");
        row("more KV heads than heads", {.heads = 8, .kvHeads = 16}, "8|16|divisor");
    }
    void numbersOutOfRangeAreNamed()
    {
        QFETCH(const qint64, layers);
        QFETCH(const qint64, heads);
        QFETCH(const qint64, kvHeads);
        QFETCH(const qint64, headDim);
        QFETCH(const qint64, parameters);
        QFETCH(const QString, says);
        const QString error = errorOf(customModel({layers, heads, kvHeads, headDim, parameters}));
        QVERIFY2(saysAll(error, says), qPrintable(error));
    }

    void largestIsCounted()
    {
        const core::Model model = tests::valueOf(customModel({.layers = 65'535,
                                                              .heads = 1'048'576,
                                                              .kvHeads = 1'048'576,
                                                              .headDim = 1'048'576,
                                                              .parameters = 1'000'000'000'000'000}));
        QVERIFY(
            !core::check(tests::with(tests::scenarioOf(model), 16'777'216, 65'536)).empty()); // refused, not wrapped
    }

    void parametersAreReadAsPeopleWriteThem_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<qint64>("count"); // -1: refused
        QTest::newRow("whole") << "8030261248" << qint64{8'030'261'248};
        QTest::newRow("grouped") << "8,030,261,248" << qint64{8'030'261'248};
        QTest::newRow("billions") << "8B" << qint64{8'000'000'000};
        QTest::newRow("small letter, blank") << " 8 b " << qint64{8'000'000'000};
        QTest::newRow("a decimal") << "70.6B" << qint64{70'600'000'000};
        QTest::newRow("nine decimals") << "8.030261248B" << qint64{8'030'261'248};
        QTest::newRow("zeros behind") << "7.500000000000000B" << qint64{7'500'000'000};
        QTest::newRow("millions") << "350M" << qint64{350'000'000};
        QTest::newRow("trillions") << "1.04T" << qint64{1'040'000'000'000};
        QTest::newRow("thousands") << "124.4K" << qint64{124'400};
        QTest::newRow("none") << "0" << qint64{0};
        QTest::newRow("half a parameter") << "0.5" << qint64{-1};
        QTest::newRow("ten decimals") << "1.0000000001B" << qint64{-1};
        QTest::newRow("no digits") << "B" << qint64{-1};
        QTest::newRow("no decimals") << "8.B" << qint64{-1};
        QTest::newRow("another unit") << "8GiB" << qint64{-1};
        QTest::newRow("negative") << "-8B" << qint64{-1};
        QTest::newRow("two points") << "8.0.3B" << qint64{-1};
        QTest::newRow("empty") << "" << qint64{-1};
        QTest::newRow("beyond 63 bits") << "99999999999T" << qint64{-1};
    }
    void parametersAreReadAsPeopleWriteThem()
    {
        QFETCH(const QString, text);
        QFETCH(const qint64, count);
        const core::Result<std::int64_t> read = core::parseParameters(text.toStdString());
        if (count >= 0)
            QCOMPARE(read.value_or(-1), std::int64_t{count});
        else
            QVERIFY(saysAll(errorOf(read), text.isEmpty() ? QStringLiteral("70.6B") : text));
    }
};

ROOM_TEST(TestCustomModel, void)
#include "test_custom_model.moc"
