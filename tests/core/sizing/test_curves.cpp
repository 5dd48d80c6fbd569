// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sizing/curves.h"
#include "tests/core/catalogue.h"
#include "tests/room.h"

#include <QTest>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <vector>

using core::Bytes;
using core::CurvePoint;
using core::EngineId;
using core::Scenario;

namespace {

std::vector<std::int64_t> contexts(const std::vector<CurvePoint>& curve)
{
    std::vector<std::int64_t> result;
    for (const CurvePoint& point : curve)
        result.push_back(point.context);
    return result;
}

using Contexts = std::vector<std::int64_t>;

/// True where `middle` lies on the line from `low` to `high`; the typed share of waste is rounded up to a byte.
bool onLine(Bytes low, Bytes middle, Bytes high, CurvePoint a, CurvePoint m, CurvePoint b)
{
    const double share = static_cast<double>(m.context - a.context) / static_cast<double>(b.context - a.context);
    const double line = static_cast<double>(low.count()) + share * static_cast<double>((high - low).count());
    return std::abs(line - static_cast<double>(middle.count())) <= 2;
}

/// Between each two corners the law is a straight line.
void compareMiddles(const core::Evaluation& evaluation, const std::vector<CurvePoint>& curve)
{
    for (std::size_t i = 0; i + 1 < curve.size(); ++i) {
        const CurvePoint& a = curve[i];
        const CurvePoint& b = curve[i + 1];
        const CurvePoint m = core::growthAt(evaluation, (a.context + b.context) / 2);
        QVERIFY2(onLine(a.cache, m.cache, b.cache, a, m, b), evaluation.scenario.model.id.c_str());
        QVERIFY2(onLine(a.waste, m.waste, b.waste, a, m, b), evaluation.scenario.model.id.c_str());
        QVERIFY2(onLine(a.total, m.total, b.total, a, m, b), evaluation.scenario.model.id.c_str());
    }
}

Scenario compressed(std::int64_t ratio)
{
    core::CacheGroup group;
    group.kind = core::CacheKind::Compressed;
    group.layers = core::LayerSet::range(0, 0);
    group.keyDim = 64; // 128 bytes in FP16
    group.ratio = ratio;
    return tests::scenarioOf(tests::modelOf(group));
}

} // namespace

class TestCurves : public QObject {
    Q_OBJECT

private slots:
    void pointIsTheFootprint()
    {
        for (const EngineId engine : {EngineId::Ideal, EngineId::Contiguous, EngineId::Paged}) {
            Scenario scenario = tests::on(tests::with(tests::scenarioOf("gemma-3-27b"), 3'001, 7), "h100-sxm", 2);
            scenario.engine = engine;
            scenario.workload.maxContext = 5'000;
            scenario.reserve = core::Percent::whole(5);
            scenario.overhead = core::mib(700);
            const core::MemoryParts memory = tests::footprintOf(scenario).memory;
            QCOMPARE(core::growthAt(core::assess(scenario), 3'001),
                     (CurvePoint{3'001, memory.cache, memory.waste, memory.total()}));
        }
    }

    void pointBeyondTheMaximumRaisesIt()
    {
        Scenario scenario = tests::scenarioOf("llama-3.1-8b");
        scenario.engine = EngineId::Contiguous;
        scenario.workload.maxContext = 16'384;
        QCOMPARE(core::growthAt(core::assess(scenario), 10'000).waste, Bytes(131'072ll * 6'384));
        QCOMPARE(core::growthAt(core::assess(scenario), 20'000).waste, Bytes());
    }

    void corners()
    {
        const Scenario llama = tests::scenarioOf("llama-3.1-8b");
        QCOMPARE(contexts(core::growthCurve(core::assess(llama), 131'072, 800)), (Contexts{0, 131'072}));
        const Scenario gemma = tests::scenarioOf("gemma-3-27b"); // windows of 1,024
        QCOMPARE(contexts(core::growthCurve(core::assess(gemma), 131'072, 800)), (Contexts{0, 1'024, 131'072}));
        QCOMPARE(contexts(core::growthCurve(core::assess(gemma), 1'000, 800)), (Contexts{0, 1'000})); // none within
        QCOMPARE(contexts(core::growthCurve(core::assess(gemma), 1'024, 800)),
                 (Contexts{0, 1'024})); // at the end, once
        Scenario contiguous = gemma;
        contiguous.engine = EngineId::Contiguous;
        contiguous.workload.maxContext = 9'000; // reserved up to here
        QCOMPARE(contexts(core::growthCurve(core::assess(contiguous), 131'072, 800)),
                 (Contexts{0, 1'024, 9'000, 131'072}));
    }

    void everyCurve_data()
    {
        QTest::addColumn<QString>("engine");
        for (const char* engine : {"ideal", "contiguous", "paged"})
            QTest::newRow(engine) << engine;
    }
    void everyCurve()
    {
        QFETCH(const QString, engine);
        for (const core::Model& model : tests::models()) {
            Scenario scenario = tests::on(tests::scenarioOf(model), "rtx-4090");
            scenario.engine = *core::engineId(engine.toStdString());
            scenario.waste = core::Percent::whole(scenario.engine == EngineId::Ideal ? 20 : 0);
            if (scenario.engine == EngineId::Contiguous)
                scenario.workload.maxContext = 20'000;
            const core::Evaluation evaluation = core::assess(scenario);
            const std::vector<CurvePoint> curve = core::growthCurve(evaluation, 100'003, 300);
            QCOMPARE(curve.front().context, 0);
            QCOMPARE(curve.back().context, 100'003);
            const auto repeated = std::ranges::adjacent_find(curve, std::ranges::greater_equal(), &CurvePoint::context);
            QVERIFY(repeated == curve.end());
            for (const CurvePoint& point : curve)
                QCOMPARE(point, core::growthAt(evaluation, point.context));
            const bool steps = std::ranges::any_of(
                model.groups, [](const core::CacheGroup& group) { return core::tokensPerEntry(group) > 1; });
            if (scenario.engine != EngineId::Paged && !steps)
                compareMiddles(evaluation, curve);
            if (QTest::currentTestFailed())
                return;
        }
    }

    void staircaseHasASampleForEachColumn()
    {
        Scenario paged = tests::scenarioOf("llama-3.1-8b");
        paged.engine = EngineId::Paged;
        // Columns of 1,000 tokens.
        const Contexts expected{0, 1'000, 2'000, 3'000, 4'000, 5'000};
        QCOMPARE(contexts(core::growthCurve(core::assess(paged), 5'000, 5)), expected);
        QCOMPARE(contexts(core::growthCurve(core::assess(compressed(4)), 5'000, 5)), expected);
        // Columns that do not divide the range are still spread over all of it.
        QCOMPARE(contexts(core::growthCurve(core::assess(paged), 11, 4)), (Contexts{0, 2, 5, 8, 11}));
        QCOMPARE(contexts(core::growthCurve(core::assess(paged), 3, 800)),
                 (Contexts{0, 1, 2, 3})); // more columns than tokens
    }

    void staircaseSteps()
    {
        const Scenario scenario = compressed(4);
        QCOMPARE(core::growthAt(core::assess(scenario), 3).cache, Bytes());
        QCOMPARE(core::growthAt(core::assess(scenario), 4).cache, Bytes(128));
        QCOMPARE(core::growthAt(core::assess(scenario), 7).cache, Bytes(128));
        QCOMPARE(core::growthAt(core::assess(scenario), 8).cache, Bytes(256));
    }
};

ROOM_TEST(TestCurves, void)
#include "test_curves.moc"
