// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/model_file.h"
#include "core/model/cache_group.h"
#include "core/readers/json/json_array.h"
#include "core/readers/json/model_json.h"
#include "tests/core/readers/cache_bytes.h"
#include "tests/core/reading.h"
#include "tests/room.h"

#include <QTest>

#include <algorithm>
#include <map>

using namespace core;
using namespace core::readers;

/// Published config.json files of every family, kept as facts, against what they describe.
class TestLayouts : public QObject {
    Q_OBJECT

private slots:
    void layouts_data();
    void layouts();
    void growth_data();
    void growth();
    void reports_data();
    void reports();
    void ownCaches_data();
    void ownCaches();
};

static const std::map<QString, QString>& configs()
{
    static const auto all = [] {
        std::map<QString, QString> found;
        for (const char* file : {"plain.json", "mixed.json"}) {
            static std::map<std::string, std::string> texts;
            const std::string& json = texts[file] = contentOf(std::string(TESTS_DATA_DIR "/configs/") + file);
            const Result<std::vector<ArrayEntry>> entries = arrayEntries(json, file);
            for (const ArrayEntry& entry : entries.value())
                found[QString::fromStdString(std::string(entry.id))] = QString::fromStdString(std::string(entry.text));
        }
        return found;
    }();
    return all;
}

static Result<Model> modelOf(const QString& id)
{
    const auto found = configs().find(id);
    return readModelText(found == configs().end() ? std::string("{}") : found->second.toStdString(), "config.json");
}

void TestLayouts::layouts_data()
{
    QTest::addColumn<TableRow>("expected");
    const std::vector<TableRow> rows = tableRows(TESTS_DATA_DIR "/layouts.tsv");
    QVERIFY(rows.size() > 220);
    for (const TableRow& row : rows) {
        QVERIFY2(configs().count(row.at("id")) == 1, qPrintable(row.at("id")));
        QVERIFY2(!row.at("source").isEmpty(), qPrintable(row.at("id")));
        QTest::newRow(qPrintable(row.at("id"))) << row;
    }
}

void TestLayouts::layouts()
{
    QFETCH(TableRow, expected);
    const Result<Model> model = modelOf(expected["id"]);
    QVERIFY2(model, qPrintable(errorOf(model)));
    const CacheBytes early = cacheBytes(*model, 8'192);
    const CacheBytes late = cacheBytes(*model, 131'072);
    QCOMPARE(QString::number(model->layers), expected["layers"]);
    QCOMPARE(model->maxContext ? QString::number(*model->maxContext) : "-", expected["max_context"]);
    QCOMPARE(QString::number(early.kv), expected["kv_8192"]);
    QCOMPARE(QString::number(late.kv), expected["kv_131072"]);
    QCOMPARE(QString::number(early.index), expected["index_8192"]);
    QCOMPARE(QString::number(late.index), expected["index_131072"]);
    QCOMPARE(QString::number(early.state), expected["state"]);
    QCOMPARE(QString::number(late.state), expected["state"]);
    QCOMPARE(QString::number(late.crossPerToken), expected["cross"]);
    const Weights& weights = model->weights;
    QCOMPARE(QString::number(weights.parameters()), expected["parameters"]);
    const bool sparse = weights.activeParameters() != weights.parameters();
    QCOMPARE(sparse ? QString::number(weights.activeParameters()) : "-", expected["active"]);

    const Result<Model> again = readModelText(modelToText(*model), "model.json");
    QVERIFY2(again, qPrintable(errorOf(again)));
    QVERIFY2(*again == *model, "what inspect --json prints does not read back as the same model");
}

void TestLayouts::growth_data()
{
    QTest::addColumn<QString>("model");
    QTest::addColumn<qint64>("before");
    QTest::addColumn<qint64>("after");
    QTest::addColumn<qint64>("late");
    const auto row = [](const char* model, qint64 before, qint64 after, qint64 late) {
        QTest::newRow(model) << model << before << after << late;
    };
    row("mistralai/Mistral-7B-v0.1", 131'072, 0, 536'870'912);
    row("deepseek-ai/DeepSeek-R1", 70'272, 70'272, 9'210'691'584);
    row("mlx-community/LongCat-Flash-Chat-bf16", 64'512, 64'512, 8'455'716'864);
    row("google/gemma-3-27b-it", 507'904, 81'920, 11'173'625'856);
    row("google/gemma-4-31B-it", 901'120, 81'920, 11'576'279'040);
    row("google/gemma-4-E2B-it", 18'432, 6'144, 811'597'824);
    row("XiaomiMiMo/MiMo-V2-Flash", 222'720, 23'040, 3'045'457'920);
    row("meta-llama/Llama-4-Scout-17B-16E-Instruct", 196'608, 49'152, 7'650'410'496);
    row("LGAI-EXAONE/EXAONE-4.0-32B", 262'144, 65'536, 9'395'240'960);
    row("nvidia/Llama-3_3-Nemotron-Super-49B-v1", 200'704, 200'704, 26'306'674'688);
    row("tencent/Tencent-Hunyuan-Large", 81'920, 81'920, 10'737'418'240);
    row("tencent/Hunyuan-7B-Instruct", 131'072, 131'072, 17'179'869'184);
    row("nvidia/NVIDIA-Nemotron-3-Ultra-550B-A55B-BF16", 12'288, 12'288, 1'610'612'736);
    row("Qwen/Qwen3.5-35B-A3B", 20'480, 20'480, 2'684'354'560);
    row("MiniMaxAI/MiniMax-Text-01", 40'960, 40'960, 5'368'709'120);
    row("LaferriereJC/jamba_550M_trained", 0, 0, 0);
    row("ybelkada/falcon-7b-sharded-bf16", 8'192, 8'192, 1'073'741'824);
    row("openai/gpt-oss-120b", 73'728, 36'864, 4'836'556'800);
    row("meta-llama/Llama-3.2-90B-Vision-Instruct", 327'680, 327'680, 42'949'672'960);
}

/// Bytes for one token more, before and after the windows fill.
void TestLayouts::growth()
{
    QFETCH(QString, model);
    const Result<Model> read = modelOf(model);
    QVERIFY2(read, qPrintable(errorOf(read)));
    QTEST(qint64{cacheBytes(*read, 2).kv - cacheBytes(*read, 1).kv}, "before");
    QTEST(qint64{cacheBytes(*read, 100'001).kv - cacheBytes(*read, 100'000).kv}, "after");
    QTEST(qint64{cacheBytes(*read, 131'072).kv}, "late");
}

void TestLayouts::reports_data()
{
    QTest::addColumn<QString>("model");
    QTest::addColumn<qint64>("tokens");
    QTest::addColumn<QString>("gib");
    const auto row = [](const char* model, qint64 tokens, const char* gib) {
        QTest::newRow(model) << model << tokens << gib;
    };
    row("google/gemma-3-27b-it", 131'072, "10.41");
    row("Qwen/Qwen3.5-27B", 262'144, "16.00");
    row("deepseek-ai/DeepSeek-V3.1", 163'840, "10.72");
    row("moonshotai/Kimi-K2.5", 262'144, "17.16");
    row("Qwen/Qwen3-32B", 4'096, "1.00");
    row("meta-llama/Meta-Llama-3.1-8B", 4'096, "0.50");
}

/// Public reports of whole caches, 16 bit.
void TestLayouts::reports()
{
    QFETCH(QString, model);
    QFETCH(qint64, tokens);
    const Result<Model> read = modelOf(model);
    QVERIFY2(read, qPrintable(errorOf(read)));
    constexpr double kGib = 1'073'741'824.0;
    QTEST(QString::number(static_cast<double>(cacheBytes(*read, tokens).kv) / kGib, 'f', 2), "gib");
}

void TestLayouts::ownCaches_data()
{
    QTest::addColumn<QString>("model");
    QTest::addColumn<qint64>("layers");
    QTest::addColumn<qint64>("own");
    QTest::newRow("Gemma 4 E4B") << "google/gemma-4-E4B-it" << qint64{42} << qint64{24};
    QTest::newRow("Gemma 4 E2B") << "google/gemma-4-E2B-it" << qint64{35} << qint64{15};
    QTest::newRow("Gemma 3n E4B") << "google/gemma-3n-E4B-it" << qint64{35} << qint64{20};
    QTest::newRow("Hunyuan Large") << "tencent/Tencent-Hunyuan-Large" << qint64{64} << qint64{32};
    QTest::newRow("LongCat: two a layer") << "mlx-community/LongCat-Flash-Chat-bf16" << qint64{28} << qint64{56};
}

void TestLayouts::ownCaches()
{
    QFETCH(QString, model);
    const Result<Model> read = modelOf(model);
    QVERIFY2(read, qPrintable(errorOf(read)));
    qint64 own = 0;
    for (const CacheGroup& group : read->groups)
        own += group.kind == CacheKind::Shared || group.kind == CacheKind::None ? 0 : group.layers.count();
    QTEST(qint64{read->layers}, "layers");
    QTEST(own, "own");
}

ROOM_TEST(TestLayouts, void)
#include "test_layouts.moc"
