// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/json/gpu_json.h"
#include "tests/core/catalogue.h"
#include "tests/room.h"

#include <QTest>

#include <nlohmann/json.hpp>

using core::Bytes;
using core::DeviceMemory;
using core::Gpu;
using core::readers::gpuFromJson;
using core::readers::gpuToJson;
using core::readers::JsonObject;
using core::readers::UnknownKeys;

namespace {

/// What a GPU becomes when it is written as text and read again.
core::Result<Gpu> reread(const Gpu& gpu)
{
    const nlohmann::json json = nlohmann::json::parse(gpuToJson(gpu).dump());
    return gpuFromJson(JsonObject(json, "a.kvh", "hardware.gpu"));
}

/// An accelerator whose sizes have nothing in common.
Gpu strangeGpu()
{
    const DeviceMemory small{core::gib(8), "8 GB", std::nullopt, Bytes(7'000'000'001), core::UsableSource::Runtime, ""};
    const DeviceMemory large{core::gib(64),   "64 GiB", Bytes(65'000'000'000), core::gib(48), core::UsableSource::Limit,
                             "three quarters"};
    return {"x", "Strange \"accelerator\" µ", "Nobody", true, large, {small, large}};
}

} // namespace

class TestGpuJson : public QObject {
    Q_OBJECT

private slots:
    void everySizeOfTheCatalogueReadsBack()
    {
        for (Gpu gpu : tests::gpus()) {
            QVERIFY2(reread(gpu) == gpu, gpu.id.c_str());
            for (const DeviceMemory& size : gpu.sizes) {
                gpu.memory = size;
                QVERIFY2(reread(gpu) == gpu, gpu.id.c_str());
            }
        }
    }

    void sizesNeedNotBeAlike()
    {
        QCOMPARE(errorOf(reread(strangeGpu())), QString());
        QVERIFY(*reread(strangeGpu()) == strangeGpu());
    }

    void keysAreThoseOfTheCatalogue()
    {
        const nlohmann::ordered_json json = gpuToJson(tests::gpu("rtx-4090"));
        QCOMPARE(json.at("id").get<std::string>(), std::string("rtx-4090"));
        QCOMPARE(json.at("label_bytes").get<qint64>(), qint64{24} << 30U);
        QCOMPARE(json.at("driver_bytes").get<qint64>(), qint64{24'564} << 20U);
        QCOMPARE(json.at("unified").get<bool>(), false);
        QVERIFY(json.at("sizes").is_array());
        QVERIFY(json.at("sizes").empty());
    }

    void wrongValueIsNamed_data()
    {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("value");
        QTest::newRow("no id") << "id"
                               << "null";
        QTest::newRow("name that is no text") << "name"
                                              << "5";
        QTest::newRow("size of nothing") << "label_bytes"
                                         << "0";
        QTest::newRow("size in text") << "usable_bytes"
                                      << "\"24 GiB\"";
        QTest::newRow("half a byte") << "driver_bytes"
                                     << "1.5";
        QTest::newRow("unknown basis") << "usable_basis"
                                       << "\"guess\"";
        QTest::newRow("unified that is a number") << "unified"
                                                  << "1";
        QTest::newRow("sizes that are no list") << "sizes"
                                                << "{}";
        QTest::newRow("misspelt key") << "vendr"
                                      << "\"NVIDIA\"";
    }
    void wrongValueIsNamed()
    {
        QFETCH(const QString, key);
        QFETCH(const QString, value);
        nlohmann::json json = nlohmann::json::parse(gpuToJson(tests::gpu("rtx-4090")).dump());
        json[key.toStdString()] = nlohmann::json::parse(value.toStdString());
        const QString error = errorOf(gpuFromJson(JsonObject(json, "a.kvh", "hardware.gpu")));
        QVERIFY2(saysAll(error, QStringLiteral("a.kvh|hardware.gpu.") + key), qPrintable(error));
    }

    void unknownKeysCanBeIgnored()
    {
        nlohmann::json json = nlohmann::json::parse(gpuToJson(strangeGpu()).dump());
        json["cores"] = 128;
        json["sizes"][0]["colour"] = "green";
        const core::Result<Gpu> gpu = gpuFromJson(JsonObject(json, "a.kvh", {}, UnknownKeys::Ignore));
        QCOMPARE(errorOf(gpu), QString());
        QVERIFY(*gpu == strangeGpu());
    }
};

ROOM_TEST(TestGpuJson, void)
#include "test_gpu_json.moc"
