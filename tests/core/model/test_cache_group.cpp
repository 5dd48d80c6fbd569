// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/cache_group.h"
#include "tests/core/catalogue.h"
#include "tests/room.h"

#include <QTest>

#include <cstdint>
#include <string>

using core::Bytes;
using core::CacheGroup;
using core::CacheKind;
using core::KvFormat;
using core::LayerSet;

namespace {

CacheGroup latent(std::int64_t latentDim, std::int64_t ropeDim)
{
    CacheGroup group;
    group.kind = CacheKind::Latent;
    group.latentDim = latentDim;
    group.ropeDim = ropeDim;
    return group;
}

CacheGroup index(std::int64_t dim)
{
    CacheGroup group;
    group.kind = CacheKind::Index;
    group.indexDim = dim;
    return group;
}

CacheGroup compressed(std::int64_t dim, std::int64_t ratio)
{
    CacheGroup group;
    group.kind = CacheKind::Compressed;
    group.keyDim = dim;
    group.ratio = ratio;
    return group;
}

CacheGroup state(std::int64_t conv, std::int64_t recurrent)
{
    CacheGroup group;
    group.kind = CacheKind::State;
    group.convElements = conv;
    group.recurrentElements = recurrent;
    return group;
}

CacheGroup ofKind(CacheKind kind)
{
    return tests::attention(kind, 1, 8, 128, 4'096);
}

/// Keys of 192, values of 128, two heads.
CacheGroup unlike()
{
    CacheGroup group = tests::attention(CacheKind::Full, 1, 2, 192);
    group.valueDim = 128;
    return group;
}

} // namespace

Q_DECLARE_METATYPE(core::CacheGroup)
Q_DECLARE_METATYPE(core::KvFormat)

class TestCacheGroup : public QObject {
    Q_OBJECT

private slots:
    void entryBytes_data()
    {
        QTest::addColumn<CacheGroup>("group");
        QTest::addColumn<KvFormat>("k");
        QTest::addColumn<KvFormat>("v");
        QTest::addColumn<qint64>("bytes");
        const KvFormat fp16 = KvFormat::Fp16;
        const KvFormat q8 = KvFormat::Q8_0;
        const KvFormat q4 = KvFormat::Q4_0;
        const auto row = [](const char* name, const CacheGroup& group, KvFormat k, KvFormat v, qint64 bytes) {
            QTest::newRow(name) << group << k << v << bytes;
        };
        row("full: 2 · 8 · 128 · 2 bytes", ofKind(CacheKind::Full), fp16, fp16, 4'096);
        row("full, K q8_0 (32 · 34), V q4_0 (32 · 18)", ofKind(CacheKind::Full), q8, q4, 1'088 + 576);
        row("full, K 2 · 192, V 2 · 128", unlike(), fp16, fp16, 768 + 512);
        row("full, K 2 · 192 in fp32, V 2 · 128 in fp8", unlike(), KvFormat::Fp32, KvFormat::Fp8, 1'536 + 256);
        row("window as full", ofKind(CacheKind::Window), fp16, fp16, 4'096);
        row("chunk as full", ofKind(CacheKind::Chunk), fp16, fp16, 4'096);
        row("cross as full", ofKind(CacheKind::Cross), fp16, fp16, 4'096);
        row("latent 512 + rotary 64, once (arXiv:2412.19437)", latent(512, 64), fp16, fp16, 1'152);
        row("latent: V's format does not matter", latent(512, 64), KvFormat::Fp8, KvFormat::Fp32, 576);
        row("index keys of 128, once", index(128), KvFormat::Fp8, KvFormat::Fp32, 128);
        row("compressed, K = V, once", compressed(512, 4), KvFormat::Bf16, KvFormat::Fp32, 1'024);
        row("state: 10 in bf16 + 100 in fp32, whatever the cache's format", state(10, 100), q4, q4, 420);
        row("convolution alone", state(10, 0), fp16, fp16, 20);
        row("shared keeps nothing", ofKind(CacheKind::Shared), fp16, fp16, 0);
        row("none keeps nothing", ofKind(CacheKind::None), fp16, fp16, 0);
    }
    void entryBytes()
    {
        QFETCH(const CacheGroup, group);
        QFETCH(const KvFormat, k);
        QFETCH(const KvFormat, v);
        QFETCH(const qint64, bytes);
        QCOMPARE(core::entryBytes(group, k, v), Bytes(bytes));
    }

    void entries_data()
    {
        QTest::addColumn<CacheGroup>("group");
        QTest::addColumn<qint64>("tokens");
        QTest::addColumn<qint64>("expected");
        QTest::addColumn<bool>("grows");
        const auto row = [](const char* name, const CacheGroup& group, qint64 tokens, qint64 expected, bool grows) {
            QTest::newRow(name) << group << tokens << expected << grows;
        };
        row("full: every token", ofKind(CacheKind::Full), 100'000, 100'000, true);
        row("full, no token yet", ofKind(CacheKind::Full), 0, 0, true);
        row("window not yet full", ofKind(CacheKind::Window), 4'095, 4'095, true);
        row("window just full", ofKind(CacheKind::Window), 4'096, 4'096, false);
        row("window keeps no more", ofKind(CacheKind::Window), 4'097, 4'096, false);
        row("chunk keeps no more", ofKind(CacheKind::Chunk), 1'000'000, 4'096, false);
        row("latent: every token", latent(512, 64), 7, 7, true);
        row("index: every token", index(128), 7, 7, true);
        row("compressed, before the first entry", compressed(512, 4), 3, 0, true);
        row("compressed, first entry", compressed(512, 4), 4, 1, true);
        row("compressed is rounded down", compressed(512, 4), 103, 25, true);
        row("state: one before any token", state(10, 100), 0, 1, false);
        row("state: one after a million", state(10, 100), 1'000'000, 1, false);
        row("cross: the encoder's 1,500", ofKind(CacheKind::Cross), 100'000, 1'500, false);
        row("shared", ofKind(CacheKind::Shared), 100'000, 0, false);
        row("none", ofKind(CacheKind::None), 100'000, 0, false);
    }
    void entries()
    {
        QFETCH(const CacheGroup, group);
        QFETCH(const qint64, tokens);
        QFETCH(const qint64, expected);
        QFETCH(const bool, grows);
        QCOMPARE(core::entries(group, tokens, 1'500), expected);
        QCOMPARE(core::growsBeyond(group, tokens), grows);
    }

    void kindsByName()
    {
        for (const char* id :
             {"full", "window", "chunk", "latent", "index", "compressed", "state", "cross", "shared", "none"}) {
            const std::optional<CacheKind> kind = core::cacheKind(id);
            QVERIFY2(kind, id);
            QCOMPARE(std::string(core::id(*kind)), id);
        }
        QVERIFY(!core::cacheKind("sliding"));
        QVERIFY(!core::cacheKind("Full"));
    }

    void layersAsText_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<qint64>("count");
        QTest::newRow("none") << "" << qint64{0};
        QTest::newRow("one") << "0" << qint64{1};
        QTest::newRow("a range") << "0-31" << qint64{32};
        QTest::newRow("ranges and single layers") << "0-3,8,16-19" << qint64{9};
        QTest::newRow("every second") << "1,3,5" << qint64{3};
        QTest::newRow("two neighbours") << "4-5" << qint64{2};
        QTest::newRow("the last there can be") << "65535" << qint64{1};
    }
    void layersAsText()
    {
        QFETCH(const QString, text);
        QFETCH(const qint64, count);
        const std::optional<LayerSet> set = LayerSet::fromText(text.toStdString());
        QVERIFY(set);
        QCOMPARE(set->count(), count);
        QCOMPARE(QString::fromStdString(set->toText()), text);
    }

    void layersOfARange()
    {
        LayerSet set = LayerSet::range(2, 4);
        set.add(9);
        QCOMPARE(set.toText(), std::string("2-4,9"));
        QCOMPARE(set.layers().back(), 9);
        QCOMPARE(*LayerSet::fromText("2,3,4,9"), set); // another spelling of the same layers
        QCOMPARE(LayerSet::range(5, 4).count(), 0);
    }

    void badLayers_data()
    {
        QTest::addColumn<QString>("text");
        for (const char* text : {"a", "1-", "-1", "3-1", "1,,2", ",1", "1,", "2,1", "1,1", "0-3,3", "1 ,2", "1-2-3",
                                 "65536", "0-65536", "99999999999999999999", "1.5", "+1", "0x1"})
            QTest::newRow(text) << text;
    }
    void badLayers()
    {
        QFETCH(const QString, text);
        QVERIFY(!LayerSet::fromText(text.toStdString()));
    }
};

ROOM_TEST(TestCacheGroup, void)
#include "test_cache_group.moc"
