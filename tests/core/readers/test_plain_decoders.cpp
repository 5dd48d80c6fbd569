// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/model_file.h"
#include "core/model/cache_group.h"
#include "core/readers/json/json_array.h"
#include "tests/core/reading.h"
#include "tests/room.h"

#include <QTest>

#include <algorithm>
#include <map>

using namespace core;
using namespace core::readers;

/// Published config.json files, kept as facts, against what they describe.
class TestPlainDecoders : public QObject {
    Q_OBJECT

private slots:
    void plainDecoders_data();
    void plainDecoders();
};

static QString valueOf(const Model& model, const char* field)
{
    const Provenance* row = provenanceOf(model, field);
    return row == nullptr ? QString() : QString::fromStdString(row->value);
}

void TestPlainDecoders::plainDecoders_data()
{
    QTest::addColumn<QString>("config");
    QTest::addColumn<TableRow>("expected");
    const std::string json = contentOf(TESTS_DATA_DIR "/configs/plain.json");
    const Result<std::vector<ArrayEntry>> configs = arrayEntries(json, "plain.json");
    QVERIFY2(configs, qPrintable(errorOf(configs)));
    const std::vector<TableRow> rows = tableRows(TESTS_DATA_DIR "/plain_decoders.tsv");
    QVERIFY(rows.size() > 100);
    QCOMPARE(configs->size(), rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const std::string id = rows[i].at("id").toStdString();
        const auto found = std::ranges::find(*configs, id, &ArrayEntry::id);
        QVERIFY2(found != configs->end(), id.c_str());
        QTest::newRow(id.c_str()) << QString::fromStdString(std::string(found->text)) << rows[i];
    }
}

void TestPlainDecoders::plainDecoders()
{
    QFETCH(QString, config);
    QFETCH(TableRow, expected);
    const Result<Model> model = readModelText(config.toStdString(), "config.json");
    QVERIFY2(model, qPrintable(errorOf(model)));
    QCOMPARE(model->groups.size(), std::size_t{1});
    const CacheGroup& group = model->groups.front();
    QVERIFY(group.kind == CacheKind::Full);
    QCOMPARE(QString::number(group.layers.count()), expected["layers"]);
    QCOMPARE(QString::number(model->layers), expected["layers"]);
    QCOMPARE(QString::number(group.queryHeads), expected["query_heads"]);
    QCOMPARE(QString::number(group.kvHeads), expected["kv_heads"]);
    QCOMPARE(QString::number(group.keyDim), expected["head_dim"]);
    QCOMPARE(QString::number(group.valueDim), expected["head_dim"]);
    QCOMPARE(QString::number(model->maxContext.value_or(0)), expected["max_context"]);
    QCOMPARE(valueOf(*model, "vocabulary"), expected["vocabulary"]);
    QCOMPARE(valueOf(*model, "tied_embedding"), expected["tied"] == "yes" ? "true" : "false");
    QCOMPARE(QString::fromUtf8(info(model->weights.published).id.data()), expected["format"]);
    const Bytes perToken = entryBytes(group, KvFormat::Fp16, KvFormat::Fp16) * group.layers.count();
    QCOMPARE(QString::number(perToken.count()), expected["kv"]);
    QCOMPARE(QString::number(model->weights.parameters()), expected["parameters"]);
    const bool hasHead = std::ranges::count(model->weights.parts, WeightPart::Head, &WeightCount::part) > 0;
    const bool headBias = expected["id"].contains("phi-") || expected["id"].contains("gpt-j");
    QVERIFY(hasHead == (expected["tied"] == "no" || headBias));
}

ROOM_TEST(TestPlainDecoders, void)
#include "test_plain_decoders.moc"
