// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/model_file.h"
#include "core/model/cache_group.h"
#include "tests/core/reading.h"
#include "tests/room.h"

#include <QTest>

#include <algorithm>

using namespace core;
using namespace core::readers;

class TestHfConfig : public QObject {
    Q_OBJECT

private slots:
    void spellings_data();
    void spellings();
    void kvHeads_data();
    void kvHeads();
    void headSize_data();
    void headSize();
    void windowsWithoutEffect_data();
    void windowsWithoutEffect();
    void refusedByName_data();
    void refusedByName();
    void weightFormats_data();
    void weightFormats();
    void languagePart_data();
    void languagePart();
    void provenance();
    void conflictsAreNoted();
    void unknownWidthLeavesWeightsUnknown();
};

static QString valueOf(const Model& model, const char* field)
{
    const Provenance* row = provenanceOf(model, field);
    return row == nullptr ? QString() : QString::fromStdString(row->value);
}

/// A model whose config has `keys` besides those that every decoder has.
static Result<Model> withKeys(const QString& keys)
{
    const QString text = "{" + keys + R"(, "hidden_size": 4096, "num_hidden_layers": 32, "num_attention_heads": 32,
        "intermediate_size": 11008, "vocab_size": 32000, "max_position_embeddings": 8192})";
    return readModelText(text.toStdString(), "config.json");
}

static QString notesOf(const Result<Model>& model)
{
    QStringList notes;
    for (const std::string& note : model->notes)
        notes << QString::fromStdString(note);
    return notes.join('\n');
}

void TestHfConfig::spellings_data()
{
    QTest::addColumn<QString>("config");
    QTest::newRow("llama")
        << R"("model_type": "llama", "num_hidden_layers": 6, "hidden_size": 512, "num_attention_heads": 8,
        "num_key_value_heads": 2, "head_dim": 64, "max_position_embeddings": 1024, "vocab_size": 999, "intermediate_size": 7)";
    QTest::newRow("GPT-2 names")
        << R"("model_type": "llama", "n_layer": 6, "n_embd": 512, "n_head": 8, "num_kv_heads": 2,
        "kv_channels": 64, "n_positions": 1024, "vocab_size": 999, "n_inner": 7)";
    QTest::newRow("BLOOM and Falcon names") << R"("model_type": "llama", "n_layers": 6, "n_embed": 512, "n_heads": 8,
        "n_head_kv": 2, "attention_head_dim": 64, "seq_length": 1024, "padded_vocab_size": 999, "ffn_dim": 7)";
    QTest::newRow("MPT and DBRX names") << R"("model_type": "llama", "num_layers": 6, "d_model": 512, "num_heads": 8,
        "attn_config": {"kv_n_heads": 2}, "max_seq_len": 1024, "vocab_size": 999, "ffn_config": {"ffn_hidden_size": 7})";
    QTest::newRow("ChatGLM names") << R"("model_type": "llama", "num_transformer_layers": 6, "model_dim": 512,
        "num_query_heads": 8, "multi_query_group_num": 2, "max_sequence_length": 1024, "vocab_size": 999, "ffn_hidden_size": 7)";
    QTest::newRow("further names") << R"("model_type": "llama", "decoder_layers": 6, "hidden_size": 512,
        "decoder_attention_heads": 8, "num_attention_groups": 2, "model_max_length": 1024, "vocab_size": 999,
        "intermediate_size": 7)";
    QTest::newRow("null before the real one") << R"("model_type": "llama", "num_hidden_layers": null, "n_layer": 6,
        "hidden_size": null, "n_embd": 512, "num_attention_heads": null, "n_head": 8, "num_key_value_heads": null,
        "num_kv_heads": 2, "max_position_embeddings": null, "n_ctx": 1024, "vocab_size": 999, "intermediate_size": 7.0)";
}

void TestHfConfig::spellings()
{
    QFETCH(QString, config);
    const Result<Model> model = readModelText(("{" + config + "}").toStdString(), "config.json");
    QVERIFY2(model, qPrintable(errorOf(model)));
    QCOMPARE(model->layers, 6);
    QCOMPARE(model->groups.at(0).queryHeads, 8);
    QCOMPARE(model->groups.at(0).kvHeads, 2);
    QCOMPARE(model->groups.at(0).keyDim, 64);
    QCOMPARE(model->maxContext, std::optional<std::int64_t>(1024));
    // 2 tables of 999 x 512; per layer 512 x (512 + 2 x 128 + 512) and 3 x 512 x 7 and 2 norms; 1 norm
    QCOMPARE(model->weights.parameters(), 2 * 999 * 512 + 6 * (512 * 1280 + 3 * 512 * 7 + 2 * 512) + 512);
    QVERIFY2(model->notes.empty(), qPrintable(notesOf(model)));
}

void TestHfConfig::kvHeads_data()
{
    QTest::addColumn<QString>("keys");
    QTest::addColumn<qint64>("heads");
    QTest::addColumn<QString>("note");
    const auto row = [](const char* name, const char* keys, qint64 heads, const char* note = "") {
        QTest::newRow(name) << keys << heads << note;
    };
    row("read", R"("model_type": "llama", "num_key_value_heads": 8)", 8);
    row("absent", R"("model_type": "llama")", 32, "KV heads missing: multi-head attention assumed");
    row("null", R"("model_type": "llama", "num_key_value_heads": null)", 32, "KV heads missing");
    row("class default", R"("model_type": "mixtral")", 8);
    row("null is not the class default", R"("model_type": "mixtral", "num_key_value_heads": null)", 32,
        "KV heads missing");
    row("multi_query beats the key", R"("model_type": "falcon", "multi_query": true, "num_kv_heads": 16)", 1,
        "ignored");
    row("multi_query is the default of Falcon", R"("model_type": "falcon")", 1);
    row("Falcon without it", R"("model_type": "falcon", "multi_query": false)", 32, "KV heads missing");
    row("new decoder beats multi_query", R"("model_type": "falcon", "multi_query": true, "num_kv_heads": 8,
        "new_decoder_architecture": true)",
        8);
    row("new decoder without a key", R"("model_type": "falcon", "new_decoder_architecture": true)", 32,
        "KV heads missing");
    row("multi_query is the default of StarCoder", R"("model_type": "gpt_bigcode")", 1);
    row("StarCoder without it", R"("model_type": "gpt_bigcode", "multi_query": false)", 32, "KV heads missing");
    row("keys that the class ignores", R"("model_type": "llama", "num_key_value_heads": 1, "grouped_query": false,
        "share_kv_heads_num": 2)",
        1);
    row("ChatGLM groups", R"("model_type": "chatglm", "multi_query_attention": true, "multi_query_group_num": 2)", 2);
    row("ChatGLM without groups",
        R"("model_type": "chatglm", "multi_query_attention": false, "multi_query_group_num": 2)", 32, "ignored");
}

void TestHfConfig::kvHeads()
{
    QFETCH(QString, keys);
    QFETCH(qint64, heads);
    QFETCH(QString, note);
    const Result<Model> model = withKeys(keys);
    QVERIFY2(model, qPrintable(errorOf(model)));
    QCOMPARE(model->groups.at(0).kvHeads, heads);
    QCOMPARE(valueOf(*model, "kv_heads"), QString::number(heads));
    QVERIFY2(note.isEmpty() ? model->notes.empty() : notesOf(model).contains(note), qPrintable(notesOf(model)));
}

void TestHfConfig::headSize_data()
{
    QTest::addColumn<QString>("keys");
    QTest::addColumn<qint64>("size");
    QTest::newRow("quotient") << R"("model_type": "llama")" << qint64{128};
    QTest::newRow("explicit before the quotient") << R"("model_type": "llama", "head_dim": 96)" << qint64{96};
    QTest::newRow("null is absent") << R"("model_type": "qwen3", "head_dim": null)" << qint64{128};
    QTest::newRow("class default before the quotient") << R"("model_type": "gemma")" << qint64{256};
    QTest::newRow("explicit before the class default") << R"("model_type": "gemma", "head_dim": 64)" << qint64{64};
}

void TestHfConfig::headSize()
{
    QFETCH(QString, keys);
    QFETCH(qint64, size);
    const Result<Model> model = withKeys(keys + R"(, "num_key_value_heads": 8)");
    QVERIFY2(model, qPrintable(errorOf(model)));
    QCOMPARE(model->groups.at(0).keyDim, size);
    // Where the size is given, nothing needs the width to be divisible by the heads.
    const Result<Model> odd = readModelText(R"({"model_type": "llama", "hidden_size": 736, "num_attention_heads": 10,
        "head_dim": 64, "num_hidden_layers": 2, "num_key_value_heads": 10})",
                                            "config.json");
    QVERIFY2(odd, qPrintable(errorOf(odd)));
    QCOMPARE(odd->groups.at(0).keyDim, 64);
}

void TestHfConfig::windowsWithoutEffect_data()
{
    QTest::addColumn<QString>("keys");
    QTest::addColumn<QString>("note");
    const auto row = [](const char* name, const char* keys, const char* note) { QTest::newRow(name) << keys << note; };
    row("switched off", R"("model_type": "qwen2", "sliding_window": 4096, "use_sliding_window": false)",
        "sliding_window = 4096 has no effect: the window is switched off");
    row("off by default", R"("model_type": "qwen2", "sliding_window": 4096)", "switched off");
    row("on, but from behind the last layer",
        R"("model_type": "qwen2", "sliding_window": 4096, "use_sliding_window": true, "max_window_layers": 32)",
        "switched off");
    row("null", R"("model_type": "mistral", "sliding_window": null)", "");
    row("in a class without one", R"("model_type": "llama", "sliding_window": 4096)", "the class has no window");
    row("as long as the maximum", R"("model_type": "mistral", "sliding_window": 8192)", "not below the maximum length");
    row("longer than the maximum", R"("model_type": "phi3", "sliding_window": 262144)", "not below the maximum length");
}

void TestHfConfig::windowsWithoutEffect()
{
    QFETCH(QString, keys);
    QFETCH(QString, note);
    const Result<Model> model = withKeys(keys + R"(, "num_key_value_heads": 8)");
    QVERIFY2(model, qPrintable(errorOf(model)));
    QVERIFY(model->groups.at(0).kind == CacheKind::Full);
    QVERIFY2(note.isEmpty() ? model->notes.empty() : notesOf(model).contains(note), qPrintable(notesOf(model)));
}

void TestHfConfig::refusedByName_data()
{
    QTest::addColumn<QString>("keys");
    QTest::addColumn<QString>("words");
    const auto row = [](const char* name, const char* keys, const char* words) {
        QTest::newRow(name) << keys << words;
    };
    row("hybrid", R"("model_type": "minicpm_sala")", "hybrid of attention and recurrent layers");
    row("encoder and decoder", R"("model_type": "seamless_m4t")", "encoder and decoder");
    row("by class alone", R"("architectures": ["MiniCPMSALAForCausalLM"])", "MiniCPMSALAForCausalLM|hybrid");
    row("a factor that is none", R"("model_type": "xlstm", "num_heads": 8, "qk_dim_factor": "half")",
        "qk_dim_factor|half|number");
    row("latent", R"("model_type": "llama", "kv_lora_rank": 512)", "llama|kv_lora_rank 512|latent");
    row("an unknown kind of layer", R"("model_type": "qwen3", "layer_types": ["full_attention", "cubist_attention"])",
        "\"layer_types\"|\"cubist_attention\"|not known");
    row("recurrent layers in a family without", R"("model_type": "qwen3", "layer_types": ["full_attention", "mamba"])",
        "layer_types \"mamba\"|hybrid");
    row("lightning layers", R"("model_type": "minimax_m2", "attn_type_list": [1, 0])", "attn_type_list 0|hybrid");
    row("blocks", R"("model_type": "llama", "block_configs": [{"attention": {}}])", "block_configs|differ");
    row("shared caches", R"("model_type": "llama", "use_cla": true)", "use_cla true|share");
    row("shared caches at the end", R"("model_type": "llama", "num_kv_shared_layers": 4)",
        "num_kv_shared_layers 4|share");
    row("chunks", R"("model_type": "llama", "attention_chunk_size": 8192)", "attention_chunk_size 8192|chunked");
    row("chunked layers", R"("model_type": "qwen3", "layer_types": ["chunked_attention"])",
        "chunked_attention|chunked");
    row("pattern of letters", R"("model_type": "llama", "hybrid_override_pattern": "M*-")",
        "hybrid_override_pattern|hybrid");
    row("every few layers", R"("model_type": "llama", "full_attention_interval": 4)",
        "full_attention_interval 4|hybrid");
    row("compressed", R"("model_type": "llama", "compress_ratios": [4, 128])", "compress_ratios|compressed");
    row("cross attention", R"("model_type": "llama", "cross_attention_layers": [3])", "cross_attention_layers|cross");
    row("encoder", R"("model_type": "llama", "is_encoder_decoder": true)", "is_encoder_decoder true|encoder");
    row("states", R"("model_type": "llama", "ssm_cfg": {})", "ssm_cfg|recurrent");
    row("a class that is not what model_type says",
        R"("model_type": "llama", "architectures": ["DeepseekV3ForCausalLM"])",
        "llama|DeepseekV3ForCausalLM|another cache");
    row("a pattern that is too short", R"("model_type": "qwen3", "layer_types": ["full_attention"])",
        "layer_types|names 1 layers|32");
    row("a layer beyond the last", R"("model_type": "bamba", "attn_layer_indices": [40])",
        "attn_layer_indices|layer 40|32 layers");
    row("a list that is none", R"("model_type": "qwen3", "layer_types": "full")",
        "layer_types|\"full\"|must be a list");
    row("heads that are too few", R"("model_type": "openelm", "num_kv_heads": [1, 2])",
        "num_kv_heads|2 entries|32 layers");
    row("half a head", R"("model_type": "openelm", "num_kv_heads": [1, 3.5])", "num_kv_heads|3.5|whole");
    row("unknown", R"("model_type": "foo")",
        "model_type \"foo\"|not known|num_hidden_layers = 32|num_attention_heads = 32|max_position_embeddings = 8192");
    row("unknown class", R"("architectures": ["FooForCausalLM"])", "FooForCausalLM|not known|hidden_size = 4096");
    row("nameless", R"("a": 1)", "neither model_type nor architectures|num_hidden_layers = 32");
    row("model_type that is no text", R"("model_type": 7)", "\"model_type\" is 7|text");
}

void TestHfConfig::refusedByName()
{
    QFETCH(QString, keys);
    QFETCH(QString, words);
    const Result<Model> model = withKeys(keys);
    QVERIFY2(saysAll(errorOf(model), "config.json|nothing was changed|" + words), qPrintable(errorOf(model)));
}

void TestHfConfig::weightFormats_data()
{
    QTest::addColumn<QString>("keys");
    QTest::addColumn<QString>("format");
    QTest::addColumn<QString>("how");
    const auto row = [](const char* name, const char* keys, const char* format, const char* how = "read") {
        QTest::newRow(name) << keys << format << how;
    };
    row("torch_dtype", R"("torch_dtype": "float16")", "fp16");
    row("dtype of newer files", R"("dtype": "float32")", "fp32");
    row("absent", R"("a": 1)", "bf16", "default");
    row("unknown", R"("torch_dtype": "float7")", "bf16", "default");
    row("AWQ", R"("torch_dtype": "float16", "quantization_config": {"quant_method": "awq", "bits": 4})", "awq-4bit");
    row("GPTQ", R"("quantization_config": {"quant_method": "gptq", "bits": 4})", "gptq-4bit");
    row("GPTQ of 8 bits", R"("quantization_config": {"quant_method": "gptq", "bits": 8})", "int8");
    row("GPTQ of 3 bits", R"("torch_dtype": "float16", "quantization_config": {"quant_method": "gptq", "bits": 3})",
        "fp16");
    row("FP8", R"("torch_dtype": "bfloat16", "quantization_config": {"quant_method": "fp8"})", "fp8");
    row("MXFP4", R"("quantization_config": {"quant_method": "mxfp4"})", "mxfp4");
    row("NVFP4", R"("quantization_config": {"quant_method": "modelopt", "quant_algo": "NVFP4"})", "nvfp4");
    row("NVFP4 by its groups", R"("quantization_config": {"quant_method": "modelopt", "config_groups": {"group_0":
        {"weights": {"num_bits": 4, "type": "float", "group_size": 16}}}})",
        "nvfp4");
    row("compressed-tensors",
        R"("quantization_config": {"quant_method": "compressed-tensors", "config_groups": {"group_0":
        {"weights": {"num_bits": 8, "type": "float"}}}})",
        "fp8");
    row("not known", R"("torch_dtype": "float16", "quantization_config": {"quant_method": "exl2", "bits": 4.5})",
        "fp16");
}

void TestHfConfig::weightFormats()
{
    QFETCH(QString, keys);
    QFETCH(QString, format);
    QFETCH(QString, how);
    const Result<Model> model = withKeys(R"("model_type": "llama", "num_key_value_heads": 8, )" + keys);
    QVERIFY2(model, qPrintable(errorOf(model)));
    QCOMPARE(QString::fromUtf8(info(model->weights.published).id.data()), format);
    QCOMPARE(valueOf(*model, "weights_format"), format);
    QCOMPARE(QString::fromUtf8(id(provenanceOf(*model, "weights_format")->how).data()), how);
}

void TestHfConfig::languagePart_data()
{
    QTest::addColumn<QString>("key");
    for (const char* key : {"text_config", "llm_config", "language_config"})
        QTest::newRow(key) << key;
}

void TestHfConfig::languagePart()
{
    QFETCH(QString, key);
    const QString text = QString(R"({"model_type": "wrapper", "tie_word_embeddings": true, "torch_dtype": "float16",
        "vision_config": {"num_hidden_layers": 24, "hidden_size": 1024, "num_attention_heads": 16, "vocab_size": 5,
                          "sliding_window": 7, "max_position_embeddings": 9, "head_dim": 3, "num_key_value_heads": 1},
        "%1": {"model_type": "llama", "num_hidden_layers": 2}})")
                             .arg(key);
    const Result<Model> model = readModelText(text.toStdString(), "config.json");
    QVERIFY2(model, qPrintable(errorOf(model)));
    QCOMPARE(model->family, "llama");
    QCOMPARE(model->layers, 2);
    QCOMPARE(model->groups.at(0).kvHeads, 32); // LlamaConfig's own default, not the vision part's 1
    QCOMPARE(model->groups.at(0).keyDim, 128);
    QCOMPARE(model->maxContext, std::optional<std::int64_t>(2048));
    QVERIFY(model->weights.published == WeightFormat::Fp16);
    QCOMPARE(QString::fromStdString(provenanceOf(*model, "layers")->key), key + ".num_hidden_layers");
    QCOMPARE(provenanceOf(*model, "tied_embedding")->key, "tie_word_embeddings");
    QVERIFY(notesOf(model).contains("only the language model is counted"));
}

void TestHfConfig::provenance()
{
    const Result<Model> model =
        readModelText(R"({"model_type": "gpt2", "n_embd": 768, "n_layer": 12, "n_head": 12})", "gpt2.json");
    QVERIFY2(model, qPrintable(errorOf(model)));
    const auto is = [&](const char* field, How how, const char* value, const char* key, const char* rule) {
        const Provenance* row = provenanceOf(*model, field);
        return row != nullptr && *row == Provenance{field, value, how, "gpt2.json", key, rule};
    };
    QVERIFY(is("layers", How::Read, "12", "n_layer", ""));
    QVERIFY(is("query_heads", How::Read, "12", "n_head", ""));
    QVERIFY(is("kv_heads", How::Derived, "12", "", "as many as query heads (multi-head attention)"));
    QVERIFY(is("head_dim", How::Derived, "64", "", "width 768 / query heads 12"));
    QVERIFY(is("max_context", How::Default, "1024", "", "default of GPT2Config"));
    QVERIFY(is("vocabulary", How::Default, "50257", "", "default of GPT2Config"));
    QVERIFY(is("tied_embedding", How::Default, "true", "", "default of GPT2Config"));
    QVERIFY(is("weights_format", How::Default, "bf16", "", "no dtype in the file: bf16 assumed"));
    QVERIFY(is("parameters", How::Derived, "124439808", "", "sum of the parts, each counted from the shapes"));
    QCOMPARE(model->weights.source, "counted from the shapes in gpt2.json");
    std::vector<std::string> fields;
    for (const Provenance& row : model->provenance)
        fields.push_back(row.field);
    std::ranges::sort(fields);
    QVERIFY2(std::ranges::adjacent_find(fields) == fields.end(), "a field with two origins");
}

void TestHfConfig::conflictsAreNoted()
{
    const Result<Model> model = withKeys(R"("model_type": "llama", "num_key_value_heads": 8, "model_max_length": 1e30,
        "n_layer": 32, "num_kv_heads": 4)");
    QVERIFY2(model, qPrintable(errorOf(model)));
    QCOMPARE(model->groups.at(0).kvHeads, 8);
    QCOMPARE(model->maxContext, std::optional<std::int64_t>(8192));
    QCOMPARE(model->notes.size(), std::size_t{2}); // the layers agree
    QVERIFY2(saysAll(notesOf(model), "num_key_value_heads = 8 and num_kv_heads = 4|model_max_length = 1e+30"),
             qPrintable(notesOf(model)));
}

void TestHfConfig::unknownWidthLeavesWeightsUnknown()
{
    const Result<Model> model = readModelText(R"({"model_type": "exaone", "num_layers": 2, "hidden_size": 512,
        "num_attention_heads": 4, "num_key_value_heads": 4, "vocab_size": 100, "torch_dtype": "float16"})",
                                              "config.json");
    QVERIFY2(model, qPrintable(errorOf(model)));
    QCOMPARE(model->groups.at(0).keyDim, 128);
    QVERIFY(!model->weights.known());
    QVERIFY(model->weights.published == WeightFormat::Fp16);
    QVERIFY2(notesOf(model).contains("parameters not counted"), qPrintable(notesOf(model)));
}

ROOM_TEST(TestHfConfig, void)
#include "test_hf_config.moc"
