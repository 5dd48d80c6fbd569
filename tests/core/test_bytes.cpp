// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/bytes.h"
#include "core/percent.h"
#include "tests/room.h"

#include <QTest>

#include <cstdint>
#include <limits>

using core::Bytes;

namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

} // namespace

class TestBytes : public QObject {
    Q_OBJECT

private slots:
    void sums()
    {
        QCOMPARE((Bytes(2) + Bytes(3)).count(), 5);
        Bytes sum(7);
        sum += Bytes(8);
        QCOMPARE(sum.count(), 15);
        QCOMPARE((Bytes(2) - Bytes(5)).count(), -3); // "over by"
        QCOMPARE((Bytes(6) * 7).count(), 42);
        QVERIFY(Bytes(1) < Bytes(2) && Bytes(2) == Bytes(2));
    }

    void units()
    {
        // By definition: KiB = 2^10, MiB = 2^20, GiB = 2^30 bytes.
        QCOMPARE(core::kib(1).count(), 1'024);
        QCOMPARE(core::mib(1).count(), 1'048'576);
        QCOMPARE(core::gib(24).count(), 25'769'803'776);
        QCOMPARE(core::toGib(Bytes(1'610'612'736)), 1.5);
    }

    void saturation_data()
    {
        QTest::addColumn<bool>("tooMany");
        const auto row = [](const char* name, Bytes value) { QTest::newRow(name) << value.isTooMany(); };
        row("largest plus one", Bytes(kMost - 1) + Bytes(1));
        row("half plus half", Bytes(kMost / 2 + 1) + Bytes(kMost / 2 + 1));
        row("too many plus nothing", Bytes::tooMany() + Bytes());
        row("nothing plus too many", Bytes() + Bytes::tooMany());
        row("too many plus less than nothing", Bytes::tooMany() + Bytes(-1));
        row("too many minus too many", Bytes::tooMany() - Bytes::tooMany());
        row("too many minus one", Bytes::tooMany() - Bytes(1));
        row("below the smallest", Bytes(-kMost) - Bytes(2));
        row("2^32 times 2^32", Bytes(std::int64_t{1} << 32) * (std::int64_t{1} << 32)); // 2^64 wraps to 0
        row("3 times a third and more", Bytes(kMost / 3 + 1) * 3);
        row("too many times one", Bytes::tooMany() * 1);
        row("8 EiB in GiB", core::gib(std::int64_t{1} << 33)); // 2^63
    }
    void saturation()
    {
        QFETCH(const bool, tooMany);
        QVERIFY(tooMany);
    }

    void justBelow()
    {
        QCOMPARE((Bytes(kMost - 2) + Bytes(1)).count(), kMost - 1);
        QVERIFY(!(Bytes(kMost - 2) + Bytes(1)).isTooMany());
        QCOMPARE((Bytes::tooMany() * 0).count(), 0); // no layers keep nothing
        QVERIFY(core::gib((std::int64_t{1} << 33) - 1) < Bytes::tooMany());
        QVERIFY(Bytes::tooMany() > Bytes(kMost - 1)); // larger than every capacity
    }

    void scaledUp_data()
    {
        QTest::addColumn<qint64>("value");
        QTest::addColumn<qint64>("numerator");
        QTest::addColumn<qint64>("denominator");
        QTest::addColumn<qint64>("expected");
        QTest::newRow("exact") << qint64{12} << qint64{2} << qint64{3} << qint64{8};
        QTest::newRow("rounds up") << qint64{10} << qint64{1} << qint64{3} << qint64{4};
        QTest::newRow("one more rounds up") << qint64{10} << qint64{2} << qint64{3} << qint64{7};
        QTest::newRow("nothing") << qint64{0} << qint64{133} << qint64{256} << qint64{0};
        // 2^62 · 3 leaves 64 bits, 2^62 · 3 / 4 = 3 · 2^60 does not.
        QTest::newRow("128-bit product") << qint64{1} * (qint64{1} << 62) << qint64{3} << qint64{4}
                                         << qint64{3} * (qint64{1} << 60);
        QTest::newRow("saturates") << (qint64{1} << 62) << qint64{2} << qint64{1} << qint64{kMost};
        QTest::newRow("too many stays") << qint64{kMost} << qint64{1} << qint64{2} << qint64{kMost};
    }
    void scaledUp()
    {
        QFETCH(const qint64, value);
        QFETCH(const qint64, numerator);
        QFETCH(const qint64, denominator);
        QFETCH(const qint64, expected);
        QCOMPARE(core::scaledUp(Bytes(value), numerator, denominator).count(), expected);
    }

    void percentages()
    {
        QCOMPARE(core::Percent::whole(20).hundredths, 2'000);
        QCOMPARE(core::Percent::whole(10).of(core::gib(20)), core::gib(2));
        QCOMPARE(core::Percent{250}.of(Bytes(1'000)).count(), 25);
        QCOMPARE(core::Percent{1}.of(Bytes(1)).count(), 1); // rounded up to whole bytes
        QCOMPARE(core::Percent{}.of(core::gib(20)).count(), 0);
    }
};

ROOM_TEST(TestBytes, void)
#include "test_bytes.moc"
