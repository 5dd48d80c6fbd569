// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/largest_fitting.h"
#include "core/scenario/kv_cache.h"
#include "core/sizing/curves.h"
#include "core/sizing/limits.h"
#include "tests/core/catalogue.h"
#include "tests/core/planned.h"
#include "tests/room.h"

#include <QTest>

#include <cstdint>
#include <string>

using core::Bytes;
using core::EngineId;
using core::gib;
using core::Limits;
using core::Scenario;

namespace {

/// Memory that the scenario needs with another batch.
Bytes needOfBatch(const Scenario& scenario, std::int64_t batch)
{
    core::Workload workload = scenario.workload;
    workload.batch = batch;
    return core::memoryParts(scenario, workload).total();
}

Bytes needOfContext(const Scenario& scenario, std::int64_t context)
{
    return core::memoryParts(scenario, core::withContext(scenario.workload, context)).total();
}

Bytes cacheOf(const Scenario& scenario, std::int64_t context)
{
    return core::requestCache(scenario, context) * scenario.workload.batch;
}

/// need(n) <= available < need(n + 1) for the limit n; nothing fits where n is 0.
template <typename Need> void compareLimit(const core::Limit& limit, Bytes capacity, Need need, const char* what)
{
    if (!limit.value) { // nothing grows: so many fit that no one counts them
        QVERIFY2(need(std::int64_t{1} << 53) <= capacity, what);
        return;
    }
    const std::int64_t n = *limit.value;
    QVERIFY2(n == 0 || need(n) <= capacity, what);
    QVERIFY2(need(n + 1) > capacity, what);
}

void compareLimits(const Scenario& scenario)
{
    const QByteArray what = QByteArray::fromStdString(scenario.model.id + " on " + scenario.hardware.gpu->id + ", " +
                                                      std::string(core::id(scenario.engine)));
    const Limits limits = tests::limitsOf(scenario);
    const Bytes capacity = *core::deviceMemory(scenario.hardware) * scenario.hardware.count;
    compareLimit(
        limits.maxBatch, capacity, [&](std::int64_t n) { return needOfBatch(scenario, n); }, what.data());
    compareLimit(
        limits.maxContext, capacity, [&](std::int64_t n) { return needOfContext(scenario, n); }, what.data());
    const Bytes weights = *core::weightBytes(scenario);
    if (limits.crossover) {
        QVERIFY2(cacheOf(scenario, *limits.crossover) >= weights, what.data());
        QVERIFY2(*limits.crossover == 1 || cacheOf(scenario, *limits.crossover - 1) < weights, what.data());
    } else {
        QVERIFY2(cacheOf(scenario, std::int64_t{1} << 53) < weights, what.data());
    }
}

Scenario llama8B()
{
    return tests::scenarioOf("llama-3.1-8b");
}

using Number = std::optional<std::int64_t>;

} // namespace

class TestLimits : public QObject {
    Q_OBJECT

private slots:
    void largestFitting()
    {
        const auto upTo = [](std::int64_t last) {
            return core::largestFitting([last](std::int64_t n) { return n <= last; });
        };
        for (const std::int64_t last : {0, 1, 2, 3, 4, 5, 1'000, 1'023, 1'024, 1'025, 122'532})
            QCOMPARE(upTo(last), Number(last));
        const std::int64_t ceiling = std::int64_t{1} << 53;
        QCOMPARE(upTo(ceiling - 1), Number(ceiling - 1));
        QCOMPARE(upTo(ceiling), Number()); // all that are looked at fit
        QCOMPARE(core::largestFitting([](std::int64_t n) { return n <= 100; }, 64), Number());
    }

    void everyModel_data()
    {
        QTest::addColumn<QString>("gpu");
        QTest::addColumn<QString>("engine");
        for (const char* gpu : {"rtx-2060-6", "rtx-4090", "h100-sxm", "apple-m2-ultra:64"}) {
            for (const char* engine : {"ideal", "contiguous", "paged"})
                QTest::addRow("%s, %s", gpu, engine) << gpu << engine;
        }
    }
    void everyModel()
    {
        QFETCH(const QString, gpu);
        QFETCH(const QString, engine);
        for (const core::Model& model : tests::models()) {
            Scenario scenario = tests::on(tests::scenarioOf(model), gpu.toStdString(), 3);
            scenario.engine = *core::engineId(engine.toStdString());
            scenario.workload.batch = 5;
            scenario.workload.context = 1'001;
            scenario.workload.maxContext = 1'500;
            scenario.overhead = core::mib(300);
            scenario.reserve = core::Percent::whole(7);
            scenario.waste = core::Percent{scenario.engine == EngineId::Ideal ? 1'550 : 0};
            compareLimits(scenario);
            if (QTest::currentTestFailed())
                return;
        }
    }

    void crossover()
    {
        Scenario scenario = llama8B(); // 16,060,522,496 / 131,072 = 122,532.06 (issue)
        QCOMPARE(tests::limitsOf(scenario).crossover, Number(122'533));
        scenario.workload.batch = 4; // of the whole batch: 30,633.02
        QCOMPARE(tests::limitsOf(scenario).crossover, Number(30'634));
        scenario.waste = core::Percent::whole(50); // waste is no cache
        QCOMPARE(tests::limitsOf(scenario).crossover, Number(30'634));
        scenario.weightBytes = Bytes(131'072 * 4 * 100); // reached exactly
        QCOMPARE(tests::limitsOf(scenario).crossover, Number(100));
        scenario.weightBytes = Bytes();
        QCOMPARE(tests::limitsOf(scenario).crossover, Number(1));
        scenario.weightBytes.reset();
        scenario.model.weights = {};
        QCOMPARE(tests::limitsOf(scenario).crossover, Number()); // weights unknown
    }

    void windowNeverReachesTheWeights()
    {
        // Mistral 7B v0.1 keeps 4,096 tokens · 131,072 bytes = 0.5 GiB of 13.5 GiB of weights.
        const Scenario scenario = tests::on(tests::scenarioOf("mistral-7b-v0.1"), "rtx-4090");
        const Limits limits = tests::limitsOf(scenario);
        QCOMPARE(limits.crossover, Number());
        QCOMPARE(limits.maxContext.value, Number());
        QVERIFY(limits.maxBatch.value);
        QVERIFY(limits.maxContext.device.empty());
    }

    void noCapacity()
    {
        const Limits limits = tests::limitsOf(llama8B());
        QCOMPARE(limits.maxBatch.value, Number());
        QCOMPARE(limits.maxContext.value, Number());
    }

    void nothingFits()
    {
        const Limits limits = tests::limitsOf(tests::on(llama8B(), "rtx-2060-6")); // 14.96 GiB into 6
        QCOMPARE(limits.maxBatch.value, Number(0));
        QCOMPARE(limits.maxContext.value, Number(0));
        QCOMPARE(limits.maxBatch.part, core::BoundPart::Weights);
        QCOMPARE(limits.maxBatch.device, std::string("GeForce RTX 2060 6GB"));
    }

    void cacheBinds()
    {
        // 24 GiB typed − 14.957 GiB of weights = 9.04 requests of 1 GiB; of 8,192 tokens · 9.04 = 74,075 (issue of
        // the window: "total hits 24 at 74,075"): (25,769,803,776 − 16,060,522,496) / 131,072 = 74,075.9.
        const Limits limits = tests::limitsOf(tests::onTyped(llama8B(), gib(24)));
        QCOMPARE(limits.maxBatch.value, Number(9));
        QCOMPARE(limits.maxContext.value, Number(74'075));
        QCOMPARE(limits.maxBatch.part, core::BoundPart::Kv);
        QCOMPARE(limits.maxContext.part, core::BoundPart::Kv);
        QCOMPARE(limits.maxContext.device, std::string("GPU"));
    }

    void oneRequestTooLong()
    {
        // 128K of BF16 cache is 16 GiB: not one request fits, though the weights do; a shorter context does.
        const Limits limits = tests::limitsOf(tests::onTyped(tests::with(llama8B(), 131'072, 1), gib(24)));
        QCOMPARE(limits.maxBatch.value, Number(0));
        QCOMPARE(limits.maxBatch.part, core::BoundPart::Kv);
        QCOMPARE(limits.maxContext.value, Number(74'075));
    }

    void beyondTheTrainedLength()
    {
        const Limits limits = tests::limitsOf(tests::onTyped(tests::scenarioOf("llama-3-8b"), gib(24)));
        QCOMPARE(limits.maxContext.value, Number(74'075)); // trained for 8,192
    }

    void contiguousReserve()
    {
        // 16,384 tokens are reserved for each request: 2 GiB; 9.04 / 2 requests, and the context may grow to 74,075.
        Scenario scenario = tests::onTyped(llama8B(), gib(24));
        scenario.engine = EngineId::Contiguous;
        scenario.workload.maxContext = 16'384;
        const Limits limits = tests::limitsOf(scenario);
        QCOMPARE(limits.maxBatch.value, Number(4));
        QCOMPARE(limits.maxContext.value, Number(74'075));
    }

    void noCacheAtAll()
    {
        Scenario scenario = tests::onTyped(
            tests::scenarioOf(tests::modelOf(tests::attention(core::CacheKind::None, 4, 1, 64))), gib(24));
        const Limits limits = tests::limitsOf(scenario);
        QCOMPARE(limits.maxBatch.value, Number());
        QCOMPARE(limits.maxContext.value, Number());
    }
};

ROOM_TEST(TestLimits, void)
#include "test_limits.moc"
