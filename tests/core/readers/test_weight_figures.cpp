// SPDX-License-Identifier: GPL-3.0-or-later
// Parameters and sizes of weights that llama.cpp printed, and published totals, from headers with tensors of the real
// shapes and the types that llama-quantize gives them.
#include "tests/core/readers/gguf_text.h"
#include "tests/core/reading.h"
#include "tests/room.h"

#include <QTest>

#include <functional>

Q_DECLARE_METATYPE(tests::SparseFile)

using namespace core;
using tests::GgufWriter;

namespace {

/// The shape of a decoder and the mixture it is stored in.
struct Shape {
    int layers;
    std::int64_t width;
    std::int64_t heads;
    std::int64_t kvHeads;
    std::int64_t mlp;
    std::int64_t vocabulary;
    std::string type;   ///< of most matrices
    std::string output; ///< of the head, and of a tied embedding
    std::string more{}; ///< of attn_v and ffn_down in half of the layers; empty: the same
    std::int64_t headDim = 128;
    std::int64_t experts = 0; ///< then `mlp` is the width of one
    int norms = 2;
    bool headNorms = false;
    bool tied = false;
    bool bias = false; ///< on queries, keys and values
};

/// The layers to which the mixtures with "M" give more bits: the first and last eighth and every third between.
bool moreBits(int layer, int layers)
{
    return layer < layers / 8 || layer >= 7 * layers / 8 || (layer - layers / 8) % 3 == 2;
}

void addLayer(GgufWriter& writer, const Shape& s, int layer)
{
    const std::string block = "blk." + std::to_string(layer) + ".";
    const std::string raised = !s.more.empty() && moreBits(layer, s.layers) ? s.more : s.type;
    for (int i = 0; i < s.norms; ++i)
        writer.tensor(block + "norm" + std::to_string(i) + "_norm.weight", {s.width}, "F32");
    if (s.headNorms)
        writer.tensor(block + "attn_q_norm.weight", {s.headDim}, "F32")
            .tensor(block + "attn_k_norm.weight", {s.headDim}, "F32");
    writer.tensor(block + "attn_q.weight", {s.width, s.heads * s.headDim}, s.type)
        .tensor(block + "attn_k.weight", {s.width, s.kvHeads * s.headDim}, s.type)
        .tensor(block + "attn_v.weight", {s.width, s.kvHeads * s.headDim}, raised)
        .tensor(block + "attn_output.weight", {s.heads * s.headDim, s.width}, s.type);
    if (s.bias)
        writer.tensor(block + "attn_q.bias", {s.heads * s.headDim}, "F32")
            .tensor(block + "attn_k.bias", {s.kvHeads * s.headDim}, "F32")
            .tensor(block + "attn_v.bias", {s.kvHeads * s.headDim}, "F32");
    const std::string ending = s.experts > 0 ? "_exps.weight" : ".weight";
    const auto dims = [&](std::int64_t from, std::int64_t to) {
        return s.experts > 0 ? std::vector<std::int64_t>{from, to, s.experts} : std::vector<std::int64_t>{from, to};
    };
    if (s.experts > 0)
        writer.tensor(block + "ffn_gate_inp.weight", {s.width, s.experts}, "F32");
    writer.tensor(block + "ffn_gate" + ending, dims(s.width, s.mlp), s.type)
        .tensor(block + "ffn_up" + ending, dims(s.width, s.mlp), s.type)
        .tensor(block + "ffn_down" + ending, dims(s.mlp, s.width), raised);
}

GgufWriter writerOf(const Shape& s)
{
    GgufWriter writer;
    writer.text("general.architecture", "llama");
    tests::addKeys(writer, "llama",
                   QStringLiteral("block_count=%1 embedding_length=%2 attention.head_count=%3 "
                                  "attention.head_count_kv=%4 attention.key_length=%5 attention.value_length=%5")
                       .arg(s.layers)
                       .arg(s.width)
                       .arg(s.heads)
                       .arg(s.kvHeads)
                       .arg(s.headDim));
    writer.tensor("token_embd.weight", {s.width, s.vocabulary}, s.tied ? s.output : s.type);
    if (!s.tied)
        writer.tensor("output.weight", {s.width, s.vocabulary}, s.output);
    writer.tensor("output_norm.weight", {s.width}, "F32");
    for (int layer = 0; layer < s.layers; ++layer)
        addLayer(writer, s, layer);
    return writer;
}

/// DeepSeek-V3 and its like: latents, dense layers first, shared experts.
struct LatentShape {
    std::int64_t heads;
    std::int64_t experts;
    int denseLayers;
    std::int64_t vocabulary;
    bool split = false; ///< attn_k_b and attn_v_b besides attn_kv_b, as ik_llama.cpp converts
};

GgufWriter writerOf(const LatentShape& s)
{
    constexpr int kLayers = 61;
    constexpr std::int64_t kWidth = 7'168;
    GgufWriter writer;
    writer.text("general.architecture", "deepseek2");
    tests::addKeys(writer, "deepseek2",
                   QStringLiteral("block_count=61 embedding_length=7168 attention.head_count=%1 "
                                  "attention.head_count_kv=1 attention.key_length=576 attention.value_length=512 "
                                  "attention.key_length_mla=192 attention.value_length_mla=128 "
                                  "attention.kv_lora_rank=512 rope.dimension_count=64 expert_count=%2 "
                                  "expert_used_count=8 nextn_predict_layers=0")
                       .arg(s.heads)
                       .arg(s.experts));
    writer.tensor("token_embd.weight", {kWidth, s.vocabulary}, "Q8_0")
        .tensor("output.weight", {kWidth, s.vocabulary}, "Q8_0")
        .tensor("output_norm.weight", {kWidth}, "F32");
    for (int layer = 0; layer < kLayers; ++layer) {
        const std::string block = "blk." + std::to_string(layer) + ".";
        writer.tensor(block + "attn_norm.weight", {kWidth}, "F32")
            .tensor(block + "ffn_norm.weight", {kWidth}, "F32")
            .tensor(block + "attn_q_a.weight", {kWidth, 1'536}, "Q8_0")
            .tensor(block + "attn_q_a_norm.weight", {1'536}, "F32")
            .tensor(block + "attn_q_b.weight", {1'536, s.heads * 192}, "Q8_0")
            .tensor(block + "attn_kv_a_mqa.weight", {kWidth, 576}, "Q8_0")
            .tensor(block + "attn_kv_a_norm.weight", {512}, "F32")
            .tensor(block + "attn_kv_b.weight", {512, s.heads * 256}, "Q8_0")
            .tensor(block + "attn_output.weight", {s.heads * 128, kWidth}, "Q8_0");
        if (s.split)
            writer.tensor(block + "attn_k_b.weight", {128, s.heads * 512}, "Q8_0")
                .tensor(block + "attn_v_b.weight", {512, s.heads * 128}, "Q8_0");
        const bool dense = layer < s.denseLayers;
        const auto mlp = [&](const std::string& ending, std::int64_t width, std::int64_t count) {
            writer.tensor(block + "ffn_gate" + ending, {kWidth, width, count}, "Q8_0")
                .tensor(block + "ffn_up" + ending, {kWidth, width, count}, "Q8_0")
                .tensor(block + "ffn_down" + ending, {width, kWidth, count}, "Q8_0");
        };
        if (dense) {
            mlp(".weight", 18'432, 1);
            continue;
        }
        mlp("_exps.weight", 2'048, s.experts);
        mlp("_shexp.weight", 2'048, 1);
        writer.tensor(block + "ffn_gate_inp.weight", {kWidth, s.experts}, "F32")
            .tensor(block + "exp_probs_b.bias", {s.experts}, "F32");
    }
    return writer;
}

Result<Model> read(const GgufWriter& writer)
{
    tests::SparseSource source(writer.file());
    return readers::readGgufModel(source, "a.gguf", tests::SparseFolder());
}

std::int64_t parametersOf(const Model& model, WeightPart part)
{
    const auto found = std::ranges::find(model.weights.parts, part, &WeightCount::part);
    return found == model.weights.parts.end() ? 0 : found->parameters;
}

const Shape kLlama8B{32, 4'096, 32, 8, 14'336, 128'256, "Q4_0", "Q6_K"};

} // namespace

class TestWeightFigures : public QObject {
    Q_OBJECT

private slots:
    void printed_data();
    void printed();
    void publishedTotals();
    void partsOfLlama();
    void activeExperts();
    void tiedHead();
    void drafts();
    void tablesAreNoParameters();
    void perLayerEmbeddings();
    void partsSumToTheWhole();
};

void TestWeightFigures::printed_data()
{
    QTest::addColumn<tests::SparseFile>("file");
    QTest::addColumn<double>("billions"); // as printed
    QTest::addColumn<QString>("size");    // GiB or MiB and bits per weight, as printed
    const auto row = [](const char* name, const GgufWriter& writer, double billions, const char* size) {
        QTest::newRow(name) << writer.file() << billions << size;
    };
    // Rows are named by model and file type; the lines stand in public issues of llama.cpp and ik_llama.cpp.
    row("Llama 3.1 8B Q4_0", writerOf(kLlama8B), 8.03, "4.33 GiB 4.64");
    row("Llama 3 8B Q4_K_M", writerOf(Shape{32, 4'096, 32, 8, 14'336, 128'256, "Q4_K", "Q6_K", "Q6_K"}), 8.03,
        "4.58 GiB 4.89");
    row("LLaMA 2 7B Q8_0", writerOf(Shape{32, 4'096, 32, 32, 11'008, 32'000, "Q8_0", "Q8_0"}), 6.74, "6.67 GiB 8.50");
    row("LLaMA 2 70B Q4_0", writerOf(Shape{80, 8'192, 64, 8, 28'672, 32'000, "Q4_0", "Q6_K"}), 68.98, "36.20 GiB 4.51");
    row("LLaMA 1 65B Q4_0", writerOf(Shape{80, 8'192, 64, 64, 22'016, 32'000, "Q4_0", "Q6_K"}), 65.29,
        "34.27 GiB 4.51");
    row("GritLM 7B Q4_1", writerOf(Shape{32, 4'096, 32, 8, 14'336, 32'000, "Q4_1", "Q6_K"}), 7.24, "4.24 GiB 5.03");
    row("test model of 292.80 K, F32", writerOf(Shape{5, 64, 8, 4, 172, 512, "F32", "F32", {}, 8}), 0.0002928,
        "1.12 MiB 32.00");
    row("Qwen3 235B Q8_0", writerOf(Shape{94, 4'096, 64, 4, 1'536, 151'936, "Q8_0", "Q8_0", {}, 128, 128, 2, true}),
        235.094, "232.769 GiB 8.505");
    row("Qwen3 235B Q4_K_M",
        writerOf(Shape{94, 4'096, 64, 4, 1'536, 151'936, "Q4_K", "Q6_K", "Q6_K", 128, 128, 2, true}), 235.094,
        "132.386 GiB 4.837");
    row("DeepSeek R1 Q8_0", writerOf(LatentShape{128, 256, 3, 129'280}), 671.026, "664.295 GiB 8.504");
    row("Kimi K2 Q8_0", writerOf(LatentShape{64, 384, 1, 163'840, true}), 1'027, "1016.623 GiB 8.504");
}

void TestWeightFigures::printed()
{
    QFETCH(const tests::SparseFile, file);
    QFETCH(const double, billions);
    QFETCH(const QString, size);
    tests::SparseSource source(file);
    const Result<Model> model = readers::readGgufModel(source, "a.gguf", tests::SparseFolder());
    QVERIFY2(model, qPrintable(errorOf(model)));
    const auto parameters = static_cast<double>(model->weights.parameters());
    const auto bytes = static_cast<double>(bytesOf(model->weights, model->weights.published).count());
    const QStringList words = size.split(' ');
    const auto decimals = [](const QString& number) { return static_cast<int>(number.section('.', 1).size()); };
    const double unit = words[1] == "GiB" ? 1'073'741'824 : 1'048'576;
    QCOMPARE(QString::number(bytes / unit, 'f', decimals(words[0])), words[0]);
    QCOMPARE(QString::number(8 * bytes / parameters, 'f', decimals(words[2])), words[2]);
    QVERIFY2(std::abs(parameters / 1e9 / billions - 1) < 0.0005, qPrintable(QString::number(parameters)));
}

/// Totals on the models' pages: Llama-3.1-8B, Qwen2.5-7B, Mixtral-8x7B, DeepSeek-V3 without its extra layer.
void TestWeightFigures::publishedTotals()
{
    const auto total = [](const GgufWriter& writer) {
        const Result<Model> model = read(writer);
        return model ? model->weights.parameters() : 0;
    };
    QCOMPARE(total(writerOf(kLlama8B)), 8'030'261'248);
    Shape qwen{28, 3'584, 28, 4, 18'944, 152'064, "Q8_0", "Q8_0"};
    qwen.bias = true;
    QCOMPARE(total(writerOf(qwen)), 7'615'616'512);
    QCOMPARE(total(writerOf(Shape{32, 4'096, 32, 8, 14'336, 32'000, "Q8_0", "Q8_0", {}, 128, 8})), 46'702'792'704);
    QCOMPARE(total(writerOf(LatentShape{128, 256, 3, 129'280})), 671'026'419'200);
}

void TestWeightFigures::partsOfLlama()
{
    const Result<Model> model = read(writerOf(kLlama8B));
    QVERIFY2(model, qPrintable(errorOf(model)));
    QCOMPARE(parametersOf(*model, WeightPart::Embedding), 128'256 * 4'096);
    QCOMPARE(parametersOf(*model, WeightPart::Head), 128'256 * 4'096);
    QCOMPARE(parametersOf(*model, WeightPart::Attention), 32LL * (2 * 4'096 * 4'096 + 2 * 4'096 * 1'024));
    QCOMPARE(parametersOf(*model, WeightPart::Mlp), 32LL * 3 * 4'096 * 14'336);
    QCOMPARE(parametersOf(*model, WeightPart::Other), 65LL * 4'096);
    QVERIFY(model->weights.published == WeightFormat::Stored);
    QCOMPARE(model->weights.source, "counted from the tensors of a.gguf");
}

void TestWeightFigures::activeExperts()
{
    const Result<Model> model = read(writerOf(LatentShape{128, 256, 3, 129'280}));
    QVERIFY2(model, qPrintable(errorOf(model)));
    const std::int64_t experts = parametersOf(*model, WeightPart::Experts);
    QCOMPARE(experts, 58LL * 256 * 3 * 7'168 * 2'048);
    QCOMPARE(model->weights.parameters() - model->weights.activeParameters(), experts / 256 * 248);
}

void TestWeightFigures::tiedHead()
{
    Shape shape = kLlama8B;
    shape.tied = true;
    const Result<Model> model = read(writerOf(shape));
    QVERIFY2(model, qPrintable(errorOf(model)));
    QCOMPARE(parametersOf(*model, WeightPart::Head), 0);
    // 128,256 · 4,096 in Q6_K are 410.98 MiB.
    QVERIFY2(model->notes.front().find("tied") != std::string::npos &&
                 model->notes.front().find("410.98 MiB") != std::string::npos,
             model->notes.front().c_str());
}

void TestWeightFigures::drafts()
{
    GgufWriter writer;
    writer.text("general.architecture", "glm4moe");
    tests::addKeys(writer, "glm4moe",
                   "block_count=2 nextn_predict_layers=1 embedding_length=64 attention.head_count=4");
    writer.tensor("blk.0.attn_q.weight", {64, 64}, "F16").tensor("blk.1.attn_q.weight", {64, 64}, "F16");
    writer.tensor("blk.1.nextn.eh_proj.weight", {128, 64}, "F16");
    const Result<Model> model = read(writer);
    QVERIFY2(model, qPrintable(errorOf(model)));
    QCOMPARE(model->weights.parameters(), 4'096);
    QCOMPARE(bytesOf(model->weights, WeightFormat::Stored).count(), 8'192);
    const auto draft = std::ranges::find(model->weights.stored, WeightPart::Draft, &StoredTensors::part);
    QVERIFY(draft != model->weights.stored.end());
    QCOMPARE(draft->parameters, 12'288);
    QCOMPARE(draft->tensors, 2);
}

void TestWeightFigures::tablesAreNoParameters()
{
    GgufWriter writer = writerOf(kLlama8B);
    writer.tensor("rope_freqs.weight", {64}, "F32");
    const Result<Model> model = read(writer);
    QVERIFY2(model, qPrintable(errorOf(model)));
    QCOMPARE(model->weights.parameters(), 8'030'261'248);
    const Result<Model> without = read(writerOf(kLlama8B));
    QCOMPARE((bytesOf(model->weights, WeightFormat::Stored) - bytesOf(without->weights, WeightFormat::Stored)).count(),
             256);
}

void TestWeightFigures::perLayerEmbeddings()
{
    GgufWriter writer = writerOf(kLlama8B);
    writer.tensor("per_layer_token_embd.weight", {8'960, 262'144}, "Q8_0");
    const Result<Model> model = read(writer);
    QVERIFY2(model, qPrintable(errorOf(model)));
    QCOMPARE(parametersOf(*model, WeightPart::Embedding), 128'256 * 4'096);
    QCOMPARE(parametersOf(*model, WeightPart::LayerEmbedding), 8'960LL * 262'144);
    // 8,960 · 262,144 in Q8_0 are 2.32 GiB.
    QVERIFY2(model->notes.front().find("2.32 GiB") != std::string::npos, model->notes.front().c_str());
}

void TestWeightFigures::partsSumToTheWhole()
{
    const Result<Model> model = read(writerOf(Shape{32, 4'096, 32, 8, 14'336, 128'256, "Q4_K", "Q6_K", "Q6_K"}));
    QVERIFY2(model, qPrintable(errorOf(model)));
    Bytes parts;
    Bytes types;
    std::int64_t parameters = 0;
    for (const WeightCount& count : model->weights.parts)
        parts += bytesOf(model->weights, count, WeightFormat::Stored);
    for (const StoredTensors& stored : model->weights.stored) {
        types += stored.bytes;
        parameters += stored.parameters;
    }
    QCOMPARE(parts.count(), types.count());
    QCOMPARE(parts.count(), bytesOf(model->weights, WeightFormat::Stored).count());
    QCOMPARE(parameters, model->weights.parameters());
}

ROOM_TEST(TestWeightFigures, void)
#include "test_weight_figures.moc"
