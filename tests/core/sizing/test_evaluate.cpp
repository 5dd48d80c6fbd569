// SPDX-License-Identifier: GPL-3.0-or-later
// The right values of the first issue, from the published catalogues, and the waste of each engine by hand.
#include "core/engines/engine.h"
#include "core/sizing/curves.h"
#include "core/sizing/evaluate.h"
#include "core/sizing/explain.h"
#include "core/sizing/verdict.h"
#include "tests/core/catalogue.h"
#include "tests/room.h"

#include <QTest>

#include <cstdint>
#include <string>

using core::Bytes;
using core::EngineId;
using core::Footprint;
using core::gib;
using core::KvFormat;
using core::Scenario;

namespace {

struct CacheRow {
    const char* name;
    const char* model;
    std::int64_t context;
    std::int64_t batch;
    KvFormat format;
    std::int64_t bytes;
};

constexpr std::int64_t kGib = std::int64_t{1} << 30;

constexpr CacheRow kCaches[] = {
    // 2 · 32 layers · 8 heads · 128 · 2 bytes = 131,072 bytes per token
    {"8B, 8,192, FP16, batch 1: 1.0 GiB", "llama-3.1-8b", 8'192, 1, KvFormat::Fp16, 1'073'741'824},
    {"8B, 8,192, FP16, batch 16: 16.0 GiB", "llama-3.1-8b", 8'192, 16, KvFormat::Fp16, 17'179'869'184},
    {"8B, 131,072, BF16: 16.0 GiB", "llama-3-8b", 131'072, 1, KvFormat::Bf16, 16 * kGib},
    {"8B, 131,072, q8_0: 8.5 GiB", "llama-3.1-8b", 131'072, 1, KvFormat::Q8_0, 17 * kGib / 2},
    {"8B, 131,072, q4_0: 4.5 GiB", "llama-3.1-8b", 131'072, 1, KvFormat::Q4_0, 9 * kGib / 2},
    {"70B, 8,192, BF16: 2.5 GiB", "llama-3-70b", 8'192, 1, KvFormat::Bf16, 2'684'354'560},
    {"Qwen2.5-32B, 8,192, FP16", "qwen2.5-32b", 8'192, 1, KvFormat::Fp16, 2'147'483'648},
    {"Qwen2.5-7B, one token: 57,344", "qwen2.5-7b", 1, 1, KvFormat::Fp16, 57'344},
    {"Mixtral, 32,768, FP16", "mixtral-8x7b", 32'768, 1, KvFormat::Fp16, 4'294'967'296},
    {"Mixtral, 32,768, FP8", "mixtral-8x7b", 32'768, 1, KvFormat::Fp8, 2'147'483'648},
    {"Mixtral, 32,768, FP16, 16 users: 64 GiB", "mixtral-8x7b", 32'768, 16, KvFormat::Fp16, 64 * kGib},
    // 61 layers · (512 + 64) · 2 bytes = 70,272 bytes per token (arXiv:2412.19437)
    {"DeepSeek V3, 1,000 tokens", "deepseek-v3", 1'000, 1, KvFormat::Bf16, 70'272'000},
    // 10 full layers · 8,192 bytes · 8,192 tokens + 52 windowed · 8,192 bytes · 1,024 tokens
    {"Gemma 3 27B, 8,192", "gemma-3-27b", 8'192, 1, KvFormat::Bf16, 10ll * 8'192 * 8'192 + 52ll * 8'192 * 1'024},
    // 12 full layers · 2,048 bytes · 100 tokens + 12 windowed, not yet full
    {"gpt-oss-20b, 100 tokens in a window of 128", "gpt-oss-20b", 100, 1, KvFormat::Bf16, 24ll * 2'048 * 100},
    // 36 states · (13,056 · 2 + 524,288 · 4) + 4 layers · 2,048 bytes · 1,000 tokens
    {"Granite 4.0 H Micro, 1,000 tokens", "granite-4.0-h-micro", 1'000, 1, KvFormat::Bf16,
     36ll * (26'112 + 2'097'152) + 4ll * 2'048 * 1'000},
    {"largest inputs are the whole product", "llama-3.1-8b", 16'777'216, 65'536, KvFormat::Fp32,
     262'144ll * 16'777'216 * 65'536},
};

Scenario llama8B(std::int64_t context, std::int64_t batch)
{
    return tests::with(tests::scenarioOf("llama-3.1-8b"), context, batch);
}

/// Qwen2.5-32B with the issue's weights of 18 GiB.
Scenario qwen32B(std::int64_t batch)
{
    Scenario scenario = tests::with(tests::scenarioOf("qwen2.5-32b"), 8'192, batch);
    scenario.weightBytes = gib(18);
    return scenario;
}

Scenario mixtral16()
{
    return tests::with(tests::scenarioOf("mixtral-8x7b"), 32'768, 16);
}

/// Full attention in one layer, one head of 64: 256 bytes per token in FP16.
Scenario small(EngineId engine)
{
    Scenario scenario = tests::scenarioOf(tests::modelOf(tests::attention(core::CacheKind::Full, 1, 1, 64)));
    scenario.engine = engine;
    return scenario;
}

} // namespace

Q_DECLARE_METATYPE(core::Scenario)

class TestEvaluate : public QObject {
    Q_OBJECT

private slots:
    void cache_data()
    {
        QTest::addColumn<int>("row");
        for (std::size_t i = 0; i < std::size(kCaches); ++i)
            QTest::newRow(kCaches[i].name) << static_cast<int>(i);
    }
    void cache()
    {
        QFETCH(const int, row);
        const CacheRow& expected = kCaches[row];
        Scenario scenario = tests::with(tests::scenarioOf(expected.model), expected.context, expected.batch);
        scenario.kFormat = scenario.vFormat = expected.format;
        const Footprint footprint = tests::footprintOf(scenario);
        QCOMPARE(footprint.kv.total, Bytes(expected.bytes));
        QCOMPARE(footprint.kv.perRequest * expected.batch, Bytes(expected.bytes));
        QCOMPARE(footprint.memory.cache, Bytes(expected.bytes));
    }

    void headsOf8B_data()
    {
        QTest::addColumn<qint64>("kvHeads");
        QTest::addColumn<qint64>("bytes");
        QTest::newRow("MHA, 32 heads: 4.0 GiB") << qint64{32} << qint64{4 * kGib};
        QTest::newRow("GQA, 8 heads: 75 % less") << qint64{8} << qint64{kGib};
        QTest::newRow("MQA, 1 head: 0.125 GiB") << qint64{1} << qint64{kGib / 8};
    }
    void headsOf8B()
    {
        QFETCH(const qint64, kvHeads);
        QFETCH(const qint64, bytes);
        Scenario scenario = llama8B(8'192, 1);
        scenario.model.groups.front().kvHeads = kvHeads;
        QCOMPARE(tests::footprintOf(scenario).kv.total, Bytes(bytes));
    }

    void fits_data()
    {
        QTest::addColumn<Scenario>("scenario");
        QTest::addColumn<bool>("fits");
        // 16,060,522,496 + 17,179,869,184 bytes = 30.96 GiB
        QTest::newRow("8B, batch 16, RTX 3090") << tests::on(llama8B(8'192, 16), "rtx-3090") << false;
        QTest::newRow("8B, batch 16, RTX 4090") << tests::on(llama8B(8'192, 16), "rtx-4090") << false;
        QTest::newRow("8B, batch 8, RTX 4090") << tests::on(llama8B(8'192, 8), "rtx-4090") << true;
        // 64.0 + 87.0 GiB
        QTest::newRow("Mixtral, 16 users, A100 80 GB") << tests::on(mixtral16(), "a100-sxm-80") << false;
        QTest::newRow("Mixtral, 16 users, M2 Ultra 128") << tests::on(mixtral16(), "apple-m2-ultra:128") << false;
        QTest::newRow("Mixtral, 16 users, M2 Ultra 192") << tests::on(mixtral16(), "apple-m2-ultra:192") << true;
        QTest::newRow("32B, 15 on 2 x 24 GiB") << tests::onTyped(qwen32B(15), gib(24), 2) << true;
        QTest::newRow("32B, 16 on 2 x 24 GiB") << tests::onTyped(qwen32B(16), gib(24), 2) << false;
        QTest::newRow("exactly full") << tests::onTyped(llama8B(8'192, 1), Bytes(16'060'522'496 + kGib)) << true;
        QTest::newRow("one byte short") << tests::onTyped(llama8B(8'192, 1), Bytes(16'060'522'495 + kGib)) << false;
    }
    void fits()
    {
        QFETCH(const Scenario, scenario);
        QFETCH(const bool, fits);
        const Footprint footprint = tests::footprintOf(scenario);
        QCOMPARE(footprint.fits(), std::optional(fits));
        QCOMPARE(*footprint.free() >= Bytes(), fits);
    }

    void totals()
    {
        QCOMPARE(tests::footprintOf(llama8B(8'192, 16)).memory.total(), Bytes(33'240'391'680)); // 30.96 GiB
        // 46,702,792,704 parameters · 2 bytes = 87.0 GiB
        QCOMPARE(tests::footprintOf(mixtral16()).memory.total(), gib(64) + Bytes(93'405'585'408));
    }

    void limits()
    {
        Scenario typed = tests::onTyped(qwen32B(1), gib(24), 2);
        QCOMPARE(tests::footprintOf(typed).limits.maxBatch.value, std::optional<std::int64_t>(15));
        typed.reserve = core::Percent::whole(10); // (48 − 4.8 − 18) / 2 = 12.6
        QCOMPARE(tests::footprintOf(typed).limits.maxBatch.value, std::optional<std::int64_t>(12));
        typed.overhead = gib(1); // 11.6, as the page on lessons says
        QCOMPARE(tests::footprintOf(typed).limits.maxBatch.value, std::optional<std::int64_t>(11));
        Scenario cards = tests::on(qwen32B(1), "rtx-3090", 2); // 2 · 24,124 MiB: (47.117 − 18) / 2 = 14.56
        QCOMPARE(tests::footprintOf(cards).limits.maxBatch.value, std::optional<std::int64_t>(14));
        cards.hardware.basis = core::MemoryBasis::Label;
        QCOMPARE(tests::footprintOf(cards).limits.maxBatch.value, std::optional<std::int64_t>(15));
        Scenario crossing = tests::scenarioOf("llama-3-8b"); // 16,060,522,496 / 131,072 = 122,532.06
        crossing.kFormat = crossing.vFormat = KvFormat::Bf16;
        QCOMPARE(tests::footprintOf(crossing).limits.crossover, std::optional<std::int64_t>(122'533));
    }

    void shareOfReserved_data()
    {
        QTest::addColumn<qint64>("hundredths");
        QTest::addColumn<qint64>("reserved"); // of 16 GiB in use
        QTest::newRow("20 %: 20 GiB reserved (issue)") << qint64{2'000} << qint64{20 * kGib};
        QTest::newRow("none") << qint64{0} << qint64{16 * kGib};
        QTest::newRow("50 %") << qint64{5'000} << qint64{32 * kGib};
        QTest::newRow("95 %: 16 / 0.05") << qint64{9'500} << qint64{320 * kGib};
        // 17,179,869,184 · 250 / 9,750 = 440,509,466.26, rounded up
        QTest::newRow("2.5 %, rounded up") << qint64{250} << qint64{16 * kGib + 440'509'467};
    }
    void shareOfReserved()
    {
        QFETCH(const qint64, hundredths);
        QFETCH(const qint64, reserved);
        Scenario scenario = llama8B(8'192, 16);
        scenario.waste = core::Percent{hundredths};
        const Footprint footprint = tests::footprintOf(scenario);
        QCOMPARE(footprint.memory.cache + footprint.memory.waste, Bytes(reserved));
        QCOMPARE(footprint.wasteCause, hundredths == 0 ? core::WasteCause::None : core::WasteCause::Share);
    }

    void pagedWaste_data()
    {
        QTest::addColumn<qint64>("context");
        QTest::addColumn<qint64>("block");
        QTest::addColumn<qint64>("tokens"); // unused of each request
        QTest::newRow("whole blocks") << qint64{8'192} << qint64{16} << qint64{0};
        QTest::newRow("one token of a block") << qint64{8'193} << qint64{16} << qint64{15};
        QTest::newRow("one token short") << qint64{8'191} << qint64{16} << qint64{1};
        QTest::newRow("less than a block") << qint64{1} << qint64{256} << qint64{255};
        QTest::newRow("blocks of one token") << qint64{8'191} << qint64{1} << qint64{0};
    }
    void pagedWaste()
    {
        QFETCH(const qint64, context);
        QFETCH(const qint64, block);
        QFETCH(const qint64, tokens);
        Scenario scenario = tests::with(small(EngineId::Paged), context, 3);
        scenario.blockTokens = block;
        const Footprint footprint = tests::footprintOf(scenario);
        QCOMPARE(footprint.memory.cache, Bytes(256 * context * 3));
        QCOMPARE(footprint.memory.waste, Bytes(256 * tokens * 3));
        QCOMPARE(footprint.wasteCause, core::WasteCause::PartialBlock);
    }

    void pagedGroups()
    {
        // A full window of 100 tokens takes 7 blocks of 16 = 112 tokens; states are not paged.
        Scenario scenario = small(EngineId::Paged);
        scenario.model.groups.front().kind = core::CacheKind::Window;
        scenario.model.groups.front().window = 100;
        QCOMPARE(tests::footprintOf(scenario).memory.waste, Bytes(256 * 12));
        core::CacheGroup state;
        state.kind = core::CacheKind::State;
        state.layers = core::LayerSet::range(1, 1);
        state.recurrentElements = 10;
        scenario.model.groups.push_back(state);
        QCOMPARE(tests::footprintOf(scenario).memory.cache, Bytes(256 * 100 + 40));
        QCOMPARE(tests::footprintOf(scenario).memory.waste, Bytes(256 * 12));
    }

    void contiguousWaste_data()
    {
        QTest::addColumn<qint64>("maxContext"); // 0: not given
        QTest::addColumn<qint64>("waste");      // of 3 requests of 1,000 tokens, 256 bytes each
        QTest::newRow("no maximum: no waste") << qint64{0} << qint64{0};
        QTest::newRow("maximum = context: no waste") << qint64{1'000} << qint64{0};
        QTest::newRow("one token more") << qint64{1'001} << qint64{256 * 3};
        QTest::newRow("4,096 reserved") << qint64{4'096} << qint64{256 * 3'096 * 3};
    }
    void contiguousWaste()
    {
        QFETCH(const qint64, maxContext);
        QFETCH(const qint64, waste);
        Scenario scenario = tests::with(small(EngineId::Contiguous), 1'000, 3);
        if (maxContext > 0)
            scenario.workload.maxContext = maxContext;
        const Footprint footprint = tests::footprintOf(scenario);
        QCOMPARE(footprint.memory.cache, Bytes(256 * 1'000 * 3));
        QCOMPARE(footprint.memory.waste, Bytes(waste));
        QCOMPARE(footprint.wasteCause, core::WasteCause::MaxContext);
    }

    void engineAltersWasteOnly()
    {
        Scenario scenario = tests::on(llama8B(8'185, 4), "rtx-4090");
        scenario.workload.maxContext = 16'384;
        const Footprint ideal = tests::footprintOf(scenario);
        for (const EngineId engine : {EngineId::Contiguous, EngineId::Paged}) {
            scenario.engine = engine;
            Footprint other = tests::footprintOf(scenario);
            QVERIFY(other.memory.waste > Bytes());
            QCOMPARE(other.kv, ideal.kv);
            other.memory.waste = ideal.memory.waste;
            QCOMPARE(other.memory, ideal.memory);
        }
    }

    void ratePerToken()
    {
        const core::KvSize plain = tests::footprintOf(llama8B(8'192, 1)).kv;
        QCOMPARE(plain.perToken, (core::Rate{Bytes(131'072), 1}));
        QCOMPARE(plain.fixedPerRequest, Bytes());
        // Gemma 3 27B: 62 layers · 8,192 bytes grow; from 1,024 tokens on the 10 full ones alone.
        const Scenario gemma = tests::scenarioOf("gemma-3-27b");
        QCOMPARE(tests::footprintOf(tests::with(gemma, 1'023, 1)).kv.perToken, (core::Rate{Bytes(62 * 8'192), 1}));
        QCOMPARE(tests::footprintOf(tests::with(gemma, 1'024, 1)).kv.perToken, (core::Rate{Bytes(10 * 8'192), 1}));
        // Entries of 128 bytes for every 4 and for every 6 tokens: 3 · 128 + 2 · 128 for every 12.
        Scenario compressed = small(EngineId::Ideal);
        core::CacheGroup group;
        group.kind = core::CacheKind::Compressed;
        group.layers = core::LayerSet::range(0, 0);
        group.keyDim = 64;
        group.ratio = 4;
        compressed.model.groups = {group, group};
        compressed.model.groups.back().ratio = 6;
        QCOMPARE(tests::footprintOf(compressed).kv.perToken, (core::Rate{Bytes(640), 12}));
    }

    void crossAttention()
    {
        // 20 layers · 8 heads · 128 · 2 · 2 bytes for each of 1,600 encoder tokens, whatever the context.
        Scenario scenario = tests::scenarioOf("llama-3.2-90b-vision");
        const Bytes without = tests::footprintOf(scenario).kv.total;
        scenario.workload.encoderTokens = 1'600;
        const core::KvSize kv = tests::footprintOf(scenario).kv;
        QCOMPARE(kv.fixedPerRequest, Bytes(20ll * 4'096 * 1'600));
        QCOMPARE(kv.total, without + kv.fixedPerRequest);
    }

    void hardware()
    {
        Scenario scenario = tests::on(llama8B(8'192, 4), "rtx-4090", 2);
        scenario.overhead = core::mib(512);
        scenario.reserve = core::Percent::whole(10);
        const Footprint footprint = tests::footprintOf(scenario);
        QCOMPARE(footprint.capacity, std::optional(core::mib(2 * 24'210))); // CUDA's total on Linux
        QCOMPARE(footprint.memory.overhead, gib(1));
        QCOMPARE(footprint.memory.reserve, core::mib(2 * 2'421)); // 10 % of each device
        QCOMPARE(footprint.devices.size(), std::size_t{1});
        QCOMPARE(footprint.devices.front().count, 2);
        QCOMPARE(footprint.devices.front().parts, footprint.memory);
        QCOMPARE(footprint.devices.front().free(), footprint.free());
    }

    void unknownCapacityAndWeights()
    {
        Scenario scenario = tests::scenarioOf("llama-3.1-8b");
        scenario.model.weights = {};
        const Footprint footprint = tests::footprintOf(scenario);
        QVERIFY(!footprint.weights && !footprint.capacity && !footprint.fits() && !footprint.free());
        QCOMPARE(footprint.memory.total(), gib(1));
        QVERIFY(footprint.devices.empty());
    }

    /// One plan serves all that is asked of a scenario, whatever the engine; a copy of the evaluation shares it.
    void plansOnce_data()
    {
        QTest::addColumn<int>("engine");
        QTest::addColumn<int>("gpus");
        for (std::size_t i = 0; i < core::engineIds().size(); ++i) {
            QTest::newRow(core::engineIds()[i].data()) << static_cast<int>(i) << 1;
            QTest::addRow("%s, 2 GPUs", core::engineIds()[i].data()) << static_cast<int>(i) << 2;
        }
    }
    void plansOnce()
    {
        QFETCH(const int, engine);
        QFETCH(const int, gpus);
        Scenario scenario = tests::on(llama8B(8'192, 4), "h100-sxm", gpus);
        scenario.hardware.basis = core::MemoryBasis::Label; // with another, the verdict plans what the label would give
        core::engines::changeEngine(scenario, static_cast<core::EngineId>(engine));
        if (core::engines::engine(scenario.engine).takesRanks())
            scenario.hardware.parallel.tensor = gpus;
        const std::int64_t before = core::engines::plansMade();
        const core::Evaluation copy = [&] {
            const core::Evaluation evaluation = core::assess(scenario);
            scenario = {}; // neither is needed any longer
            return core::Evaluation(evaluation);
        }();
        QVERIFY(copy.issues.empty());
        QVERIFY(!core::growthCurve(copy, 131'072, 100).empty());
        QVERIFY(!core::batchCurves(copy, 131'072, 100).empty());
        QVERIFY(core::growthAt(copy, 8'192).total == copy.footprint.memory.total());
        QVERIFY(core::verdictOf(copy).outcome == core::Outcome::Fits);
        for (int quantity = 0; quantity <= static_cast<int>(core::Quantity::Crossover); ++quantity)
            core::explain(copy, static_cast<core::Quantity>(quantity));
        copy.plan->describe(copy.reservation);
        copy.plan->compareLog(copy.reservation, {});
        QCOMPARE(core::engines::plansMade() - before, std::int64_t{1});
    }
};

ROOM_TEST(TestEvaluate, void)
#include "test_evaluate.moc"
