// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/text.h"
#include "tests/core/reading.h"
#include "tests/room.h"

#include <QTest>

#include <cstdint>

using namespace core;

class TestText : public QObject {
    Q_OBJECT

private slots:
    void counts_data();
    void counts();
    void sizes_data();
    void sizes();
    void percentages_data();
    void percentages();
    void closestIds_data();
    void closestIds();
};

constexpr std::int64_t kRefused = -1;

void TestText::counts_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<qint64>("count");
    QTest::newRow("plain") << "8192" << qint64{8192};
    QTest::newRow("zero") << "0" << qint64{0};
    QTest::newRow("grouped") << "8,192" << qint64{8192};
    QTest::newRow("grouped twice") << "16,777,216" << qint64{16777216};
    QTest::newRow("K is 1,024") << "8K" << qint64{8192};
    QTest::newRow("small k") << "128k" << qint64{131072};
    QTest::newRow("M") << "1M" << qint64{1048576};
    QTest::newRow("blanks around") << " 42 " << qint64{42};
    QTest::newRow("largest") << "9223372036854775806" << qint64{9223372036854775806};
    QTest::newRow("too large") << "9223372036854775807" << qint64{kRefused};
    QTest::newRow("too large by its unit") << "9223372036854775806K" << qint64{kRefused};
    QTest::newRow("many digits") << "99999999999999999999999" << qint64{kRefused};
    QTest::newRow("empty") << "" << qint64{kRefused};
    QTest::newRow("unit alone") << "K" << qint64{kRefused};
    QTest::newRow("negative") << "-5" << qint64{kRefused};
    QTest::newRow("fraction") << "1.5K" << qint64{kRefused};
    QTest::newRow("group of two") << "81,92" << qint64{kRefused};
    QTest::newRow("group of four") << "8,1920" << qint64{kRefused};
    QTest::newRow("comma first") << ",192" << qint64{kRefused};
    QTest::newRow("comma last") << "8192," << qint64{kRefused};
    QTest::newRow("ungrouped thousands") << "8192,000" << qint64{kRefused};
    QTest::newRow("exponent") << "1e5" << qint64{kRefused};
    QTest::newRow("words") << "many" << qint64{kRefused};
}

void TestText::counts()
{
    QFETCH(QString, text);
    QFETCH(qint64, count);
    const Result<std::int64_t> parsed = parseCount(text.toStdString());
    QCOMPARE(parsed ? *parsed : kRefused, count);
    if (!parsed)
        QVERIFY2(saysAll(errorOf(parsed), "\"" + text + "\""), qPrintable(errorOf(parsed)));
}

void TestText::sizes_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<qint64>("bytes");
    QTest::newRow("GiB") << "24GiB" << qint64{25769803776};
    QTest::newRow("GB with a blank") << "24 GB" << qint64{24000000000};
    QTest::newRow("small letters") << "512mib" << qint64{536870912};
    QTest::newRow("TiB") << "1TiB" << qint64{1099511627776};
    QTest::newRow("bytes") << "18000000000" << qint64{18000000000};
    QTest::newRow("bytes with a unit") << "17B" << qint64{17};
    QTest::newRow("grouped") << "18,000,000,000" << qint64{18000000000};
    QTest::newRow("decimals rounded up") << "3.81GiB" << qint64{4090956350}; // 4,090,956,349.44
    QTest::newRow("exact decimals") << "0.5GiB" << qint64{536870912};
    QTest::newRow("half a byte is a byte") << "0.5" << qint64{1};
    QTest::newRow("a sliver") << "1.000000000000000001GB" << qint64{1000000001};
    QTest::newRow("zeros behind") << "1.50000000000000000000000GB" << qint64{1500000000};
    QTest::newRow("too many decimals") << "1.0000000000000000001GB" << qint64{kRefused};
    QTest::newRow("too large") << "8388608TiB" << qint64{kRefused};
    QTest::newRow("ambiguous unit") << "24G" << qint64{kRefused};
    QTest::newRow("negative") << "-1GiB" << qint64{kRefused};
    QTest::newRow("no digits") << "GiB" << qint64{kRefused};
    QTest::newRow("no decimals") << "3.GiB" << qint64{kRefused};
    QTest::newRow("two points") << "3.8.1GiB" << qint64{kRefused};
    QTest::newRow("empty") << "" << qint64{kRefused};
    QTest::newRow("unknown unit") << "3 parsecs" << qint64{kRefused};
}

void TestText::sizes()
{
    QFETCH(QString, text);
    QFETCH(qint64, bytes);
    const Result<Bytes> parsed = parseSize(text.toStdString());
    QCOMPARE(parsed ? parsed->count() : kRefused, bytes);
    if (!parsed)
        QVERIFY2(saysAll(errorOf(parsed), "\"" + text + "\""), qPrintable(errorOf(parsed)));
}

void TestText::percentages_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<qint64>("hundredths");
    QTest::newRow("whole") << "20" << qint64{2000};
    QTest::newRow("one decimal") << "2.5" << qint64{250};
    QTest::newRow("two decimals") << "0.25" << qint64{25};
    QTest::newRow("sign") << "20%" << qint64{2000};
    QTest::newRow("sign with a blank") << "20 %" << qint64{2000};
    QTest::newRow("three decimals") << "0.125" << qint64{kRefused};
    QTest::newRow("negative") << "-1" << qint64{kRefused};
    QTest::newRow("empty") << "" << qint64{kRefused};
    QTest::newRow("point alone") << "." << qint64{kRefused};
    QTest::newRow("huge") << "99999999999999999999" << qint64{kRefused};
}

void TestText::percentages()
{
    QFETCH(QString, text);
    QFETCH(qint64, hundredths);
    const Result<Percent> parsed = parsePercent(text.toStdString());
    QCOMPARE(parsed ? parsed->hundredths : kRefused, hundredths);
}

void TestText::closestIds_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("expected");
    QTest::newRow("a digit off: near numbers first") << "rtx-4091"
                                                     << "rtx-4090,rtx-4080";
    QTest::newRow("missing dash") << "rtx4090"
                                  << "rtx-4090,rtx-4080";
    QTest::newRow("capital letters") << "RTX-4090"
                                     << "rtx-4090,rtx-4080";
    QTest::newRow("a beginning") << "h100"
                                 << "h100-sxm,h100-pcie";
    QTest::newRow("a longer name") << "NVIDIA-h100-sxm-80gb"
                                   << "h100-sxm";
    QTest::newRow("nothing like it") << "abacus"
                                     << "";
    QTest::newRow("empty") << ""
                           << "";
}

void TestText::closestIds()
{
    QFETCH(QString, text);
    QFETCH(QString, expected);
    const std::vector<std::string> ids{"h100-sxm", "h100-pcie", "rtx-4080", "rtx-4090", "mi300x"};
    QStringList found;
    for (const std::string& id : closest(text.toStdString(), ids, 2))
        found << QString::fromStdString(id);
    QCOMPARE(found.join(','), expected);
}

ROOM_TEST(TestText, void)
#include "test_text.moc"
