// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/footprint_json.h"
#include "core/sizing/evaluate.h"
#include "tests/room.h"

#include <QTest>

#include <nlohmann/json.hpp>

using Json = nlohmann::ordered_json;

namespace {

/// 4 layers of 2 heads of 64: 2,048 bytes per token in FP16; 1,000 parameters.
core::Scenario smallScenario()
{
    core::Scenario scenario;
    core::CacheGroup group;
    group.layers = core::LayerSet::range(0, 3);
    group.queryHeads = 4;
    group.kvHeads = 2;
    group.keyDim = 64;
    group.valueDim = 64;
    scenario.model.name = "Small";
    scenario.model.layers = 4;
    scenario.model.groups = {group};
    scenario.model.weights.parts = {{core::WeightPart::Mlp, 1'000}};
    scenario.model.weights.source = "counted";
    scenario.workload.context = 100;
    scenario.workload.batch = 3;
    return scenario;
}

core::CacheGroup compressed(std::int64_t ratio)
{
    core::CacheGroup group;
    group.kind = core::CacheKind::Compressed;
    group.layers = core::LayerSet::range(0, 0);
    group.keyDim = 1;
    group.ratio = ratio;
    return group;
}

Json toJson(const core::Scenario& scenario)
{
    return core::footprintToJson(core::assess(scenario));
}

std::vector<std::string> keys(const Json& object)
{
    std::vector<std::string> keys;
    for (const auto& item : object.items())
        keys.push_back(item.key());
    return keys;
}

using Keys = std::vector<std::string>;

} // namespace

class TestFootprintJson : public QObject {
    Q_OBJECT

private slots:
    void namesAreFixed()
    {
        const Json json = toJson(smallScenario());
        QCOMPARE(keys(json), (Keys{"format", "version", "model", "kv", "weights", "memory", "limits", "engine"}));
        QCOMPARE(json.at("format").get<std::string>(), std::string("kvhorizon.footprint"));
        QCOMPARE(json.at("version").get<int>(), 1);
        QCOMPARE(keys(json.at("kv")), (Keys{"bytes_per_token", "fixed_bytes_per_request", "bytes_per_request", "bytes",
                                            "shared_prefix_bytes"}));
        QCOMPARE(keys(json.at("weights")), (Keys{"bytes", "parameters", "format", "source"}));
        QCOMPARE(keys(json.at("memory")),
                 (Keys{"weights_bytes", "kv_bytes", "waste_bytes", "overhead_bytes", "reserve_bytes", "total_bytes",
                       "capacity_bytes", "free_bytes", "fits", "gpus"}));
        QCOMPARE(keys(json.at("limits")), (Keys{"max_batch", "max_context", "crossover_context", "bound_by"}));
        QCOMPARE(keys(json.at("engine")),
                 (Keys{"name", "version", "block_tokens", "block_bytes", "blocks", "cache_tokens", "concurrency",
                       "needed_bytes", "max_model_len", "parts", "log"}));
    }

    void countsAreWhole()
    {
        const Json json = toJson(smallScenario());
        QVERIFY(json.at("kv") == (Json{{"bytes_per_token", 2'048},
                                       {"fixed_bytes_per_request", 0},
                                       {"bytes_per_request", 204'800},
                                       {"bytes", 614'400},
                                       {"shared_prefix_bytes", 0}}));
        QVERIFY(json.at("weights") ==
                (Json{{"bytes", 2'000}, {"parameters", 1'000}, {"format", "bf16"}, {"source", "counted"}}));
        QVERIFY(json.at("kv").at("bytes_per_token").is_number_integer());
    }

    void withoutCapacityThereIsNull()
    {
        const Json json = toJson(smallScenario());
        for (const char* name : {"capacity_bytes", "free_bytes", "fits"})
            QVERIFY(json.at("memory").at(name).is_null());
        QVERIFY(json.at("limits").at("max_batch").is_null());
        QVERIFY(json.at("limits").at("bound_by").at("max_context").is_null());
        QCOMPARE(json.at("limits").at("crossover_context").get<int>(), 1);
    }

    void withCapacityItSaysWhatBinds()
    {
        core::Scenario scenario = smallScenario();
        scenario.hardware.basis = core::MemoryBasis::Typed;
        scenario.hardware.typed = core::Bytes(500'000);
        scenario.hardware.count = 2;
        const Json json = toJson(scenario);
        const Json& memory = json.at("memory");
        QCOMPARE(memory.at("capacity_bytes").get<int>(), 1'000'000);
        QCOMPARE(memory.at("free_bytes").get<int>(), 1'000'000 - 614'400 - 2'000);
        QVERIFY(memory.at("fits").get<bool>());
        QCOMPARE(memory.at("gpus").size(), std::size_t{1});
        QCOMPARE(memory.at("gpus").at(0).at("count").get<int>(), 2);
        QVERIFY(memory.at("gpus").at(0).at("total_bytes") == memory.at("total_bytes"));
        QCOMPARE(json.at("limits").at("max_batch").get<int>(), 4);
        QCOMPARE(json.at("limits").at("bound_by").at("max_batch").at("part").get<std::string>(), std::string("kv"));
    }

    void overIsNegative()
    {
        core::Scenario scenario = smallScenario();
        scenario.hardware.basis = core::MemoryBasis::Typed;
        scenario.hardware.typed = core::Bytes(1'000);
        const Json json = toJson(scenario);
        QCOMPARE(json.at("memory").at("free_bytes").get<int>(), 1'000 - 614'400 - 2'000);
        QVERIFY(!json.at("memory").at("fits").get<bool>());
        QCOMPARE(json.at("limits").at("max_batch").get<int>(), 0);
        QCOMPARE(json.at("limits").at("bound_by").at("max_batch").at("part").get<std::string>(),
                 std::string("weights"));
    }

    void typedWeightsHaveNoFormat()
    {
        core::Scenario scenario = smallScenario();
        scenario.weightBytes = core::Bytes(77);
        QVERIFY(toJson(scenario).at("weights") ==
                (Json{{"bytes", 77}, {"parameters", 1'000}, {"format", nullptr}, {"source", "typed"}}));
    }

    void unknownWeightsAreNull()
    {
        core::Scenario scenario = smallScenario();
        scenario.model.weights = {};
        const Json json = toJson(scenario);
        QVERIFY(json.at("weights") ==
                (Json{{"bytes", nullptr}, {"parameters", nullptr}, {"format", nullptr}, {"source", nullptr}}));
        QCOMPARE(json.at("memory").at("weights_bytes").get<int>(), 0);
        QVERIFY(json.at("limits").at("crossover_context").is_null());
    }

    void compressedEntriesGrowByFractions()
    {
        core::Scenario scenario = smallScenario();
        scenario.model.groups = {compressed(4)};
        QCOMPARE(toJson(scenario).at("kv").at("bytes_per_token").get<double>(), 0.5);
        scenario.model.groups = {compressed(2)};
        QVERIFY(toJson(scenario).at("kv").at("bytes_per_token").is_number_integer());
    }

    void pagedCountsItsBlocks()
    {
        core::Scenario scenario = smallScenario();
        scenario.engine = core::EngineId::Paged;
        const Json json = toJson(scenario);
        const Json& engine = json.at("engine");
        QCOMPARE(engine.at("name").get<std::string>(), std::string("paged"));
        QCOMPARE(engine.at("block_tokens").get<int>(), 16);
        QCOMPARE(engine.at("block_bytes").get<int>(), 16 * 2'048);
        QCOMPARE(engine.at("blocks").get<int>(), 3 * 7);
        QCOMPARE(engine.at("blocks").get<int>() * engine.at("block_bytes").get<int>(),
                 json.at("memory").at("kv_bytes").get<int>() + json.at("memory").at("waste_bytes").get<int>());
    }

    void windowsHaveNoOneCountOfBlocks()
    {
        core::Scenario scenario = smallScenario();
        scenario.engine = core::EngineId::Paged;
        scenario.model.groups.front().kind = core::CacheKind::Window;
        scenario.model.groups.front().window = 32;
        QVERIFY(toJson(scenario).at("engine").at("blocks").is_null());
    }

    void contiguousSaysItsLength()
    {
        core::Scenario scenario = smallScenario();
        scenario.engine = core::EngineId::Contiguous;
        QCOMPARE(toJson(scenario).at("engine").at("max_model_len").get<int>(), 100);
        scenario.workload.maxContext = 200;
        const Json json = toJson(scenario);
        QCOMPARE(json.at("engine").at("max_model_len").get<int>(), 200);
        QCOMPARE(json.at("memory").at("waste_bytes").get<int>(), 614'400);
        QVERIFY(json.at("engine").at("block_tokens").is_null());
    }
};

ROOM_TEST(TestFootprintJson, void)
#include "test_footprint_json.moc"
