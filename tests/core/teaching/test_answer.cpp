// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/teaching/answer.h"
#include "tests/core/reading.h"
#include "tests/room.h"

#include <QTest>

#include <cmath>

namespace {

using core::Fit;
using core::Measure;
using core::NumberStyle;

const NumberStyle kEnglish{};
const NumberStyle kGerman{",", ".", core::Unit::Binary};
const NumberStyle kFrench{",", "\u202F", core::Unit::Binary};
const NumberStyle kSwiss{".", "\u2019", core::Unit::Binary};

struct Row {
    const char* name;
    const char* text;
    const NumberStyle& style;
    double number;
    const char* unit; ///< "" for none
};

const Row kRows[] = {
    {"plain", "2.5", kEnglish, 2.5, ""},
    {"blanks around it", "  2.5  ", kEnglish, 2.5, ""},
    {"unit behind a blank", "2.68 GB", kEnglish, 2.68, "gb"},
    {"unit at once", "2560MiB", kEnglish, 2560, "mib"},
    {"unit in small letters", "128 kib", kEnglish, 128, "kib"},
    {"German", "2,5", kGerman, 2.5, ""},
    {"German unit", "2,5 GiB", kGerman, 2.5, "gib"},
    {"German groups", "122.533", kGerman, 122533, ""},
    {"German groups and point", "2.684,35 MB", kGerman, 2684.35, "mb"},
    {"English point in German", "2.68", kGerman, 2.68, ""},
    {"French", "2,68 Go", kFrench, 2.68, "go"},
    {"French binary", "2,5 Gio", kFrench, 2.5, "gio"},
    {"French groups", "131\u202F072 octets", kFrench, 131072, "octets"},
    {"French groups by a no-break space", "131\u00A0072", kFrench, 131072, ""},
    {"Swiss groups", "131\u2019072", kSwiss, 131072, ""},
    {"apostrophe", "131'072", kEnglish, 131072, ""},
    {"English groups", "122,533", kEnglish, 122533, ""},
    {"German comma in English", "2,5", kEnglish, 2.5, ""},
    {"many groups", "2,684,354,560 B", kEnglish, 2684354560, "b"},
    {"groups and point", "1,024.5 MiB", kEnglish, 1024.5, "mib"},
    {"K of tokens", "8K", kEnglish, 8, "k"},
    {"K and tokens", "8K tokens", kEnglish, 8192, "tokens"},
    {"requests", "15 requests", kEnglish, 15, "requests"},
    {"x behind", "4x", kEnglish, 4, "x"},
    {"x before", "x4", kEnglish, 4, ""},
    {"times sign before", "×4", kEnglish, 4, ""},
    {"-fold", "4-fold", kEnglish, 4, "fold"},
    {"percent", "75 %", kEnglish, 75, "%"},
    {"for each token", "128 KiB/token", kEnglish, 128, "kib"},
    {"per token", "128 KiB per token", kEnglish, 128, "kib"},
    {"about", "≈ 16 GiB", kEnglish, 16, "gib"},
    {"bytes spelled", "131072 bytes", kEnglish, 131072, "bytes"},
};

const char* const kUnreadable[] = {"",         " ",     "GiB",        "many",         "-5",    "2.5.1",   "1,2,3",
                                   "5 apples", "2,5,1", "1e5",        "2 + 3",        "8 K K", "0x10",    "1,234.5,6",
                                   "NaN",      "inf",   "2.5 GiB GB", "2.5 GiB cats", "…",     "3 K cats"};

} // namespace

class TestAnswer : public QObject {
    Q_OBJECT

private slots:
    void isRead_data()
    {
        QTest::addColumn<int>("row");
        for (int i = 0; i < static_cast<int>(std::size(kRows)); ++i)
            QTest::newRow(kRows[i].name) << i;
    }
    void isRead()
    {
        QFETCH(const int, row);
        const Row& expected = kRows[row];
        const auto answer = core::readAnswer(expected.text, expected.style);
        QVERIFY2(answer, qPrintable(errorOf(answer)));
        QCOMPARE(answer->number, expected.number);
        QCOMPARE(std::string(answer->unit ? answer->unit->name : ""), std::string(expected.unit));
    }

    void isUnreadable_data()
    {
        QTest::addColumn<QString>("text");
        for (const char* text : kUnreadable)
            QTest::newRow(text[0] == '\0' ? "empty" : text) << QString::fromUtf8(text);
        QTest::newRow("long") << QString(1000, u'9');
    }
    void isUnreadable()
    {
        QFETCH(const QString, text);
        const QString error = errorOf(core::readAnswer(text.toStdString()));
        QVERIFY2(saysAll(error, QStringLiteral("cannot be read|GiB")), qPrintable(text));
    }

    /// GB and GiB both pass without a unit, and only there.
    void sizesWithoutUnitFitBoth()
    {
        const double right = 2684354560;
        const auto fit = [&](const char* text, const NumberStyle& style = {}) {
            return core::fitOf(*core::readAnswer(text, style), Measure::Bytes, right, style);
        };
        QCOMPARE(fit("2.5"), Fit::Yes);
        QCOMPARE(fit("2.5 GiB"), Fit::Yes);
        QCOMPARE(fit("2560 MiB"), Fit::Yes);
        QCOMPARE(fit("2.5G"), Fit::Yes);
        QCOMPARE(fit("2,684,354,560"), Fit::Yes);
        QCOMPARE(fit("2684354560 B"), Fit::Yes);
        QCOMPARE(fit("2.68"), Fit::OtherUnit);
        QCOMPARE(fit("2.68 GB"), Fit::OtherUnit);
        QCOMPARE(fit("2.5 GB"), Fit::No);
        QCOMPARE(fit("2.68 GiB"), Fit::No);
        QCOMPARE(fit("2560"), Fit::No);
        NumberStyle decimal;
        decimal.unit = core::Unit::Decimal;
        QCOMPARE(fit("2.68 GB", decimal), Fit::Yes);
        QCOMPARE(fit("2.5", decimal), Fit::OtherUnit);
    }

    void toleranceEndsWhereItShould()
    {
        const double gib = 1073741824;
        QVERIFY(core::isNear(Measure::Bytes, 1.014 * gib, gib));
        QVERIFY(!core::isNear(Measure::Bytes, 1.016 * gib, gib));
        QVERIFY(core::isNear(Measure::Bytes, 1.009 * 131072, 131072));
        QVERIFY(!core::isNear(Measure::Bytes, 1.011 * 131072, 131072));
        QVERIFY(!core::isNear(Measure::Bytes, 128000, 131072)); // kB for KiB
        QVERIFY(!core::isNear(Measure::Tokens, 8000, 8192));    // 8,000 for 8K
        QVERIFY(!core::isNear(Measure::Requests, 16, 15));
        QVERIFY(core::isNear(Measure::Requests, 15, 15));
    }

    void unitOfAnotherMeasureIsKnown()
    {
        QVERIFY(!core::canMean(*core::readAnswer("3 GiB"), Measure::Requests));
        QVERIFY(!core::canMean(*core::readAnswer("15 requests"), Measure::Bytes));
        QVERIFY(core::canMean(*core::readAnswer("8K"), Measure::Tokens));
        QVERIFY(core::canMean(*core::readAnswer("15"), Measure::Requests));
    }

    void guessesAreReadLikeTheTruth()
    {
        const double truth = 16.0 * 1073741824;
        const auto meant = [&](const char* text) {
            return core::meantBy(*core::readAnswer(text), Measure::Bytes, truth);
        };
        QCOMPARE(meant("4"), 4.0 * 1073741824);
        QCOMPARE(meant("4 GB"), 4e9);
        QCOMPARE(meant("512 MiB"), 512.0 * 1048576);
        QCOMPARE(meant("17179869184"), truth); // in bytes that is closer than in GiB
        QCOMPARE(core::meantBy(*core::readAnswer("131072"), Measure::Bytes, 131072), 131072.0);
        QCOMPARE(core::meantBy(*core::readAnswer("100"), Measure::Bytes, 131072), 102400.0);
        QCOMPARE(core::meantBy(*core::readAnswer("0.5"), Measure::Percent, 75), 50.0);
        QCOMPARE(core::meantBy(*core::readAnswer("0.5"), Measure::Percent, 0.1), 0.5);
        QCOMPARE(core::meantBy(*core::readAnswer("8K"), Measure::Tokens, 100'000), 8192.0);
        QCOMPARE(core::meantBy(*core::readAnswer("8000"), Measure::Tokens, 100'000), 8000.0);
    }

    void sharesMayBeParts()
    {
        const auto fit = [](const char* text, double right) {
            return core::fitOf(*core::readAnswer(text, {}, Measure::Percent), Measure::Percent, right);
        };
        QCOMPARE(fit("0.2", 20), Fit::Yes);
        QCOMPARE(fit("0.2", 0.2), Fit::Yes); // a small share in percent
        QCOMPARE(fit("1/5", 20), Fit::Yes);
        QCOMPARE(fit("1/5", 0.2), Fit::No);
        QCOMPARE(fit("1", 100), Fit::No); // 1 %
        QCOMPARE(fit("1", 1), Fit::Yes);
        QCOMPARE(fit("1/1", 100), Fit::Yes);
        QCOMPARE(fit("0.2 %", 20), Fit::No);
        QVERIFY(!core::readAnswer("3/4"));
        QVERIFY(!core::readAnswer("4/3", {}, Measure::Percent));
        QVERIFY(saysAll(errorOf(core::readAnswer("a lot", {}, Measure::Percent)), QStringLiteral("a lot|75 %|3/4")));
    }

    void unitIsThatOfTheNumber()
    {
        QCOMPARE(core::unitName(131072, core::Unit::Binary), std::string_view("KiB"));
        QCOMPARE(core::unitName(131072, core::Unit::Decimal), std::string_view("kB"));
        QCOMPARE(core::unitName(512, core::Unit::Binary), std::string_view("B"));
        QCOMPARE(core::unitName(5e15, core::Unit::Binary), std::string_view("GiB"));
        QCOMPARE(core::unitSize(2.5 * 1073741824, core::Unit::Binary), 1073741824.0);
        QCOMPARE(core::unitSize(131072, core::Unit::Binary), 1024.0);
        QCOMPARE(core::unitSize(131072, core::Unit::Decimal), 1000.0);
        QCOMPARE(core::unitSize(512, core::Unit::Binary), 1.0);
        QCOMPARE(core::unitSize(5e15, core::Unit::Decimal), 1e9);
    }
};

ROOM_TEST(TestAnswer, void)
#include "test_answer.moc"
