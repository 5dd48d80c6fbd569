// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engines/engine.h"
#include "core/files/scenario_json.h"
#include "tests/core/catalogue.h"
#include "tests/room.h"

#include <QTest>

#include <nlohmann/json.hpp>

using core::Bytes;
using core::Scenario;
using core::ScenarioFile;
using core::scenarioFromText;
using core::scenarioToText;
using Json = nlohmann::ordered_json;
using Pointer = Json::json_pointer;

namespace {

/// Nothing as the defaults have it.
Scenario fullScenario()
{
    Scenario scenario = tests::on(tests::with(tests::scenarioOf("gpt-oss-20b"), 30'000, 7), "apple-m2-ultra:128", 3);
    scenario.workload.maxContext = 40'000;
    scenario.workload.encoderTokens = 1'500;
    scenario.kvHeads = 4;
    scenario.kFormat = core::KvFormat::Q8_0;
    scenario.vFormat = core::KvFormat::Q4_0;
    scenario.weightFormat = core::WeightFormat::Q4KM;
    scenario.weightBytes = Bytes(12'345'678'901);
    scenario.engine = core::EngineId::Paged;
    scenario.waste = core::Percent{1'234};
    scenario.blockTokens = 32;
    scenario.hardware.basis = core::MemoryBasis::Typed;
    scenario.hardware.typed = Bytes(9'876'543'210'123);
    scenario.reserve = core::Percent{705};
    scenario.overhead = core::mib(512);
    return scenario;
}

Json json(const std::string& text)
{
    return Json::parse(text);
}

/// The full scenario's file with `value` at `pointer`.
std::string changed(const QString& pointer, const QString& value)
{
    Json file = json(scenarioToText({fullScenario(), {}}));
    file[Pointer(pointer.toStdString())] = Json::parse(value.toStdString());
    return file.dump();
}

/// The full scenario's file without what is at `pointer`.
std::string without(const QString& pointer)
{
    Json file = json(scenarioToText({fullScenario(), {}}));
    const Pointer place(pointer.toStdString());
    file.at(place.parent_pointer()).erase(place.back());
    return file.dump();
}

ScenarioFile read(const std::string& text)
{
    return tests::valueOf(scenarioFromText(text, "a.kvh"));
}

/// What a percentage becomes when it is written and read again.
core::Percent reread(core::Percent percent)
{
    Scenario scenario = tests::scenarioOf("llama-3.1-8b");
    scenario.waste = percent;
    return read(scenarioToText({scenario, {}})).scenario.waste;
}

constexpr const char* kUnknownPlaces[] = {
    "/new",
    "/workload/new",
    "/cache/new",
    "/weights/new",
    "/engine/new",
    "/hardware/new",
    "/hardware/gpu/new",
    "/hardware/gpu/sizes/1/new",
    "/model/new",
    "/model/model/new",
    "/model/model/groups/0/new",
    "/model/weights/new",
    "/model/weights/parts/0/new",
    "/model/provenance/0/new",
};

/// The full scenario's file with a key that nobody knows in every object.
std::string withUnknownKeys()
{
    Json file = json(scenarioToText({fullScenario(), {}}));
    for (const char* place : kUnknownPlaces)
        file[Pointer(place)] = {{"why", {1, 2.5, nullptr}}, {"place", place}};
    return file.dump();
}

} // namespace

class TestScenarioJson : public QObject {
    Q_OBJECT

private slots:
    void fullScenarioReadsBack()
    {
        const ScenarioFile file = read(scenarioToText({fullScenario(), {}}));
        QVERIFY(file.scenario == fullScenario());
    }

    void everyModelReadsBack()
    {
        for (const core::Model& model : tests::models()) {
            const Scenario scenario = tests::scenarioOf(model);
            QVERIFY2(read(scenarioToText({scenario, {}})).scenario == scenario, model.id.c_str());
        }
    }

    void everyFormatEngineAndBasisReadsBack()
    {
        Scenario scenario = tests::scenarioOf("llama-3.1-8b");
        for (const core::KvFormatInfo& format : core::kvFormats()) {
            for (const core::WeightFormatInfo& weights : core::weightFormats()) {
                scenario.kFormat = format.format;
                scenario.weightFormat = weights.format;
                QVERIFY(read(scenarioToText({scenario, {}})).scenario == scenario);
            }
        }
        for (std::size_t i = 0; i < core::engineIds().size(); ++i) {
            const auto engine = static_cast<core::EngineId>(i);
            for (const core::MemoryBasis basis : {core::MemoryBasis::Label, core::MemoryBasis::Driver,
                                                  core::MemoryBasis::Usable, core::MemoryBasis::Typed}) {
                scenario.engine = engine;
                scenario.hardware.basis = basis;
                QVERIFY(read(scenarioToText({scenario, {}})).scenario == scenario);
            }
        }
    }

    /// Settings are kept as typed; those taken out of a file do not come back from it.
    void settingsReadBack()
    {
        Scenario scenario = tests::scenarioOf("llama-3.1-8b");
        scenario.engine = core::EngineId::LlamaCpp;
        scenario.engineVersion = "2025-10";
        scenario.settings.set("ubatch-size", "1024");
        scenario.settings.set("swa-full", "on");
        scenario.workload.spareTokens = 3;
        ScenarioFile file = read(scenarioToText({scenario, {}}));
        QVERIFY(file.scenario == scenario);
        file.scenario.settings.erase("swa-full");
        file.scenario.engineVersion.clear();
        file.scenario.workload.spareTokens = 0;
        QVERIFY(read(scenarioToText(file)).scenario == file.scenario);
        Json typed = json(scenarioToText({scenario, {}}));
        typed["engine"]["settings"] = {{"ubatch-size", 256}, {"swa-full", true}};
        QCOMPARE(*read(typed.dump()).scenario.settings.find("ubatch-size"), std::string("256"));
        QCOMPARE(*read(typed.dump()).scenario.settings.find("swa-full"), std::string("on"));
    }

    /// Ranks, the memory of the cache and the flags of serving engines.
    void servingReadsBack()
    {
        for (const auto& [engine, version] : {std::pair(core::EngineId::Vllm, "V0"),
                                              {core::EngineId::Vllm, "0.20.1rc1"},
                                              {core::EngineId::Sglang, "2025-10"},
                                              {core::EngineId::TensorRtLlm, "1.2"}}) {
            Scenario scenario = tests::on(tests::scenarioOf("qwen3.5-27b"), "h100-sxm", 16);
            scenario.engine = engine;
            scenario.engineVersion = version;
            scenario.hardware.parallel = {4, 2, 2};
            scenario.cacheMemory = Bytes(4'090'956'350);
            scenario.workload.maxContext = 131'072;
            for (const core::engines::Setting& setting : core::engines::settings(engine)) {
                const std::string words(setting.words.substr(0, setting.words.find(' ')));
                scenario.settings.set(setting.flag, !words.empty() ? words : "on");
            }
            ScenarioFile file = read(scenarioToText({scenario, {}}));
            QVERIFY(file.scenario == scenario);
            // What is taken out of a file does not come back from it.
            file.scenario.hardware.parallel = {std::nullopt, 2, std::nullopt};
            file.scenario.cacheMemory.reset();
            file.scenario.settings = {};
            QVERIFY(read(scenarioToText(file)).scenario == file.scenario);
        }
    }

    void textIsStable()
    {
        const std::string text = scenarioToText({fullScenario(), {}});
        QVERIFY(text.ends_with("}\n"));
        QVERIFY(text.starts_with("{\n  \"format\": \"kvhorizon.scenario\",\n  \"version\": 1,\n  \"model\": {\n"));
        QCOMPARE(scenarioToText(read(text)), text);
        QStringList keys;
        const Json file = json(text);
        for (const auto& [key, value] : file.items())
            keys << QString::fromStdString(key);
        QCOMPARE(keys.join(u' '), QStringLiteral("format version model workload cache weights engine hardware "
                                                 "reserve_percent overhead_bytes"));
    }

    void valuesStandAtTheirKeys_data()
    {
        QTest::addColumn<QString>("pointer");
        QTest::addColumn<QString>("value");
        QTest::newRow("context") << "/workload/context"
                                 << "30000";
        QTest::newRow("maximum") << "/workload/max_context"
                                 << "40000";
        QTest::newRow("batch") << "/workload/batch"
                               << "7";
        QTest::newRow("encoder") << "/workload/encoder_tokens"
                                 << "1500";
        QTest::newRow("K") << "/cache/k_format"
                           << "\"q8_0\"";
        QTest::newRow("V") << "/cache/v_format"
                           << "\"q4_0\"";
        QTest::newRow("heads") << "/cache/kv_heads"
                               << "4";
        QTest::newRow("weights") << "/weights/format"
                                 << "\"q4_k_m\"";
        QTest::newRow("bytes") << "/weights/bytes"
                               << "12345678901";
        QTest::newRow("engine") << "/engine/id"
                                << "\"paged\"";
        QTest::newRow("waste") << "/engine/waste_percent"
                               << "12.34";
        QTest::newRow("block") << "/engine/block_tokens"
                               << "32";
        QTest::newRow("GPU") << "/hardware/gpu/id"
                             << "\"apple-m2-ultra\"";
        QTest::newRow("chosen memory") << "/hardware/gpu/label_bytes"
                                       << "137438953472";
        QTest::newRow("count") << "/hardware/count"
                               << "3";
        QTest::newRow("basis") << "/hardware/memory_basis"
                               << "\"typed\"";
        QTest::newRow("typed") << "/hardware/typed_bytes"
                               << "9876543210123";
        QTest::newRow("reserve") << "/reserve_percent"
                                 << "7.05";
        QTest::newRow("overhead") << "/overhead_bytes"
                                  << "536870912";
        QTest::newRow("model") << "/model/format"
                               << "\"kvhorizon.model\"";
    }
    void valuesStandAtTheirKeys()
    {
        QFETCH(const QString, pointer);
        QFETCH(const QString, value);
        const Json file = json(scenarioToText({fullScenario(), {}}));
        QCOMPARE(QString::fromStdString(file.at(Pointer(pointer.toStdString())).dump()), value);
    }

    void absentKeysHaveDefaults()
    {
        Json file = json(scenarioToText({fullScenario(), {}}));
        for (const char* key :
             {"workload", "cache", "weights", "engine", "hardware", "reserve_percent", "overhead_bytes"})
            file.erase(key);
        QVERIFY(read(file.dump()).scenario == tests::scenarioOf("gpt-oss-20b"));
        for (const char* key : {"workload", "cache", "weights", "engine", "hardware"})
            file[key] = Json::object();
        QVERIFY(read(file.dump()).scenario == tests::scenarioOf("gpt-oss-20b"));
        for (const char* key : {"workload", "cache", "weights", "engine", "hardware", "reserve_percent"})
            file[key] = nullptr;
        QVERIFY(read(file.dump()).scenario == tests::scenarioOf("gpt-oss-20b"));
    }

    void unknownKeysAreKept()
    {
        ScenarioFile file = read(withUnknownKeys());
        QVERIFY(file.scenario == fullScenario());
        file.scenario.workload.batch = 9;
        file.scenario.kvHeads.reset();
        const Json written = json(scenarioToText(file));
        for (const char* place : kUnknownPlaces)
            QCOMPARE(written.at(Pointer(place)).at("place").get<std::string>(), std::string(place));
        QCOMPARE(written.at("workload").at("batch").get<int>(), 9);
        QVERIFY(written.at("cache").at("kv_heads").is_null());
    }

    void unknownKeysGoWithTheirModelAndGpu()
    {
        ScenarioFile file = read(withUnknownKeys());
        file.scenario.model = tests::model("llama-3.1-8b");
        file.scenario.hardware.gpu = tests::gpu("apple-m2-ultra:64");
        const Json written = json(scenarioToText(file));
        for (const char* place : kUnknownPlaces) {
            const bool gone =
                std::string_view(place).starts_with("/model") || std::string_view(place).starts_with("/hardware/gpu");
            QCOMPARE(written.contains(Pointer(place)), !gone);
        }
        file.scenario.hardware.gpu.reset();
        QVERIFY(json(scenarioToText(file)).at("hardware").at("gpu").is_null());
        QVERIFY(read(scenarioToText(file)).scenario == file.scenario);
    }

    void clearedValuesDoNotComeBack()
    {
        ScenarioFile file = read(scenarioToText({fullScenario(), {}}));
        file.scenario = tests::scenarioOf("llama-3.1-8b");
        QVERIFY(read(scenarioToText(file)).scenario == file.scenario);
    }

    void originalThatIsNoScenarioIsLeftAlone()
    {
        for (const char* original : {"", "[1]", "{", "{\"hardware\": 5}", "{\"format\": \"kvhorizon.scenario\"}"})
            QCOMPARE(scenarioToText({fullScenario(), original}), scenarioToText({fullScenario(), {}}));
    }

    void percentagesAreExact()
    {
        for (std::int64_t hundredths = 0; hundredths <= 10'000; hundredths += 7)
            QCOMPARE(reread(core::Percent{hundredths}).hundredths, hundredths);
        for (const std::int64_t hundredths : {29, 57, 58, 115, 1'001, 6'999, 9'499, 9'500})
            QCOMPARE(reread(core::Percent{hundredths}).hundredths, std::int64_t{hundredths});
        QCOMPARE(read(changed(QStringLiteral("/reserve_percent"), QStringLiteral("20.0"))).scenario.reserve,
                 core::Percent::whole(20));
    }

    void valuesOutOfRangeAreLeftToTheCheck()
    {
        const Scenario scenario =
            read(changed(QStringLiteral("/workload"), QStringLiteral("{\"context\": 0, \"batch\": 99999999}")))
                .scenario;
        QCOMPARE(scenario.workload.context, std::int64_t{0});
        QCOMPARE(scenario.workload.batch, std::int64_t{99'999'999});
        QCOMPARE(core::check(scenario).size(), std::size_t{2} + (scenario.waste != core::Percent{} ? 1 : 0));
    }

    void wrongValueIsNamed_data()
    {
        QTest::addColumn<QString>("pointer");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* name, const char* pointer, const char* value, const char* says) {
            QTest::newRow(name) << pointer << value << says;
        };
        row("another format", "/format", "\"kvhorizon.model\"", "kvhorizon.scenario");
        row("format that is no text", "/format", "1", "format");
        row("newer version", "/version", "2", "version 2|newer");
        row("version 0", "/version", "0", "version");
        row("no model", "/model", "null", "model");
        row("model that is a name", "/model", "\"llama\"", "model|object");
        row("newer model", "/model/version", "2", "version 2");
        row("layers in text", "/model/model/layers", "\"32\"", "model.model.layers");
        row("unknown kind", "/model/model/groups/0/kind", "\"magic\"", "model.model.groups[0].kind|magic");
        row("workload that is a number", "/workload", "8192", "workload|object");
        row("fractional context", "/workload/context", "8192.5", "workload.context|8192.5|whole number");
        row("context in text", "/workload/context", "\"8K\"", "workload.context|8K");
        row("context that is true", "/workload/context", "true", "workload.context");
        row("negative batch", "/workload/batch", "-1", "workload.batch|-1");
        row("batch beyond 64 bits", "/workload/batch", "99999999999999999999", "workload.batch");
        row("unknown cache format", "/cache/k_format", "\"fp7\"", "cache.k_format|fp7");
        row("setting that is a list", "/engine/settings", "{\"mla\": []}", "mla|engine");
        row("empty cache format", "/cache/v_format", "\"\"", "cache.v_format");
        row("format that is a number", "/cache/v_format", "16", "cache.v_format|text");
        row("heads in text", "/cache/kv_heads", "\"all\"", "cache.kv_heads");
        row("unknown weight format", "/weights/format", "\"q9\"", "weights.format|q9");
        row("weights in text", "/weights/bytes", "\"18GiB\"", "weights.bytes|18GiB");
        row("unknown engine", "/engine/id", "\"warp\"", "engine.id|warp|ideal");
        row("waste in text", "/engine/waste_percent", "\"20\"", "engine.waste_percent|percentage");
        row("three decimals", "/engine/waste_percent", "2.505", "engine.waste_percent|2.505");
        row("negative share", "/reserve_percent", "-1", "reserve_percent|-1");
        row("tiny share", "/reserve_percent", "1e-7", "reserve_percent");
        row("GPU that is a name", "/hardware/gpu", "\"rtx-4090\"", "hardware.gpu|object");
        row("GPU without memory", "/hardware/gpu/usable_bytes", "null", "hardware.gpu.usable_bytes");
        row("unknown basis", "/hardware/memory_basis", "\"box\"", "hardware.memory_basis|box");
        row("infinite memory", "/hardware/typed_bytes", "1e300", "hardware.typed_bytes");
        row("overhead in text", "/overhead_bytes", "\"1GiB\"", "overhead_bytes");
    }
    void wrongValueIsNamed()
    {
        QFETCH(const QString, pointer);
        QFETCH(const QString, value);
        QFETCH(const QString, says);
        const QString error = errorOf(scenarioFromText(changed(pointer, value), "a.kvh"));
        QVERIFY2(saysAll(error, QStringLiteral("a.kvh|") + says), qPrintable(error));
        QVERIFY2(error.endsWith(u'.'), qPrintable(error));
        QCOMPARE(error.count(QStringLiteral("nothing was changed")), 1);
    }

    void missingKeyIsNamed()
    {
        for (const char* key : {"/format", "/version", "/model"}) {
            const QString error = errorOf(scenarioFromText(without(QLatin1String(key)), "a.kvh"));
            QVERIFY2(saysAll(error, QStringLiteral("a.kvh|\"%1\"").arg(QLatin1String(key + 1))), qPrintable(error));
        }
        QVERIFY(!errorOf(scenarioFromText("", "a.kvh")).isEmpty());
        QVERIFY(!errorOf(scenarioFromText("[]", "a.kvh")).isEmpty());
        QVERIFY(!errorOf(scenarioFromText("null", "a.kvh")).isEmpty());
    }

    void truncatedFileIsAnError()
    {
        const std::string text = scenarioToText({fullScenario(), {}});
        for (std::size_t size = 0; size + 2 < text.size(); size += 17) {
            const QString error = errorOf(scenarioFromText(std::string_view(text).substr(0, size), "a.kvh"));
            QVERIFY2(error.contains(QStringLiteral("a.kvh")), qPrintable(error));
        }
    }

    void namesInEveryScriptReadBack()
    {
        Scenario scenario = tests::scenarioOf("llama-3.1-8b");
        scenario.model.name = "Ламa \"3\" \\ 羊驼 🦙\n\t\x01";
        scenario.model.source = "a folder/'c'";
        QVERIFY(read(scenarioToText({scenario, {}})).scenario == scenario);
    }

    void sessionReadsBack()
    {
        core::SavedSession session{{fullScenario(), {}}, "/home/me/a \"b\" ü.kvh", true};
        core::SavedSession back = tests::valueOf(core::sessionFromText(core::sessionToText(session), "session.kvh"));
        QVERIFY(back.file.scenario == session.file.scenario);
        QCOMPARE(back.path, session.path);
        QCOMPARE(back.unsaved, true);
        QVERIFY(!json(scenarioToText(back.file)).contains("session"));
        QCOMPARE(core::sessionToText(back), core::sessionToText(session));

        session = {read(withUnknownKeys()), {}, false};
        back = tests::valueOf(core::sessionFromText(core::sessionToText(session), "session.kvh"));
        QVERIFY(back.path.empty());
        QVERIFY(!back.unsaved);
        QCOMPARE(scenarioToText(back.file), scenarioToText(session.file));
    }

    void scenarioFileIsASessionWithoutFile()
    {
        const core::SavedSession session =
            tests::valueOf(core::sessionFromText(scenarioToText({fullScenario(), {}}), "session.kvh"));
        QVERIFY(session.file.scenario == fullScenario());
        QVERIFY(session.path.empty());
        QVERIFY(!session.unsaved);
        const QString wrong = errorOf(
            core::sessionFromText(changed(QStringLiteral("/session"), QStringLiteral("{\"unsaved\": 1}")), "s.kvh"));
        QVERIFY2(saysAll(wrong, QStringLiteral("s.kvh|unsaved")), qPrintable(wrong));
    }
};

ROOM_TEST(TestScenarioJson, void)
#include "test_scenario_json.moc"
