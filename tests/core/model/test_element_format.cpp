// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/element_format.h"
#include "core/scenario/kv_cache.h"
#include "tests/core/catalogue.h"
#include "tests/room.h"

#include <QTest>

#include <cstdint>
#include <string>

using core::Bytes;
using core::KvFormat;

namespace {

struct Row {
    KvFormat format;
    const char* id;
    std::int64_t blockElements;
    std::int64_t blockBytes;
};

// Plain formats: their width. ggml (ggml-common.h, QK = 32 values of a block): q8_0 = 2-byte scale + 32 bytes; q5_1 = 2
// scales + 4 bytes of fifth bits + 16; q5_0 = scale + 4 + 16; q4_1 = 2 scales + 16; q4_0 and iq4_nl = scale + 16.
// MXFP4 (OCP Microscaling 1.0): 1-byte scale + 16. NVFP4: 16 values share a 1-byte scale, 64 values: 4 + 32.
constexpr Row kRows[] = {
    {KvFormat::Fp32, "fp32", 1, 4},           {KvFormat::Fp16, "fp16", 1, 2},
    {KvFormat::Bf16, "bf16", 1, 2},           {KvFormat::Fp8, "fp8", 1, 1},
    {KvFormat::Int8, "int8", 1, 1},           {KvFormat::Int4, "int4", 2, 1},
    {KvFormat::Nvfp4, "nvfp4", 64, 36},       {KvFormat::Mxfp4, "mxfp4", 32, 17},
    {KvFormat::Q8_0, "q8_0", 32, 2 + 32},     {KvFormat::Q5_1, "q5_1", 32, 2 * 2 + 4 + 16},
    {KvFormat::Q5_0, "q5_0", 32, 2 + 4 + 16}, {KvFormat::Q4_1, "q4_1", 32, 2 * 2 + 16},
    {KvFormat::Q4_0, "q4_0", 32, 2 + 16},     {KvFormat::Iq4Nl, "iq4_nl", 32, 2 + 16},
};

} // namespace

Q_DECLARE_METATYPE(core::KvFormat)

class TestElementFormat : public QObject {
    Q_OBJECT

private slots:
    /// ik_llama.cpp's: a byte for each element and 8 for each head's vector; not among the formats of all engines.
    void formatOfOneEngine()
    {
        QVERIFY(core::kvFormat("q8_KV") == core::KvFormat::Q8Kv);
        QCOMPARE(core::bytesOf(core::KvFormat::Q8Kv, 1'024, 8).count(), 1'024ll + 64);
        QCOMPARE(core::bytesOf(core::KvFormat::Q8Kv, 0, 8).count(), 0ll);
        for (const core::KvFormatInfo& format : core::kvFormats())
            QVERIFY(format.headBytes == 0);
    }
    void tableHasEveryFormat() { QCOMPARE(core::kvFormats().size(), std::size(kRows)); }

    void blocks_data()
    {
        QTest::addColumn<int>("row");
        for (std::size_t i = 0; i < std::size(kRows); ++i)
            QTest::newRow(kRows[i].id) << static_cast<int>(i);
    }
    void blocks()
    {
        QFETCH(const int, row);
        const Row& expected = kRows[row];
        const core::KvFormatInfo& format = core::info(expected.format);
        QCOMPARE(format.format, expected.format);
        QCOMPARE(std::string(format.id), expected.id);
        QCOMPARE(format.blockElements, expected.blockElements);
        QCOMPARE(format.blockBytes, expected.blockBytes);
        QVERIFY(!format.name.empty() && !format.source.empty());
        QCOMPARE(core::kvFormat(expected.id), std::optional(expected.format));
    }

    void names()
    {
        QCOMPARE(core::kvFormat("F16"), std::optional(KvFormat::Fp16));
        QCOMPARE(core::kvFormat("f32"), std::optional(KvFormat::Fp32));
        QCOMPARE(core::kvFormat("Q8_0"), std::optional(KvFormat::Q8_0));
        for (const char* unknown : {"", "q9_0", "fp", "fp16 ", "bf32"})
            QVERIFY2(!core::kvFormat(unknown), unknown);
    }

    void wholeBlocks_data()
    {
        QTest::addColumn<KvFormat>("format");
        QTest::addColumn<qint64>("elements");
        QTest::addColumn<qint64>("bytes");
        QTest::newRow("no elements") << KvFormat::Q8_0 << qint64{0} << qint64{0};
        QTest::newRow("one element fills a q8_0 block") << KvFormat::Q8_0 << qint64{1} << qint64{34};
        QTest::newRow("32 in one q8_0 block") << KvFormat::Q8_0 << qint64{32} << qint64{34};
        QTest::newRow("33 begin a second q8_0 block") << KvFormat::Q8_0 << qint64{33} << qint64{68};
        QTest::newRow("80 in three q4_0 blocks") << KvFormat::Q4_0 << qint64{80} << qint64{54};
        QTest::newRow("odd number of half bytes") << KvFormat::Int4 << qint64{5} << qint64{3};
        QTest::newRow("64 in one nvfp4 block") << KvFormat::Nvfp4 << qint64{64} << qint64{36};
        QTest::newRow("65 in two nvfp4 blocks") << KvFormat::Nvfp4 << qint64{65} << qint64{72};
        QTest::newRow("fp16") << KvFormat::Fp16 << qint64{1'024} << qint64{2'048};
        QTest::newRow("fp32") << KvFormat::Fp32 << qint64{7} << qint64{28};
    }
    void wholeBlocks()
    {
        QFETCH(const KvFormat, format);
        QFETCH(const qint64, elements);
        QFETCH(const qint64, bytes);
        QCOMPARE(core::bytesOf(format, elements), Bytes(bytes));
    }

    void llama8BAt128K_data()
    {
        QTest::addColumn<KvFormat>("k");
        QTest::addColumn<KvFormat>("v");
        QTest::addColumn<qint64>("bytes");
        const qint64 tokensAndLayers = qint64{131'072} * 32;
        // 8 heads of 128 = 1,024 elements = 32 blocks for K and for V, in each of 32 layers. Issue: 8.5 and 4.5 GiB.
        QTest::newRow("fp16: 16 GiB") << KvFormat::Fp16 << KvFormat::Fp16 << qint64{core::gib(16).count()};
        QTest::newRow("q8_0: 8.5 GiB") << KvFormat::Q8_0 << KvFormat::Q8_0 << 2 * 32 * 34 * tokensAndLayers;
        QTest::newRow("q4_0: 4.5 GiB") << KvFormat::Q4_0 << KvFormat::Q4_0 << 2 * 32 * 18 * tokensAndLayers;
        QTest::newRow("K q8_0, V q4_0: 6.5 GiB")
            << KvFormat::Q8_0 << KvFormat::Q4_0 << qint64{core::mib(6'656).count()};
        QTest::newRow("int4: 4 GiB") << KvFormat::Int4 << KvFormat::Int4 << qint64{core::gib(4).count()};
    }
    void llama8BAt128K()
    {
        QFETCH(const KvFormat, k);
        QFETCH(const KvFormat, v);
        QFETCH(const qint64, bytes);
        core::Scenario scenario = tests::scenarioOf("llama-3.1-8b");
        scenario.kFormat = k;
        scenario.vFormat = v;
        QCOMPARE(core::requestCache(scenario, 131'072), Bytes(bytes));
    }
};

ROOM_TEST(TestElementFormat, void)
#include "test_element_format.moc"
