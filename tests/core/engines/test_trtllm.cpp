// SPDX-License-Identifier: GPL-3.0-or-later
// TensorRT-LLM: blocks of what is left after the engine, rounded up; lines, command, laws.
#include "core/engines/engine.h"
#include "core/engines/trtllm/trtllm.h"
#include "core/sizing/limits.h"
#include "tests/core/catalogue.h"
#include "tests/core/planned.h"
#include "tests/room.h"

#include <QTest>

using core::Bytes;
using core::Scenario;
namespace engines = core::engines;

namespace {

Scenario trtllm(const char* model, std::int64_t context, std::int64_t batch = 1)
{
    Scenario scenario = tests::with(tests::scenarioOf(model), context, batch);
    scenario.engine = core::EngineId::TensorRtLlm;
    return scenario;
}

} // namespace

class TestTrtllm : public QObject {
    Q_OBJECT

private slots:
    /// 0.9 of what is free, up to a whole block.
    void roundedUp()
    {
        Scenario scenario = tests::onTyped(trtllm("llama-2-7b", 4'096), core::gib(40));
        scenario.engineVersion = "0.13";
        const core::Footprint footprint = core::evaluate(scenario);
        const Bytes free = core::gib(40) - footprint.memory.weights - footprint.memory.overhead;
        const Bytes block(64ll * 524'288);
        const engines::Pool pool = engines::reserve(scenario).pool.value();
        QCOMPARE(pool.blockTokens, std::int64_t{64});
        QCOMPARE(pool.blockBytes, block);
        const std::int64_t whole = (engines::fractionOf(free, 9'000).count() + block.count() - 1) / block.count();
        QCOMPARE(pool.blocks, std::optional(whole));
        QCOMPARE(footprint.limits.maxContext.value, std::optional(whole * 64));
        QCOMPARE(footprint.memory.reserve, free - block * whole);
        scenario.engineVersion = "1.2";
        QCOMPARE(engines::reserve(scenario).pool->blockTokens, std::int64_t{32});
    }

    void lines()
    {
        const engines::EngineLog log = engines::readLog(
            "[TensorRT-LLM][INFO] Memory usage when calculating max tokens in paged kv cache: total: 79.10 GiB, "
            "available: 70.48 GiB\n"
            "[TensorRT-LLM][INFO] Number of blocks in KV cache primary pool: 4060\n"
            "[TensorRT-LLM][INFO] Max KV cache pages per sequence: 32\n"
            "[TensorRT-LLM][INFO] Number of tokens per block: 64.\n"
            "[TensorRT-LLM][INFO] [MemUsageChange] Allocated 63.44 GiB for max tokens in paged KV cache (259840).\n");
        QCOMPARE(log.engine, core::EngineId::TensorRtLlm);
        QVERIFY(log.unknown.empty());
        Scenario scenario = engines::withLog(tests::scenarioOf("llama-2-7b"), log);
        scenario.workload.context = 2'048;
        scenario.kFormat = scenario.vFormat = core::KvFormat::Fp8;
        QCOMPARE(tests::compared(scenario, log).size(), std::size_t{5});
        for (const engines::LogComparison& row : tests::compared(scenario, log))
            QVERIFY2(row.agrees, (row.figure + " " + row.predicted).c_str());
    }

    /// Since 1.0 a line has all figures of a pool; the first pool is only made to see what a batch takes. The figures
    /// are those printed for a model of 8,192 blocks a request: 262,144 tokens in blocks of 32, 158,543 blocks.
    void linesOfOnePool()
    {
        const char* const last = "[TensorRT-LLM][INFO] Max KV cache blocks per sequence: 8192 [window size=262144], "
                                 "tokens per block=32, primary blocks=158543, secondary blocks=0, max sequence "
                                 "length=262144";
        const engines::EngineLog log = engines::readLog(
            std::string("[TensorRT-LLM][INFO] Max KV cache blocks per sequence: 128 [window size=4096], tokens per "
                        "block=32, primary blocks=129, secondary blocks=0, max sequence length=4096\n"
                        "[TensorRT-LLM][INFO] Number of tokens per block: 32.\n") +
            last +
            "\n[TensorRT-LLM][INFO] Number of tokens per block: 32.\n"
            "[TensorRT-LLM][INFO] [MemUsageChange] Allocated 619.31 GiB for max tokens in paged KV cache (5073376).\n");
        QCOMPARE(log.engine, core::EngineId::TensorRtLlm);
        QVERIFY(log.unknown.empty());
        Scenario scenario = engines::withLog(tests::scenarioOf("llama-3.1-8b"), log);
        QCOMPARE(scenario.workload.context, std::int64_t{262'144});
        const std::vector<engines::LogComparison> rows = tests::compared(scenario, log);
        QCOMPARE(rows.size(), std::size_t{6});
        for (const engines::LogComparison& row : rows)
            QVERIFY2(row.agrees, (row.figure + " " + row.predicted).c_str());
        const std::vector<std::string> lines = tests::described(scenario).log;
        QCOMPARE(lines.front(), std::string(last));
        scenario.engineVersion = "0.13";
        QVERIFY(tests::described(scenario).log.front().find("primary pool") != std::string::npos);
    }

    void command()
    {
        Scenario scenario = trtllm("llama-3.1-8b", 8'192);
        scenario.hardware.count = 2;
        scenario.kFormat = scenario.vFormat = core::KvFormat::Fp8;
        scenario.settings.set("kv-cache-free-gpu-memory-fraction", "0.8");
        QCOMPARE(tests::described(scenario).command,
                 std::string("trtllm-serve MODEL --max_seq_len 8192 --tp_size 2 "
                             "--kv_cache_free_gpu_memory_fraction 0.8 --extra_llm_api_options <(echo "
                             "'{kv_cache_config: {dtype: fp8}}')"));
    }

    /// What stands in the configuration file; what has no entry is left out.
    void configuration_data()
    {
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("format");
        QTest::addColumn<QString>("flags");
        QTest::addColumn<QString>("entries");
        const auto row = [](const char* name, const char* model, const char* format, const char* flags,
                            const char* entries) { QTest::newRow(name) << model << format << flags << entries; };
        row("nothing", "llama-3.1-8b", "bf16", "", "");
        row("of the engine", "llama-3.1-8b", "int8", "", "");
        row("of the model", "llama-3.1-8b", "fp32", "", "{dtype: float32}");
        row("counts", "llama-3.1-8b", "fp16", "max-tokens=100K tokens-per-block=64",
            "{kv_cache_config: {tokens_per_block: 64, max_tokens: 102400}}");
        row("auto", "llama-3.1-8b", "fp16", "max-tokens=auto", "");
        row("mtp", "deepseek-v3", "fp8", "num-speculative-tokens=3",
            "{kv_cache_config: {dtype: fp8}, speculative_config: {decoding_type: MTP, num_nextn_predict_layers: 3}}");
        row("eagle", "llama-3.1-8b", "fp16", "num-speculative-tokens=3",
            "{speculative_config: {decoding_type: Eagle, max_draft_len: 3, speculative_model_dir: DRAFT}}");
        row("n-grams", "llama-3.1-8b", "fp16", "num-speculative-tokens=3 draft-layers=0",
            "{speculative_config: {decoding_type: NGram, max_draft_len: 3}}");
    }
    void configuration()
    {
        QFETCH(QString, model);
        QFETCH(QString, format);
        QFETCH(QString, flags);
        QFETCH(QString, entries);
        Scenario scenario = trtllm(model.toUtf8().constData(), 8'192);
        scenario.kFormat = scenario.vFormat = core::kvFormat(format.toStdString()).value();
        for (const QString& flag : flags.split(' ', Qt::SkipEmptyParts))
            scenario.settings.set(flag.section('=', 0, 0).toStdString(), flag.section('=', 1).toStdString());
        const std::string command = tests::described(scenario).command;
        const QString file = entries.isEmpty() ? QString() : " --extra_llm_api_options <(echo '" + entries + "')";
        QCOMPARE(QString::fromStdString(command), "trtllm-serve MODEL --max_seq_len 8192" + file);
    }

    void refused()
    {
        Scenario scenario = trtllm("llama-3.1-8b", 8'192);
        scenario.engineVersion = "newest";
        QCOMPARE(core::check(scenario).front().field, core::Field::EngineVersion);
        scenario.engineVersion = "0.8";
        scenario.kFormat = scenario.vFormat = core::KvFormat::Q4_0;
        QCOMPARE(core::check(scenario).front().field, core::Field::KFormat);
    }

    /// States and tokens share the pool.
    void statesOfThePool()
    {
        Scenario scenario = trtllm("qwen3.5-27b", 2'000);
        scenario.cacheMemory = core::gib(2);
        const std::int64_t batch = tests::limitsOf(scenario).maxBatch.value.value();
        scenario.workload.batch = batch;
        const Bytes states = Bytes((30'720ll * 2 + 786'432ll * 4) * 48) * batch;
        QVERIFY(engines::reserve(scenario).pool->needed <= core::gib(2));
        QVERIFY(states < core::gib(2));
        ++scenario.workload.batch;
        QVERIFY(engines::reserve(scenario).pool->needed > core::gib(2));
    }

    void laws()
    {
        for (const char* model : {"llama-3.1-8b", "gemma-3-27b", "deepseek-v3", "qwen3.5-27b"}) {
            const Scenario scenario = tests::onTyped(trtllm(model, 2'000, 2), core::gib(2'000));
            const auto plan = engines::plan(scenario);
            const core::Limits limits = tests::limitsOf(scenario);
            core::Workload workload = scenario.workload;
            workload.batch = limits.maxBatch.value.value();
            QVERIFY(plan->fits(workload));
            ++workload.batch;
            QVERIFY(!plan->fits(workload));
            const std::int64_t context = limits.maxContext.value.value();
            QVERIFY(plan->fits(core::withContext(scenario.workload, context)));
            QVERIFY(!plan->fits(core::withContext(scenario.workload, context + 1)));
        }
    }
};

ROOM_TEST(TestTrtllm, void)
#include "test_trtllm.moc"
