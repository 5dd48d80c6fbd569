// SPDX-License-Identifier: GPL-3.0-or-later
// The caches that real builds printed, to the printed decimals, and the lines as they print them.
#include "core/engines/engine.h"
#include "core/engines/llama/words.h"
#include "core/sizing/evaluate.h"
#include "tests/core/engines/llama_case.h"
#include "tests/room.h"

#include <QTest>

#include <algorithm>

namespace engines = core::engines;

namespace {

std::vector<TableRow> rows()
{
    return tableRows(TESTS_DATA_DIR "/engines/llama_logs.tsv");
}

/// "kv" and "mla" both name the main cache.
bool isPart(std::string_view kind, const std::string& printed)
{
    const auto isMain = [](std::string_view name) { return name == "kv" || name == "mla"; };
    return kind == printed || (isMain(kind) && isMain(printed));
}

/// A printed figure, "" where it was not printed, and its prediction.
void compareText(const QString& printed, const std::string& predicted)
{
    if (!printed.isEmpty())
        QCOMPARE(QString::fromStdString(predicted), printed);
}

} // namespace

class TestLlamaLogs : public QObject {
    Q_OBJECT

private slots:
    void parts_data()
    {
        QTest::addColumn<int>("place");
        const std::vector<TableRow> all = rows();
        QVERIFY(all.size() >= 80);
        for (std::size_t i = 0; i < all.size(); ++i)
            QTest::addRow("%s %s", qPrintable(all[i].at("id")), qPrintable(all[i].at("part"))) << static_cast<int>(i);
    }

    void parts()
    {
        QFETCH(int, place);
        const TableRow row = rows()[static_cast<std::size_t>(place)];
        const core::Scenario scenario = llamaScenario(row);
        QVERIFY(!scenario.model.groups.empty());
        for (const core::Issue& issue : core::check(scenario))
            QFAIL(core::english(issue.message).c_str());
        const engines::Reservation reservation = engines::reserve(scenario);
        const auto parts = reservation.caches();
        const std::string kind = row.at("part").toStdString();
        const auto part =
            std::ranges::find_if(parts, [&](const engines::CachePart& each) { return isPart(each.kind, kind); });
        QVERIFY2(part != parts.end(), kind.c_str());
        compareText(row.at("cells"), std::to_string(part->cells));
        if (kind != "recurrent")
            compareText(row.at("layers"), std::to_string(part->layers));
        compareText(row.at("first"), engines::llama::mibText(part->k));
        compareText(row.at("second"), engines::llama::mibText(part->v));
        compareText(row.at("total"), engines::llama::mibText(part->bytes()));
    }

    /// What each device and the host hold is what the parts are.
    void devicesSumToParts_data() { parts_data(); }
    void devicesSumToParts()
    {
        QFETCH(int, place);
        const core::Scenario scenario = llamaScenario(rows()[static_cast<std::size_t>(place)]);
        const engines::Reservation reservation = engines::reserve(scenario);
        core::Bytes parts;
        for (const engines::CachePart& part : reservation.caches())
            parts += part.bytes();
        QCOMPARE(reservation.used() + reservation.waste().total(), parts);
    }
};

ROOM_TEST(TestLlamaLogs, void)
#include "test_llama_logs.moc"
