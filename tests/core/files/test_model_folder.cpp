// SPDX-License-Identifier: GPL-3.0-or-later
// Weight files, folders and split models as a whole: what is joined, and what comes out.
#include "core/files/model_file.h"
#include "core/readers/json/model_json.h"
#include "core/sizing/evaluate.h"
#include "tests/core/readers/small_model.h"
#include "tests/room.h"

#include <QTemporaryDir>
#include <QTest>

using namespace core;
using namespace core::readers;
using namespace tests;

class TestModelFolder : public QObject {
    Q_OBJECT

private slots:
    void joined_data();
    void joined();
    void disagreement();
    void packedWeights();
    void multimodalAndDrafts();
    void activeExpertsOfTensors();
    void splitGguf();
    void onDisk();
    void weightsAsStored();
    void readsBackAsText();
};

void TestModelFolder::joined_data()
{
    QTest::addColumn<std::function<void(Files&)>>("make");
    QTest::addColumn<QString>("name"); // empty: the folder
    const auto row = [](const char* name, const char* file, std::function<void(Files&)> make) {
        QTest::newRow(name) << make << file;
    };
    row("folder with one file", "", [](Files& files) {
        files.add("config.json", kConfig);
        files.files["model.safetensors"] = whole().file();
    });
    row("folder with a file of another name", "", [](Files& files) {
        files.add("config.json", kConfig);
        files.files["weights.safetensors"] = whole().file();
        files.files["adapter_model.safetensors"] = firstHalf().file();
    });
    row("folder with an index", "", addSharded);
    row("folder with parts but no index", "", [](Files& files) {
        addSharded(files);
        files.files.erase("model.safetensors.index.json");
    });
    row("one file", "model.safetensors", [](Files& files) {
        files.add("config.json", kConfig);
        files.files["model.safetensors"] = whole().file();
    });
    row("by content, not by name", "weights.bin", [](Files& files) {
        files.add("config.json", kConfig);
        files.files["weights.bin"] = whole().file();
    });
    row("the index", "model.safetensors.index.json", addSharded);
    row("an index of another name", "index", [](Files& files) {
        addSharded(files);
        files.files["index"] = files.files["model.safetensors.index.json"];
    });
    row("one part of several", kSecond, addSharded);
}

void TestModelFolder::joined()
{
    QFETCH(const std::function<void(Files&)>, make);
    QFETCH(const QString, name);
    Files files;
    make(files);
    const Result<Model> model = name.isEmpty() ? folder(files) : file(files, qPrintable(name));
    QVERIFY2(model, qPrintable(errorOf(model)));
    QCOMPARE(model->groups.at(0).kvHeads, 2);
    QCOMPARE(model->weights.parameters(), kParameters);
    QCOMPARE(bytesOf(model->weights, WeightFormat::Stored).count(), 2 * kParameters);
    QVERIFY(model->weights.published == WeightFormat::Stored);
    QVERIFY(!notes(*model, "disagree") && !notes(*model, "the shapes in config.json give"));
    for (const StoredTensors& stored : model->weights.stored)
        QCOMPARE(stored.type, "BF16");
    // The same parts as counted from the shapes.
    Files alone;
    alone.add("config.json", kConfig);
    const Result<Model> counted = folder(alone);
    QVERIFY2(counted, qPrintable(errorOf(counted)));
    QVERIFY(counted->weights.parts == model->weights.parts);
    QVERIFY(counted->weights.published == WeightFormat::Bf16);
}

void TestModelFolder::disagreement()
{
    Files files;
    files.add("config.json", QByteArray(kConfig).replace("\"vocab_size\":1000", "\"vocab_size\":1010").toStdString());
    files.files["model.safetensors"] = whole().file();
    const Result<Model> model = folder(files);
    QVERIFY2(model, qPrintable(errorOf(model)));
    QCOMPARE(model->weights.parameters(), kParameters);
    QVERIFY(notes(*model, "hold 1,692,928|give 1,698,048, 5,120 more"));
    files.add("config.json", kConfig);
    addSharded(files);
    files.files.erase("model.safetensors");
    files.add("model.safetensors.index.json", indexOf(5));
    const Result<Model> stated = folder(files);
    QVERIFY2(stated, qPrintable(errorOf(stated)));
    QVERIFY(notes(*stated, "states a size of 5 bytes|3385856"));
}

/// GPTQ in groups of 128: the parameters of the layer, and the bytes of values, zero points, scales and order.
void TestModelFolder::packedWeights()
{
    Files files;
    files.add("config.json",
              QByteArray(kConfig)
                  .replace("}", R"(,"quantization_config":{"quant_method":"gptq","bits":4,"group_size":128}})")
                  .toStdString());
    SafetensorsWriter writer;
    writer.bf16("model.embed_tokens.weight", {1'000, 256}).bf16("lm_head.weight", {1'000, 256});
    writer.bf16("model.norm.weight", {256});
    for (int layer = 0; layer < 2; ++layer) {
        const std::string block = "model.layers." + std::to_string(layer) + ".";
        const auto linear = [&](const std::string& name, std::int64_t in, std::int64_t out) {
            writer.tensor(block + name + ".qweight", {in / 8, out}, "I32", 32)
                .tensor(block + name + ".qzeros", {in / 128, out / 8}, "I32", 32)
                .tensor(block + name + ".scales", {in / 128, out}, "F16", 16)
                .tensor(block + name + ".g_idx", {in}, "I32", 32);
        };
        linear("self_attn.q_proj", 256, 256);
        linear("self_attn.k_proj", 256, 128);
        linear("self_attn.v_proj", 256, 128);
        linear("self_attn.o_proj", 256, 256);
        linear("mlp.gate_proj", 256, 512);
        linear("mlp.up_proj", 256, 512);
        linear("mlp.down_proj", 512, 256);
        writer.bf16(block + "input_layernorm.weight", {256}).bf16(block + "post_attention_layernorm.weight", {256});
    }
    files.files["model.safetensors"] = writer.file();
    const Result<Model> model = folder(files);
    QVERIFY2(model, qPrintable(errorOf(model)));
    QCOMPARE(model->weights.parameters(), kParameters);
    QCOMPARE(bytesOf(model->weights, WeightFormat::Stored).count(), writer.dataBytes());
    QVERIFY(!notes(*model, "the shapes in config.json give"));
}

void TestModelFolder::multimodalAndDrafts()
{
    Files files;
    files.add("config.json", kConfig);
    SafetensorsWriter writer = whole();
    writer.bf16("vision_tower.blocks.7.attn.qkv.weight", {100, 100});
    writer.bf16("model.layers.2.self_attn.q_proj.weight", {256, 256}).bf16("mtp.fc.weight", {10, 10});
    files.files["model.safetensors"] = writer.file();
    const Result<Model> model = folder(files);
    QVERIFY2(model, qPrintable(errorOf(model)));
    QCOMPARE(model->weights.parameters(), kParameters + 10'000);
    QVERIFY(notes(*model, "the weights count 10,000 parameters|images and sound"));
    QVERIFY(notes(*model, "not counted: 65,636 parameters|multi-token prediction"));
    QVERIFY(!notes(*model, "the shapes in config.json give"));
}

void TestModelFolder::activeExpertsOfTensors()
{
    Files files;
    files.add("config.json",
              R"({"model_type":"mixtral","hidden_size":64,"num_attention_heads":4,)"
              R"("num_key_value_heads":2,"num_hidden_layers":1,"intermediate_size":128,"vocab_size":100,)"
              R"("num_local_experts":8,"num_experts_per_tok":2})");
    SafetensorsWriter writer;
    for (int expert = 0; expert < 8; ++expert) {
        for (const char* matrix : {"w1", "w2", "w3"})
            writer.tensor("model.layers.0.block_sparse_moe.experts." + std::to_string(expert) + "." + matrix +
                              ".weight",
                          {128, 64}, "F8_E4M3", 8);
    }
    files.files["model.safetensors"] = writer.file();
    const Result<Model> model = folder(files);
    QVERIFY2(model, qPrintable(errorOf(model)));
    QCOMPARE(model->weights.parameters(), 8 * 3 * 128 * 64);
    QCOMPARE(model->weights.activeParameters(), 2 * 3 * 128 * 64);
    QVERIFY(notes(*model, "hold 196,608"));
}

void TestModelFolder::splitGguf()
{
    Files files;
    for (int part = 0; part < 3; ++part)
        files.files[QStringLiteral("m-0000%1-of-00003.gguf").arg(part + 1).toStdString()] = ggufPart(part, 3, 3).file();
    for (const char* name : {"m-00001-of-00003.gguf", "m-00002-of-00003.gguf", "m-00003-of-00003.gguf", ""}) {
        const Result<Model> model = *name == '\0' ? folder(files) : file(files, name);
        QVERIFY2(model, qPrintable(errorOf(model)));
        QCOMPARE(model->name, "Small Model");
        QCOMPARE(model->weights.parameters(), 2 * 4'096); // block 2 is behind the layers
        QCOMPARE(model->weights.source, "counted from the tensors of 3 files, m-00001-of-00003.gguf and on");
    }
}

void TestModelFolder::onDisk()
{
    const QTemporaryDir temporary;
    const std::string path = temporary.path().toStdString();
    tests::writeSparse(path + "/model-Q8.gguf", single("Titled").file());
    for (const std::string& subject : {path, path + "/model-Q8.gguf"}) {
        const Result<Model> model = readModelFile(subject);
        QVERIFY2(model, qPrintable(errorOf(model)));
        QCOMPARE(model->name, "Titled");
        QCOMPARE(model->source, path + "/model-Q8.gguf");
    }
    std::ofstream(path + "/config.json") << kConfig;
    tests::writeSparse(path + "/model.safetensors", whole().file());
    for (const std::string& subject : {path, path + "/model.safetensors"}) {
        const Result<Model> model = readModelFile(subject);
        QVERIFY2(model, qPrintable(errorOf(model)));
        QCOMPARE(model->weights.parameters(), kParameters);
        QVERIFY(model->weights.published == WeightFormat::Stored);
    }
    const Result<Model> config = readModelFile(path + "/config.json");
    QVERIFY2(config, qPrintable(errorOf(config)));
    QVERIFY2(config->weights.published == WeightFormat::Bf16, "a config.json stands for itself");
}

void TestModelFolder::weightsAsStored()
{
    Files files;
    files.files["a.gguf"] = single("A").file();
    Result<FolderContent> content = readFileOf(files, "a.gguf");
    QVERIFY2(content, qPrintable(errorOf(content)));
    Scenario scenario = content->scenario;
    QVERIFY(check(scenario).empty());
    QCOMPARE(evaluate(scenario).weights.value_or(Bytes()).count(), 64 * 100 / 32 * 34 + 64 * 100 * 2);
    scenario.weightFormat = WeightFormat::Fp8;
    QCOMPARE(evaluate(scenario).weights.value_or(Bytes()).count(), 2 * 64 * 100);
    scenario.weightFormat = WeightFormat::Stored;
    scenario.model.weights.stored.clear(); // a model that was not read from a weight file
    const std::vector<Issue> issues = check(scenario);
    QCOMPARE(issues.size(), std::size_t{1});
    QVERIFY(issues.front().field == Field::WeightFormat);
}

void TestModelFolder::readsBackAsText()
{
    Files files;
    addSharded(files);
    files.files["a.gguf"] = single("A").file();
    for (const Result<Model>& model : {folder(files), file(files, "a.gguf")}) {
        QVERIFY2(model, qPrintable(errorOf(model)));
        const Result<Model> again = readModelText(modelToText(*model), "model.json");
        QVERIFY2(again, qPrintable(errorOf(again)));
        QVERIFY(*again == *model);
    }
}

ROOM_TEST(TestModelFolder, void)
#include "test_model_folder.moc"
