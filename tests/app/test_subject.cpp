// SPDX-License-Identifier: GPL-3.0-or-later
// What MODEL may be beside a catalogue id: custom, a scenario file; and what the line changes of it.
#include "core/files/scenario_json.h"
#include "tests/app/command.h"
#include "tests/core/catalogue.h"
#include "tests/room.h"

#include <QTemporaryDir>
#include <QTest>

#include <fstream>

using nlohmann::json;

namespace {

constexpr std::int64_t kGib = std::int64_t{1} << 30;

/// Qwen2.5 32B with weights of 18 GiB on two RTX 3090, 10 requests, a reserve, paged.
core::Scenario savedScenario()
{
    core::Scenario scenario = tests::on(tests::with(tests::scenarioOf("qwen2.5-32b"), 8'192, 10), "rtx-3090", 2);
    scenario.weightBytes = core::gib(18);
    scenario.reserve = core::Percent{250};
    scenario.engine = core::EngineId::Paged;
    return scenario;
}

std::string write(const QTemporaryDir& folder, const char* name, const core::Scenario& scenario)
{
    const std::string path = folder.filePath(QLatin1String(name)).toStdString();
    std::ofstream(path, std::ios::binary) << core::scenarioToText({scenario, {}});
    return path;
}

qint64 at(const json& object, const char* pointer)
{
    return object.at(json::json_pointer(pointer)).get<qint64>();
}

} // namespace

class TestSubject : public QObject {
    Q_OBJECT

private slots:
    void customModelIsSized()
    {
        const json sized = tests::json(
            "size custom --layers 32 --heads 32 --kv-heads 8 --head-dim 128 --parameters 8030261248 --batch 16");
        QCOMPARE(at(sized, "/kv/bytes"), qint64{16 * kGib});
        QCOMPARE(at(sized, "/weights/bytes"), qint64{16'060'522'496});
        QCOMPARE(at(sized, "/model/groups/0/kv_heads"), qint64{8});
        QVERIFY(!sized.at("kv").contains("kv_heads")); // the model's own
        QCOMPARE(at(tests::json("size custom --layers 80 --heads 64 --kv-heads 8 --head-dim 128 --parameters 70.6B"),
                    "/weights/parameters"),
                 qint64{70'600'000'000});
        QCOMPARE(at(tests::json("size custom --layers 32 --heads 32 --head-dim 128"), "/kv/bytes"), qint64{4 * kGib});
        QVERIFY(tests::json("size custom --layers 32 --heads 32 --head-dim 128").at("weights").at("bytes").is_null());
        QVERIFY(tests::json("inspect custom --layers 2 --heads 4 --kv-heads 1 --head-dim 64")
                    .at("provenance")
                    .at(0)
                    .at("how") == json("typed"));
    }

    void kvHeadsAreChosen_data()
    {
        QTest::addColumn<int>("heads");
        QTest::addColumn<qint64>("bytes");
        QTest::addColumn<QString>("kind");
        QTest::newRow("MHA") << 32 << qint64{4 * kGib} << "32 KV heads in place of the model's own (MHA)";
        QTest::newRow("GQA") << 8 << qint64{kGib} << "8 KV heads in place of the model's own (GQA)";
        QTest::newRow("MQA") << 1 << qint64{kGib / 8} << "1 KV head in place of the model's own (MQA)";
    }
    void kvHeadsAreChosen()
    {
        QFETCH(const int, heads);
        QFETCH(const qint64, bytes);
        QFETCH(const QString, kind);
        const std::string line = "size llama-3.1-8b --kv-heads " + std::to_string(heads);
        const json sized = tests::json(line);
        QCOMPARE(at(sized, "/kv/bytes"), bytes);
        QCOMPARE(at(sized, "/kv/kv_heads"), qint64{heads});
        QVERIFY(QString::fromStdString(tests::run(line).out).contains(kind));
        QVERIFY(!tests::json("size llama-3.1-8b").at("kv").contains("kv_heads"));
    }

    void scenarioFileIsSizedWhole()
    {
        const QTemporaryDir folder;
        const std::string path = write(folder, "my plan.kvh", savedScenario());
        const core::Footprint footprint = tests::footprintOf(savedScenario());
        const json sized = json::parse(tests::run({"size", path, "--json"}).out);
        QCOMPARE(at(sized, "/memory/total_bytes"), qint64{footprint.memory.total().count()});
        QCOMPARE(at(sized, "/memory/capacity_bytes"), qint64{footprint.capacity->count()});
        QVERIFY(sized.at("engine").at("name") == json("paged"));
        QVERIFY(json::parse(tests::run({"inspect", path, "--json"}).out) == tests::json("inspect qwen2.5-32b"));
        QCOMPARE(tests::run({"export", "growth", "-o", "a.png", path}).asked,
                 std::vector<std::string>{"draw growth a.png"});
    }

    void lineReplacesWhatTheFileSays_data()
    {
        QTest::addColumn<QString>("options");
        QTest::addColumn<QString>("pointer");
        QTest::addColumn<qint64>("value");
        const auto row = [](const char* options, const char* pointer, std::int64_t value) {
            QTest::newRow(options) << options << pointer << qint64{value};
        };
        row("--batch 4", "/kv/bytes", 4 * 2 * kGib);
        row("--context 4K", "/kv/bytes", 10 * kGib);
        row("--gpus 3", "/memory/gpus/0/count", 3);
        row("--reserve 0", "/memory/reserve_bytes", 0);
        row("--weights-format bf16", "/weights/bytes", 65'527'752'704);
        row("--weights-bytes 20GiB", "/weights/bytes", 20 * kGib);
        row("--gpu rtx-4090 --memory-basis label", "/memory/capacity_bytes", 48 * kGib);
        row("--vram 80GiB", "/memory/capacity_bytes", 160 * kGib);
        row("--kv-heads 40", "/kv/kv_heads", 40);
        row("--waste 20", "/memory/waste_bytes", 5 * kGib);
        row("--engine ideal", "/memory/waste_bytes", 0);
        row("--max-context 16K", "/memory/waste_bytes", 20 * kGib);
        row("--context 8185", "/memory/waste_bytes", 10 * 7 * 262'144);
    }
    void lineReplacesWhatTheFileSays()
    {
        QFETCH(const QString, options);
        QFETCH(const QString, pointer);
        QFETCH(const qint64, value);
        const QTemporaryDir folder;
        const std::string path = write(folder, "a.kvh", savedScenario());
        QCOMPARE(at(tests::json("size " + path + " " + options.toStdString()), pointer.toUtf8().constData()), value);
    }

    void lineReplacesWhatWouldContradict()
    {
        const QTemporaryDir folder;
        core::Scenario scenario = tests::onTyped(savedScenario(), core::gib(24), 2);
        scenario.engine = core::EngineId::Ideal;
        scenario.waste = core::Percent::whole(20);
        const std::string path = write(folder, "a.kvh", scenario);
        QCOMPARE(at(tests::json("size " + path), "/memory/capacity_bytes"), qint64{48 * kGib});
        QCOMPARE(at(tests::json("size " + path), "/memory/waste_bytes"), qint64{5 * kGib});
        QCOMPARE(at(tests::json("size " + path + " --engine paged"), "/memory/waste_bytes"), qint64{0});
        const qint64 usable = 2 * tests::gpu("rtx-4090").memory.usable.count();
        QCOMPARE(at(tests::json("size " + path + " --gpu rtx-4090"), "/memory/capacity_bytes"), usable);
    }

    void fileOfANewerProgramIsRefused()
    {
        const QTemporaryDir folder;
        const std::string path = write(folder, "a.kvh", savedScenario());
        json file = json::parse(contentOf(path));
        file["version"] = 2;
        std::ofstream(path) << file.dump();
        for (const char* command : {"size", "inspect"}) {
            const tests::Outcome outcome = tests::run({command, path});
            QCOMPARE(outcome.exitCode, app::kFailed);
            QVERIFY(saysAll(QString::fromStdString(outcome.err), QStringLiteral("a.kvh|version 2|newer")));
        }
    }

    void adviceIsPrinted()
    {
        const std::string over = "size llama-3.1-8b --batch 16 --gpu rtx-4090";
        const std::string text = tests::run(over).out;
        QVERIFY(text.find("\nWhat would make it fit\n  Batch 8 ") != std::string::npos);
        QVERIFY(text.find("What the headroom is worth") == std::string::npos);
        const json advice = tests::json(over).at("advice");
        QCOMPARE(advice.size(), std::size_t{6});
        QVERIFY(advice.at(0).at("lever") == json("batch"));
        QVERIFY(advice.at(0).at("action") == json("Batch 8"));
        const qint64 free = at(tests::json("size llama-3.1-8b --batch 8 --gpu rtx-4090"), "/memory/free_bytes");
        QCOMPARE(advice.at(0).at("free_bytes").get<qint64>(), free);
        for (const json& one : advice)
            QVERIFY(one.at("free_bytes").get<qint64>() >= 0);
        QVERIFY(tests::run("size llama-3.1-8b --gpu rtx-4090").out.find("What the headroom is worth") !=
                std::string::npos);
        QVERIFY(tests::json("size llama-3.1-8b").at("advice").empty());
        QVERIFY(tests::run("size llama-3.1-8b").out.find("What ") == std::string::npos);
    }

    void mixturesSayAbout()
    {
        const std::string text = tests::run("size llama-3.1-8b --weights-format Q4_K_M").out;
        QVERIFY(text.find("8,030,261,248 parameters in Q4_K_M (about)") != std::string::npos);
        QVERIFY(tests::run("size llama-3.1-8b --weights-format fp8").out.find("about") == std::string::npos);
        for (const char* format : {"q8_0", "q6_k", "q5_k_m", "q4_k_m", "q3_k_m", "q2_k", "iq4_xs"})
            QVERIFY(
                tests::json(std::string("size llama-3.1-8b --weights-format ") + format).at("weights").at("format") ==
                json(format));
    }

    void wrongLineIsRefused_data()
    {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* name, const char* line, const char* says) {
            QTest::newRow(name) << line << says;
        };
        row("custom without layers", "size custom --heads 32 --head-dim 128", "--layers");
        row("custom alone", "inspect custom", "--layers");
        row("no layers", "size custom --layers 0 --heads 32 --head-dim 128", "layers|65,535");
        row("heads that are no number", "size custom --layers 2 --heads many --head-dim 128", "--heads|many");
        row("parameters that are a size", "size custom --layers 2 --heads 2 --head-dim 8 --parameters 8GiB",
            "--parameters|8GiB");
        row("KV heads that do not divide", "size custom --layers 2 --heads 32 --kv-heads 5 --head-dim 8",
            "32|5|divisor");
        row("layers of another model", "size llama-3.1-8b --layers 32", "--layers|custom");
        row("parameters of another model", "inspect llama-3.1-8b --parameters 8B", "--parameters|custom");
        row("KV heads to inspect", "inspect llama-3.1-8b --kv-heads 8", "--kv-heads|custom");
        row("KV heads that cannot be shared", "size llama-3.1-8b --kv-heads 5", "--kv-heads|32|divisor");
        row("no KV heads", "size llama-3.1-8b --kv-heads 0", "--kv-heads|32");
        row("KV heads of a latent cache", "size deepseek-v3 --kv-heads 8", "--kv-heads");
        row("missing scenario", "size none.kvh", "none.kvh");
    }
    void wrongLineIsRefused()
    {
        QFETCH(const QString, line);
        QFETCH(const QString, says);
        const tests::Outcome outcome = tests::run(line.toStdString());
        QCOMPARE(outcome.exitCode, app::kFailed);
        QCOMPARE(outcome.out, std::string());
        const QString error = QString::fromStdString(outcome.err);
        QVERIFY2(saysAll(error, says), qPrintable(error));
        QCOMPARE(error.count(u'\n'), 1);
    }
};

ROOM_TEST(TestSubject, void)
#include "test_subject.moc"
