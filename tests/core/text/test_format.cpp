// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/format.h"
#include "tests/room.h"

#include <QTest>

#include <cstdint>
#include <string>

using core::Bytes;
using core::NumberStyle;
using core::Unit;

namespace {

const NumberStyle kGerman{",", "."};
const NumberStyle kFrench{",", "\u202F"};
const NumberStyle kUngrouped{".", ""};

QString text(const std::string& formatted)
{
    return QString::fromStdString(formatted);
}

void sizeRow(const char* name, std::int64_t bytes, const char* binary, const char* decimal)
{
    QTest::newRow(name) << qint64{bytes} << QString::fromUtf8(binary) << QString::fromUtf8(decimal);
}

void sizeColumns()
{
    QTest::addColumn<qint64>("bytes");
    QTest::addColumn<QString>("binary");
    QTest::addColumn<QString>("decimal");
}

} // namespace

class TestFormat : public QObject {
    Q_OBJECT

private slots:
    void counts_data()
    {
        QTest::addColumn<qint64>("count");
        QTest::addColumn<QString>("english");
        QTest::addColumn<QString>("german");
        QTest::newRow("nothing") << qint64{0} << "0"
                                 << "0";
        QTest::newRow("three digits") << qint64{999} << "999"
                                      << "999";
        QTest::newRow("four digits") << qint64{8'192} << "8,192"
                                     << "8.192";
        QTest::newRow("six digits") << qint64{122'533} << "122,533"
                                    << "122.533";
        QTest::newRow("ten digits") << qint64{8'030'261'248} << "8,030,261,248"
                                    << "8.030.261.248";
        QTest::newRow("below zero") << qint64{-1'234} << "−1,234"
                                    << "−1.234";
        QTest::newRow("three digits below zero") << qint64{-123} << "−123"
                                                 << "−123";
    }
    void counts()
    {
        QFETCH(const qint64, count);
        QFETCH(const QString, english);
        QFETCH(const QString, german);
        QCOMPARE(text(core::formatCount(count)), english);
        QCOMPARE(text(core::formatCount(count, kGerman)), german);
        QCOMPARE(text(core::formatCount(8'192, kUngrouped)), QStringLiteral("8192"));
    }

    void numbers()
    {
        QCOMPARE(text(core::formatNumber(23.642, 2)), QStringLiteral("23.64"));
        QCOMPARE(text(core::formatNumber(23.645, 1)), QStringLiteral("23.6"));
        QCOMPARE(text(core::formatNumber(0.5, 0)), QStringLiteral("1")); // half away from zero
        QCOMPARE(text(core::formatNumber(-0.5, 0)), QStringLiteral("−1"));
        QCOMPARE(text(core::formatNumber(-0.001, 2)), QStringLiteral("0.00")); // not "−0.00"
        QCOMPARE(text(core::formatNumber(1'234.5, 2, kGerman)), QStringLiteral("1.234,50"));
        QCOMPARE(text(core::formatNumber(7, 3)), QStringLiteral("7.000"));
    }

    void bytes_data()
    {
        sizeColumns();
        sizeRow("nothing", 0, "0 B", "0 B");
        sizeRow("bytes", 512, "512 B", "512 B");
        sizeRow("one less than a KiB", 1'023, "1,023 B", "1.02 kB");
        sizeRow("a KiB", 1'024, "1 KiB", "1.02 kB");
        sizeRow("rounds to a MiB", (1ll << 20) - 1, "1 MiB", "1.05 MB");    // 1,024.00 KiB
        sizeRow("rounds to a GiB", (1ll << 30) - 1, "1.00 GiB", "1.07 GB"); // 1,024.00 MiB
        sizeRow("as few decimals as needed", 1'536, "1.5 KiB", "1.54 kB");
        sizeRow("8B, one token", 131'072, "128 KiB", "131.07 kB");
        sizeRow("whole MiB", 400ll << 20, "400 MiB", "419.43 MB");
        sizeRow("GiB have two decimals", 1ll << 30, "1.00 GiB", "1.07 GB");
        sizeRow("8B in BF16", 16'060'522'496, "14.96 GiB", "16.06 GB");       // 14.9576
        sizeRow("RTX 4090, usable", 24'210ll << 20, "23.64 GiB", "25.39 GB"); // 23.6426
        sizeRow("terabytes stay in GiB", 2ll << 40, "2,048.00 GiB", "2,199.02 GB");
        sizeRow("half is rounded up", (1ll << 30) + 5'368'710, "1.01 GiB", "1.08 GB"); // 1.005
        sizeRow("less than half down", (1ll << 30) + 5'368'708, "1.00 GiB", "1.08 GB");
        sizeRow("over by", -(3ll << 30) / 2, "−1.50 GiB", "−1.61 GB");
        sizeRow("largest", (1ll << 62), "4,294,967,296.00 GiB", "4,611,686,018.43 GB");
    }
    void bytes()
    {
        QFETCH(const qint64, bytes);
        QFETCH(const QString, binary);
        QFETCH(const QString, decimal);
        QCOMPARE(text(core::formatBytes(Bytes(bytes))), binary);
        QCOMPARE(text(core::formatBytes(Bytes(bytes), Unit::Decimal)), decimal);
    }

    void threeDigits_data()
    {
        sizeColumns();
        sizeRow("bytes", 57, "57 B", "57 B");
        sizeRow("one before the point", 1ll << 30, "1.00 GiB", "1.07 GB");
        sizeRow("two before the point", 16ll << 30, "16.0 GiB", "17.2 GB");
        sizeRow("three before the point", 151ll << 30, "151 GiB", "162 GB");
        sizeRow("more than three", 4'000ll << 30, "4,000 GiB", "4,295 GB");
        sizeRow("2.5 GiB is 2.68 GB", 2'684'354'560, "2.50 GiB", "2.68 GB");
        sizeRow("Mixtral, 16 users: 64.0 GiB is 68.7 GB", 64ll << 30, "64.0 GiB", "68.7 GB");
        sizeRow("9.999 is not 9.100", (10ll << 30) - 1'000, "10.0 GiB", "10.7 GB");
        sizeRow("0.125 GiB", 1ll << 27, "128 MiB", "134 MB");
    }
    void threeDigits()
    {
        QFETCH(const qint64, bytes);
        QFETCH(const QString, binary);
        QFETCH(const QString, decimal);
        QCOMPARE(text(core::formatShort(Bytes(bytes))), binary);
        QCOMPARE(text(core::formatShort(Bytes(bytes), Unit::Decimal)), decimal);
        QCOMPARE(text(core::formatBoth(Bytes(bytes))), QStringLiteral("%1 (%2)").arg(binary, decimal));
    }

    void otherStyles()
    {
        QCOMPARE(text(core::formatBytes(Bytes(16'060'522'496), Unit::Binary, kGerman)), QStringLiteral("14,96 GiB"));
        QCOMPARE(text(core::formatBytes(core::gib(2'048), Unit::Binary, kGerman)), QStringLiteral("2.048,00 GiB"));
        QCOMPARE(text(core::formatBoth(core::gib(16), kGerman)), QStringLiteral("16,0 GiB (17,2 GB)"));
        QCOMPARE(text(core::formatCount(1'048'576, kFrench)), QStringLiteral("1\u202F048\u202F576"));
        QCOMPARE(text(core::formatPercent(core::Percent{250}, kGerman)), QStringLiteral("2,5"));
    }

    void percentages()
    {
        QCOMPARE(text(core::formatPercent(core::Percent::whole(20))), QStringLiteral("20"));
        QCOMPARE(text(core::formatPercent(core::Percent{2'050})), QStringLiteral("20.5"));
        QCOMPARE(text(core::formatPercent(core::Percent{2'055})), QStringLiteral("20.55"));
        QCOMPARE(text(core::formatPercent(core::Percent{5})), QStringLiteral("0.05"));
        QCOMPARE(text(core::formatPercent(core::Percent{})), QStringLiteral("0"));
    }

    void tokens()
    {
        QCOMPARE(text(core::formatTokens(8'192)), QStringLiteral("8K"));
        QCOMPARE(text(core::formatTokens(131'072)), QStringLiteral("128K"));
        QCOMPARE(text(core::formatTokens(1'048'576)), QStringLiteral("1M"));
        QCOMPARE(text(core::formatTokens(1'310'720)), QStringLiteral("1,280K"));
        QCOMPARE(text(core::formatTokens(8'000)), QStringLiteral("8,000"));
        QCOMPARE(text(core::formatTokens(8'000, kGerman)), QStringLiteral("8.000"));
        QCOMPARE(text(core::formatTokens(0)), QStringLiteral("0"));
    }

    void values()
    {
        QCOMPARE(text(core::formatValue(std::int64_t{8'192})), QStringLiteral("8,192"));
        QCOMPARE(text(core::formatValue(1.5)), QStringLiteral("1.50"));
        QCOMPARE(text(core::formatValue(core::gib(1))), QStringLiteral("1.00 GiB"));
        QCOMPARE(text(core::formatValue(core::Percent::whole(20))), QStringLiteral("20 %"));
        QCOMPARE(text(core::formatValue(std::string("a {0} b"))), QStringLiteral("a {0} b"));
    }

    void places_data()
    {
        QTest::addColumn<QString>("pattern");
        QTest::addColumn<QString>("expected");
        QTest::newRow("none") << "Fits"
                              << "Fits";
        QTest::newRow("in order") << "{0} of {1}"
                                  << "8,192 of a{0}";
        QTest::newRow("in another order, as translations may") << "{1}: {0}"
                                                               << "a{0}: 8,192";
        QTest::newRow("twice") << "{0} {0}"
                               << "8,192 8,192";
        QTest::newRow("a value without a place") << "{1}"
                                                 << "a{0}";
        QTest::newRow("a place without a value stays") << "{2} {0}"
                                                       << "{2} 8,192";
        QTest::newRow("braces that are no place stay") << "{\"a\": {x} {0}}"
                                                       << "{\"a\": {x} 8,192}";
        QTest::newRow("open brace at the end") << "{0} {"
                                               << "8,192 {";
    }
    void places()
    {
        QFETCH(const QString, pattern);
        QFETCH(const QString, expected);
        const std::string source = pattern.toStdString();
        const core::Message message{source, {std::int64_t{8'192}, std::string("a{0}")}};
        QCOMPARE(text(core::english(message)), expected); // values are not searched for places
        QCOMPARE(text(core::formatMessage(source, message.args)), expected);
    }

    void messageInAnotherStyle()
    {
        QCOMPARE(text(core::formatMessage("{0} von {1}", {core::gib(12), std::int64_t{8'192}}, kGerman)),
                 QStringLiteral("12,00 GiB von 8.192"));
    }
};

ROOM_TEST(TestFormat, void)
#include "test_format.moc"
