// SPDX-License-Identifier: GPL-3.0-or-later
// The table of inputs.
#include "core/engines/engine.h"
#include "core/scenario/inputs.h"
#include "tests/core/catalogue.h"
#include "tests/room.h"

#include <QTest>

#include <set>

using core::EngineId;
using core::Field;
using core::Input;
using core::Scenario;

class TestInputs : public QObject {
    Q_OBJECT

private slots:
    /// A value that is read from a scenario and put into another one is the same there.
    void everyPlaceReadsWhatItWrites()
    {
        Scenario full = tests::scenarioOf("llama-3.1-8b");
        full.kvHeads = 4;
        full.engineVersion = "0.9";
        full.weightBytes = core::gib(3);
        full.cacheMemory = core::gib(5);
        full.workload = {.context = 11, .maxContext = 12, .batch = 13, .encoderTokens = 14, .sharedPrefix = 15};
        full.workload.spareTokens = 16;
        full.hardware.parallel = {2, 3, 4};
        full.hardware.typed = core::gib(7);
        full.hardware.basis = core::MemoryBasis::Typed;
        full.engine = EngineId::Sglang;
        full.vFormat = core::KvFormat::Q8_0;
        Scenario copy = tests::scenarioOf("llama-3.1-8b");
        for (const Input& input : core::inputs()) {
            if (input.place.get == nullptr)
                continue;
            QVERIFY(input.place.set(copy, input.place.get(full)));
            QVERIFY(input.place.get(copy) == input.place.get(full));
        }
        QVERIFY(copy == full);
    }

    void wordsAreRefused()
    {
        Scenario scenario;
        for (const Input& input : core::inputs()) {
            if (input.place.type != core::InputType::Word || input.place.get == nullptr)
                continue;
            const Scenario before = scenario;
            QVERIFY(!input.place.set(scenario, std::string("no such word")));
            QVERIFY(scenario == before);
            for (const std::string& word : input.words->all())
                QVERIFY2(input.place.set(scenario, word), word.c_str());
        }
    }

    void namesAreUnique()
    {
        std::set<std::string_view> ids;
        std::set<std::string> keys;
        for (const Input& input : core::inputs()) {
            QVERIFY2(ids.insert(input.id).second, input.id.data());
            QVERIFY(core::field(input.id) == input.field);
            if (!input.key.empty())
                QVERIFY(keys.insert(std::string(input.section).append("/").append(input.key)).second);
        }
    }

    /// The table names the engines that use an input; what the engines say of themselves agrees.
    void enginesAgree()
    {
        for (std::size_t i = 0; i < core::engineIds().size(); ++i) {
            const auto engine = static_cast<EngineId>(i);
            const core::engines::Engine& row = core::engines::engine(engine);
            QCOMPARE(core::uses(engine, core::input(Field::MaxContext)), row.usesMaxContext);
            QCOMPARE(core::uses(engine, core::input(Field::EngineVersion)), !row.newest.empty());
            QCOMPARE(core::uses(engine, core::input(Field::CacheMemory)), row.hasPool);
            QCOMPARE(core::kPoolEngines.has(engine), row.hasPool);
            Scenario scenario;
            scenario.engine = engine;
            scenario.hardware.count = 2;
            QCOMPARE(core::isShown(core::input(Field::Tensor), scenario), row.takesRanks());
        }
    }
};

ROOM_TEST(TestInputs, void)
#include "test_inputs.moc"
