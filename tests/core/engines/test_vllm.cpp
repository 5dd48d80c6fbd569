// SPDX-License-Identifier: GPL-3.0-or-later
// vLLM: the rules one by one on catalogue models, ranks and stages, releases, what is refused, laws.
#include "core/engines/vllm/plan.h"
#include "core/sizing/limits.h"
#include "tests/core/engines/vllm_scenario.h"
#include "tests/core/planned.h"
#include "tests/room.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using core::Bytes;
using core::Scenario;
using core::WasteCause;
namespace engines = core::engines;

namespace {

double neededGib(const Scenario& scenario)
{
    return core::toGib(poolOf(scenario).needed);
}

bool isTwoDecimals(double value, double printed)
{
    return std::abs(value - printed) <= 0.005;
}

} // namespace

class TestVllm : public QObject {
    Q_OBJECT

private slots:
    /// Windows hold the tokens of the batch in hand: vLLM issue 27508.
    void batchedTokens()
    {
        const Scenario scenario = vllm("gpt-oss-120b", 131'072);
        for (const auto& [batched, gib] : {std::pair("1024", 4.54), std::pair("2048", 4.58), std::pair("8192", 4.79)})
            QVERIFY(isTwoDecimals(neededGib(with(scenario, "max-num-batched-tokens", batched)), gib));
        QVERIFY(isTwoDecimals(neededGib(scenario), 4.58)); // the default of a server
        QVERIFY(isTwoDecimals(neededGib(tests::on(scenario, "h100-sxm")), 4.79));
    }

    /// A request of the longest length must fit, be the context shorter: 131,072 tokens of 128 KiB are 16 GiB.
    void longestRequest()
    {
        Scenario scenario = vllm("llama-3.1-8b", 8'192);
        scenario.workload.maxContext = 131'072;
        const engines::Reservation reservation = engines::reserve(scenario);
        QCOMPARE(reservation.pool->requestBlocks, std::int64_t{8'192});
        QCOMPARE(reservation.pool->needed, core::gib(16));
        QCOMPARE(reservation.used(), core::gib(1));
        QCOMPARE(reservation.waste().of(WasteCause::MaxContext), core::gib(15));
    }

    void windowsWhole()
    {
        const Scenario scenario = vllm("gpt-oss-20b", 8'192, 32);
        const core::Footprint footprint = core::evaluate(with(scenario, "disable-hybrid-kv-cache-manager", "on"));
        QVERIFY(isTwoDecimals(core::toGib(footprint.kv.total), 6.09));
        QCOMPARE(footprint.memory.cache + footprint.memory.waste, core::gib(12));
        QCOMPARE(footprint.wasteCause, WasteCause::WholeWindow);
        QCOMPARE(poolOf(version(scenario, "V0")).needed, core::gib(12));
        QCOMPARE(poolOf(version(scenario, "0.8.3")).needed, core::gib(12));
        QVERIFY(poolOf(scenario).needed < core::gib(10));
    }

    /// One pool, two figures: "GPU KV cache size" before and from 0.21 on.
    void twoFigures()
    {
        const Scenario scenario = pool(vllm("gemma-4-31b", 262'144), core::gib(20));
        const engines::Reservation before = engines::reserve(version(scenario, "0.20"));
        const engines::Reservation after = engines::reserve(version(scenario, "0.21"));
        QCOMPARE(before.pool->blocks, after.pool->blocks);
        QCOMPARE(before.pool->concurrency, after.pool->concurrency);
        QCOMPARE(before.cacheTokens.value(), *before.pool->blocks / 6 * 16);
        QVERIFY(after.cacheTokens.value() > 5 * before.cacheTokens.value());
        // In floating point: 1,001 blocks of 16 at 128,000 tokens print one token less.
        const Scenario plain = with(vllm("llama-3.1-8b", 128'000), "num-gpu-blocks-override", "1001");
        QCOMPARE(engines::reserve(plain).cacheTokens, std::optional<std::int64_t>(16'015));
        QCOMPARE(engines::reserve(version(plain, "0.20")).cacheTokens, std::optional<std::int64_t>(16'016));
    }

    void needed()
    {
        QCOMPARE(poolOf(vllm("qwen3-30b-a3b", 262'144)).needed, core::gib(24));
        // 1,462,784 tokens of DeepSeek-V3.2: 656 + 132 bytes in each of 61 layers.
        Scenario sparse = vllm("deepseek-v3.2", 1'462'784);
        sparse.kFormat = sparse.vFormat = core::KvFormat::Fp8Mla;
        QCOMPARE(core::evaluate(sparse).kv.total, Bytes(1'462'784ll * 61 * 788));
        QCOMPARE(poolOf(sparse).needed, Bytes(1'462'784ll * 61 * 788));
        sparse.kFormat = sparse.vFormat = core::KvFormat::Fp8; // any FP8 becomes it
        QCOMPARE(poolOf(sparse).needed, Bytes(1'462'784ll * 61 * 788));
    }

    void formats()
    {
        // 1,040 and 528 bytes for 2 heads of 256: one FP32 scale for each head of K and of V.
        Scenario scenario = vllm("qwen3.5-35b-a3b", 16);
        for (const auto& [format, entry] : {std::pair("int8_per_token_head", 1'040), std::pair("fp8", 1'024),
                                            std::pair("int4_per_token_head", 528), std::pair("nvfp4", 576)}) {
            scenario.kFormat = scenario.vFormat = core::kvFormat(format).value();
            const engines::vllm::VllmPlan plan(scenario);
            QCOMPARE(plan.layout().types.back().entry(), Bytes(entry));
        }
    }

    /// Heads are divided; fewer heads than ranks, and latents, are copied.
    void tensorParallel()
    {
        const Bytes one = poolOf(vllm("llama-3.1-8b", 8'192)).needed;
        for (const std::int64_t tensor : {1, 2, 4, 8, 16}) {
            const Scenario scenario = ranks(vllm("llama-3.1-8b", 8'192), tensor);
            const engines::Reservation reservation = engines::reserve(scenario);
            QCOMPARE(reservation.deviceCount, static_cast<std::size_t>(tensor));
            QCOMPARE(reservation.pool->needed * std::min<std::int64_t>(tensor, 8), one);
            QCOMPARE(reservation.used(), one);
            QCOMPARE(reservation.waste().of(WasteCause::Replication), tensor == 16 ? one : Bytes());
        }
        const Bytes latent = poolOf(vllm("deepseek-v3", 8'192)).needed;
        QCOMPARE(poolOf(ranks(vllm("deepseek-v3", 8'192), 8)).needed, latent);
        // Without typed ranks the heads are divided by all GPUs.
        QCOMPARE(engines::reserve(tests::on(vllm("llama-3.1-8b", 8'192), "rtx-3090", 4)).deviceCount, std::size_t{4});
    }

    void stagesAndReplicas()
    {
        const Scenario scenario = ranks(vllm("llama-3.1-8b", 8'192, 3), 2, 2, 2);
        const engines::Reservation reservation = engines::reserve(scenario);
        QCOMPARE(reservation.deviceCount, std::size_t{8});
        const Bytes request(8'192ll * 131'072);
        QCOMPARE(reservation.devices[0].cache() * 4, request * 2); // 2 of 3 requests, 16 of 32 layers, 4 of 8 heads
        QCOMPARE(reservation.devices[7].cache() * 4, request);
        QCOMPARE(reservation.used(), request * 3);
        Bytes weights;
        for (const engines::DeviceShare& share : reservation.shares())
            weights += share.weights;
        QCOMPARE(core::evaluate(scenario).memory.weights, weights);
        // More devices than can be told apart are counted by kind.
        const engines::Reservation many = engines::reserve(ranks(vllm("llama-3.1-8b", 8'192, 100), 8, 2, 8));
        QCOMPARE(many.deviceCount, std::size_t{4});
        QCOMPARE(many.used(), request * 100);
        QCOMPARE(many.devices[0].count + many.devices[1].count + many.devices[2].count + many.devices[3].count, 128ll);
    }

    /// Blocks of attention are raised to hold a state; its format and speculation decide.
    void statesRaiseBlocks_data()
    {
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("flags");
        QTest::addColumn<QString>("format");
        QTest::addColumn<qint64>("block");
        const auto row = [](const char* model, const char* flags, const char* format, qint64 block) {
            QTest::addRow("%s %s %s", model, flags, format) << model << flags << format << block;
        };
        row("qwen3.5-27b", "", "bf16", 784);
        row("qwen3.5-35b-a3b", "", "bf16", 1'056);
        row("qwen3.5-35b-a3b", "", "fp8", 2'096);
        row("qwen3.5-27b", "mamba-ssm-dtype=bfloat16", "bf16", 400);
        row("qwen3-next-80b-a3b", "", "bf16", 544);
        row("qwen3.5-27b", "num-speculative-tokens=3", "fp8", 1'600);
        row("granite-4.0-h-small", "", "bf16", 528);
    }
    void statesRaiseBlocks()
    {
        QFETCH(QString, model);
        QFETCH(QString, flags);
        QFETCH(QString, format);
        QFETCH(qint64, block);
        for (const std::int64_t tensor : {1, 2}) { // both sides are divided
            Scenario scenario = ranks(vllm(model.toUtf8().constData(), 4'096), tensor);
            scenario.kFormat = scenario.vFormat = core::kvFormat(format.toStdString()).value();
            for (const QString& flag : flags.split(' ', Qt::SkipEmptyParts))
                scenario.settings.set(flag.section('=', 0, 0).toStdString(), flag.section('=', 1).toStdString());
            QCOMPARE(engines::vllm::VllmPlan(scenario).layout().attentionBlock, block);
        }
    }

    /// KDA keeps its states in FP32 whatever the model has, and latents are not divided: the 944 that was printed.
    void deltaAttention()
    {
        const Scenario scenario = vllm("kimi-linear-48b-a3b", 4'096);
        QCOMPARE(engines::vllm::VllmPlan(ranks(scenario, 2)).layout().attentionBlock, std::int64_t{944});
        QCOMPARE(engines::vllm::VllmPlan(scenario).layout().attentionBlock, std::int64_t{1'888});
    }

    void prefixesKeepStates()
    {
        const Scenario scenario = vllm("qwen3.5-27b", 100'000);
        const std::int64_t plain = poolOf(scenario).requestBlocks;
        QCOMPARE(poolOf(with(scenario, "enable-prefix-caching", "on")).requestBlocks, plain + 3); // 3 groups of states
        QCOMPARE(poolOf(with(scenario, "mamba-cache-mode", "align")).requestBlocks, plain + 3);
        QVERIFY(poolOf(with(scenario, "mamba-cache-mode", "all")).requestBlocks > plain + 300);
        QVERIFY(core::evaluate(with(scenario, "enable-prefix-caching", "on")).waste.of(WasteCause::CachedStates) >
                Bytes());
        // Mamba's classes keep one for each block then.
        const Scenario mamba = vllm("nemotron-3-nano-30b-a3b", 100'000);
        QCOMPARE(poolOf(with(mamba, "enable-prefix-caching", "on")).requestBlocks,
                 poolOf(with(mamba, "mamba-cache-mode", "all")).requestBlocks);
        QVERIFY(poolOf(with(mamba, "mamba-cache-mode", "all")).requestBlocks >
                poolOf(with(mamba, "mamba-cache-mode", "align")).requestBlocks);
    }

    /// A draft is one more layer of the pool: EAGLE's is shaped like the model's. vLLM issue 19996.
    void drafts()
    {
        const auto block = [](const Scenario& scenario) { return poolOf(scenario).blockBytes.count() / 16; };
        const Scenario llama = with(vllm("llama-3.1-8b", 131'072), "num-speculative-tokens", "3");
        QCOMPARE(block(llama), 33 * 4'096ll);
        QCOMPARE(block(with(llama, "draft-layers", "0")), 32 * 4'096ll); // n-grams
        QCOMPARE(block(with(llama, "draft-layers", "5")), 37 * 4'096ll);
        QCOMPARE(block(vllm("llama-3.1-8b", 131'072)), 32 * 4'096ll);
        QCOMPARE(block(with(vllm("llama-3.1-8b", 131'072), "draft-layers", "1")), 33 * 4'096ll);
        QCOMPARE(engines::reserve(version(pool(llama, Bytes(55'437'164'708)), "0.9.1")).cacheTokens,
                 std::optional<std::int64_t>(410'128));
        // The draft of Gemma 4 reads the model's own cache.
        const Scenario gemma = vllm("gemma-4-31b", 131'072);
        QCOMPARE(block(with(gemma, "num-speculative-tokens", "3")), block(gemma));
    }

    /// reserve is what the utilization leaves; a given pool replaces it.
    void budget()
    {
        const Scenario scenario = tests::on(vllm("llama-3.1-8b", 8'192), "rtx-3090");
        const Bytes card = core::deviceMemory(scenario.hardware).value();
        const core::Footprint footprint = core::evaluate(scenario);
        QCOMPARE(footprint.memory.reserve, card - engines::fractionOf(card, 9'200));
        QCOMPARE(footprint.overhead.size(), std::size_t{2});                                 // runtime, activations
        QCOMPARE(core::evaluate(version(scenario, "0.21")).overhead.size(), std::size_t{3}); // and graphs, until 0.27
        QVERIFY(std::ranges::all_of(footprint.overhead, &core::OverheadLine::estimate));
        const engines::Pool derived = poolOf(scenario);
        QCOMPARE(derived.memory.value(),
                 engines::fractionOf(card, 9'200) - footprint.memory.weights - footprint.memory.overhead);
        const core::Footprint given = core::evaluate(pool(scenario, core::gib(1)));
        QCOMPARE(given.limits.maxContext.value, std::optional<std::int64_t>(8'192));
        QCOMPARE(given.memory.reserve, card - given.memory.weights - given.memory.overhead - core::gib(1));
        // Without a GPU the pool alone limits.
        QCOMPARE(tests::limitsOf(pool(vllm("llama-3.1-8b", 8'192), core::gib(4))).maxBatch.value,
                 std::optional<std::int64_t>(4));
        QCOMPARE(
            tests::limitsOf(with(pool(vllm("llama-3.1-8b", 8'192), core::gib(4)), "max-num-seqs", "3")).maxBatch.value,
            std::optional<std::int64_t>(3));
    }

    void refused_data()
    {
        QTest::addColumn<QString>("flag");
        QTest::addColumn<QString>("value");
        const auto row = [](const char* flag, const char* value) {
            QTest::addRow("%s %s", flag, value) << flag << value;
        };
        row("gpu-memory-utilization", "1.1");
        row("gpu-memory-utilization", "0");
        row("gpu-memory-utilization", "90%");
        row("max-num-batched-tokens", "0");
        row("mamba-ssm-dtype", "int8");
        row("mamba-cache-mode", "some");
        row("decode-context-parallel-size", "3");
        row("ubatch-size", "512");
    }
    void refused()
    {
        QFETCH(QString, flag);
        QFETCH(QString, value);
        Scenario scenario = vllm("llama-3.1-8b", 8'192);
        scenario.settings.set(flag.toStdString(), value.toStdString());
        const std::vector<core::Issue> issues = core::check(scenario);
        QCOMPARE(issues.size(), std::size_t{1});
        QCOMPARE(QString::fromStdString(issues.front().setting), flag);
    }

    void refusedInputs()
    {
        const auto field = [](const Scenario& scenario) {
            const std::vector<core::Issue> issues = core::check(scenario);
            return issues.empty() ? std::string_view() : id(issues.front().field);
        };
        Scenario scenario = tests::on(vllm("llama-3.1-8b", 8'192), "rtx-3090");
        scenario.reserve = core::Percent::whole(10);
        QCOMPARE(field(scenario), std::string_view("reserve"));
        scenario = vllm("llama-3.1-8b", 8'192);
        scenario.kFormat = scenario.vFormat = core::KvFormat::Q8_0;
        QCOMPARE(field(scenario), std::string_view("k-format"));
        scenario.kFormat = core::KvFormat::Fp16;
        scenario.vFormat = core::KvFormat::Fp8;
        QCOMPARE(field(scenario), std::string_view("v-format"));
        scenario = pool(tests::scenarioOf("llama-3.1-8b"), core::gib(1));
        QCOMPARE(field(scenario), std::string_view("kv-memory"));
        for (const char* release : {"last week", "0.2500000", "0.2500000 V1", "0.8.1000", "0.2147483648"})
            QCOMPARE(field(version(vllm("llama-3.1-8b", 8'192), release)), std::string_view("engine-version"));
        scenario = ranks(vllm("llama-3.1-8b", 8'192), 3);
        QCOMPARE(field(scenario), std::string_view("tp"));
        scenario = ranks(vllm("llama-3.1-8b", 8'192), 2, 2);
        scenario.hardware.count = 2;
        QCOMPARE(field(scenario), std::string_view("gpus"));
    }

    /// More tokens, more requests: never less memory. The limit fits, one more does not.
    void laws_data()
    {
        QTest::addColumn<QString>("model");
        for (const char* model :
             {"llama-3.1-8b", "gpt-oss-20b", "gemma-4-31b", "qwen3.5-27b", "deepseek-v3.2", "falcon-h1-3b",
              "whisper-large-v3", "llama-4-scout", "mamba2-2.7b", "deepseek-v4-flash", "nemotron-3-nano-30b-a3b"})
            QTest::addRow("%s", model) << model;
    }
    void laws()
    {
        QFETCH(QString, model);
        for (const char* release : {"V0", "0.8.3", "0.11", "0.20", ""}) {
            const Scenario scenario = version(vllm(model.toUtf8().constData(), 1), release);
            const auto plan = engines::plan(scenario);
            for (std::int64_t batch = 1; batch < 5; ++batch) {
                Bytes before;
                for (std::int64_t context = 1; context < 9'000; context += 97) {
                    core::Workload workload = scenario.workload;
                    workload.context = context;
                    workload.batch = batch;
                    const Bytes total = plan->reserve(workload).used();
                    QVERIFY(total >= before);
                    before = total;
                    ++workload.batch;
                    QVERIFY(plan->reserve(workload).used() >= total);
                }
            }
        }
        const Scenario scenario = pool(vllm(model.toUtf8().constData(), 2'000, 2), core::gib(12));
        const auto plan = engines::plan(scenario);
        const core::Limits limits = tests::limitsOf(scenario);
        core::Workload workload = scenario.workload;
        workload.batch = limits.maxBatch.value.value();
        QVERIFY(workload.batch == 0 || plan->fits(workload));
        ++workload.batch;
        QVERIFY(!plan->fits(workload));
        if (const auto context = limits.maxContext.value) {
            QVERIFY(*context == 0 || plan->fits(core::withContext(scenario.workload, *context)));
            QVERIFY(!plan->fits(core::withContext(scenario.workload, *context + 1)));
        }
    }
};

ROOM_TEST(TestVllm, void)
#include "test_vllm.moc"
