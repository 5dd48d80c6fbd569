// SPDX-License-Identifier: GPL-3.0-or-later
// Settings that make no difference are not shown: then they must make none. And what ranks divide, in words.
#include "core/engines/parallel.h"
#include "core/sizing/advice.h"
#include "core/sizing/evaluate.h"
#include "core/sizing/verdict.h"
#include "tests/core/catalogue.h"
#include "tests/room.h"

#include <QTest>

#include <string>
#include <vector>

using core::EngineId;
using core::Scenario;
namespace engines = core::engines;

namespace {

/// A value of the setting that is not its default.
std::string otherValue(const engines::Setting& setting)
{
    switch (setting.type) {
    case engines::SettingType::Switch:
        return "on";
    case engines::SettingType::Count:
        return std::to_string(setting.least + 1);
    case engines::SettingType::Choice: {
        const std::string words(setting.words);
        return words.substr(words.rfind(' ') + 1);
    }
    case engines::SettingType::Size:
        return "3GiB";
    case engines::SettingType::Shares:
        return "3,1";
    case engines::SettingType::Fraction:
        return "0.5";
    }
    return {};
}

/// Gives every setting that makes no difference another value; how many.
int triedInVain(const Scenario& scenario)
{
    int tried = 0;
    const core::Footprint footprint = core::evaluate(scenario);
    for (const engines::Setting& setting : engines::settings(scenario.engine)) {
        Scenario other = scenario;
        other.settings.set(setting.flag, otherValue(setting));
        if (setting.matters == nullptr || setting.matters(scenario) || !core::check(other).empty())
            continue;
        ++tried;
        if (!(core::evaluate(other) == footprint))
            qFatal("%s --%s %s", scenario.model.id.c_str(), setting.flag.data(), otherValue(setting).c_str());
    }
    return tried;
}

QString words(const Scenario& scenario)
{
    QStringList all;
    for (const core::Message& message : engines::spreadWords(scenario))
        all << QString::fromStdString(core::english(message));
    return all.join(QLatin1Char('\n'));
}

Scenario ranksOf(const char* model, std::int64_t tensor, std::int64_t pipeline, std::int64_t data)
{
    Scenario scenario = tests::on(tests::scenarioOf(model), "h100-sxm", tensor * pipeline * data);
    scenario.hardware.parallel = {tensor, pipeline, data};
    return scenario;
}

} // namespace

class TestSettings : public QObject {
    Q_OBJECT

private slots:
    void whatMakesNoDifferenceMakesNone_data()
    {
        QTest::addColumn<int>("engine");
        for (std::size_t i = 0; i < core::engineIds().size(); ++i)
            QTest::newRow(core::engineIds()[i].data()) << static_cast<int>(i);
    }
    void whatMakesNoDifferenceMakesNone()
    {
        QFETCH(const int, engine);
        int tried = 0;
        for (const core::Model& model : tests::models()) {
            for (const std::int64_t count : {1, 4}) {
                Scenario scenario = tests::on(tests::with(tests::scenarioOf(model), 3'001, 4), "h100-sxm", count);
                scenario.engine = static_cast<EngineId>(engine);
                if (!core::check(scenario).empty())
                    continue;
                tried += triedInVain(scenario);
            }
        }
        bool some = false;
        for (const engines::Setting& setting : engines::settings(static_cast<EngineId>(engine)))
            some = some || setting.matters != nullptr;
        QCOMPARE(tried > 100, some);
    }

    void ranksInWords_data()
    {
        QTest::addColumn<QString>("said");
        QTest::addColumn<QString>("expected");
        QTest::newRow("one device") << words(ranksOf("llama-3.1-8b", 1, 1, 1)) << "";
        QTest::newRow("pooled") << words(tests::on(tests::scenarioOf("llama-3.1-8b"), "h100-sxm", 4)) << "";
        QTest::newRow("heads are divided") << words(ranksOf("llama-3.1-8b", 4, 1, 1))
                                           << "The 8 KV heads of a layer are divided over 4 GPUs, 2 on each.";
        QTest::newRow("fewer heads than ranks") << words(ranksOf("llama-3.1-8b", 16, 1, 1))
                                                << "The 8 KV heads of a layer are fewer than the 16 GPUs that divide "
                                                   "it: each GPU keeps a whole one, so that "
                                                   "16 are kept in place of 8.";
        QTest::newRow("latents are not divided")
            << words(ranksOf("deepseek-v3", 8, 1, 1))
            << "Latents and index keys have no heads to divide: each of 8 GPUs keeps all of them.";
        QTest::newRow("states are divided") << words(ranksOf("qwen3-next-80b-a3b", 2, 1, 1))
                                            << "The 2 KV heads of a layer are divided over 2 GPUs, 1 on "
                                               "each.\nRecurrent states are divided over 2 GPUs.";
        QTest::newRow("copies and stages")
            << words(ranksOf("llama-3.1-8b", 1, 2, 2))
            << "2 copies of the model share out the requests; the free memory of one is of no use to the requests of "
               "another.\nThe layers are divided over 2 stages, with their weights and their cache; the fullest stage "
               "sets the limit.";
    }
    void ranksInWords()
    {
        QFETCH(const QString, said);
        QFETCH(const QString, expected);
        QCOMPARE(said, expected);
    }

    /// vLLM's and SGLang's layers assert that ranks divide the heads, or the KV heads the ranks.
    void ranksThatDoNotDivide_data()
    {
        QTest::addColumn<QString>("model");
        QTest::addColumn<int>("gpus");
        QTest::addColumn<QString>("said");
        QTest::newRow("query heads") << "llama-3.1-8b" << 3
                                     << "32 query heads cannot be divided by 3 tensor-parallel GPUs; use a number that "
                                        "divides them.";
        QTest::newRow("KV heads") << "qwen2.5-32b" << 5
                                  << "8 KV heads can neither be divided by 5 tensor-parallel GPUs nor be copied to as "
                                     "many each; use a divisor or a multiple of them.";
        QTest::newRow("divided") << "qwen2.5-32b" << 4 << "";
        QTest::newRow("copied") << "llama-3.1-8b" << 16 << "";
    }
    void ranksThatDoNotDivide()
    {
        QFETCH(const QString, model);
        QFETCH(const int, gpus);
        QFETCH(const QString, said);
        for (const bool typed : {false, true}) {
            Scenario scenario = tests::on(tests::scenarioOf(model.toStdString()), "h100-sxm", gpus);
            scenario.engine = EngineId::Vllm;
            if (typed)
                scenario.hardware.parallel.tensor = gpus;
            const std::vector<core::Issue> issues = core::check(scenario);
            QCOMPARE(issues.empty() ? QString() : QString::fromStdString(core::english(issues.front().message)), said);
            QVERIFY(issues.empty() || issues.front().field == core::Field::Tensor);
            scenario.engine = EngineId::Ideal; // pooled where no ranks are typed
            QCOMPARE(core::check(scenario).empty(), !typed || said.isEmpty());
        }
    }

    /// GPUs without a rank are no memory of this server's.
    void unusedDevices()
    {
        Scenario scenario = tests::on(tests::scenarioOf("llama-3.1-8b"), "rtx-4090", 4);
        scenario.engine = EngineId::Vllm;
        scenario.hardware.parallel.tensor = 2;
        scenario.overhead = core::gib(1);
        const core::Footprint footprint = tests::footprintOf(scenario);
        QCOMPARE(footprint.devices.size(), 2U);
        QCOMPARE(footprint.capacity, std::optional(*core::deviceMemory(scenario.hardware) * 2));
        QCOMPARE(footprint.overhead.back().bytes, core::gib(2)); // as typed, on each that is used
        core::Bytes lines;
        for (const core::OverheadLine& line : footprint.overhead)
            lines += line.bytes;
        QCOMPARE(lines, footprint.memory.overhead);
        QString notes;
        for (const core::Message& note : core::verdictOf(core::assess(scenario)).notes)
            notes += QString::fromStdString(core::english(note)) + QLatin1Char('\n');
        QVERIFY2(notes.contains(QLatin1String("2 of 4 GPUs unused")), qPrintable(notes));
    }

    /// More GPUs are offered where their number divides the heads: 64 of Llama 3.3 70B.
    void moreGpus()
    {
        Scenario scenario = tests::on(tests::with(tests::scenarioOf("llama-3.3-70b"), 32'768, 8), "rtx-4090", 4);
        scenario.engine = EngineId::Vllm;
        scenario.weightFormat = core::WeightFormat::Awq4;
        const core::Evaluation evaluation = core::assess(scenario);
        QVERIFY(!*evaluation.footprint.fits());
        bool offered = false;
        for (const core::Advice& advice : core::advise(evaluation, {})) {
            QVERIFY(core::check(advice.scenario).empty());
            if (advice.lever != core::Lever::GpuCount)
                continue;
            offered = true;
            QCOMPARE(advice.scenario.hardware.count, 8);
            // What is free is said of the fullest GPU.
            const core::Footprint after = tests::footprintOf(advice.scenario);
            QCOMPARE(std::get<core::Bytes>(advice.result.args.front()), *after.fullest()->free());
        }
        QVERIFY(offered);
    }

    /// More devices than are told apart: a row has the numbers of one of them.
    void devicesThatAreAlike()
    {
        // Llama 3.1 8B: 32 ranks with one of 8 KV heads each; 8,192 tokens · 32 layers · 512 bytes, of which a quarter
        // is the ideal cache's.
        const core::Footprint footprint = tests::footprintOf(ranksOf("llama-3.1-8b", 32, 1, 1));
        QCOMPARE(footprint.devices.size(), 1U);
        const core::DeviceFootprint& row = footprint.devices.front();
        QCOMPARE(row.count, 32);
        QVERIFY(!row.pooled);
        QCOMPARE(QString::fromStdString(row.name), QStringLiteral("H100 SXM5 80GB #0-31"));
        QCOMPARE(row.parts.cache, core::mib(32));
        QCOMPARE(row.waste.of(core::WasteCause::Replication), core::mib(96));
        QCOMPARE(row.parts.waste, core::mib(96));
        QCOMPARE(row.capacity, core::deviceMemory(ranksOf("llama-3.1-8b", 32, 1, 1).hardware));
        QCOMPARE(footprint.memory.cache, core::gib(1));
        QCOMPARE(footprint.memory.waste, core::gib(3));
        // 3 requests on 20 copies: three have one, the others none.
        Scenario copies = ranksOf("llama-3.1-8b", 1, 1, 20);
        copies.workload.batch = 3;
        const core::Footprint spread = tests::footprintOf(copies);
        QCOMPARE(spread.devices.size(), 2U);
        QCOMPARE(spread.devices[0].count, 3);
        QCOMPARE(spread.devices[0].parts.cache, core::gib(1));
        QVERIFY(QString::fromStdString(spread.devices[1].name).endsWith(QLatin1String(" #3-19")));
        QCOMPARE(spread.devices[1].parts.cache, core::Bytes());
        QCOMPARE(spread.devices[1].parts.weights, spread.devices[0].parts.weights);
        // Pooled, all of it is one row.
        const core::Footprint pooled = tests::footprintOf(tests::on(tests::scenarioOf("llama-3.1-8b"), "h100-sxm", 20));
        QVERIFY(!pooled.tellsDevicesApart());
        QCOMPARE(pooled.devices.front().parts, pooled.memory);
    }
};

ROOM_TEST(TestSettings, void)
#include "test_settings.moc"
