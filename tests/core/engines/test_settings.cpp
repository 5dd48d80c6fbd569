// SPDX-License-Identifier: GPL-3.0-or-later
// Settings that make no difference are not shown: then they must make none. And what ranks divide, in words.
#include "core/engines/parallel.h"
#include "core/evaluate.h"
#include "tests/core/catalogue.h"

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
                const core::Footprint footprint = core::evaluate(scenario);
                for (const engines::Setting& setting : engines::settings(scenario.engine)) {
                    if (setting.matters == nullptr || setting.matters(scenario))
                        continue;
                    Scenario other = scenario;
                    other.settings.set(setting.flag, otherValue(setting));
                    if (!core::check(other).empty())
                        continue;
                    ++tried;
                    QVERIFY2(core::evaluate(other) == footprint,
                             (model.id + " --" + std::string(setting.flag) + " " + otherValue(setting)).c_str());
                }
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

QTEST_APPLESS_MAIN(TestSettings)
#include "test_settings.moc"
