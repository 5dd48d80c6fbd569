// SPDX-License-Identifier: GPL-3.0-or-later
// The right values of the first issue, by the command line.
#include "tests/app/command.h"
#include "tests/room.h"

#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <cstdint>
#include <fstream>

using nlohmann::json;

namespace {

constexpr std::int64_t kGib = std::int64_t{1} << 30;

/// What a line gives at a place of its JSON.
struct Row {
    const char* name;
    const char* line;
    const char* place; ///< JSON pointer
    std::int64_t value;
};

constexpr Row kRows[] = {
    {"8B, 8K, batch 1", "size llama-3.1-8b --context 8192", "/kv/bytes", 1'073'741'824},
    {"8B, 8K, batch 16", "size llama-3.1-8b --context 8K --batch 16", "/kv/bytes", 17'179'869'184},
    {"8B parameters", "size llama-3.1-8b", "/weights/parameters", 8'030'261'248},
    {"8B weights", "size llama-3.1-8b", "/weights/bytes", 16'060'522'496},
    {"8B total, batch 16", "size llama-3.1-8b --batch 16", "/memory/total_bytes", 33'240'391'680},
    {"8B, 128K", "size llama-3-8b --context 131072 --kv-format bf16", "/kv/bytes", 17'179'869'184},
    {"8B crossing", "size llama-3-8b --kv-format bf16", "/limits/crossover_context", 122'533},
    {"70B, 8K", "size llama-3-70b --kv-format bf16 --context 8,192", "/kv/bytes", 2'684'354'560},
    {"32B per request", "size qwen2.5-32b --context 8K", "/kv/bytes_per_request", 2'147'483'648},
    {"32B on 2 x 24 GiB", "size qwen2.5-32b --weights-bytes 18GiB --gpus 2 --vram 24GiB", "/limits/max_batch", 15},
    {"32B with 10 % reserve", "size qwen2.5-32b --weights-bytes 18GiB --gpus 2 --vram 24GiB --reserve 10",
     "/limits/max_batch", 12},
    {"32B on 2 x 3090", "size qwen2.5-32b --weights-bytes 18GiB --gpus 2 --gpu rtx-3090", "/limits/max_batch", 14},
    {"32B on 2 x 3090 by label", "size qwen2.5-32b --weights-bytes 18GiB --gpus 2 --gpu rtx-3090 --memory-basis label",
     "/limits/max_batch", 15},
    {"Mixtral FP16", "size mixtral-8x7b --context 32K", "/kv/bytes_per_request", 4'294'967'296},
    {"Mixtral FP8", "size mixtral-8x7b --context 32K --kv-format fp8", "/kv/bytes_per_request", 2'147'483'648},
    {"Mixtral, 16 users", "size mixtral-8x7b --context 32K --batch 16", "/kv/bytes", 64 * kGib},
    {"8B q8_0", "size llama-3.1-8b --context 128K --kv-format q8_0", "/kv/bytes", 17 * kGib / 2},
    {"8B q4_0", "size llama-3.1-8b --context 128K --kv-format q4_0", "/kv/bytes", 9 * kGib / 2},
    {"K in q8_0, V in q4_0", "size llama-3.1-8b --context 128K --v-format q4_0 --kv-format q8_0", "/kv/bytes",
     13 * kGib / 2},
    {"20 % of reserved is waste", "size llama-3.1-8b --batch 16 --waste 20", "/memory/waste_bytes", 4 * kGib},
    {"contiguous", "size llama-3.1-8b --max-context 16K", "/memory/waste_bytes", kGib},
    {"paged", "size llama-3.1-8b --context 8185 --block-size 16", "/memory/waste_bytes", 7 * 131'072},
    {"paged by name", "size llama-3.1-8b --context 8185 --engine paged", "/engine/blocks", 512},
    {"llama.cpp, cells", "size llama-3.1-8b --context 8200 --engine llama.cpp", "/engine/parts/0/cells", 8'448},
    {"llama.cpp, cells of all", "size llama-3.1-8b --context 65535 --parallel 4", "/engine/cache_tokens", 65'536},
    {"llama.cpp, cells of one", "size llama-3.1-8b --context 65535 --parallel 4", "/engine/max_model_len", 16'384},
    {"llama.cpp, one stretch", "size llama-3.1-8b --context 64K --parallel 4 --kv-unified", "/engine/parts/0/cells",
     65'536},
    {"llama.cpp, whole layers", "size gemma-3-27b --context 128K --engine llama.cpp", "/engine/parts/0/bytes",
     10 * kGib},
    {"llama.cpp, windows", "size gemma-3-27b --context 128K --engine llama.cpp", "/engine/parts/1/bytes",
     624 * 1'048'576},
    {"llama.cpp, ideal", "size gemma-3-27b --context 128K --engine llama.cpp", "/kv/bytes",
     10 * kGib + 416 * 1'048'576},
    {"llama.cpp, an older build", "size gemma-3-27b --context 128K --engine llama.cpp --engine-version 2025-04",
     "/engine/parts/0/bytes", 62 * kGib},
    {"ik_llama.cpp",
     "size deepseek-r1 --context 20K --engine-version ik-2025-03 --flash-attn on --mla 3 --k-format q8_0",
     "/engine/parts/0/bytes", 61 * 20'480 * 612},
    {"LFM2", "size lfm2-1.2b --context 32K --engine llama.cpp", "/engine/parts/0/bytes", 384 * 1'048'576},
    {"Gemma 4 E4B, whole windows", "size gemma-4-e4b --context 4K --swa-full", "/engine/parts/1/bytes",
     160 * 1'048'576},
    {"vLLM V0, blocks", "size llama-3.1-8b --engine vllm --engine-version V0 --context 20000 --kv-memory 4094713856",
     "/engine/blocks", 1'952},
    {"vLLM, given pool", "size llama-3.1-8b --engine vllm --context 20000 --kv-memory 2GiB", "/limits/max_context",
     16'384},
    {"vLLM, windows whole", "size gpt-oss-20b --engine vllm --context 8K --batch 32 --disable-hybrid-kv-cache-manager",
     "/engine/needed_bytes", 12 * kGib},
    {"vLLM, longest request", "size qwen3-30b-a3b --engine vllm --max-model-len 256K", "/engine/needed_bytes",
     24 * kGib},
    {"vLLM, batched tokens",
     "size gpt-oss-120b --engine vllm --context 128K --max-num-batched-tokens 1024 --num-gpu-blocks-override 9000",
     "/engine/request_blocks", 8'192 + 73},
    {"vLLM, release", "size llama-3.1-8b --context 128000 --num-gpu-blocks-override 1001", "/engine/cache_tokens",
     16'015},
    {"vLLM, block size", "size llama-3.1-8b --engine vllm --block-size 64", "/engine/block_tokens", 64},
    {"vLLM, ranks", "size llama-3.1-8b --engine vllm --tp 4", "/engine/needed_bytes", kGib / 4},
    {"vLLM, latents on each rank", "size deepseek-v3 --engine vllm --tp 8 --context 16", "/engine/needed_bytes",
     61 * 16 * 1'152},
    {"ranks of the ideal cache", "size llama-3.1-8b --tp 4", "/kv/bytes", kGib},
    {"SGLang, slots", "size llama-3.1-8b --engine sglang --max-total-tokens 1023 --context 8",
     "/engine/parts/0/k_bytes", 1'024 * 65'536},
    {"TensorRT-LLM, blocks", "size llama-3.1-8b --engine tensorrt-llm --kv-memory 4000001 --context 8",
     "/engine/blocks", 1},
    {"vLLM, its units", "size qwen3-8b --engine vllm --kv_cache_memory_bytes 5820M --block-size 16",
     "/engine/available_bytes", 5'820 * 1'048'576ll},
    {"vLLM, its small units", "size qwen3-8b --engine vllm --kv-memory 5820m", "/engine/available_bytes",
     5'820'000'000},
    {"vLLM, automatic format", "size llama-3.1-8b --engine vllm --kv-cache-dtype auto", "/engine/needed_bytes", kGib},
    {"vLLM, automatic format of sparse attention",
     "size deepseek-v3.2 --kv-format auto --engine vllm --context 16 --block-size 16", "/engine/needed_bytes",
     61 * 16 * 788},
    {"SGLang, automatic format of sparse attention", "size deepseek-v3.2 --kv-format auto --engine sglang --context 16",
     "/engine/needed_bytes", 61 * 16 * (1'152 + 132)},
    {"vLLM, the longest that fits", "size llama-3.1-8b --engine vllm --kv-memory 2GiB --max-model-len 128K",
     "/engine/max_model_len", 16'384},
    {"vLLM, as long as asked for", "size llama-3.1-8b --engine vllm --kv-memory 2GiB --max-model-len 10000",
     "/engine/max_model_len", 10'000},
    {"vLLM, fitted to the pool",
     "size llama-4-scout --engine vllm --tp 1 --pp 2 --kv-memory 31913420000 "
     "--max-model-len -1 --disable-hybrid-kv-cache-manager",
     "/engine/max_model_len", 324'640},
    {"vLLM, the model's own length", "size llama-3.1-8b --engine vllm --kv-memory 200GiB --max-model-len auto",
     "/engine/max_model_len", 131'072},
    {"vLLM, ranks that share tokens", "size deepseek-v3 --engine vllm --dcp 4 --context 8K", "/engine/needed_bytes",
     61 * 2'048 * 1'152},
    {"TensorRT-LLM, an older name",
     "size llama-2-7b --engine tensorrt-llm --vram 10GiB --weights-bytes 0 "
     "--runtime-context 0 --activation-memory 0 --kv_cache_free_gpu_mem_fraction 0.5 --context 8",
     "/engine/available_bytes", 5 * kGib},
    {"TensorRT-LLM, block size", "size llama-2-7b --engine tensorrt-llm --block-size 128", "/engine/block_tokens", 128},
    {"SGLang, block size", "size llama-2-7b --engine sglang --block-size 64", "/engine/block_tokens", 64},
    {"overhead of two GPUs", "size llama-3.1-8b --gpu rtx-4090 --gpus 2 --overhead 512MiB", "/memory/overhead_bytes",
     kGib},
    {"M2 Ultra by size", "size llama-3.1-8b --gpu apple-m2-ultra:128 --memory-basis label", "/memory/capacity_bytes",
     128 * kGib},
    {"largest product", "size llama-3.1-8b --context 16M --batch 65536 --kv-format fp32", "/kv/bytes",
     262'144 * (std::int64_t{1} << 40)},
};

void fitsRow(const char* name, const char* line, bool fits)
{
    QTest::newRow(name) << line << fits;
}

/// Llama 3.1 8B with other numbers of KV heads, as config.json.
std::string writeConfig(const QTemporaryDir& folder, int kvHeads)
{
    const std::string path = folder.filePath(QStringLiteral("config.json")).toStdString();
    std::ofstream(path) << json{{"model_type", "llama"},
                                {"architectures", {"LlamaForCausalLM"}},
                                {"hidden_size", 4096},
                                {"intermediate_size", 14336},
                                {"num_hidden_layers", 32},
                                {"num_attention_heads", 32},
                                {"num_key_value_heads", kvHeads},
                                {"max_position_embeddings", 131072},
                                {"vocab_size", 128256},
                                {"torch_dtype", "bfloat16"}};
    return path;
}

} // namespace

class TestSizeValues : public QObject {
    Q_OBJECT

private slots:
    void value_data()
    {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("place");
        QTest::addColumn<qint64>("value");
        for (const Row& row : kRows)
            QTest::newRow(row.name) << row.line << row.place << qint64{row.value};
    }
    void value()
    {
        QFETCH(const QString, line);
        QFETCH(const QString, place);
        QFETCH(const qint64, value);
        const json object = tests::json(line.toStdString());
        QVERIFY(object.is_object());
        const json& found = object.at(json::json_pointer(place.toStdString()));
        QVERIFY(found.is_number_integer());
        QCOMPARE(found.get<qint64>(), value);
    }

    void fits_data()
    {
        QTest::addColumn<QString>("line");
        QTest::addColumn<bool>("fits");
        fitsRow("8B, batch 16, RTX 3090", "size llama-3.1-8b --batch 16 --gpu rtx-3090", false);
        fitsRow("8B, batch 16, RTX 4090", "size llama-3.1-8b --batch 16 --gpu rtx-4090", false);
        fitsRow("8B, batch 1, RTX 4090", "size llama-3.1-8b --gpu rtx-4090", true);
        fitsRow("Mixtral, 16 users, A100", "size mixtral-8x7b --context 32K --batch 16 --gpu a100-sxm-80", false);
        fitsRow("Mixtral, 16 users, M2 Ultra", "size mixtral-8x7b --context 32K --batch 16 --gpu apple-m2-ultra:128",
                false);
        fitsRow("32B, 15", "size qwen2.5-32b --weights-bytes 18GiB --gpus 2 --vram 24GiB --batch 15", true);
        fitsRow("32B, 16", "size qwen2.5-32b --weights-bytes 18GiB --gpus 2 --vram 24GiB --batch 16", false);
    }
    void fits()
    {
        QFETCH(const QString, line);
        QFETCH(const bool, fits);
        const json object = tests::json(line.toStdString());
        QVERIFY(object.is_object());
        QCOMPARE(object.at("memory").at("fits").get<bool>(), fits);
        const int exitCode = tests::run(line.toStdString() + " --fail-if-over").exitCode;
        QCOMPARE(exitCode, fits ? app::kDone : app::kDoesNotFit);
    }

    void awqWeightsAreAbout18GiB()
    {
        const json object = tests::json("size qwen2.5-32b --weights-format awq-4bit");
        const double gib = object.at("weights").at("bytes").get<double>() / static_cast<double>(kGib);
        QVERIFY(std::abs(gib - 18.0) <= 0.1);
    }

    void verdictNamesLabelMemory()
    {
        const std::string text = tests::run("size qwen2.5-32b --weights-bytes 18GiB --gpus 2 --gpu rtx-3090").out;
        QVERIFY(text.find("15 with label memory") != std::string::npos);
    }

    void configsOfOneModelDifferByHeads()
    {
        const QTemporaryDir folder;
        for (const auto& [kvHeads, bytes] : {std::pair{32, 4 * kGib}, std::pair{8, kGib}, std::pair{1, kGib / 8}}) {
            const std::string path = writeConfig(folder, kvHeads);
            QCOMPARE(tests::json("size " + path).at("kv").at("bytes").get<qint64>(), qint64{bytes});
            const std::string inFolder = folder.path().toStdString();
            QCOMPARE(tests::json("size " + inFolder).at("kv").at("bytes").get<qint64>(), qint64{bytes});
        }
    }

    void sharedPrefixIsKeptOnce()
    {
        // 15 of 16 requests do without 2,048 tokens of 131,072 bytes. The option chooses an engine that can share.
        const json shared = tests::json("size llama-3.1-8b --batch 16 --shared-prefix 2K");
        QCOMPARE(shared.at("engine").at("name").get<std::string>(), std::string("paged"));
        QCOMPARE(shared.at("kv").at("shared_prefix_bytes").get<std::int64_t>(), std::int64_t{4'026'531'840});
        QCOMPARE(shared.at("memory").at("kv_bytes").get<std::int64_t>(), std::int64_t{13'153'337'344});
        const auto explained = tests::run("size llama-3.1-8b --batch 16 --shared-prefix 2K --explain").out;
        QVERIFY(explained.find("KV cache with the shared prefix kept once") != std::string::npos);
        QCOMPARE(tests::run("size llama-3.1-8b --engine contiguous --shared-prefix 2K").err,
                 std::string("kvhorizon: --shared-prefix is for the paged engine, but --engine is contiguous: leave "
                             "one of the two out.\n"));
    }

    void inspectedModelCanBeSized()
    {
        const QTemporaryDir folder;
        const std::string path = folder.filePath(QStringLiteral("model.json")).toStdString();
        for (const std::string model : {"gemma-3-27b", "deepseek-v3", "gpt-oss-20b"}) {
            std::ofstream(path) << tests::run("inspect " + model + " --json").out;
            QCOMPARE(tests::run("size " + path + " --json").out, tests::run("size " + model + " --json").out);
        }
    }
};

ROOM_TEST(TestSizeValues, void)
#include "test_size_values.moc"
