// SPDX-License-Identifier: GPL-3.0-or-later
// Spreads and numbers of requests that an engine refuses, and those at the edge of what it takes.
#include "core/engines/engine.h"
#include "core/engines/log.h"
#include "core/engines/parallel.h"
#include "core/files/footprint_json.h"
#include "core/sizing/evaluate.h"
#include "core/sizing/limits.h"
#include "core/sizing/verdict.h"
#include "tests/core/catalogue.h"
#include "tests/core/planned.h"
#include "tests/room.h"

#include <QTest>

#include <nlohmann/json.hpp>

#include <limits>
#include <string>
#include <vector>

using core::EngineId;
using core::Scenario;
namespace engines = core::engines;

namespace {

constexpr std::int64_t kHuge = std::numeric_limits<std::int64_t>::max();

struct Flag {
    const char* name;
    const char* value;
};

Scenario served(const char* model, EngineId engine, std::int64_t gpus, core::Parallelism ranks = {},
                const std::vector<Flag>& flags = {})
{
    Scenario scenario = tests::on(tests::scenarioOf(model), "h100-sxm", gpus);
    scenario.engine = engine;
    scenario.hardware.parallel = ranks;
    for (const Flag& flag : flags)
        scenario.settings.set(flag.name, flag.value);
    return scenario;
}

Scenario withBatch(Scenario scenario, std::int64_t batch)
{
    scenario.workload.batch = batch;
    return scenario;
}

} // namespace

Q_DECLARE_METATYPE(core::Scenario)

class TestRanks : public QObject {
    Q_OBJECT

private slots:
    /// What is typed and cannot be, named at its field; nothing is computed with it.
    void refused_data()
    {
        QTest::addColumn<Scenario>("scenario");
        QTest::addColumn<QString>("field");
        QTest::addColumn<QString>("said");
        const auto row = [](const char* name, const Scenario& scenario, const char* field, const char* said) {
            QTest::newRow(name) << scenario << field << said;
        };
        row("groups that ranks cannot form",
            served("llama-3.1-8b", EngineId::Sglang, 8, {8, {}, 3}, {{"enable-dp-attention", "on"}}), "dp",
            "8 tensor-parallel GPUs cannot be shared out evenly to 3 groups");
        row("more groups than ranks",
            served("llama-3.1-8b", EngineId::Sglang, 1, {1, {}, 17}, {{"enable-dp-attention", "on"}}), "gpus",
            "1 × 1 × 17 ranks need 17 GPUs, but there are 1");
        row("absurd copies", served("llama-3.1-8b", EngineId::Vllm, 8, {{}, 8, kHuge / 4}), "dp", "ranks; use 1 to");
        row("absurd ranks", served("llama-3.1-8b", EngineId::Vllm, 8, {kHuge, kHuge, kHuge}), "tp", "ranks; use 1 to");
        row("tokens of KV heads that are divided",
            served("llama-3.1-8b", EngineId::Vllm, 8, {}, {{"decode-context-parallel-size", "8"}}),
            "decode-context-parallel-size", "only 1 GPUs keep the same KV heads");
        row("layers of no stage",
            served("llama-3.1-8b", EngineId::Vllm, 2, {1, 2, {}}, {{"pp-layer-partition", "10,10"}}),
            "pp-layer-partition", "does not share out 32 layers to 2 pipeline stages");
        row("parts of a layer",
            served("llama-3.1-8b", EngineId::Vllm, 2, {1, 2, {}}, {{"pp-layer-partition", "0.6,0.4"}}),
            "pp-layer-partition", "does not share out 32 layers");
        row("absurd stages",
            served("llama-3.1-8b", EngineId::Vllm, 2, {1, 2, {}},
                   {{"pp-layer-partition", "999999999999,999999999999"}}),
            "pp-layer-partition", "does not share out 32 layers");
        row("more requests than vLLM takes",
            withBatch(served("llama-3.1-8b", EngineId::Vllm, 1, {}, {{"max-num-seqs", "3"}}), 4), "batch", "allow 3");
        row("of all copies",
            withBatch(served("llama-3.1-8b", EngineId::Vllm, 4, {1, 1, 4}, {{"max-num-seqs", "2"}}), 9), "batch",
            "allow 8");
        row("more requests than states",
            withBatch(served("qwen3.5-27b", EngineId::Sglang, 1, {}, {{"max-mamba-cache-size", "7"}}), 3), "batch",
            "allow 2"); // three states for each
        row("more requests than SGLang takes",
            withBatch(served("qwen3.5-27b", EngineId::Sglang, 1, {},
                             {{"max-mamba-cache-size", "30"}, {"max-running-requests", "2"}}),
                      3),
            "batch", "allow 2");
        row("of all its copies",
            withBatch(served("llama-3.1-8b", EngineId::Sglang, 4, {2, {}, 2}, {{"max-running-requests", "6"}}), 13),
            "batch", "allow 12");
        row("of all groups of one model",
            withBatch(served("llama-3.1-8b", EngineId::Sglang, 4, {4, {}, 2},
                             {{"enable-dp-attention", "on"}, {"max-running-requests", "6"}}),
                      7),
            "batch", "allow 6");
        row("query heads", served("gemma-2b", EngineId::Vllm, 3), "tp", "8 query heads cannot be divided by 3");
        row("more requests than TensorRT-LLM takes",
            withBatch(served("llama-3.1-8b", EngineId::TensorRtLlm, 1, {}, {{"max-batch-size", "1"}}), 2), "batch",
            "allow 1");
    }
    void refused()
    {
        QFETCH(const Scenario, scenario);
        QFETCH(const QString, field);
        QFETCH(const QString, said);
        const std::vector<core::Issue> issues = core::check(scenario);
        QVERIFY(!issues.empty());
        const core::Issue& issue = issues.front();
        QCOMPARE(issue.field == core::Field::Setting ? QString::fromStdString(issue.setting)
                                                     : QString::fromUtf8(core::id(issue.field).data()),
                 field);
        const QString sentence = QString::fromStdString(core::english(issue.message));
        QVERIFY2(sentence.contains(said), qPrintable(sentence));
    }

    /// As many as are allowed are the limit.
    void mostRequests()
    {
        QCOMPARE(tests::limitsOf(served("llama-3.1-8b", EngineId::Vllm, 4, {1, 1, 4}, {{"max-num-seqs", "2"}}))
                     .maxBatch.value,
                 std::optional<std::int64_t>(8));
        const Scenario states = served("qwen3.5-27b", EngineId::Sglang, 1, {}, {{"max-mamba-cache-size", "7"}});
        QCOMPARE(tests::limitsOf(states).maxBatch.value, std::optional<std::int64_t>(2));
    }

    /// Groups with requests of their own are ranks of one model: all GPUs, without a typed number (SGLang's --tp-size
    /// counts them all).
    void groupsTakeAllGpus()
    {
        const Scenario scenario =
            served("llama-3.1-8b", EngineId::Sglang, 8, {{}, {}, 4}, {{"enable-dp-attention", "on"}});
        QCOMPARE(core::check(scenario).size(), 0U);
        const engines::Spread spread = engines::spreadOf(scenario);
        QCOMPARE(spread.tensor, 8);
        QCOMPARE(spread.heads, 2);
        QCOMPARE(spread.devices(), 8);
        QCOMPARE(tests::footprintOf(scenario).devices.size(), 8U);
        const std::string command = tests::described(scenario).command;
        QVERIFY2(command.find("--tp-size 8 --dp-size 4 --enable-dp-attention") != std::string::npos, command.c_str());
    }

    /// What is in use over all devices is the ideal cache, however it is spread.
    void useIsTheIdealCache_data()
    {
        QTest::addColumn<Scenario>("scenario");
        QTest::newRow("heads divided") << served("llama-3.1-8b", EngineId::Vllm, 8);
        QTest::newRow("heads copied") << served("llama-3.1-8b", EngineId::Vllm, 16);
        QTest::newRow("tokens divided") << served("llama-3.1-8b", EngineId::Vllm, 16, {},
                                                  {{"decode-context-parallel-size", "2"}});
        QTest::newRow("latents") << served("deepseek-v3", EngineId::Vllm, 8);
        QTest::newRow("tokens of latents divided")
            << served("deepseek-v3", EngineId::Vllm, 8, {}, {{"decode-context-parallel-size", "8"}});
        QTest::newRow("stages and copies") << served("llama-3.1-8b", EngineId::Vllm, 8, {2, 2, 2});
        QTest::newRow("SGLang") << served("llama-3.1-8b", EngineId::Sglang, 16);
        QTest::newRow("TensorRT-LLM") << served("llama-3.1-8b", EngineId::TensorRtLlm, 4, {2, 2, 1});
        QTest::newRow("ideal") << served("llama-3.1-8b", EngineId::Ideal, 8, {2, 2, 2});
    }
    void useIsTheIdealCache()
    {
        QFETCH(const Scenario, scenario);
        const Scenario busy = withBatch(scenario, 5);
        QCOMPARE(core::check(busy).size(), 0U);
        QCOMPARE(engines::reserve(busy).used(), tests::footprintOf(busy).kv.total);
    }

    /// A reservation that is used again says the same as a new one.
    void reservationsAreUsedAgain_data()
    {
        QTest::addColumn<int>("engine");
        for (std::size_t i = 0; i < core::engineIds().size(); ++i)
            QTest::newRow(core::engineIds()[i].data()) << static_cast<int>(i);
    }
    void reservationsAreUsedAgain()
    {
        QFETCH(const int, engine);
        engines::Reservation again;
        for (const char* model : {"llama-3.1-8b", "qwen3.5-27b", "gpt-oss-20b", "deepseek-v3", "whisper-large-v3"}) {
            for (const std::int64_t batch : {7, 1}) {
                Scenario scenario = withBatch(served(model, static_cast<EngineId>(engine), 2), batch);
                scenario.weightBytes = core::gib(3);
                engines::plan(scenario)->reserve(scenario.workload, again);
                const engines::Reservation fresh = engines::plan(scenario)->reserve(scenario.workload);
                QCOMPARE(again.deviceCount, fresh.deviceCount);
                QCOMPARE(again.used(), fresh.used());
                QVERIFY(again.waste() == fresh.waste());
                QCOMPARE(again.host.has_value(), fresh.host.has_value());
                QCOMPARE(again.caches().size(), fresh.caches().size());
                QCOMPARE(again.cacheTokens, fresh.cacheTokens);
                QCOMPARE(again.requestTokens, fresh.requestTokens);
                QCOMPARE(again.pool.has_value(), fresh.pool.has_value());
            }
        }
    }

    /// Blocks that are given are the pool, in memory, verdict and JSON alike.
    void givenBlocks()
    {
        // 100 blocks of 2 MiB: 200 MiB for a request of 1 GiB.
        const Scenario scenario = served("llama-3.1-8b", EngineId::Vllm, 1, {}, {{"num-gpu-blocks-override", "100"}});
        const core::Evaluation evaluation = core::assess(scenario);
        const core::DeviceFootprint& device = evaluation.footprint.devices.front();
        QCOMPARE(*device.free(), core::mib(200) - core::gib(1));
        QCOMPARE(device.parts.total() - *device.capacity, core::gib(1) - core::mib(200));
        QCOMPARE(QString::fromStdString(core::english(core::verdictOf(evaluation).word)),
                 QStringLiteral("Over by 824 MiB"));
        const auto json = core::footprintToJson(evaluation);
        QCOMPARE(json["memory"]["fits"].get<bool>(), false);
        QCOMPARE(json["memory"]["gpus"][0]["fits"].get<bool>(), false);
    }

    /// Counts that nobody has are printed as too many, not wrapped.
    void absurdBlocks()
    {
        Scenario scenario =
            served("mamba2-2.7b", EngineId::Vllm, 1, {}, {{"num-gpu-blocks-override", "1099511627776"}});
        scenario.workload.context = core::kMaxContext;
        QCOMPARE(core::check(scenario).size(), 0U);
        QVERIFY(engines::reserve(scenario).cacheTokens.value() > 0);
    }

    /// Llama-3.1-8B: 8,030,261,248 parameters in 16 bits, of which attention has 1,342,177,280, and the norms, which
    /// every rank has whole, 266,240.
    void weights()
    {
        const auto each = [](const Scenario& scenario) {
            const engines::Reservation reservation = engines::reserve(scenario);
            std::vector<std::int64_t> bytes;
            for (const engines::DeviceShare& share : reservation.shares())
                bytes.push_back(share.weights.count());
            return bytes;
        };
        const std::int64_t whole = 2 * 8'030'261'248;
        QCOMPARE(each(served("llama-3.1-8b", EngineId::Vllm, 2)),
                 std::vector<std::int64_t>(2, (whole - 532'480) / 2 + 532'480));
        QCOMPARE(each(served("llama-3.1-8b", EngineId::Vllm, 2, {1, 1, 2})), std::vector<std::int64_t>(2, whole));
        // Groups of two ranks divide attention among themselves, all eight the rest.
        const std::int64_t attention = 2 * 1'342'177'280ll;
        QCOMPARE(each(served("llama-3.1-8b", EngineId::Sglang, 8, {8, {}, 4}, {{"enable-dp-attention", "on"}})),
                 std::vector<std::int64_t>(8, attention / 2 + (whole - attention - 532'480) / 8 + 532'480));
        // A tied embedding of 524,288,000 parameters is on the first stage and on the last.
        const auto sum = [&](const char* model) {
            const std::vector<std::int64_t> stages = each(served(model, EngineId::Vllm, 2, {1, 2, {}}));
            return stages.front() + stages.back();
        };
        QCOMPARE(sum("llama-3.1-8b"), whole);
        QCOMPARE(sum("gemma-2b"), std::int64_t{2} * 2'506'172'416 + 1'048'576'000);
    }

    /// Ranks of one model talk to each other, stages too; copies do not.
    void communication()
    {
        const auto buffers = [](core::Parallelism ranks) {
            const Scenario scenario = served("llama-3.1-8b", EngineId::Vllm, 2, ranks);
            return engines::reserve(scenario).devices.front().communication;
        };
        QCOMPARE(buffers({2, 1, 1}), core::Bytes(1'503'238'554)); // 1.4 GiB
        QCOMPARE(buffers({1, 2, 1}), core::Bytes(1'503'238'554));
        QCOMPARE(buffers({1, 1, 2}), core::Bytes());
    }

    /// What cannot be divided goes to the stages before the last: vLLM distributed/utils.py, get_pp_indices.
    void stages()
    {
        const auto endsOf = [](const char* model, std::int64_t stages) {
            return engines::spreadOf(served(model, EngineId::Vllm, stages, {1, stages, {}})).ends;
        };
        QCOMPARE(endsOf("deepseek-v3", 2), (std::vector<std::int64_t>{31, 61}));
        QCOMPARE(endsOf("deepseek-v3", 4), (std::vector<std::int64_t>{15, 30, 46, 61}));
        QCOMPARE(endsOf("gemma-3-27b", 4), (std::vector<std::int64_t>{15, 31, 47, 62}));
        QCOMPARE(endsOf("llama-3.1-8b", 4), (std::vector<std::int64_t>{8, 16, 24, 32}));
    }

    /// A log of another engine is compared by that engine's defaults: nothing is left that it refuses.
    void logsOfAnotherEngine()
    {
        Scenario scenario = served("llama-3.1-8b", EngineId::Ideal, 2, {1, 2, {}});
        scenario.reserve = core::Percent::whole(5);
        scenario.waste = core::Percent::whole(20);
        const engines::EngineLog vllm =
            engines::readLog("INFO 10-02 12:00:00 gpu_executor.py:122] # GPU blocks: 1952, # CPU blocks: 2048\n");
        const Scenario taken = engines::withLog(scenario, vllm);
        QCOMPARE(taken.engine, EngineId::Vllm);
        QCOMPARE(core::check(taken).size(), 0U);
        const engines::EngineLog llama = engines::readLog(
            "llama_kv_cache: size =  640.00 MiB (  8192 cells,  10 layers,  1/1 seqs), K (f16):  320.00 MiB, V (f16): "
            " 320.00 MiB\n");
        const Scenario other = engines::withLog(taken, llama);
        QCOMPARE(other.engine, EngineId::LlamaCpp);
        QCOMPARE(core::check(other).size(), 0U);
    }

    /// A line that several engines print is one of the likely engine; ranks that a log does not name are 1.
    void likelyEngine()
    {
        const char* const line = "[TRT-LLM] [I] max_seq_len=131072, max_num_requests=2048, max_num_tokens=8192\n";
        QCOMPARE(engines::readLog(line, EngineId::TensorRtLlm).engine, EngineId::TensorRtLlm);
        QCOMPARE(engines::readLog(line, EngineId::Vllm).engine, EngineId::Vllm);
        Scenario scenario = served("llama-3.1-8b", EngineId::Vllm, 8, {2, {}, 4});
        scenario.settings.set("num-gpu-blocks-override", "100");
        const Scenario taken =
            engines::withLog(scenario, engines::readLog("config: tensor_parallel_size=2, pipeline_parallel_size=1\n"
                                                        "Available KV cache memory: 10.65 GiB\n"));
        QCOMPARE(taken.hardware.count, std::int64_t{2});
        QCOMPARE(taken.hardware.parallel.data, std::optional<std::int64_t>());
        QVERIFY(taken.settings.find("num-gpu-blocks-override") == nullptr);
        const Scenario kept = engines::withLog(served("llama-3.1-8b", EngineId::Sglang, 4, {2, {}, 2}),
                                               engines::readLog("tp_size=0\n", EngineId::Sglang));
        QCOMPARE(kept.hardware.parallel, (core::Parallelism{2, {}, 2}));
    }

    /// Copies have weights of their own: the cache of all requests is compared with all of them.
    void crossing()
    {
        const auto crossing = [](core::Parallelism ranks) {
            const Scenario scenario = withBatch(served("llama-3.1-8b", EngineId::Vllm, 2, ranks), 4);
            return core::evaluate(scenario).limits.crossover;
        };
        QCOMPARE(crossing({1, 1, 2}), std::optional<std::int64_t>(61'267)); // 2 · 16,060,522,496 / (4 · 131,072)
        QCOMPARE(crossing({1, 2, 1}), std::optional<std::int64_t>(30'634));
    }
};

ROOM_TEST(TestRanks, void)
#include "test_ranks.moc"
