// SPDX-License-Identifier: GPL-3.0-or-later
// vLLM: what it prints, how it is launched, what is read from its log.
#include "core/engines/log.h"
#include "core/engines/vllm/version.h"
#include "core/text/text.h"
#include "tests/core/engines/decimal_commas.h"
#include "tests/core/engines/vllm_scenario.h"
#include "tests/core/planned.h"
#include "tests/room.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using core::Bytes;
using core::Scenario;
namespace engines = core::engines;

class TestVllmLines : public QObject {
    Q_OBJECT

private slots:
    /// What a start prints of memory: the reports whose requested GiB are 92.12 and 21.22.
    void budgetLines()
    {
        Scenario scenario = vllm("llama-3.1-8b", 8'192);
        const auto size = [](const char* text) { return tests::valueOf(core::parseSize(text)); };
        scenario.hardware.basis = core::MemoryBasis::Typed;
        scenario.hardware.typed = size("94.97GiB");
        scenario.weightBytes = size("81.7GiB");
        scenario = with(with(scenario, "runtime-context", "0"), "activation-memory", "1.78GiB");
        scenario = with(scenario, "gpu-memory-utilization", "0.97");
        const auto last = [](const Scenario& s) { return tests::described(s).log.back(); };
        const std::string line = last(scenario);
        for (const char* words : {"(0.97, 92.12 GiB)", "81.7 GiB for consumed memory", "1.78 GiB for peak activation",
                                  "(8.21 GiB) to fit into", "in use is 8.64 GiB."})
            QVERIFY2(line.find(words) != std::string::npos, line.c_str());
        QVERIFY(last(version(scenario, "0.20")).find("81.7 GiB for weight, ") != std::string::npos);
        QVERIFY(last(version(scenario, "0.9.1")).starts_with("Maximum concurrency"));
        scenario.cacheMemory = core::gib(8);
        QVERIFY(last(scenario).starts_with("Maximum concurrency")); // nothing was profiled
        // V0: blocks of the host are known without a pool.
        const Scenario first = with(version(vllm("llama-2-7b", 4'096), "V0"), "swap-space", "4");
        QCOMPARE(last(first), std::string("# CPU blocks: 512"));
        const std::vector<std::string> lines = [&] {
            const Scenario on = tests::on(first, "rtx-3090");
            return tests::described(on).log;
        }();
        QVERIFY(lines.front().starts_with("the current vLLM instance can use total_gpu_memory ("));
        QCOMPARE(lines.size(), std::size_t{4});
    }

    void command()
    {
        Scenario scenario =
            pool(with(ranks(vllm("qwen3.5-27b", 131'072), 2), "enable-prefix-caching", "on"), core::gib(8));
        scenario.kFormat = scenario.vFormat = core::KvFormat::Fp8;
        scenario.settings.set("max-num-batched-tokens", "8192");
        scenario.settings.set("gpu-memory-utilization", "0.95");
        QCOMPARE(tests::described(scenario).command,
                 std::string("vllm serve MODEL --max-model-len 131072 --tensor-parallel-size 2 --kv-cache-dtype fp8 "
                             "--kv-cache-memory-bytes 8589934592 --gpu-memory-utilization 0.95 "
                             "--max-num-batched-tokens 8192 --enable-prefix-caching"));
        const auto has = [](const Scenario& s, const char* words) {
            return tests::described(s).command.find(words) != std::string::npos;
        };
        // Releases that take no bytes take blocks; the format of the model is no flag.
        Scenario plain = version(pool(vllm("llama-3.1-8b", 8'192), core::gib(1)), "0.9.1");
        plain.kFormat = plain.vFormat = core::KvFormat::Bf16;
        QVERIFY(has(plain, "--num-gpu-blocks-override 512"));
        QVERIFY(!has(plain, "--kv-cache-"));
        QVERIFY(has(with(plain, "num-speculative-tokens", "3"), "\"method\":\"eagle\""));
        QVERIFY(has(with(scenario, "num-speculative-tokens", "3"), "\"method\":\"mtp\""));
        QVERIFY(has(with(plain, "max-num-batched-tokens", "8K"), "--max-num-batched-tokens 8192"));
    }

    /// Lines as vLLM issue 27508 and others show them.
    void refusal()
    {
        const Scenario scenario =
            pool(with(version(vllm("gpt-oss-120b", 131'072), "0.11"), "max-num-batched-tokens", "1024"),
                 tests::valueOf(core::parseSize("1.71GiB")));
        const auto log = tests::described(scenario).log;
        QVERIFY(log.back().starts_with("To serve at least one request with the model's max seq len (131072), (4.54 GiB "
                                       "KV cache is needed, which is larger than the available KV cache memory (1.71 "
                                       "GiB). Based on the available memory, the estimated maximum model length is "));
        QCOMPARE(core::evaluate(scenario).fits(), std::optional(false));
    }

    void takenOver()
    {
        const engines::EngineLog log = engines::readLog(
            "INFO 10-31 [core.py:60] Initializing a V1 LLM engine (v0.11.0) with config: model='x', "
            "max_seq_len=131072, "
            "tensor_parallel_size=2, pipeline_parallel_size=1, kv_cache_dtype=fp8_e4m3, enable_prefix_caching=True\n"
            "INFO [scheduler.py:205] Chunked prefill is enabled with max_num_batched_tokens=1024.\n"
            "INFO [gpu_worker.py:298] Available KV cache memory: 10.65 GiB\n"
            "INFO [kv_cache_utils.py:864] GPU KV cache size: 238,208 tokens\n"
            "Once upon a time there was a cache.\n");
        QCOMPARE(log.engine, core::EngineId::Vllm);
        QCOMPARE(log.unknown.size(), std::size_t{1});
        const Scenario scenario = engines::withLog(tests::scenarioOf("gpt-oss-120b"), log);
        QCOMPARE(scenario.engine, core::EngineId::Vllm);
        QCOMPARE(scenario.engineVersion, std::string("0.11.0"));
        QCOMPARE(scenario.workload.context, std::int64_t{131'072});
        QCOMPARE(scenario.hardware.parallel.tensor, std::optional<std::int64_t>(2));
        QCOMPARE(scenario.kFormat, core::KvFormat::Fp8);
        QCOMPARE(*scenario.settings.find("max-num-batched-tokens"), std::string("1024"));
        QVERIFY(core::check(scenario).empty());
        QVERIFY(!tests::compared(scenario, log).empty());
    }

    /// The profile of a start: its estimates are taken over, and then the memory for the cache follows. The lines are
    /// those of vLLM pull request 10511: Llama-3-8B on 79.22 GiB.
    void profile()
    {
        const engines::EngineLog log = engines::readLog(
            "INFO [worker.py:236] Memory profiling takes 0.62 seconds\n"
            "INFO [worker.py:236] the current vLLM instance can use total_gpu_memory (79.22GiB) x "
            "gpu_memory_utilization (0.90) = 71.30GiB\n"
            "INFO [worker.py:236] model weights take 14.96GiB; non_torch_memory takes 1.79GiB; PyTorch activation peak "
            "memory takes 1.26GiB; the rest of the memory reserved for KV Cache is 53.29GiB.\n"
            "INFO [executor_base.py:101] # GPU blocks: 27286, # CPU blocks: 2048\n");
        const auto differing = [&](const Scenario& scenario) {
            std::vector<std::string> figures;
            for (const engines::LogComparison& row : tests::compared(scenario, log)) {
                if (!row.agrees)
                    figures.push_back(row.figure);
            }
            return figures;
        };
        Scenario scenario = engines::withLog(vllm("llama-3.1-8b", 8'192), log);
        QCOMPARE(*scenario.settings.find("activation-memory"), std::string("1.26GiB"));
        QCOMPARE(*scenario.settings.find("runtime-context"), std::string("1.79GiB"));
        QCOMPARE(*scenario.settings.find("gpu-memory-utilization"), std::string("0.90"));
        QVERIFY(core::check(scenario).empty());
        QCOMPARE(differing(scenario), std::vector<std::string>());
        scenario.settings.set("runtime-context", "0.6GiB");
        QCOMPARE(differing(scenario), std::vector<std::string>{"non-torch GiB"});
        scenario.weightFormat = core::WeightFormat::Fp8;
        QCOMPARE(differing(scenario), (std::vector<std::string>{"weights GiB (±1 %)", "non-torch GiB"}));

        scenario = engines::withLog(vllm("llama-3.1-8b", 8'192), log);
        scenario.cacheMemory.reset();
        scenario.hardware.basis = core::MemoryBasis::Typed;
        scenario.hardware.typed = tests::valueOf(core::parseSize("79.22GiB"));
        const double memory = core::toGib(*engines::reserve(scenario).pool->memory);
        QVERIFY2(std::abs(memory - 53.29) <= 0.02, std::to_string(memory).c_str()); // a sum of rounded terms
    }

    /// What a start says of graphs, and of several ranks: what is no tensor of torch is context and buffers together.
    void profileOfRanks()
    {
        const engines::EngineLog log = engines::readLog(
            "Initializing a V1 LLM engine (v0.22.0) with config: tensor_parallel_size=2, max_seq_len=8192\n"
            "Estimated CUDA graph memory: 0.45 GiB\n"
            "Free memory on device (78.5/79.2 GiB) on startup. Desired GPU memory utilization is (0.92, 72.86 GiB). "
            "Actual usage is 7.51 GiB for weight, 1.5 GiB for peak activation, 1.25 GiB for non-torch memory, and 0.5 "
            "GiB for CUDAGraph memory. Current kv cache memory in use is 62.0 GiB.\n");
        const Scenario scenario = engines::withLog(vllm("llama-3.1-8b", 8'192), log);
        QCOMPARE(*scenario.settings.find("graph-memory"), std::string("0.45GiB"));
        const engines::Reservation reservation = engines::reserve(scenario);
        QCOMPARE(reservation.deviceCount, std::size_t{2});
        const engines::DeviceShare& share = reservation.devices.front();
        QCOMPARE(share.runtime + share.communication, tests::valueOf(core::parseSize("1.25GiB")));
        QCOMPARE(share.buffers, tests::valueOf(core::parseSize("1.5GiB")));
        QCOMPARE(share.graphs, tests::valueOf(core::parseSize("0.45GiB")));
        for (const engines::LogComparison& row : tests::compared(scenario, log))
            QVERIFY2(row.agrees, (row.figure + " " + row.predicted).c_str());
    }

    /// Which rules a start says it follows.
    void releases_data()
    {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("release"); // empty: none is taken over
        QTest::addColumn<bool>("first");
        const auto row = [](const char* line, const char* release, bool first) {
            QTest::newRow(line) << line << release << first;
        };
        row("Initializing a V0 LLM engine (v0.9.2) with config: x", "0.9.2 V0", true);
        row("Initializing a V1 LLM engine (v0.9.2) with config: x", "0.9.2", false);
        row("Initializing a V1 LLM engine (v0.7.3) with config: x", "0.7.3 V1", false);
        row("Initializing a V0 LLM engine (v0.7.3) with config: x", "0.7.3", true);
        row("Initializing an LLM engine (v0.6.6) with config: x", "0.6.6", true);
        row("Initializing a V1 LLM engine (v0.8.5.dev708+g451da4bcb) with config: x", "0.8.5.dev708+g451da4bcb", false);
        row("vLLM API server version 0.20.1", "0.20.1", false);
        row("vLLM API server version 0.2147483647", "", false);
        row("vLLM API server version 0.2500000", "", false);
        row("vLLM API server version 0.8.1000", "", false);
        row("# GPU blocks: 100, # CPU blocks: 512", "V0", true);
    }
    void releases()
    {
        QFETCH(QString, line);
        QFETCH(QString, release);
        QFETCH(bool, first);
        const Scenario scenario =
            engines::withLog(vllm("llama-3.1-8b", 8'192), engines::readLog((line + "\n").toStdString()));
        QCOMPARE(QString::fromStdString(scenario.engineVersion), release);
        QCOMPARE(engines::vllm::version(scenario.engineVersion).value().first, first);
    }

    /// Each rank prints what it has: the one with least counts for all.
    void ranksWithLess()
    {
        for (const char* lines : {"Available KV cache memory: 10.40 GiB\nAvailable KV cache memory: 10.55 GiB\n",
                                  "Available KV cache memory: 10.55 GiB\nAvailable KV cache memory: 10.40 GiB\n"}) {
            const engines::EngineLog log = engines::readLog(
                std::string("Initializing a V1 LLM engine (v0.11.0) with config: tensor_parallel_size=2, "
                            "max_seq_len=8192\n") +
                lines + "GPU KV cache size: 170,384 tokens\n"); // of 65,536 bytes: 10.3994 GiB
            const Scenario scenario = engines::withLog(tests::scenarioOf("llama-3.1-8b"), log);
            QCOMPARE(scenario.cacheMemory, std::optional(Bytes(170'384 * 65'536ll)));
            for (const engines::LogComparison& row : tests::compared(scenario, log))
                QVERIFY2(row.agrees, (row.figure + " " + row.predicted).c_str());
        }
    }

    /// Numbers that no engine has break nothing.
    void absurdNumbers_data()
    {
        QTest::addColumn<QString>("line");
        const auto row = [](const char* name, const char* line) { QTest::newRow(name) << line; };
        row("blocks", "# GPU blocks: 9223372036854775806, # CPU blocks: 9223372036854775807");
        row("length", "Available KV cache memory: 1.00 GiB\nthe estimated maximum model length is "
                      "9223372036854775807.");
        row("memory", "Available KV cache memory: 999999999999 GiB");
        row("much memory", "Available KV cache memory: 1048576.00 GiB");
        row("bytes", "kv cache memory in use is 9223372036854775807 bytes");
        row("tokens", "GPU KV cache size: 9,223,372,036,854,775,807 tokens");
    }
    void absurdNumbers()
    {
        QFETCH(QString, line);
        const engines::EngineLog log = engines::readLog((line + "\n").toStdString());
        for (const char* release : {"V0", "0.9.1", "0.20", "0.29"}) {
            for (const char* model : {"llama-3.1-8b", "mamba2-2.7b", "gpt-oss-20b"}) {
                for (const engines::LogComparison& row : tests::compared(version(vllm(model, 8'192), release), log))
                    QVERIFY(!row.agrees);
            }
        }
    }

    /// A refusal names what one request needs, however many there are; the host's blocks are of the stage that binds.
    void oneRequest()
    {
        Scenario scenario =
            pool(with(version(vllm("gpt-oss-120b", 131'072, 8), "0.11"), "max-num-batched-tokens", "1024"),
                 tests::valueOf(core::parseSize("1.71GiB")));
        const auto agree = [](const Scenario& s, const char* figure) {
            std::string text;
            for (const std::string& line : tests::described(s).log)
                text += line + "\n";
            const auto rows = tests::compared(s, engines::readLog(text));
            const auto row = std::ranges::find(rows, figure, &engines::LogComparison::figure);
            return row != rows.end() && row->agrees;
        };
        QVERIFY(agree(scenario, "needed GiB"));
        Scenario staged = with(version(ranks(vllm("llama-2-7b", 4'096), 1, 2), "V0"), "pp-layer-partition", "8,24");
        QVERIFY(agree(staged, "CPU blocks"));
    }

    /// A locale with decimal commas, such as a desktop sets: points are read all the same.
    void decimalCommas()
    {
        const tests::DecimalCommas commas;
        if (!commas.areSet())
            QSKIP("There is no locale de_DE.UTF-8.");
        const engines::EngineLog log = engines::readLog("Available KV cache memory: 10.40 GiB\n"
                                                        "GPU KV cache size: 85,184 tokens\n"
                                                        "Maximum concurrency for 8,192 tokens per request: 10.40x\n");
        const Scenario scenario = engines::withLog(version(vllm("llama-3.1-8b", 8'192), "0.11"), log);
        QCOMPARE(scenario.cacheMemory, std::optional(Bytes(85'184 * 131'072ll)));
        for (const engines::LogComparison& row : tests::compared(scenario, log))
            QVERIFY2(row.agrees, (row.figure + " " + row.predicted).c_str());
    }

    /// The lines of newer releases: two figures in one line, and what graphs take; the format "auto" is that of a
    /// model.
    void newerLines()
    {
        const engines::EngineLog log = engines::readLog(
            "INFO [core.py:112] Initializing a V1 LLM engine (v0.28.0) with config: model='x', max_seq_len=10240, "
            "tensor_parallel_size=1, kv_cache_dtype=auto\n"
            "INFO [kv_cache_utils.py:1882] GPU KV cache size: 394,633 tokens, Maximum concurrency for 10,240 tokens "
            "per "
            "request: 38.54x\n"
            "INFO [gpu_worker.py:727] CUDA graph pool memory: 8.57 GiB (actual), 33.06 GiB (estimated), difference: "
            "24.49 GiB (285.9%).\n");
        QVERIFY(log.unknown.empty());
        QCOMPARE(*log.find("tokens"), std::string("394633"));
        QCOMPARE(*log.find("concurrency"), std::string("38.54"));
        QCOMPARE(*log.find("graphs"), std::string("8.57"));
        Scenario typed = tests::scenarioOf("deepseek-v3.2");
        typed.kFormat = typed.vFormat = core::KvFormat::Q8_0;
        QCOMPARE(engines::withLog(typed, log).kFormat, core::KvFormat::Fp8Mla);
        typed = tests::scenarioOf("llama-3.1-8b");
        typed.kFormat = typed.vFormat = core::KvFormat::Fp8;
        QCOMPARE(engines::withLog(typed, log).vFormat, core::KvFormat::Fp16);
    }
};

ROOM_TEST(TestVllmLines, void)
#include "test_vllm_lines.moc"
