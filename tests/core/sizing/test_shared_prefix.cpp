// SPDX-License-Identifier: GPL-3.0-or-later
// The prefix that all requests share and that an engine with prefix caching keeps once.
#include "core/sizing/evaluate.h"
#include "core/sizing/explain.h"
#include "tests/core/catalogue.h"
#include "tests/room.h"

#include <QTest>

using core::Bytes;
using core::EngineId;
using core::Footprint;
using core::Scenario;

namespace {

/// Bytes of one token of Llama 3.1 8B: 2 · 32 layers · 8 heads · 128 elements · 2 bytes.
constexpr std::int64_t kToken = 131'072;

/// 16 requests of 8,192 tokens to Llama 3.1 8B that share `prefix` tokens.
Scenario scenarioWith(EngineId engine, std::int64_t prefix)
{
    Scenario scenario = tests::on(tests::with(tests::scenarioOf("llama-3.1-8b"), 8'192, 16), "h100-sxm");
    scenario.engine = engine;
    scenario.workload.sharedPrefix = prefix;
    return scenario;
}

Footprint footprintOf(const Scenario& scenario)
{
    const std::vector<core::Issue> issues = core::check(scenario);
    return issues.empty() ? core::evaluate(scenario) : throw std::runtime_error(core::english(issues.front().message));
}

Bytes savedBy(const Scenario& scenario)
{
    return footprintOf(scenario).kv.sharedPrefix;
}

constexpr EngineId kSharing[] = {EngineId::Paged, EngineId::Vllm, EngineId::Sglang};

} // namespace

class TestSharedPrefix : public QObject {
    Q_OBJECT

private slots:
    void byHand()
    {
        for (const EngineId engine : kSharing) {
            const Footprint footprint = footprintOf(scenarioWith(engine, 2'048));
            // 16 · 8,192 · 131,072 − 15 · 2,048 · 131,072
            QCOMPARE(footprint.memory.cache, Bytes(13'153'337'344));
            QCOMPARE(footprint.kv.total, Bytes(17'179'869'184)); // the ideal cache, whatever the engine
            QCOMPARE(footprint.kv.sharedPrefix, Bytes(4'026'531'840));
            QCOMPARE(footprint.kv.kept(), footprint.memory.cache);
        }
        QCOMPARE(footprintOf(scenarioWith(EngineId::Paged, 2'048)).memory.waste, Bytes());
    }

    void wholeBlocksOnly()
    {
        // 2,047 tokens are 127 blocks of 16, which are 2,032 tokens; SGLang's pages are single tokens.
        QCOMPARE(savedBy(scenarioWith(EngineId::Paged, 2'047)), Bytes(15 * 2'032 * kToken));
        QCOMPARE(savedBy(scenarioWith(EngineId::Vllm, 2'047)), Bytes(15 * 2'032 * kToken));
        QCOMPARE(savedBy(scenarioWith(EngineId::Sglang, 2'047)), Bytes(15 * 2'047 * kToken));
        Scenario pages = scenarioWith(EngineId::Sglang, 2'047);
        pages.settings.set("page-size", "64");
        QCOMPARE(savedBy(pages), Bytes(15 * 1'984 * kToken));
        QCOMPARE(savedBy(scenarioWith(EngineId::Paged, 15)), Bytes());
        QCOMPARE(savedBy(scenarioWith(EngineId::Vllm, 15)), Bytes());
    }

    void everyReplicaKeepsItsOwn()
    {
        for (const EngineId engine : kSharing) {
            Scenario scenario = scenarioWith(engine, 2'048);
            scenario.hardware.count = 2;
            scenario.hardware.parallel.data = 2; // 8 requests each
            QCOMPARE(savedBy(scenario), Bytes(2 * 7 * 2'048 * kToken));
        }
    }

    void ranksShareAsOne()
    {
        for (const EngineId engine : kSharing) {
            Scenario scenario = scenarioWith(engine, 2'048);
            scenario.hardware.count = 4;
            scenario.hardware.parallel.tensor = 2;
            scenario.hardware.parallel.pipeline = 2;
            QCOMPARE(savedBy(scenario), Bytes(15 * 2'048 * kToken));
        }
    }

    void windowsKeepTheirOwn()
    {
        // gemma 3 27B has 10 full layers of 16 heads of 128 elements: 8,192 bytes · 10 for each token.
        Scenario scenario = scenarioWith(EngineId::Paged, 2'048);
        scenario.model = tests::model("gemma-3-27b");
        for (const EngineId engine : kSharing) {
            scenario.engine = engine;
            QCOMPARE(savedBy(scenario), Bytes(15LL * 2'048 * 10 * 2 * 16 * 128 * 2));
        }
    }

    void statesAndEncodersKeepTheirOwn()
    {
        for (const EngineId engine : kSharing) {
            Scenario scenario = scenarioWith(engine, 2'048);
            scenario.model = tests::model("falcon-mamba-7b");
            QCOMPARE(savedBy(scenario), Bytes());
        }
    }

    void switchedOff()
    {
        Scenario scenario = scenarioWith(EngineId::Vllm, 2'048);
        scenario.settings.set("enable-prefix-caching", "off");
        QCOMPARE(savedBy(scenario), Bytes());
        scenario = scenarioWith(EngineId::Vllm, 2'048);
        scenario.engineVersion = "V0"; // where it is off by itself
        QCOMPARE(savedBy(scenario), Bytes());
        scenario.settings.set("enable-prefix-caching", "on");
        QCOMPARE(savedBy(scenario), Bytes(15 * 2'048 * kToken));
        scenario = scenarioWith(EngineId::Sglang, 2'048);
        scenario.settings.set("disable-radix-cache", "on");
        QCOMPARE(savedBy(scenario), Bytes());
    }

    void otherEnginesShareNothing()
    {
        for (const EngineId engine : {EngineId::Ideal, EngineId::Contiguous, EngineId::LlamaCpp, EngineId::TensorRtLlm})
            QVERIFY(footprintOf(scenarioWith(engine, 2'048)) == footprintOf(scenarioWith(engine, 0)));
    }

    /// For all models: more in common never takes more memory, one request saves nothing, and what is
    /// reserved falls at least by what is in use less.
    void laws_data()
    {
        QTest::addColumn<QString>("id");
        for (const core::Model& model : tests::models())
            QTest::newRow(model.id.c_str()) << QString::fromStdString(model.id);
    }
    void laws()
    {
        QFETCH(const QString, id);
        Scenario scenario = scenarioWith(EngineId::Paged, 0);
        scenario.model = tests::model(id.toStdString());
        for (const EngineId engine : kSharing) {
            scenario.engine = engine;
            scenario.workload.batch = 1;
            scenario.workload.sharedPrefix = 0;
            const Footprint alone = core::evaluate(scenario);
            scenario.workload.sharedPrefix = 8'192;
            const Footprint one = core::evaluate(scenario);
            QVERIFY(one.memory == alone.memory && one.kv == alone.kv);
            scenario.workload.batch = 7;
            scenario.workload.sharedPrefix = 0;
            const Footprint none = core::evaluate(scenario);
            Footprint before = none;
            for (const std::int64_t prefix : {1, 16, 1'000, 4'096, 8'000, 8'192}) {
                scenario.workload.sharedPrefix = prefix;
                const Footprint after = core::evaluate(scenario);
                const auto reserved = [](const Footprint& f) { return f.memory.cache + f.memory.waste; };
                QVERIFY(reserved(after) <= reserved(before));
                QVERIFY(after.kv.sharedPrefix >= before.kv.sharedPrefix);
                QCOMPARE(none.memory.cache - after.memory.cache, after.kv.sharedPrefix);
                if (engine != EngineId::Sglang) { // whose pools are in a fixed ratio: that of states may set them all
                    QVERIFY(reserved(none) - reserved(after) >= after.kv.sharedPrefix);
                    QVERIFY(after.memory.waste <= none.memory.waste);
                }
                QVERIFY(after.limits.maxBatch.value >= before.limits.maxBatch.value || !after.limits.maxBatch.value);
                before = after;
            }
        }
    }

    void eachFurtherRequestTakesTheRest()
    {
        Scenario scenario = scenarioWith(EngineId::Paged, 2'048);
        std::vector<Bytes> totals;
        for (const std::int64_t batch : {1, 2, 3}) {
            scenario.workload.batch = batch;
            totals.push_back(footprintOf(scenario).memory.cache);
        }
        QCOMPARE(totals[0], Bytes(8'192 * kToken));
        QCOMPARE(totals[1] - totals[0], Bytes(6'144 * kToken));
        QCOMPARE(totals[2] - totals[1], Bytes(6'144 * kToken));
    }

    void moreRequestsFit()
    {
        const auto most = [](std::int64_t prefix) {
            return *footprintOf(scenarioWith(EngineId::Paged, prefix)).limits.maxBatch.value;
        };
        QVERIFY(most(4'096) > most(0));
    }

    void explained()
    {
        const core::Evaluation evaluation = core::assess(scenarioWith(EngineId::Paged, 2'048));
        const core::Derivation derivation = core::explain(evaluation, core::Quantity::Cache);
        QCOMPARE(derivation.formula, std::string("2·L·H·D·S·P·B − Z"));
        QCOMPARE(std::get<Bytes>(derivation.steps.back().result), evaluation.footprint.memory.cache);
    }

    void isPartOfTheContext()
    {
        Scenario scenario = scenarioWith(EngineId::Paged, 8'193);
        const std::vector<core::Issue> issues = core::check(scenario);
        QCOMPARE(issues.size(), std::size_t{1});
        QCOMPARE(core::english(issues.front().message),
                 std::string("The shared prefix, 8,193 tokens, is longer than the context of 8,192 tokens; shorten it "
                             "or raise the context."));
        scenario.engine = EngineId::Ideal; // which does not use it
        QVERIFY(core::check(scenario).empty());
    }
};

ROOM_TEST(TestSharedPrefix, void)
#include "test_shared_prefix.moc"
