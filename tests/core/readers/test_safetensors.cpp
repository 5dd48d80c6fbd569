// SPDX-License-Identifier: GPL-3.0-or-later
// The container, packed parameters and the names of tensors.
#include "core/readers/safetensors/safetensors_packing.h"
#include "core/readers/safetensors/safetensors_weights.h"
#include "core/readers/tensor_names.h"
#include "tests/core/readers/weight_files.h"
#include "tests/core/reading.h"
#include "tests/room.h"

#include <QElapsedTimer>
#include <QTest>

#include <nlohmann/json.hpp>

using namespace core::readers;
using core::WeightPart;
using tests::SafetensorsWriter;
using tests::SparseFile;
using tests::SparseSource;

Q_DECLARE_METATYPE(tests::SparseFile)

class TestSafetensors : public QObject {
    Q_OBJECT

private slots:
    void everyType();
    void headerIsReadAlone();
    void hostile_data();
    void hostile();
    void cutAnywhere();
    void manyTensors();
    void packed_data();
    void packed();
    void statedBitsOfConfigs_data();
    void statedBitsOfConfigs();
    void parts_data();
    void parts();
    void index();
    void badIndex_data();
    void badIndex();
};

static core::Result<std::vector<SafeTensor>> read(const SparseFile& file)
{
    SparseSource source(file);
    return readSafetensorsHeader(source, "a.safetensors");
}

void TestSafetensors::everyType()
{
    SafetensorsWriter writer;
    for (const SafeType& type : safeTypes())
        writer.tensor(type.name, {8, 3}, type.name, type.bits);
    writer.tensor("scalar", {}, "F32", 32).tensor("empty", {0, 5}, "BF16", 16);
    const auto tensors = read(writer.file());
    QVERIFY2(tensors, qPrintable(errorOf(tensors)));
    QCOMPARE(tensors->size(), safeTypes().size() + 2);
    for (std::size_t i = 0; i < safeTypes().size(); ++i) {
        QCOMPARE((*tensors)[i].elements, 24);
        QCOMPARE((*tensors)[i].bytes(), safeTypes()[i].bits * 3);
    }
}

void TestSafetensors::headerIsReadAlone()
{
    SafetensorsWriter writer;
    writer.bf16("a", {1'000'000, 1'000});
    SparseFile file = writer.file();
    SparseSource source(file);
    QVERIFY(readSafetensorsHeader(source, "a.safetensors"));
    QCOMPARE(source.bytesRead(), static_cast<std::int64_t>(file.bytes.size()));
}

void TestSafetensors::hostile_data()
{
    QTest::addColumn<tests::SparseFile>("file");
    QTest::addColumn<QString>("words");
    const auto row = [](const char* name, const char* json, std::int64_t data, const char* words) {
        QTest::newRow(name) << SafetensorsWriter::withHeader(json, data) << words;
    };
    row("no JSON", R"({"a":)", 0, "no valid JSON at byte");
    row("a list", "[1]", 0, "cannot be read");
    row("a number for a tensor", R"({"a":1})", 0, "\"a\" cannot be read");
    row("no type", R"({"a":{"shape":[1],"data_offsets":[0,4]}})", 4, "\"a\" cannot be read");
    row("no shape", R"({"a":{"dtype":"F32","data_offsets":[0,4]}})", 4, "\"a\" cannot be read");
    row("no offsets", R"({"a":{"dtype":"F32","shape":[1]}})", 4, "\"a\" cannot be read");
    row("unknown type", R"({"a":{"dtype":"F5","shape":[1],"data_offsets":[0,4]}})", 4, "\"F5\", which is not known");
    row("three offsets", R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4,8]}})", 8, "\"a\" cannot be read");
    row("offsets backwards", R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[4,0]}})", 4, "\"a\" cannot be read");
    row("offset below 0", R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[-4,0]}})", 4, "\"a\" cannot be read");
    row("offset of 2^63", R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,9223372036854775808]}})", 4, "\"a\"");
    row("shape with a fraction", R"({"a":{"dtype":"F32","shape":[1.5],"data_offsets":[0,4]}})", 4, "\"a\" cannot");
    row("shape below 0", R"({"a":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}})", 4, "\"a\" cannot be read");
    row("shape in a list", R"({"a":{"dtype":"F32","shape":[[1]],"data_offsets":[0,4]}})", 4, "\"a\" cannot be read");
    row("shape that wraps", R"({"a":{"dtype":"U8","shape":[4294967296,4294967296],"data_offsets":[0,0]}})", 0,
        "shape of the tensor \"a\"");
    row("shape that does not fit", R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}})", 4,
        "does not fit its 4");
    row("odd number of half bytes", R"({"a":{"dtype":"F4","shape":[3],"data_offsets":[0,1]}})", 1, "does not fit");
    row("twice",
        R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"a":{"dtype":"U8","shape":[1],)"
        R"("data_offsets":[1,2]}})",
        2, "\"a\" twice");
    row("overlap",
        R"({"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},"b":{"dtype":"U8","shape":[2],)"
        R"("data_offsets":[1,3]}})",
        3, "\"b\" begins at 1|ends at 2");
    row("hole",
        R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"b":{"dtype":"U8","shape":[1],)"
        R"("data_offsets":[2,3]}})",
        3, "\"b\" begins at 2|leave a hole");
    row("beyond the file", R"({"a":{"dtype":"U8","shape":[9],"data_offsets":[0,9]}})", 8, "take 9 bytes, but 8");
    row("bytes behind the tensors", R"({"a":{"dtype":"U8","shape":[9],"data_offsets":[0,9]}})", 10, "take 9 bytes");
    row("nested deep", R"({"a":{"x":{"x":{"x":{"x":{"x":{"x":{"x":{"x":1}}}}}}}}}})", 0, "\"a\" cannot be read");
    SparseFile tooLong = SafetensorsWriter::withHeader("{}", 0);
    tooLong.bytes.replace(0, 8, std::string("\0\0\0\0\0\0\0\x80", 8));
    QTest::newRow("header of 2^63 bytes") << tooLong << "100,000,000";
}

void TestSafetensors::hostile()
{
    QFETCH(const tests::SparseFile, file);
    QFETCH(const QString, words);
    const QString sentence = errorOf(read(file));
    QVERIFY2(saysAll(sentence, "a.safetensors|nothing was changed|" + words), qPrintable(sentence));
}

void TestSafetensors::cutAnywhere()
{
    SafetensorsWriter writer;
    writer.bf16("a", {3}).bf16("b", {2});
    const SparseFile whole = writer.file();
    QVERIFY(read(whole));
    for (std::int64_t size = 0; size < whole.size; ++size) {
        const SparseFile file{whole.bytes.substr(0, static_cast<std::size_t>(size)), size};
        QVERIFY2(saysAll(errorOf(read(file)), "a.safetensors|cut short"), qPrintable(QString::number(size)));
    }
}

void TestSafetensors::manyTensors()
{
    SafetensorsWriter writer;
    for (int i = 0; i < 100'000; ++i)
        writer.bf16("model.layers." + std::to_string(i) + ".mlp.up_proj.weight", {4});
    const SparseFile file = writer.file();
    QElapsedTimer timer;
    timer.start();
    const auto tensors = read(file);
    QVERIFY2(tensors, qPrintable(errorOf(tensors)));
    QCOMPARE(tensors->size(), std::size_t{100'000});
    QVERIFY2(timer.elapsed() < 20'000 /* quadratic takes minutes */, qPrintable(QString::number(timer.elapsed())));
}

void TestSafetensors::packed_data()
{
    QTest::addColumn<QStringList>("tensors"); // name type bits elements; the first is asked for
    QTest::addColumn<int>("bits");
    QTest::addColumn<qint64>("parameters");
    const auto row = [](const char* name, const QStringList& tensors, int bits, qint64 parameters) {
        QTest::newRow(name) << tensors << bits << parameters;
    };
    row("plain", {"l.weight BF16 16 640"}, 4, 640);
    row("FP8 with scales", {"l.weight F8_E4M3 8 640", "l.weight_scale_inv F32 32 5"}, 4, 640);
    row("INT8 with scales", {"l.weight I8 8 640", "l.weight_scale F32 32 5"}, 4, 640);
    row("GPTQ 4 bit", {"l.qweight I32 32 80", "l.scales F16 16 5"}, 4, 640);
    row("GPTQ 3 bit", {"l.qweight I32 32 60", "l.scales F16 16 5"}, 3, 640);
    row("AWQ", {"l.qweight I32 32 80", "l.qzeros I32 32 5"}, 4, 640);
    row("bitsandbytes", {"l.weight U8 8 320", "l.weight.absmax U8 8 10"}, 4, 640);
    row("NVFP4 of ModelOpt", {"l.weight U8 8 320", "l.weight_scale F8_E4M3 8 40", "l.weight_scale_2 F32 32 1"}, 4, 640);
    row("NVFP4 of compressed-tensors", {"l.weight_packed U8 8 320", "l.weight_scale F8_E4M3 8 40"}, 4, 640);
    row("INT4 of compressed-tensors", {"l.weight_packed I32 32 80", "l.weight_scale BF16 16 5"}, 4, 640);
    row("MXFP4 of gpt-oss", {"l.gate_up_proj_blocks U8 8 320", "l.gate_up_proj_scales U8 8 20"}, 4, 640);
    row("MLX 4 bit", {"l.weight U32 32 80", "l.scales F16 16 10", "l.biases F16 16 10"}, 4, 640);
    row("MLX 6 bit", {"l.weight U32 32 120", "l.scales F16 16 10"}, 6, 640);
    row("F4", {"l.weight F4 4 640"}, 4, 640);
    row("U8 that is not packed", {"l.weight U8 8 640", "other U8 8 8"}, 4, 640);
}

void TestSafetensors::packed()
{
    QFETCH(const QStringList, tensors);
    QFETCH(const int, bits);
    QFETCH(const qint64, parameters);
    SafetensorsWriter writer;
    for (const QString& tensor : tensors) {
        const QStringList words = tensor.split(' ');
        writer.tensor(words[0].toStdString(), {words[3].toLongLong()}, words[1].toStdString(), words[2].toLongLong());
    }
    const auto list = read(writer.file());
    QVERIFY2(list, qPrintable(errorOf(list)));
    QCOMPARE(Packing(*list, bits).parameters(list->front()), parameters);
    for (std::size_t i = 1; i < list->size(); ++i)
        QVERIFY2((*list)[i].name == "other" || hubName((*list)[i].name).scale, (*list)[i].name.c_str());
}

void TestSafetensors::statedBitsOfConfigs_data()
{
    QTest::addColumn<QByteArray>("config");
    QTest::addColumn<int>("bits"); // 0: none
    QTest::newRow("GPTQ") << QByteArray(R"({"quantization_config":{"quant_method":"gptq","bits":3}})") << 3;
    QTest::newRow("MLX") << QByteArray(R"({"quantization":{"group_size":64,"bits":6}})") << 6;
    QTest::newRow("compressed-tensors")
        << QByteArray(R"({"quantization_config":{"config_groups":{"group_0":{"weights":{"num_bits":4}}}}})") << 4;
    QTest::newRow("in the language part") << QByteArray(R"({"text_config":{"quantization_config":{"bits":8}}})") << 8;
    QTest::newRow("none") << QByteArray(R"({"model_type":"llama"})") << 0;
    QTest::newRow("nonsense") << QByteArray(R"({"quantization_config":{"bits":0}})") << 0;
}

void TestSafetensors::statedBitsOfConfigs()
{
    QFETCH(const QByteArray, config);
    QFETCH(const int, bits);
    QCOMPARE(statedBits(nlohmann::json::parse(config.toStdString())).value_or(0), bits);
}

void TestSafetensors::parts_data()
{
    QTest::addColumn<QString>("part");
    const auto row = [](const char* part, std::initializer_list<const char*> names) {
        for (const char* name : names)
            QTest::newRow(name) << part;
    };
    row("embedding", {"model.embed_tokens.weight", "transformer.wte.weight", "gpt_neox.embed_in.weight",
                      "language_model.model.embed_tokens.weight", "backbone.embeddings.weight"});
    row("head", {"lm_head.weight", "output.weight", "embed_out.weight", "transformer.output_layer.weight"});
    row("attention", {"model.layers.0.self_attn.q_proj.weight", "model.layers.31.self_attn.o_proj.bias",
                      "transformer.h.3.attn.c_attn.weight", "model.layers.2.linear_attn.in_proj_qkvz.weight",
                      "model.layers.1.mamba.in_proj.weight", "backbone.layers.4.mixer.in_proj.weight",
                      "model.layers.0.conv.in_proj.weight", "gpt_neox.layers.0.attention.dense.weight"});
    row("mlp", {"model.layers.0.mlp.gate_proj.weight", "transformer.h.3.mlp.c_fc.weight",
                "model.layers.0.feed_forward.w1.weight", "model.decoder.layers.0.fc1.weight"});
    row("experts",
        {"model.layers.3.mlp.experts.17.up_proj.weight", "model.layers.0.block_sparse_moe.experts.7.w1.weight",
         "model.layers.0.mlp.experts.gate_up_proj_blocks"});
    row("shared_experts",
        {"model.layers.3.mlp.shared_experts.up_proj.weight", "model.layers.3.mlp.shared_expert.down_proj.weight"});
    row("other",
        {"model.norm.weight", "model.layers.0.input_layernorm.weight", "model.layers.0.self_attn.q_norm.weight",
         "model.layers.3.mlp.gate.weight", "model.layers.3.mlp.gate.e_score_correction_bias",
         "model.layers.0.mlp.router.weight", "model.layers.0.mlp.shared_expert_gate.weight",
         "vision_tower.encoder.layers.0.self_attn.q_proj.weight", "model.layers.0.self_attn.sinks",
         "model.visual.blocks.0.mlp.linear_fc1.weight"});
    row("draft", {"mtp.layers.0.self_attn.q_proj.weight", "model.mtp.fc.weight"});
}

void TestSafetensors::parts()
{
    QFETCH(const QString, part);
    QCOMPARE(QString::fromUtf8(core::id(hubName(QTest::currentDataTag()).part).data()), part);
}

void TestSafetensors::index()
{
    const auto index = readSafetensorsIndex(
        R"({"metadata":{"total_size":10},"weight_map":{"a":"1.safetensors","b":"2.safetensors","c":"1.safetensors"}})",
        "i.json");
    QVERIFY2(index && *index, qPrintable(errorOf(index)));
    QCOMPARE((*index)->files, (std::vector<std::string>{"1.safetensors", "2.safetensors"}));
    QCOMPARE((*index)->tensors.size(), std::size_t{3});
    QCOMPARE((*index)->tensors[2].second, std::size_t{0});
    QCOMPARE((*index)->totalBytes.value_or(0), 10);
    for (const char* other :
         {R"({"a":"weight_map"})", R"({"a":{"weight_map":{}}})", "[]", "", R"({"model_type":"llama"})"}) {
        const auto none = readSafetensorsIndex(other, "i.json");
        QVERIFY2(none && !*none, other);
    }
}

void TestSafetensors::badIndex_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("words");
    QTest::newRow("cut") << QByteArray(R"({"weight_map":{"a":"1.safetensors")") << "no valid JSON at byte";
    QTest::newRow("number") << QByteArray(R"({"weight_map":{"a":1}})") << "no file for \"a\"";
    QTest::newRow("object") << QByteArray(R"({"weight_map":{"a":{}}})") << "no file for \"a\"";
    QTest::newRow("empty") << QByteArray(R"({"weight_map":{}})") << "names no tensor";
    for (const char* file : {"../1.safetensors", "/etc/passwd", "a/b.safetensors", "..", "", "a\\\\b"})
        QTest::newRow(qPrintable(QStringLiteral("file \"%1\"").arg(file)))
            << QByteArray(R"({"weight_map":{"a":")") + file + "\"}}"
            << "no file beside it";
}

void TestSafetensors::badIndex()
{
    QFETCH(const QByteArray, text);
    QFETCH(const QString, words);
    const QString sentence = errorOf(readSafetensorsIndex(text.toStdString(), "i.json"));
    QVERIFY2(saysAll(sentence, "i.json|nothing was changed|" + words), qPrintable(sentence));
}

ROOM_TEST(TestSafetensors, void)
#include "test_safetensors.moc"
