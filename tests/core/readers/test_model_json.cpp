// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/catalog.h"
#include "core/files/model_file.h"
#include "core/readers/json/model_json.h"
#include "tests/core/reading.h"
#include "tests/room.h"

#include <QTest>

using namespace core;
using namespace core::readers;

class TestModelJson : public QObject {
    Q_OBJECT

private slots:
    void reads();
    void everyKindThereAndBack();
    void catalogueThereAndBack();
    void unknownWeights_data();
    void unknownWeights();
    void refused_data();
    void refused();
};

/// A description that is right; the tests change one thing in it.
static const char* const kGood = R"({
  "format": "kvhorizon.model", "version": 1, "id": "x-1b",
  "model": {"name": "X 1B", "source": "org/x", "family": "x", "layers": 4, "max_context": 4096,
    "groups": [
      {"kind": "full", "layers": 2, "layer_numbers": "0,2", "query_heads": 8, "kv_heads": 2, "key_dim": 128, "value_dim": 64},
      {"kind": "window", "layers": 2, "layer_numbers": "1,3", "query_heads": 8, "kv_heads": 4, "key_dim": 32, "value_dim": 32,
       "window": 512}],
    "notes": ["made up"]},
  "weights": {"parameters": 30, "format": "fp8", "source": "made up",
    "parts": [{"kind": "embedding", "parameters": 10}, {"kind": "mlp", "parameters": 20}]},
  "provenance": [
    {"field": "layers", "value": 4, "how": "read", "file": "config.json", "key": "n_layer", "rule": null},
    {"field": "tied", "value": true, "how": "default", "file": null, "key": null, "rule": "class default"},
    {"field": "kinds", "value": [1, 0], "how": "typed"},
    {"field": "format", "value": "007", "how": "derived"}]
})";

static Result<Model> read(const std::string& text)
{
    return readModelText(text, "x.json");
}

static Result<Model> thereAndBack(const Model& model)
{
    return read(modelToText(model));
}

void TestModelJson::reads()
{
    const Result<Model> model = read(kGood);
    QVERIFY2(model, qPrintable(errorOf(model)));
    QCOMPARE(model->id, "x-1b");
    QCOMPARE(model->name, "X 1B");
    QCOMPARE(model->source, "org/x");
    QCOMPARE(model->family, "x");
    QCOMPARE(model->layers, 4);
    QCOMPARE(model->maxContext, std::optional<std::int64_t>(4096));
    QCOMPARE(model->groups.size(), std::size_t{2});
    QCOMPARE(model->groups[0].valueDim, 64);
    QVERIFY(model->groups[1].kind == CacheKind::Window);
    QCOMPARE(model->groups[1].window, 512);
    QCOMPARE(model->groups[1].layers.toText(), "1,3");
    QVERIFY(model->weights.published == WeightFormat::Fp8);
    QCOMPARE(model->weights.parameters(), 30);
    QCOMPARE(model->notes.at(0), "made up");
    QVERIFY((model->provenance.at(0) == Provenance{"layers", "4", How::Read, "config.json", "n_layer", ""}));
    QVERIFY((model->provenance.at(1) == Provenance{"tied", "true", How::Default, "", "", "class default"}));
    QCOMPARE(model->provenance.at(2).value, "[1,0]");
    QCOMPARE(model->provenance.at(3).value, "007");
    QVERIFY(*thereAndBack(*model) == *model);
}

void TestModelJson::everyKindThereAndBack()
{
    Model model;
    model.name = "all kinds";
    model.layers = 10;
    for (int i = 0; i < 10; ++i) {
        CacheGroup group;
        group.kind = static_cast<CacheKind>(i);
        group.layers = LayerSet::range(i, i);
        model.groups.push_back(group);
    }
    const auto setHeads = [&](std::size_t place, std::int64_t heads) {
        model.groups[place].queryHeads = 2 * heads;
        model.groups[place].kvHeads = heads;
        model.groups[place].keyDim = 192;
        model.groups[place].valueDim = 128;
    };
    setHeads(0, 4);
    setHeads(1, 5);
    setHeads(2, 6);
    setHeads(7, 7);
    model.groups[1].window = 1024;
    model.groups[2].window = 8192;
    model.groups[3].queryHeads = 128;
    model.groups[3].latentDim = 512;
    model.groups[3].ropeDim = 64;
    model.groups[4].indexDim = 128;
    model.groups[5].keyDim = 512;
    model.groups[5].ratio = 4;
    model.groups[6].convElements = 24'576;
    model.groups[6].convFormat = KvFormat::Fp16;
    model.groups[6].recurrentElements = 131'072;
    model.groups[6].recurrentFormat = KvFormat::Fp8;
    const Result<Model> back = thereAndBack(model);
    QVERIFY2(back, qPrintable(errorOf(back)));
    QVERIFY(*back == model);
}

void TestModelJson::catalogueThereAndBack()
{
    const Result<std::vector<Model>> models = parseModels(contentOf(RESOURCES_DIR "/models.json"));
    QVERIFY2(models, qPrintable(errorOf(models)));
    for (const Model& model : *models)
        QVERIFY2(*thereAndBack(model) == model, model.id.c_str());
}

void TestModelJson::unknownWeights_data()
{
    QTest::addColumn<QString>("weights");
    QTest::newRow("null") << "null";
    QTest::newRow("no parts") << R"({"format": "fp16", "source": "nobody counted"})";
}

void TestModelJson::unknownWeights()
{
    QFETCH(QString, weights);
    QString text(kGood);
    const qsizetype from = text.indexOf("{\"parameters\": 30");
    text.replace(from, text.indexOf("\"provenance\"") - from, weights + ",\n");
    const Result<Model> model = read(text.toStdString());
    QVERIFY2(model, qPrintable(errorOf(model)));
    QVERIFY(!model->weights.known());
    QVERIFY(*thereAndBack(*model) == *model);
}

void TestModelJson::refused_data()
{
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("to");
    QTest::addColumn<QString>("words");
    const auto row = [](const char* name, const char* from, const char* to, const char* words) {
        QTest::newRow(name) << from << to << words;
    };
    row("another format", "kvhorizon.model", "kvhorizon.footprint", "kvhorizon.footprint|inspect --json");
    row("newer version", "\"version\": 1", "\"version\": 2", "version 2|newer");
    row("no version", "\"version\": 1,", "", "\"version\"");
    row("misspelt key at the top", "\"provenance\"", "\"provenence\"", "\"provenence\"|\"provenance\"");
    row("misspelt key of the model", "\"max_context\"", "\"max_contexts\"", "\"model.max_contexts\"|\"max_context\"");
    row("misspelt key of a group", "\"kv_heads\": 2", "\"kv_head\": 2", "\"model.groups[0].kv_head\"|\"kv_heads\"");
    row("a key of another kind", "\"query_heads\": 8, \"kv_heads\": 2", "\"window\": 5, \"kv_heads\": 2",
        "\"model.groups[0].window\"");
    row("misspelt key of a part", "\"parameters\": 10", "\"parameter\": 10", "\"weights.parts[0].parameter\"");
    const auto tensors = [&](const char* name, const char* list, const char* words) {
        row(name, R"({"kind": "mlp", "parameters": 20}])",
            (std::string(R"({"kind": "mlp", "parameters": 20}], "tensors": )") + list).c_str(), words);
    };
    tensors("tensors without type", R"([{"kind": "mlp", "tensors": 1, "parameters": 20, "bytes": 40}])",
            "\"weights.tensors[0].type\"");
    tensors("tensors of bytes below 0",
            R"([{"kind": "mlp", "type": "F16", "tensors": 1, "parameters": 20, "bytes": -1}])",
            "\"weights.tensors[0].bytes\" is -1");
    tensors("tensors of an unknown part",
            R"([{"kind": "ffn", "type": "F16", "tensors": 1, "parameters": 20, "bytes": 1}])",
            "\"weights.tensors[0].kind\" is \"ffn\"");
    row("misspelt key of a source", "\"rule\": \"class", "\"rules\": \"class", "\"provenance[1].rules\"");
    row("no name", "\"name\": \"X 1B\",", "", "\"model.name\"");
    row("no layers", "\"layers\": 4,", "", "\"model.layers\"");
    row("0 layers", "\"layers\": 4,", "\"layers\": 0,", "\"model.layers\" is 0");
    row("too many layers", "\"layers\": 4,", "\"layers\": 65536,", "\"model.layers\" is 65536");
    row("half a head", "\"kv_heads\": 2", "\"kv_heads\": 2.5", "\"model.groups[0].kv_heads\" is 2.5");
    row("no heads", "\"kv_heads\": 2,", "", "\"model.groups[0].kv_heads\"");
    row("head as a text", "\"key_dim\": 128", "\"key_dim\": \"128\"", "\"model.groups[0].key_dim\" is \"128\"");
    row("head too wide", "\"key_dim\": 128", "\"key_dim\": 1048577",
        "\"model.groups[0].key_dim\" is 1048577|1,048,576");
    row("negative window", "\"window\": 512", "\"window\": -1", "\"model.groups[1].window\" is -1");
    row("unknown kind", "\"kind\": \"window\"", "\"kind\": \"windows\"", "\"model.groups[1].kind\" is \"windows\"");
    row("a layer beyond the last", "\"1,3\"", "\"1,4\"", "\"model.groups[1].layer_numbers\" is \"1,4\"|to 3");
    row("layers that do not match", "\"1,3\"", "\"1-3\"", "\"model.groups[1].layer_numbers\"|3 layers|says 2");
    row("descending layers", "\"1,3\"", "\"3,1\"", "\"model.groups[1].layer_numbers\"");
    row("no layers", "\"1,3\"", "\"\"", "\"model.groups[1].layer_numbers\"");
    row("layers left out", "\"layer_numbers\": \"1,3\",", "", "\"model.groups[1].layer_numbers\"");
    row("no groups", "\"groups\": [", "\"groups\": [], \"notes\": [", "\"model.groups\"");
    row("note that is no text", "[\"made up\"]", "[1]", "\"model.notes\"");
    row("total that is not the sum", "\"parameters\": 30", "\"parameters\": 31", "\"weights.parameters\" is 31|30");
    row("part without parameters", "\"parameters\": 10", "\"parameters\": 0", "\"weights.parts[0].parameters\" is 0");
    row("too many parameters", "\"parameters\": 10", "\"parameters\": 1000000000000001",
        "\"weights.parts[0].parameters\"");
    row("sum too large", "\"parameters\": 10", "\"parameters\": 999999999999999",
        "\"weights.parts\"|1,000,000,000,000,000");
    row("unknown part", "\"kind\": \"mlp\"", "\"kind\": \"ffn\"", "\"weights.parts[1].kind\" is \"ffn\"");
    row("unknown weight format", "\"fp8\"", "\"fp7\"", "\"weights.format\" is \"fp7\"");
    row("unknown way of knowing", "\"typed\"", "\"guessed\"", "\"provenance[2].how\" is \"guessed\"");
}

void TestModelJson::refused()
{
    QFETCH(QString, from);
    QFETCH(QString, to);
    QFETCH(QString, words);
    QString text(kGood);
    QVERIFY(text.contains(from));
    text.replace(text.indexOf(from), from.size(), to);
    const Result<Model> model = read(text.toStdString());
    QVERIFY2(saysAll(errorOf(model), "x.json|" + words), qPrintable(errorOf(model)));
}

ROOM_TEST(TestModelJson, void)
#include "test_model_json.moc"
