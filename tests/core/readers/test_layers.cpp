// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/model_file.h"
#include "core/model/cache_group.h"
#include "tests/core/readers/cache_bytes.h"
#include "tests/core/reading.h"
#include "tests/room.h"

#include <QTemporaryDir>
#include <QTest>

#include <fstream>

using namespace core;
using namespace core::readers;

/// Which layer of a config.json keeps what: patterns, windows, heads by kind, states, notes.
class TestLayers : public QObject {
    Q_OBJECT

private slots:
    void kinds_data();
    void kinds();
    void recurrentKinds_data();
    void recurrentKinds();
    void heads_data();
    void heads();
    void states_data();
    void states();
    void notes_data();
    void notes();
    void cacheFormats_data();
    void cacheFormats();
    void weightFormats_data();
    void weightFormats();
    void quantFileBeside();
    void repeatedKeys();
    void layersFromPattern();
    void twoLatentsInALayer();
    void indexOfCompressedEntries();
    void crossAttention();
    void expertsThatATokenUses();
};

static QString notesOf(const Model& model)
{
    QStringList notes;
    for (const std::string& note : model.notes)
        notes << QString::fromStdString(note);
    return notes.join('\n');
}

/// A model of eight layers whose config has `keys` besides those that every decoder has.
static Result<Model> withKeys(const QString& keys)
{
    const QString text = "{" + keys + R"(, "hidden_size": 512, "num_hidden_layers": 8, "num_attention_heads": 8,
        "num_key_value_heads": 4, "head_dim": 64, "intermediate_size": 1024, "vocab_size": 1000,
        "max_position_embeddings": 8192})";
    return readModelText(text.toStdString(), "config.json");
}

/// "window 0-2,4-6; full 3,7"
static QString kindsOf(const Model& model)
{
    QStringList groups;
    for (const CacheGroup& group : model.groups)
        groups << QString::fromStdString(std::string(id(group.kind)) + " " + group.layers.toText());
    return groups.join("; ");
}

void TestLayers::kinds_data()
{
    QTest::addColumn<QString>("keys");
    QTest::addColumn<QString>("groups");
    const auto row = [](const char* name, const char* keys, const char* groups) {
        QTest::newRow(name) << keys << groups;
    };
    row("Gemma 2: even layers slide", R"("model_type": "gemma2")", "window 0,2,4,6; full 1,3,5,7");
    row("Gemma 3: five of six", R"("model_type": "gemma3_text")", "window 0-4,6-7; full 5");
    row("a number", R"("model_type": "gemma3_text", "sliding_window_pattern": 4)", "window 0-2,4-6; full 3,7");
    row("letters", R"("model_type": "exaone4", "sliding_window_pattern": "LLLG")", "window 0-2,4-6; full 3,7");
    row("EXAONE without a window", R"("model_type": "exaone4", "sliding_window": null)", "full 0-7");
    row("Command R7B", R"("model_type": "cohere2", "layer_switch": 2)", "window 0,2,4,6; full 1,3,5,7");
    row("Gemma 4 ends with full attention", R"("model_type": "gemma4_text", "sliding_window": 128)",
        "window 0-4,6; full 5,7");
    row("MiMo: 1 slides", R"("model_type": "mimo_v2_flash", "sliding_window": 128, "attention_chunk_size": 128,
        "hybrid_layer_pattern": [0, 1, 1, 1, 1, 1, 1, 0])",
        "full 0,7; window 1-6");
    row("GPT Neo", R"("model_type": "gpt_neo", "attention_types": [[["global", "local"], 4]])",
        "full 0,2,4,6; window 1,3,5,7");
    row("Mistral: all slide", R"("model_type": "mistral", "sliding_window": 4096)", "window 0-7");
    row("Qwen 2: from a layer on", R"("model_type": "qwen2", "sliding_window": 4096, "use_sliding_window": true,
        "max_window_layers": 6)",
        "full 0-5; window 6-7");
    row("Llama 4: every fourth is full", R"("model_type": "llama4_text")", "chunk 0-2,4-6; full 3,7");
    row("Llama 4: an empty list is none", R"("model_type": "llama4_text", "no_rope_layers": [])",
        "chunk 0-2,4-6; full 3,7");
    row("Llama 4: 0 is full", R"("model_type": "llama4_text", "no_rope_layers": [0, 1, 1, 1, 1, 1, 1, 1])",
        "full 0; chunk 1-7");
    row("SmolLM 3: the same key has no effect",
        R"("model_type": "smollm3", "no_rope_layers": [1, 1, 1, 0, 1, 1, 1, 0])", "full 0-7");
    row("Llama 3.2 Vision", R"("model_type": "mllama_text_model", "cross_attention_layers": [3, 7])",
        "full 0-2,4-6; cross 3,7");
    row("shared at the end", R"("model_type": "gemma4_text", "sliding_window": 128, "num_kv_shared_layers": 3)",
        "window 0-4; shared 5-7");
    row("cross-layer attention", R"("model_type": "hunyuan", "use_cla": true, "cla_share_factor": 2)",
        "full 0,2,4,6; shared 1,3,5,7");
    row("the same switched off", R"("model_type": "hunyuan_v1_dense", "use_cla": false, "cla_share_factor": 2)",
        "full 0-7");
    row("a list longer than the model",
        R"("model_type": "step3p5", "sliding_window": 512, "num_nextn_predict_layers": 1,
        "layer_types": ["full_attention", "sliding_attention", "sliding_attention", "sliding_attention", "full_attention",
        "sliding_attention", "sliding_attention", "sliding_attention", "full_attention"])",
        "full 0,4; window 1-3,5-7");
    row("a latent switched off", R"("model_type": "deepseek_v2", "use_mla": false, "kv_lora_rank": null,
        "v_head_dim": 0, "qk_nope_head_dim": 0)",
        "full 0-7");
    row("index keys in some", R"("model_type": "glm_moe_dsa", "index_topk": 64, "index_head_dim": 128,
        "index_topk_freq": 4, "index_skip_topk_offset": 3)",
        "latent 0-7; index 0-2,6");
}

void TestLayers::kinds()
{
    QFETCH(QString, keys);
    const Result<Model> model = withKeys(keys);
    QVERIFY2(model, qPrintable(errorOf(model)));
    QTEST(kindsOf(*model), "groups");
}

void TestLayers::recurrentKinds_data()
{
    QTest::addColumn<QString>("keys");
    QTest::addColumn<QString>("groups");
    const auto row = [](const char* name, const char* keys, const char* groups) {
        QTest::newRow(name) << keys << groups;
    };
    row("Jamba", R"("model_type": "jamba", "attn_layer_period": 4, "attn_layer_offset": 2)",
        "state 0-1,3-5,7; full 2,6");
    row("Jamba without attention", R"("model_type": "jamba", "attn_layer_period": 4, "attn_layer_offset": 4)",
        "state 0-7");
    row("Bamba", R"("model_type": "bamba", "attn_layer_indices": [1, 5])", "state 0,2-4,6-7; full 1,5");
    row("Falcon-H1: both in each", R"("model_type": "falcon_h1", "attn_layer_indices": null)", "full 0-7; state 0-7");
    row("Falcon-H1: some", R"("model_type": "falcon_h1", "attn_layer_indices": [2])", "state 0-7; full 2");
    row("Nemotron-H", R"("model_type": "nemotron_h", "hybrid_override_pattern": "M-M*-EME")",
        "state 0,2,6; none 1,4-5,7; full 3");
    row("PLaMo 2", R"("model_type": "plamo2", "mamba_step": 4, "full_attention_idx": [6])",
        "state 0-1,3-5,7; window 2; full 6");
    row("SambaY", R"("model_type": "phi4flash", "mb_per_layer": 2, "sliding_window": [null, 64, null, 64])",
        "state 0,2,4; window 1,3; full 5; none 6; shared 7");
    row("Zamba 2", R"("model_type": "zamba2", "hybrid_layer_ids": [3, 7])", "state 0-7; full 3,7");
    row("Qwen 3 Next", R"("model_type": "qwen3_next", "full_attention_interval": 4)", "state 0-2,4-6; full 3,7");
    row("Ring: the rest is full too", R"("model_type": "bailing_moe_linear", "layer_group_size": 3)",
        "state 0-1,3-4; full 2,5-7");
    row("MiniMax-01: 0 is linear", R"("model_type": "minimax_text_01", "attn_type_list": [0, 0, 0, 1, 0, 0, 0, 1])",
        "state 0-2,4-6; full 3,7");
    row("LFM2", R"("model_type": "lfm2", "full_attn_idxs": [2, 5])", "state 0-1,3-4,6-7; full 2,5");
    row("RecurrentGemma: a cycle", R"("model_type": "recurrent_gemma", "_block_types": ["recurrent", "attention"])",
        "state 0,2,4,6; window 1,3,5,7");
}

void TestLayers::recurrentKinds()
{
    kinds();
}

void TestLayers::heads_data()
{
    QTest::addColumn<QString>("keys");
    QTest::addColumn<QString>("heads");
    const auto row = [](const char* name, const char* keys, const char* heads) {
        QTest::newRow(name) << keys << heads;
    };
    row("own heads in windows", R"("model_type": "mimo_v2_flash", "sliding_window": 128, "v_head_dim": 32,
        "swa_num_key_value_heads": 8, "swa_head_dim": 96, "swa_v_head_dim": 48, "hybrid_layer_pattern":
        [0, 1, 1, 1, 1, 1, 1, 0])",
        "4x64+32 8x96+48");
    row("own heads in full layers", R"("model_type": "gemma4_text", "sliding_window": 128,
        "num_global_key_value_heads": 2, "global_head_dim": 128)",
        "4x64+64 2x128+128");
    row("null is the same", R"("model_type": "gemma4_text", "sliding_window": 128, "num_global_key_value_heads": null,
        "global_head_dim": 128)",
        "4x64+64 4x128+128");
    row("a nested setting", R"("model_type": "step3p5", "sliding_window": 128, "attention_other_setting":
        {"attention_type": "sliding_attention", "num_attention_groups": 2, "head_dim": 32}, "num_attention_heads": 8)",
        "4x64+64 2x32+32");
    row("a setting of something else", R"("model_type": "step3p5", "sliding_window": 128, "attention_other_setting":
        {"attention_type": "full_attention", "num_attention_groups": 2}, "num_attention_heads": 8)",
        "4x64+64 4x64+64");
    row("a list", R"("model_type": "openelm", "num_kv_heads": [1, 1, 2, 2, 2, 2, 4, 4], "num_query_heads":
        [4, 4, 4, 4, 8, 8, 8, 8])",
        "1x64+64 2x64+64 2x64+64 4x64+64");
    row("query heads alone differ",
        R"("model_type": "laguna", "num_attention_heads_per_layer": [8, 8, 8, 8, 8, 8, 8, 8])", "4x64+64");
    row("blocks", R"("model_type": "nemotron-nas", "block_configs": [{"attention": {"n_heads_in_group": 8}},
        {"attention": {"n_heads_in_group": 4}}, {"attention": {"no_op": true}}, {"attention": {"replace_with_linear": true}},
        {"attention": {"n_heads_in_group": 8}}, {"attention": {"n_heads_in_group": 8}},
        {"attention": {"n_heads_in_group": 8}}, {"attention": {"n_heads_in_group": 8}}])",
        "1x64+64 2x64+64");
}

void TestLayers::heads()
{
    QFETCH(QString, keys);
    const Result<Model> model = withKeys(keys);
    QVERIFY2(model, qPrintable(errorOf(model)));
    QStringList heads;
    for (const CacheGroup& group : model->groups) {
        if (group.kvHeads > 0)
            heads << QString("%1x%2+%3").arg(group.kvHeads).arg(group.keyDim).arg(group.valueDim);
    }
    QTEST(heads.join(' '), "heads");
}

void TestLayers::states_data()
{
    QTest::addColumn<QString>("keys");
    QTest::addColumn<qint64>("conv");
    QTest::addColumn<qint64>("recurrent");
    QTest::addColumn<QString>("format");
    const auto row = [](const char* name, const char* keys, qint64 conv, qint64 recurrent,
                        const char* format = "fp32") { QTest::newRow(name) << keys << conv << recurrent << format; };
    row("Mamba", R"("model_type": "mamba", "state_size": 16, "conv_kernel": 4, "expand": 2)", 3 * 1024, 1024 * 16);
    row("Falcon Mamba takes the width that is given", R"("model_type": "falcon_mamba", "expand": 16)", 3 * 1024,
        1024 * 16);
    row("Mamba 2", R"("model_type": "mamba2", "num_heads": 16, "state_size": 32, "n_groups": 2)",
        3 * (16 * 64 + 2 * 2 * 32), 16 * 64 * 32);
    row("a format that is stated", R"("model_type": "nemotron_h", "hybrid_override_pattern": "MMMMMMM*",
        "mamba_num_heads": 8, "mamba_ssm_cache_dtype": "bfloat16")",
        3 * (8 * 64 + 2 * 8 * 128), 8 * 64 * 128, "bf16");
    row("delta net", R"("model_type": "qwen3_next", "linear_num_value_heads": 4, "linear_num_key_heads": 2,
        "linear_key_head_dim": 32, "linear_value_head_dim": 64)",
        3 * (2 * 2 * 32 + 4 * 64), 4 * 32 * 64);
    row("Kimi delta attention", R"("model_type": "kimi_linear", "linear_attn_config": {"full_attn_layers": [4, 8],
        "num_heads": 2, "head_dim": 32, "short_conv_kernel_size": 4})",
        3 * 3 * 64, 2 * 32 * 32);
    row("lightning attention", R"("model_type": "minimax", "a": 1)", 0, 8 * 64 * 64);
    row("short convolution", R"("model_type": "lfm2", "full_attn_idxs": [0])", 2 * 512, 0);
    row("RG-LRU", R"("model_type": "recurrent_gemma", "lru_width": 640)", 3 * 640, 640);
    row("RWKV 4", R"("model_type": "rwkv", "attention_hidden_size": 256)", 2 * 512, 3 * 256);
    row("RWKV 5", R"("model_type": "rwkv5", "head_size": 64)", 2 * 512, 8 * 64 * 64);
}

void TestLayers::states()
{
    QFETCH(QString, keys);
    QFETCH(QString, format);
    const Result<Model> model = withKeys(keys);
    QVERIFY2(model, qPrintable(errorOf(model)));
    for (const CacheGroup& group : model->groups) {
        if (group.kind != CacheKind::State)
            continue;
        QTEST(qint64{group.convElements}, "conv");
        QTEST(qint64{group.recurrentElements}, "recurrent");
        QCOMPARE(QString::fromUtf8(info(group.recurrentFormat).id.data()), format);
        return;
    }
    QFAIL("no state");
}

void TestLayers::notes_data()
{
    QTest::addColumn<QString>("keys");
    QTest::addColumn<QString>("words");
    const auto row = [](const char* name, const char* keys, const char* words) {
        QTest::newRow(name) << keys << words;
    };
    row("pattern longer than the layers", R"("model_type": "mimo_v2_flash", "sliding_window": 128,
        "hybrid_layer_pattern": [0, 1, 1, 1, 1, 1, 1, 0, 0])",
        "hybrid_layer_pattern names 9 layers|8|cut");
    row("sliding layers without a window", R"("model_type": "qwen3", "sliding_window": null, "layer_types":
        ["sliding_attention", "full_attention", "full_attention", "full_attention", "full_attention", "full_attention",
        "full_attention", "full_attention"])",
        "layer_types names sliding layers|no window|full attention assumed");
    row("two patterns", R"("model_type": "gemma3_text", "sliding_window_pattern": 4, "_sliding_window_pattern": 6)",
        "sliding_window_pattern and _sliding_window_pattern say different kinds");
    row("no cross-layer attention", R"("model_type": "hunyuan_v1_dense", "cla_share_factor": 2)",
        "cla_share_factor = 2 has no effect");
    row("shared caches", R"("model_type": "gemma3n_text", "num_kv_shared_layers": 2)", "2 of 8 layers read the cache");
    row("index keys", R"("model_type": "deepseek_v32", "index_topk": 64, "index_head_dim": 128)",
        "does not shrink the cache|8 of 8 layers keep an index key of 128");
    row("two class names", R"("model_type": "qwen2", "architectures": ["LlamaForCausalLM"])",
        "architectures says LlamaForCausalLM, but model_type says qwen2");
    row("multi-token prediction", R"("model_type": "qwen3_5_text", "mtp_num_hidden_layers": 1)",
        "mtp_num_hidden_layers = 1: multi-token prediction is not counted");
}

void TestLayers::notes()
{
    QFETCH(QString, keys);
    QFETCH(QString, words);
    const Result<Model> model = withKeys(keys);
    QVERIFY2(model, qPrintable(errorOf(model)));
    QVERIFY2(saysAll(notesOf(*model), words), qPrintable(notesOf(*model)));
}

void TestLayers::cacheFormats_data()
{
    QTest::addColumn<QString>("quantization");
    QTest::addColumn<QString>("format");
    const auto row = [](const char* name, const char* quantization, const char* format) {
        QTest::newRow(name) << quantization << format;
    };
    row("absent", R"({"quant_method": "fp8"})", "");
    row("null", R"({"quant_method": "fp8", "kv_cache_scheme": null})", "");
    row("FP8 by bits", R"({"quant_method": "modelopt", "kv_cache_scheme": {"num_bits": 8, "type": "float"}})", "fp8");
    row("INT8 by bits", R"({"quant_method": "modelopt", "kv_cache_scheme": {"num_bits": 8, "type": "int"}})", "int8");
    row("FP8 by name", R"({"kv_cache_scheme": "FP8"})", "fp8");
    row("static scales", R"({"quant_method": "fp8", "kv_cache_scheme": "static"})", "fp8");
    row("algorithm", R"({"quant_method": "modelopt", "kv_cache_quant_algo": "NVFP4"})", "nvfp4");
    row("not known", R"({"quant_method": "fp8", "kv_cache_scheme": "blue"})", "");
}

void TestLayers::cacheFormats()
{
    QFETCH(QString, quantization);
    QFETCH(QString, format);
    const Result<Model> model = withKeys(R"("model_type": "llama", "quantization_config": )" + quantization);
    QVERIFY2(model, qPrintable(errorOf(model)));
    const std::optional<KvFormat> stated = model->statedKvFormat;
    QCOMPARE(stated ? QString::fromUtf8(info(*stated).id.data()) : QString(), format);
    const bool noted = notesOf(*model).contains(stated ? "asks for a cache in" : "no cache format that is known");
    QVERIFY2(noted == (stated || quantization.contains("blue")), qPrintable(notesOf(*model)));
}

void TestLayers::weightFormats_data()
{
    QTest::addColumn<QString>("keys");
    QTest::addColumn<QString>("format");
    const auto row = [](const char* name, const char* keys, const char* format) {
        QTest::newRow(name) << keys << format;
    };
    row("bitsandbytes, 4 bit", R"("quantization_config": {"quant_method": "bitsandbytes", "load_in_4bit": true})",
        "bnb-4bit");
    row("bitsandbytes, 8 bit", R"("quantization_config": {"quant_method": "bitsandbytes", "load_in_8bit": true})",
        "int8");
    row("MLX", R"("quantization": {"group_size": 64, "bits": 4})", "mlx-4bit");
    row("MLX twice", R"("quantization": {"group_size": 64, "bits": 8},
                        "quantization_config": {"group_size": 64, "bits": 8})",
        "mlx-8bit");
    row("MLX with a mode", R"("quantization": {"group_size": 32, "bits": 4, "mode": "mxfp4"})", "mxfp4");
    row("MXFP4 of compressed-tensors",
        R"("quantization_config": {"quant_method": "compressed-tensors", "format": "mxfp4-pack-quantized",
           "config_groups": {"group_0": {"weights": {"num_bits": 4, "type": "float"}}}})",
        "mxfp4");
    row("not known", R"("torch_dtype": "float16", "quantization_config": {"quant_method": "blue", "bits": 4})", "fp16");
}

void TestLayers::weightFormats()
{
    QFETCH(QString, keys);
    const Result<Model> model = withKeys(R"("model_type": "llama", )" + keys);
    QVERIFY2(model, qPrintable(errorOf(model)));
    QTEST(QString::fromUtf8(info(model->weights.published).id.data()), "format");
    QCOMPARE(notesOf(*model).contains("not counted"), keys.contains("blue"));
}

void TestLayers::quantFileBeside()
{
    QTemporaryDir folder;
    const auto write = [&](const char* name, const char* text) {
        std::ofstream(folder.filePath(name).toStdString()) << text;
    };
    const auto read = [&] { return readModelFile(folder.path().toStdString()); };
    write("config.json", R"({"model_type": "llama", "num_key_value_heads": 8, "torch_dtype": "bfloat16"})");
    QVERIFY(!read()->statedKvFormat);
    write("hf_quant_config.json", R"({"quantization": {"quant_algo": "FP8", "kv_cache_quant_algo": "FP8"}})");
    const Result<Model> model = read();
    QVERIFY2(model, qPrintable(errorOf(model)));
    QVERIFY(model->statedKvFormat == KvFormat::Fp8);
    QVERIFY(model->weights.published == WeightFormat::Fp8);
    QCOMPARE(provenanceOf(*model, "weights_format")->file, "hf_quant_config.json");
    write("hf_quant_config.json", "[1,");
    QVERIFY2(notesOf(*read()).contains("hf_quant_config.json"), qPrintable(notesOf(*read())));
}

void TestLayers::repeatedKeys()
{
    const Result<Model> model =
        withKeys(R"("model_type": "llama", "num_hidden_layers": 3, "a": {"b": 1}, "c": {"b": 2})");
    QVERIFY2(model, qPrintable(errorOf(model)));
    QCOMPARE(model->layers, 8);
    QCOMPARE(model->notes.size(), std::size_t{1});
    QVERIFY2(saysAll(notesOf(*model), "config.json|num_hidden_layers twice|last one counts"),
             qPrintable(notesOf(*model)));
}

void TestLayers::layersFromPattern()
{
    const Result<Model> model =
        readModelText(R"({"model_type": "nemotron_h", "hidden_size": 512, "num_attention_heads": 8,
        "layers_block_type": ["mamba", "moe", "attention"], "mamba_num_heads": 8})",
                      "config.json");
    QVERIFY2(model, qPrintable(errorOf(model)));
    QCOMPARE(model->layers, 3);
    QCOMPARE(provenanceOf(*model, "layers")->rule, "number of entries in layers_block_type");
    QCOMPARE(kindsOf(*model), "state 0; none 1; full 2");
}

void TestLayers::twoLatentsInALayer()
{
    const Result<Model> model =
        withKeys(R"("model_type": "longcat_flash", "kv_lora_rank": 512, "qk_rope_head_dim": 64)");
    QVERIFY2(model, qPrintable(errorOf(model)));
    QCOMPARE(kindsOf(*model), "latent 0-7; latent 0-7");
    QCOMPARE(cacheBytes(*model, 1).kv, 2 * 8 * (512 + 64) * 2);
}

void TestLayers::indexOfCompressedEntries()
{
    const Result<Model> model = withKeys(R"("model_type": "deepseek_v4", "sliding_window": 128, "index_topk": 64,
        "index_head_dim": 32, "q_lora_rank": 64, "compress_ratios": [0, 4, 128, 4, 128, 4, 128, 4, 0])");
    QVERIFY2(model, qPrintable(errorOf(model)));
    QCOMPARE(kindsOf(*model), "window 0-7; compressed 1,3,5,7; index 1,3,5,7; compressed 2,4,6");
    const CacheBytes bytes = cacheBytes(*model, 1000);
    QCOMPARE(bytes.kv, 8 * 128 * (4 * 64) * 2 + (4 * 250 + 3 * 7) * 64 * 2);
    QCOMPARE(bytes.index, 2 * 32 * 4 * 250);
    QVERIFY(notesOf(*model).contains("compress_ratios has 9 entries for 8 layers"));
}

void TestLayers::crossAttention()
{
    const Result<Model> whisper = readModelText(R"({"model_type": "whisper", "d_model": 512, "decoder_layers": 2,
        "encoder_layers": 6, "num_hidden_layers": 6, "decoder_attention_heads": 8, "max_source_positions": 1500})",
                                                "config.json");
    QVERIFY2(whisper, qPrintable(errorOf(whisper)));
    QCOMPARE(kindsOf(*whisper), "full 0-1; cross 0-1");
    QCOMPARE(whisper->encoderTokens, std::optional<std::int64_t>(1500));
    QVERIFY(notesOf(*whisper).contains("1500 encoder positions"));
    const Result<Model> t5 = readModelText(R"({"model_type": "t5", "num_layers": 6, "num_decoder_layers": 3, "d_kv": 32,
        "num_heads": 8, "d_model": 512})",
                                           "config.json");
    QVERIFY2(t5, qPrintable(errorOf(t5)));
    QCOMPARE(kindsOf(*t5), "full 0-2; cross 0-2");
    QCOMPARE(t5->groups.at(0).keyDim, 32);
    QVERIFY(!t5->encoderTokens);
    QVERIFY2(!notesOf(*t5).contains("twice"), qPrintable(notesOf(*t5)));
}

void TestLayers::expertsThatATokenUses()
{
    const Result<Model> model =
        withKeys(R"("model_type": "mixtral", "num_local_experts": 8, "num_experts_per_tok": 2)");
    QVERIFY2(model, qPrintable(errorOf(model)));
    const std::int64_t experts = 8LL * 8 * 3 * 512 * 1024;
    QCOMPARE(model->weights.parameters() - model->weights.activeParameters(), experts / 8 * 6);
    QCOMPARE(provenanceOf(*model, "active_parameters")->rule, "of the experts, the 2 that a token uses");
    const Result<Model> dense = withKeys(R"("model_type": "llama")");
    QVERIFY2(dense, qPrintable(errorOf(dense)));
    QCOMPARE(dense->weights.parameters(), dense->weights.activeParameters());
}

ROOM_TEST(TestLayers, void)
#include "test_layers.moc"
