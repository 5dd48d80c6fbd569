// SPDX-License-Identifier: GPL-3.0-or-later
// Laws that hold for every scenario, tried on random ones.
#include "core/scenario/kv_cache.h"
#include "core/sizing/curves.h"
#include "core/sizing/evaluate.h"
#include "tests/room.h"

#include <QTest>

#include <rapidcheck.h>

#include <cstdint>
#include <span>
#include <vector>

using core::Bytes;
using core::CacheGroup;
using core::CacheKind;
using core::EngineId;
using core::Footprint;
using core::Scenario;

namespace {

rc::Gen<std::int64_t> between(std::int64_t first, std::int64_t last)
{
    return rc::gen::inRange<std::int64_t>(first, last + 1);
}

/// One row of a table.
template <typename Row> Row anyOf(std::span<const Row> rows)
{
    return rows[*rc::gen::inRange<std::size_t>(0, rows.size())];
}

CacheGroup anyGroup(std::int64_t firstLayer)
{
    CacheGroup group;
    group.kind = static_cast<CacheKind>(*rc::gen::inRange(0, 10));
    group.layers = core::LayerSet::range(firstLayer, firstLayer + *between(0, 70));
    group.kvHeads = *between(1, 64);
    group.keyDim = *between(1, 300);
    group.valueDim = *between(1, 300);
    group.window = *between(1, 10'000);
    group.latentDim = *between(1, 600);
    group.ropeDim = *between(0, 100);
    group.indexDim = *between(1, 200);
    group.ratio = *between(1, 200);
    group.convElements = *between(0, 20'000);
    group.recurrentElements = *between(0, 1'000'000);
    return group;
}

std::vector<CacheGroup> anyGroups()
{
    std::vector<CacheGroup> groups;
    for (std::int64_t n = *between(1, 4); n > 0; --n)
        groups.push_back(anyGroup(100 * n));
    return groups;
}

/// A valid scenario; every input is far from overflow.
Scenario anyScenario()
{
    Scenario scenario;
    scenario.model.layers = 500;
    scenario.model.groups = anyGroups();
    scenario.model.weights.parts = {{core::WeightPart::Mlp, *between(1, 500'000'000'000)},
                                    {core::WeightPart::Embedding, *between(1, 2'000'000'000)}};
    scenario.weightFormat = anyOf(core::weightFormats()).format;
    scenario.workload.context = *between(1, 300'000);
    scenario.workload.batch = *between(1, 3'000);
    scenario.workload.encoderTokens = *between(0, 3'000);
    if (*rc::gen::arbitrary<bool>())
        scenario.workload.maxContext = scenario.workload.context + *between(0, 300'000);
    scenario.kFormat = anyOf(core::kvFormats()).format;
    scenario.vFormat = anyOf(core::kvFormats()).format;
    scenario.engine = static_cast<EngineId>(*rc::gen::inRange(0, 3));
    scenario.waste.hundredths = scenario.engine == EngineId::Ideal ? *between(0, 9'500) : 0;
    scenario.blockTokens = *between(1, 600);
    scenario.hardware.count = *between(1, 20);
    scenario.hardware.basis = core::MemoryBasis::Typed;
    scenario.hardware.typed = Bytes(*between(1, 300'000'000'000));
    scenario.reserve.hundredths = *between(0, 9'999);
    scenario.overhead = Bytes(*between(0, 5'000'000'000));
    return scenario;
}

Footprint evaluated(const Scenario& scenario)
{
    RC_ASSERT(core::check(scenario).empty());
    return core::evaluate(scenario);
}

Bytes reserved(const Footprint& footprint)
{
    return footprint.memory.cache + footprint.memory.waste;
}

/// Tries the law on 100 scenarios; a counterexample is printed.
template <typename Law> bool holds(const char* law, Law check)
{
    return rc::check(law, check);
}

} // namespace

class TestLaws : public QObject {
    Q_OBJECT

private slots:
    void needGrowsWithContext()
    {
        QVERIFY(holds("a longer context never needs less", [] {
            Scenario scenario = anyScenario();
            const Footprint before = evaluated(scenario);
            const std::int64_t more = *between(1, 10'000);
            scenario.workload.context += more;
            if (scenario.workload.maxContext)
                *scenario.workload.maxContext += more;
            const Footprint after = evaluated(scenario);
            RC_ASSERT(after.kv.total >= before.kv.total);
            RC_ASSERT(after.memory.total() >= before.memory.total());
        }));
    }

    void needGrowsWithBatch()
    {
        QVERIFY(holds("more requests never need less", [] {
            Scenario scenario = anyScenario();
            const Footprint before = evaluated(scenario);
            scenario.workload.batch += *between(1, 100);
            const Footprint after = evaluated(scenario);
            RC_ASSERT(after.kv.total >= before.kv.total);
            RC_ASSERT(after.memory.total() >= before.memory.total());
        }));
    }

    void batchMultiplies()
    {
        QVERIFY(holds("twice the requests keep twice the cache", [] {
            Scenario scenario = anyScenario();
            const Footprint one = evaluated(scenario);
            scenario.workload.batch *= 2;
            const Footprint two = evaluated(scenario);
            RC_ASSERT(two.kv.total == one.kv.total * 2);
            RC_ASSERT(two.memory.weights == one.memory.weights);
            if (scenario.engine != EngineId::Ideal) // a share is rounded up once
                RC_ASSERT(two.memory.waste == one.memory.waste * 2);
        }));
    }

    void groupsAdd()
    {
        QVERIFY(holds("the cache of two groups of layers is the sum of each", [] {
            Scenario scenario = anyScenario();
            const std::vector<CacheGroup> first = anyGroups();
            const std::vector<CacheGroup> second = anyGroups();
            scenario.model.groups = first;
            const core::KvSize a = evaluated(scenario).kv;
            scenario.model.groups = second;
            const core::KvSize b = evaluated(scenario).kv;
            scenario.model.groups.insert(scenario.model.groups.end(), first.begin(), first.end());
            const core::KvSize both = evaluated(scenario).kv;
            RC_ASSERT(both.total == a.total + b.total);
            RC_ASSERT(both.fixedPerRequest == a.fixedPerRequest + b.fixedPerRequest);
        }));
    }

    void partsSumToTheTotal()
    {
        QVERIFY(holds("parts sum to the total, and with what is free to the capacity", [] {
            const Scenario scenario = anyScenario();
            const Footprint footprint = evaluated(scenario);
            const core::MemoryParts& parts = footprint.memory;
            RC_ASSERT(parts.cache == footprint.kv.total);
            RC_ASSERT(parts.cache == footprint.kv.perRequest * scenario.workload.batch);
            RC_ASSERT(parts.total().count() == parts.weights.count() + parts.cache.count() + parts.waste.count() +
                                                   parts.overhead.count() + parts.reserve.count());
            RC_ASSERT(parts.total() + *footprint.free() == *scenario.hardware.typed * scenario.hardware.count);
            RC_ASSERT(*footprint.fits() == (*footprint.free() >= Bytes()));
        }));
    }

    void typedShare()
    {
        QVERIFY(holds("the share of waste is of the reserved cache, to the byte", [] {
            Scenario scenario = anyScenario();
            scenario.engine = EngineId::Ideal;
            scenario.waste.hundredths = *between(0, 9'500);
            const Footprint footprint = evaluated(scenario);
            __extension__ using Wide = __int128;
            const Wide wanted = static_cast<Wide>(footprint.memory.cache.count()) * scenario.waste.hundredths;
            const Wide kept = static_cast<Wide>(footprint.memory.waste.count()) * (10'000 - scenario.waste.hundredths);
            RC_ASSERT(kept >= wanted);                                     // enough,
            RC_ASSERT(kept - wanted < 10'000 - scenario.waste.hundredths); // and not one byte more
        }));
    }

    void pagedReservesAtLeastTheIdeal()
    {
        QVERIFY(holds("blocks reserve no less than is used, and less than a block more", [] {
            Scenario scenario = anyScenario();
            scenario.waste = {};
            scenario.engine = EngineId::Ideal;
            const Footprint ideal = evaluated(scenario);
            RC_ASSERT(reserved(ideal) == ideal.kv.total);
            scenario.engine = EngineId::Paged;
            const Footprint paged = evaluated(scenario);
            RC_ASSERT(reserved(paged) >= reserved(ideal));
            Bytes oneToken; // of every layer that keeps tokens
            for (const CacheGroup& group : scenario.model.groups) {
                if (group.kind == CacheKind::State || group.kind == CacheKind::Cross)
                    continue;
                oneToken += core::entryBytes(group, scenario.kFormat, scenario.vFormat) * group.layers.count();
            }
            RC_ASSERT(paged.memory.waste <= oneToken * (scenario.blockTokens - 1) * scenario.workload.batch);
            scenario.blockTokens = 1;
            RC_ASSERT(evaluated(scenario).memory == ideal.memory);
        }));
    }

    void contiguousAtItsMaximumIsIdeal()
    {
        QVERIFY(holds("a request that fills its stretch wastes nothing", [] {
            Scenario scenario = anyScenario();
            scenario.waste = {};
            scenario.engine = EngineId::Ideal;
            const Footprint ideal = evaluated(scenario);
            scenario.engine = EngineId::Contiguous;
            RC_ASSERT(evaluated(scenario).memory.waste >= Bytes());
            scenario.workload.maxContext = scenario.workload.context;
            RC_ASSERT(evaluated(scenario).memory == ideal.memory);
            scenario.workload.maxContext.reset();
            RC_ASSERT(evaluated(scenario).memory == ideal.memory);
        }));
    }

    void ratesAreDifferences()
    {
        QVERIFY(holds("the growth per token is what the next tokens add", [] {
            Scenario scenario = anyScenario();
            const core::Rate rate = evaluated(scenario).kv.perToken;
            for (CacheGroup& group : scenario.model.groups) // windows that fill meanwhile are no case of this law
                group.window =
                    core::growsBeyond(group, scenario.workload.context) ? std::int64_t{1} << 40 : group.window;
            const Bytes next = core::requestCache(scenario, scenario.workload.context + rate.tokens);
            RC_ASSERT(next - core::requestCache(scenario, scenario.workload.context) == rate.bytes);
        }));
    }

    void limitsArePartOfTheFootprint()
    {
        QVERIFY(holds("what fits is at most the limits", [] {
            const Scenario scenario = anyScenario();
            const Footprint footprint = evaluated(scenario);
            const core::Limits& limits = footprint.limits;
            RC_ASSERT(*footprint.fits() ==
                      (!limits.maxBatch.value || *limits.maxBatch.value >= scenario.workload.batch));
            RC_ASSERT(*footprint.fits() ==
                      (!limits.maxContext.value || *limits.maxContext.value >= scenario.workload.context));
        }));
    }
};

ROOM_TEST(TestLaws, void)
#include "test_laws.moc"
