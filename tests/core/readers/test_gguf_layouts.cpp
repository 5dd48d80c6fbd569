// SPDX-License-Identifier: GPL-3.0-or-later
// What each layer keeps, by architecture: keys as published files have them, and what llama.cpp makes of them.
#include "core/readers/gguf/gguf_architectures.h"
#include "tests/core/readers/gguf_text.h"
#include "tests/core/reading.h"
#include "tests/room.h"

#include <QTest>

#include <fmt/format.h>

using namespace core;
using tests::ggufModel;
using tests::groupsOf;

class TestGgufLayouts : public QObject {
    Q_OBJECT

private slots:
    void groups_data();
    void groups();
    void printedSizes_data();
    void printedSizes();
    void lfm2AtItsContext();
    void gemma4Arrays();
    void indexedLayersOfGlm();
    void provenance();
    void drafts();
    void expandedLatent();
    void everyArchitectureHasARow();
    void bad_data();
    void bad();
};

static const char* const kPlain =
    "block_count=32 context_length=8192 embedding_length=4096 attention.head_count=32 attention.head_count_kv=8";
static const char* const kDeepseek =
    "block_count=61 embedding_length=7168 attention.head_count=128 attention.head_count_kv=1 "
    "attention.key_length=576 attention.value_length=512 attention.key_length_mla=192 "
    "attention.value_length_mla=128 attention.kv_lora_rank=512 rope.dimension_count=64";
static const char* const kGemma4 =
    "block_count=48 embedding_length=3840 attention.head_count=16 attention.head_count_kv=[8x5,1]*8 "
    "attention.key_length=512 attention.value_length=512 attention.key_length_swa=256 attention.value_length_swa=256 "
    "attention.sliding_window=1024 attention.sliding_window_pattern=[t,t,t,t,t,f]*8";
static const char* const kQwen35 =
    "block_count=64 embedding_length=5120 attention.head_count=24 attention.head_count_kv=4 attention.key_length=256 "
    "attention.value_length=256 full_attention_interval=4 ssm.conv_kernel=4 ssm.inner_size=6144 ssm.state_size=128 "
    "ssm.group_count=16 ssm.time_step_rank=48";
static const char* const kLfm2 = "block_count=16 embedding_length=2048 context_length=128000 attention.head_count=32 "
                                 "attention.head_count_kv=[0,0,8,0,0,8,0,0,8,0,8,0,8,0,8,0] shortconv.l_cache=3";

static QString with(const char* keys, const char* more)
{
    return QStringLiteral("%1 %2").arg(QLatin1String(keys), QLatin1String(more));
}

// NOLINTNEXTLINE(readability-function-size): a table.
void TestGgufLayouts::groups_data()
{
    QTest::addColumn<QString>("architecture");
    QTest::addColumn<QString>("keys");
    QTest::addColumn<QString>("groups");
    const auto row = [](const char* name, const char* architecture, const QString& keys, const char* groups) {
        QTest::newRow(name) << architecture << keys << groups;
    };
    const QString gemma = with(kPlain, "attention.sliding_window=512");
    row("GQA", "llama", kPlain, "full 32 1024+1024");
    row("MHA where no KV heads are given", "gpt2", "block_count=12 embedding_length=768 attention.head_count=12",
        "full 12 768+768");
    row("head size beside the width", "qwen3", with(kPlain, "attention.key_length=256 attention.value_length=64"),
        "full 32 2048+512");
    row("layers without heads", "deci",
        "block_count=4 embedding_length=256 attention.head_count=[8,0,8,8] attention.head_count_kv=[2,0,2,4]",
        "full 2 64+64; none 1; full 1 128+128");
    row("a window without effect", "llama", gemma, "full 32 1024+1024");
    row("a window that llama.cpp does not use", "phi3", gemma, "full 32 1024+1024");
    row("Gemma 2: every second, default window", "gemma2", kPlain, "window 16 1024+1024 w4096; full 16 1024+1024");
    row("Gemma 3: five of six", "gemma3", gemma, "window 27 1024+1024 w512; full 5 1024+1024");
    row("Gemma 3 without window", "gemma3", kPlain, "full 32 1024+1024");
    row("Gemma 3 with window 0", "gemma3", with(kPlain, "attention.sliding_window=0"), "full 32 1024+1024");
    row("another period", "gemma3", with(kPlain, "attention.sliding_window=512 attention.sliding_window_pattern=2"),
        "window 16 1024+1024 w512; full 16 1024+1024");
    row("Gemma 3n: 20 layers hold a cache", "gemma3n",
        "block_count=30 embedding_length=2048 attention.head_count=8 attention.head_count_kv=2 "
        "attention.key_length=256 attention.value_length=256 attention.sliding_window=512",
        "window 16 512+512 w512; full 4 512+512; shared 10");
    row("Gemma 4 12B", "gemma4", kGemma4, "window 40 2048+2048 w1024; full 8 512+512");
    row("Gemma 4 E2B: the last 20 layers share", "gemma4",
        "block_count=35 embedding_length=1536 attention.head_count=8 attention.head_count_kv=1 "
        "attention.key_length=512 attention.value_length=512 attention.key_length_swa=256 "
        "attention.value_length_swa=256 attention.sliding_window=512 attention.shared_kv_layers=20",
        "window 12 256+256 w512; full 3 512+512; shared 20");
    row("gpt-oss: every second", "gpt-oss",
        "block_count=24 embedding_length=2880 attention.head_count=64 attention.head_count_kv=8 "
        "attention.key_length=64 attention.value_length=64",
        "window 12 512+512 w128; full 12 512+512");
    row("Cohere 2: three of four", "cohere2", gemma, "window 24 1024+1024 w512; full 8 1024+1024");
    row("Llama 4: chunks", "llama4", kPlain, "chunk 24 1024+1024 w8192; full 8 1024+1024");
    row("Llama 4 without chunks", "llama4", with(kPlain, "attention.sliding_window=0"), "full 32 1024+1024");
    row("EXAONE 4 of 64 layers", "exaone4", QString(kPlain).replace("block_count=32", "block_count=64"),
        "window 48 1024+1024 w4096; full 16 1024+1024");
    row("EXAONE 4 of other sizes", "exaone4", kPlain, "full 32 1024+1024");
    row("SmallThinker: the first of four is full", "smallthinker",
        "block_count=3 embedding_length=256 attention.head_count=4 attention.head_count_kv=2",
        "full 1 128+128; window 2 128+128 w4096");
    row("PLaMo 3", "plamo3", gemma, "window 28 1024+1024 w512; full 4 1024+1024");
    row("Step 3.5: list of layers and heads", "step35",
        "block_count=4 embedding_length=4096 attention.head_count=[64,96x3] attention.head_count_kv=8 "
        "attention.key_length=128 attention.value_length=128 attention.sliding_window=512 "
        "attention.sliding_window_pattern=[f,t,t,t]",
        "full 1 1024+1024; window 3 1024+1024 w512");
    row("latent", "deepseek2", kDeepseek, "latent 61 576+0");
    row("latent before absorption", "deepseek2",
        QString(kDeepseek)
            .remove("attention.key_length_mla=192 ")
            .remove("attention.value_length_mla=128 ")
            .replace("head_count_kv=1", "head_count_kv=128")
            .replace("key_length=576", "key_length=192")
            .replace("value_length=512", "value_length=128"),
        "full 61 24576+16384");
    row("latent with index keys in every layer", "deepseek32", with(kDeepseek, "attention.indexer.key_length=128"),
        "latent 61 576+0; index 61 128+0");
    row("GLM 5: index keys in 21 of 78 layers, one draft", "glm-dsa",
        QString(kDeepseek).replace("block_count=61", "block_count=79") +
            " nextn_predict_layers=1 attention.indexer.key_length=128",
        "latent 78 576+0; index 21 128+0");
    row("GLM 5 with a list", "glm-dsa",
        QString(kDeepseek).replace("block_count=61", "block_count=4") +
            " attention.indexer.key_length=128 attention.indexer.types=[full,shared]*2",
        "latent 4 576+0; index 2 128+0");
    row("MiniMax M3: index keys behind the dense layers", "minimax-m3",
        with(kPlain, "attention.indexer.key_length=128 leading_dense_block_count=3"),
        "full 32 1024+1024; index 29 128+0");
    row("DeepSeek-V4", "deepseek4",
        "block_count=6 embedding_length=4096 attention.head_count=64 attention.head_count_kv=1 "
        "attention.key_length=512 attention.value_length=512 attention.sliding_window=128 "
        "attention.indexer.key_length=128 attention.compress_ratios=[0,0,4,128,4,128]",
        "window 6 512+0 w128; compressed 2 512+0 /4; index 2 128+0 /4; compressed 2 512+0 /128");
    row("Mamba", "mamba",
        "block_count=24 embedding_length=768 ssm.conv_kernel=4 ssm.inner_size=1536 ssm.state_size=16 "
        "ssm.time_step_rank=48",
        "state 24 4608+24576");
    row("Mamba 2", "mamba2",
        "block_count=64 embedding_length=2560 ssm.conv_kernel=4 ssm.inner_size=5120 ssm.state_size=128 "
        "ssm.group_count=1 ssm.time_step_rank=80",
        "state 64 16128+655360");
    row("RWKV 6", "rwkv6", "block_count=24 embedding_length=2048 wkv.head_size=64", "state 24 4096+131072");
    row("Jamba", "jamba",
        "block_count=8 embedding_length=4096 attention.head_count=32 attention.head_count_kv=[0x4,8,0x3] "
        "ssm.conv_kernel=4 ssm.inner_size=8192 ssm.state_size=16 ssm.time_step_rank=256",
        "state 7 24576+131072; full 1 1024+1024");
    row("LFM2", "lfm2", kLfm2, "state 10 4096+0; full 6 512+512");
    row("Granite 4 H tiny", "granitehybrid",
        "block_count=40 embedding_length=1536 attention.head_count=12 "
        "attention.head_count_kv=[0x5,4,0x9,4,0x9,4,0x9,4,0x4] ssm.conv_kernel=4 ssm.inner_size=3072 "
        "ssm.state_size=128 ssm.group_count=1 ssm.time_step_rank=48",
        "state 36 9984+393216; full 4 512+512");
    row("PLaMo 2: no groups", "plamo2",
        "block_count=4 embedding_length=4096 attention.head_count=32 attention.head_count_kv=[0,4]*2 "
        "attention.key_length=128 attention.value_length=128 ssm.conv_kernel=4 ssm.inner_size=8192 ssm.state_size=64 "
        "ssm.group_count=0 ssm.time_step_rank=64",
        "state 2 24576+524288; full 2 512+512");
    row("Nemotron-H: layers of an MLP alone", "nemotron_h",
        "block_count=4 embedding_length=4096 attention.head_count=32 attention.head_count_kv=[0,0,8,0] "
        "attention.key_length=128 attention.value_length=128 feed_forward_length=[0,21504,0,0] "
        "ssm.conv_kernel=4 ssm.inner_size=8192 ssm.state_size=128 ssm.group_count=8 ssm.time_step_rank=128",
        "state 2 30720+1048576; none 1; full 1 1024+1024");
    row("Falcon-H1: both in each layer", "falcon-h1",
        "block_count=36 embedding_length=2048 attention.head_count=8 attention.head_count_kv=2 "
        "attention.key_length=128 attention.value_length=128 ssm.conv_kernel=4 ssm.inner_size=1536 "
        "ssm.state_size=256 ssm.group_count=1 ssm.time_step_rank=24",
        "full 36 256+256; state 36 6144+393216");
    row("Qwen3.5: three of four are delta nets", "qwen35", kQwen35, "state 48 30720+786432; full 16 1024+1024");
    row("Qwen3.5 with a list", "qwen35",
        QString(kQwen35).replace("block_count=64", "block_count=3") + " attention.recurrent_layers=[f,t,t]",
        "full 1 1024+1024; state 2 30720+786432");
    row("Qwen3.5 with a list and a draft", "qwen35",
        QString(kQwen35).replace("block_count=64", "block_count=4") +
            " nextn_predict_layers=1 attention.recurrent_layers=[f,t,t,f]",
        "full 1 1024+1024; state 2 30720+786432");
    row("Kimi Linear: delta attention and latents", "kimi-linear",
        "block_count=4 embedding_length=2304 attention.head_count=32 attention.head_count_kv=[0x3,1] "
        "attention.key_length=576 attention.value_length=512 attention.key_length_mla=192 "
        "attention.value_length_mla=128 attention.kv_lora_rank=512 ssm.conv_kernel=4 kda.head_dim=128",
        "state 3 36864+524288; latent 1 576+0");
    row("T5: its decoder, and cross attention", "t5",
        "block_count=6 decoder_block_count=4 embedding_length=512 attention.head_count=8",
        "full 4 512+512; cross 4 512+512");
}

void TestGgufLayouts::groups()
{
    QFETCH(const QString, architecture);
    QFETCH(const QString, keys);
    QFETCH(const QString, groups);
    const Result<Model> model = ggufModel(architecture.toStdString(), keys);
    QVERIFY2(model, qPrintable(errorOf(model)));
    QCOMPARE(groupsOf(*model), groups);
    QCOMPARE(model->family, architecture.toStdString());
    QVERIFY(!model->weights.known());
    for (const CacheGroup& group : model->groups) // llama.cpp keeps states in f32
        QVERIFY(group.kind != CacheKind::State ||
                (group.convFormat == KvFormat::Fp32 && group.recurrentFormat == KvFormat::Fp32));
}

/// Sizes that llama.cpp printed for so many cells, of public logs (the issue or repository is the row's name).
void TestGgufLayouts::printedSizes_data()
{
    QTest::addColumn<QString>("architecture");
    QTest::addColumn<QString>("keys");
    QTest::addColumn<QString>("kind");
    QTest::addColumn<int>("cells");
    QTest::addColumn<QString>("k"); // format and MiB
    QTest::addColumn<QString>("v");
    const auto row = [](const char* name, const char* architecture, const QString& keys, const char* kind, int cells,
                        const char* k,
                        const char* v) { QTest::newRow(name) << architecture << keys << kind << cells << k << v; };
    row("Llama 3 8B", "llama", kPlain, "full", 8'192, "f16 512.00", "f16 512.00");
    row("Llama 3 8B, iq4_nl", "llama", kPlain, "full", 1'024, "iq4_nl 18.00", "f16 64.00");
    row("Qwen3 235B, q8_0", "qwen3moe",
        "block_count=94 embedding_length=4096 attention.head_count=64 attention.head_count_kv=4 "
        "attention.key_length=128 attention.value_length=128",
        "full", 40'960, "q8_0 1997.50", "q8_0 1997.50");
    row("DeepSeek V3", "deepseek2", kDeepseek, "latent", 131'072, "q8_0 4666.50", "");
    row("GLM 5 at 512K", "glm-dsa",
        QString(kDeepseek).replace("block_count=61", "block_count=79") +
            " nextn_predict_layers=1 attention.indexer.key_length=128",
        "latent", 524'288, "f16 44928.00", "");
    row("GLM 5 at 750K, index keys", "glm-dsa",
        QString(kDeepseek).replace("block_count=61", "block_count=79") +
            " nextn_predict_layers=1 attention.indexer.key_length=128",
        "index", 768'000, "f16 3937.50", "");
    row("Gemma 4 12B, full", "gemma4", kGemma4, "full", 16'384, "q8_0 68.00", "q8_0 68.00");
    row("Gemma 4 12B, window", "gemma4", kGemma4, "window", 1'536, "q8_0 127.50", "q8_0 127.50");
    row("gpt-oss-20b, full", "gpt-oss",
        "block_count=24 embedding_length=2880 attention.head_count=64 attention.head_count_kv=8 "
        "attention.key_length=64 attention.value_length=64",
        "full", 131'072, "f16 1536.00", "f16 1536.00");
    row("LFM2.5 Audio 1.5B", "lfm2", kLfm2, "full", 4'096, "f16 24.00", "f16 24.00");
    row("LFM2.5 Audio 1.5B, state", "lfm2", kLfm2, "state", 1, "f32 0.16", "");
    row("Qwen3.6 27B", "qwen35", kQwen35, "full", 32'768, "f16 1024.00", "f16 1024.00");
    row("Qwen3.6 27B, state", "qwen35", kQwen35, "state", 1, "f32 5.62", "f32 144.00");
    row("Falcon-H1 shape, 2 sequences, state", "falcon-h1",
        "block_count=36 embedding_length=2048 attention.head_count=8 attention.head_count_kv=2 ssm.conv_kernel=4 "
        "ssm.inner_size=1536 ssm.state_size=256 ssm.group_count=1 ssm.time_step_rank=24",
        "state", 2, "f32 1.69", "f32 108.00");
}

void TestGgufLayouts::printedSizes()
{
    QFETCH(const QString, architecture);
    QFETCH(const QString, keys);
    QFETCH(const QString, kind);
    QFETCH(const int, cells);
    QFETCH(const QString, k);
    QFETCH(const QString, v);
    const Result<Model> model = ggufModel(architecture.toStdString(), keys);
    QVERIFY2(model, qPrintable(errorOf(model)));
    const auto group = std::ranges::find(model->groups, cacheKind(kind.toStdString()).value(), &CacheGroup::kind);
    QVERIFY(group != model->groups.end());
    const auto format = [](const QString& text) {
        return kvFormat(text.section(' ', 0, 0).toStdString()).value_or(KvFormat::Fp16);
    };
    const auto parts = entryParts(*group, format(k), format(v));
    const auto printed = [&](const EntryPart& part) {
        const double mib =
            static_cast<double>((bytesOf(part.format, part.elements) * group->layers.count() * cells).count());
        return QString::fromStdString(fmt::format("{:.2f}", mib / 1'048'576)); // ties to even, as llama.cpp prints
    };
    QCOMPARE(printed(parts[0]), k.section(' ', 1));
    QCOMPARE(printed(parts[1]), v.isEmpty() ? "0.00" : v.section(' ', 1));
}

/// LFM2-1.2B at 32,768 tokens: 384 MiB (6 layers of 8 KV heads of 64; its list of KV heads begins with 0).
void TestGgufLayouts::lfm2AtItsContext()
{
    const Result<Model> model = ggufModel("lfm2", kLfm2);
    QVERIFY2(model, qPrintable(errorOf(model)));
    const CacheGroup& full = model->groups.at(1);
    QCOMPARE((entryBytes(full, KvFormat::Fp16, KvFormat::Fp16) * full.layers.count() * 32'768).count(),
             mib(384).count());
    QCOMPARE(QString::fromStdString(full.layers.toText()), "2,5,8,10,12,14");
}

void TestGgufLayouts::gemma4Arrays()
{
    const Result<Model> model = ggufModel("gemma4", kGemma4);
    QVERIFY2(model, qPrintable(errorOf(model)));
    QCOMPARE(model->groups.at(0).kvHeads, 8);
    QCOMPARE(model->groups.at(0).keyDim, 256);
    QCOMPARE(model->groups.at(1).kvHeads, 1);
    QCOMPARE(model->groups.at(1).keyDim, 512);
    QCOMPARE(QString::fromStdString(model->groups.at(1).layers.toText()), "5,11,17,23,29,35,41,47");
}

void TestGgufLayouts::indexedLayersOfGlm()
{
    const Result<Model> model = ggufModel("glm-dsa", QString(kDeepseek).replace("block_count=61", "block_count=16") +
                                                         " attention.indexer.key_length=128");
    QVERIFY2(model, qPrintable(errorOf(model)));
    QCOMPARE(QString::fromStdString(model->groups.at(1).layers.toText()), "0-2,6,10,14");
    // Only GLM 5.2, of a million tokens, has layers that share an index.
    const Result<Model> earlier = ggufModel("glm-dsa", QString(kDeepseek).replace("block_count=61", "block_count=16") +
                                                           " attention.indexer.key_length=128 context_length=202752");
    QVERIFY2(earlier, qPrintable(errorOf(earlier)));
    QCOMPARE(QString::fromStdString(earlier->groups.at(1).layers.toText()), "0-15");
}

void TestGgufLayouts::provenance()
{
    const Result<Model> model = ggufModel("gemma2", kPlain);
    QVERIFY2(model, qPrintable(errorOf(model)));
    const auto check = [&](const char* field, const char* value, How how, const char* key) {
        const Provenance* row = provenanceOf(*model, field);
        QVERIFY2(row != nullptr, field);
        QCOMPARE(row->value, value);
        QVERIFY2(row->how == how, field);
        QCOMPARE(row->key, key);
    };
    check("layers", "32", How::Read, "gemma2.block_count");
    check("kv_heads", "8", How::Read, "gemma2.attention.head_count_kv");
    check("max_context", "8192", How::Read, "gemma2.context_length");
    check("head_dim", "128", How::Derived, "");
    check("window", "4096", How::Default, "");
    check("layer_kinds", "16 window, 16 full", How::Default, "");
    check("window_layers", "16", How::Derived, "");
}

void TestGgufLayouts::drafts()
{
    const Result<Model> model = ggufModel("glm4moe", with(kPlain, "nextn_predict_layers=1"));
    QVERIFY2(model, qPrintable(errorOf(model)));
    QCOMPARE(model->layers, 31);
    QCOMPARE(groupsOf(*model), "full 31 1024+1024");
    QCOMPARE(provenanceOf(*model, "draft_layers")->value, "1");
    QVERIFY(model->notes.front().find("multi-token prediction") != std::string::npos);
}

void TestGgufLayouts::expandedLatent()
{
    const Result<Model> model =
        ggufModel("minicpm3", with(kPlain, "attention.kv_lora_rank=256 rope.dimension_count=32"));
    QVERIFY2(model, qPrintable(errorOf(model)));
    QCOMPARE(groupsOf(*model), "full 32 1024+1024");
    QCOMPARE(provenanceOf(*model, "latent_dim")->value, "256");
    QCOMPARE(provenanceOf(*model, "rope_dim")->value, "32");
    QVERIFY(model->notes.front().find("256 + 32") != std::string::npos);
}

/// Names of llama.cpp's architectures are known, either way, and none twice.
void TestGgufLayouts::everyArchitectureHasARow()
{
    for (const char* name :
         {"llama",      "llama4",     "deci",      "falcon",      "qwen2",      "qwen3next", "phimoe",
          "gemma3n",    "mamba2",     "falcon-h1", "olmo2",       "deepseek32", "glm4moe",   "nemotron_h_moe",
          "exaone-moe", "rwkv6qwen2", "arwkv7",    "bailingmoe2", "afmoe",      "laguna",    "ernie4_5-moe",
          "hunyuan_vl", "gpt-oss",    "lfm2moe",   "minimax-m2",  "mistral4",   "mimo2"})
        QVERIFY2(readers::ggufArchitecture(name) != nullptr && readers::refusedArchitecture(name) == nullptr, name);
    for (const char* name : {"bert", "gemma-embedding", "llada", "clip", "wavtokenizer-dec"})
        QVERIFY2(readers::ggufArchitecture(name) == nullptr && readers::refusedArchitecture(name) != nullptr, name);
}

void TestGgufLayouts::bad_data()
{
    QTest::addColumn<QString>("architecture");
    QTest::addColumn<QString>("keys");
    QTest::addColumn<QString>("words");
    const auto row = [](const char* name, const char* architecture, const QString& keys, const char* words) {
        QTest::newRow(name) << architecture << keys << words;
    };
    row("unknown architecture", "llama7", QString(kPlain).replace("llama.", "llama7."),
        "\"llama7\"|block_count = 32|attention.head_count_kv = 8");
    row("encoder", "bert", kPlain, "\"bert\", an encoder");
    row("diffusion", "dream", kPlain, "\"dream\", a diffusion model");
    row("projector", "clip", kPlain, "images or sound");
    row("no layers", "llama", "attention.head_count=8", "\"llama.block_count\"");
    row("0 layers", "llama", "block_count=0", "\"llama.block_count\" is 0");
    row("too many layers", "llama", "block_count=100000", "\"llama.block_count\" is 100000|65,535");
    row("no heads", "llama", "block_count=2 embedding_length=64", "\"llama.attention.head_count\"");
    row("no width", "llama", "block_count=2 attention.head_count=8", "\"llama.attention.key_length\"");
    row("short list", "llama", "block_count=3 embedding_length=64 attention.head_count=[8,8]", "2 entries|3 layers");
    row("more KV heads than heads", "llama",
        "block_count=2 embedding_length=64 attention.head_count=2 "
        "attention.head_count_kv=4",
        "4 KV heads|2 query heads");
    row("all layers drafts", "llama", with(kPlain, "nextn_predict_layers=32"), "32 of its 32 layers");
    row("short pattern", "gemma4", QString(kGemma4).replace("f]*8", "f]*7"), "sliding_window_pattern\" has 42 entries");
    row("no pattern", "step35", with(kPlain, "attention.sliding_window=512"),
        "\"step35.attention.sliding_window_pattern\"");
    row("no latent", "deepseek2", QString(kDeepseek).remove("attention.kv_lora_rank=512 "), "kv_lora_rank");
    row("latent wider than the key", "deepseek2", QString(kDeepseek).replace("rank=512", "rank=600"), "600|576");
    row("no index keys", "deepseek32", kDeepseek, "\"deepseek32.attention.indexer.key_length\"");
    row("no ratios", "deepseek4", with(kPlain, "attention.sliding_window=128"), "compress_ratios");
    row("no state", "mamba", "block_count=2 embedding_length=64", "\"mamba.ssm.conv_kernel\"");
    row("no groups", "mamba2",
        "block_count=2 embedding_length=64 ssm.conv_kernel=4 ssm.inner_size=128 ssm.state_size=16",
        "\"mamba2.ssm.group_count\"");
    row("no short convolution", "lfm2", QString(kLfm2).remove("shortconv.l_cache=3"), "\"lfm2.shortconv.l_cache\"");
}

void TestGgufLayouts::bad()
{
    QFETCH(const QString, architecture);
    QFETCH(const QString, keys);
    QFETCH(const QString, words);
    const QString sentence = errorOf(ggufModel(architecture.toStdString(), keys));
    QVERIFY2(saysAll(sentence, "a.gguf|nothing was changed|" + words), qPrintable(sentence));
}

ROOM_TEST(TestGgufLayouts, void)
#include "test_gguf_layouts.moc"
