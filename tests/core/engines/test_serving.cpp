// SPDX-License-Identifier: GPL-3.0-or-later
// What real servers printed, figure by figure: whole numbers exactly, sizes to the two decimals that are printed.
#include "core/engines/engine.h"
#include "core/engines/vllm/plan.h"
#include "core/largest_fitting.h"
#include "core/sizing/limits.h"
#include "tests/core/catalogue.h"
#include "tests/core/engines/serving_case.h"
#include "tests/core/planned.h"
#include "tests/room.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using core::Bytes;
using core::Scenario;
namespace engines = core::engines;
using Figures = std::map<QString, double>;

namespace {

constexpr double kGib = 1'073'741'824.0;

std::vector<TableRow> rows()
{
    return tableRows(TESTS_DATA_DIR "/engines/serving.tsv");
}

/// Two decimals stand for an interval.
bool isPrinted(double printed, double value)
{
    return std::abs(value - printed) <= 0.005 + 1e-9;
}

double gibOf(Bytes bytes)
{
    return core::toGib(bytes);
}

/// The memory that a printed size may stand for: itself where it is given in MiB.
std::pair<Bytes, Bytes> intervalOf(const QString& text)
{
    const Bytes size = tests::valueOf(core::parseSize(text.toStdString()));
    if (text.endsWith("MiB"))
        return {size, size};
    const Bytes half(static_cast<std::int64_t>(0.005 * kGib));
    return {size - half, size + half};
}

/// True where a pool of so many blocks prints all that was printed of it.
bool explains(const engines::vllm::VllmPlan& plan, std::int64_t blocks, std::int64_t longest, const Figures& printed)
{
    const auto is = [&](const char* name, double value) {
        const auto figure = printed.find(name);
        return figure == printed.end() || figure->second == value;
    };
    const auto concurrency = printed.find("concurrency");
    return is("blocks", static_cast<double>(blocks)) &&
           is("tokens", static_cast<double>(plan.printedTokens(blocks, longest))) &&
           (concurrency == printed.end() || isPrinted(concurrency->second, plan.concurrency(blocks, longest)));
}

/// The least number of blocks that prints at least so many tokens.
std::int64_t leastBlocks(const engines::vllm::VllmPlan& plan, std::int64_t longest, double tokens)
{
    return core::largestFitting([&](std::int64_t blocks) {
               return static_cast<double>(plan.printedTokens(blocks, longest)) < tokens;
           }).value_or(0) +
           1;
}

/// One whole number explains blocks, tokens and concurrency together.
void checkPool(const Scenario& scenario, const TableRow& row, const Figures& printed)
{
    const engines::vllm::VllmPlan plan(scenario);
    const std::int64_t longest = scenario.workload.context;
    if (printed.count("blocks") + printed.count("tokens") + printed.count("concurrency") == 0)
        return;
    std::int64_t first = 1;
    std::int64_t last = 0;
    const QString memory = row.at("memory");
    if (!memory.isEmpty()) {
        const auto [low, high] = intervalOf(memory);
        first = plan.blocksIn(low);
        last = plan.blocksIn(high);
    } else {
        first = printed.count("blocks") > 0 ? static_cast<std::int64_t>(printed.at("blocks"))
                                            : leastBlocks(plan, longest, printed.at("tokens"));
        last = first + 8;
    }
    bool any = false;
    for (std::int64_t blocks = first; blocks <= last && !any; ++blocks)
        any = explains(plan, blocks, longest, printed);
    QVERIFY2(any, qPrintable(QStringLiteral("%1 to %2 blocks, %3 to %4 tokens, concurrency %5")
                                 .arg(first)
                                 .arg(last)
                                 .arg(plan.printedTokens(first, longest))
                                 .arg(plan.printedTokens(last, longest))
                                 .arg(plan.concurrency(last, longest))));
}

/// The longest request of a pool within what a printed size may stand for.
void checkLongest(Scenario scenario, const TableRow& row, double printed)
{
    const auto [low, high] = intervalOf(row.at("memory"));
    scenario.workload.context = 1;
    const auto longest = [&](Bytes memory) {
        scenario.cacheMemory = memory;
        return tests::limitsOf(scenario).maxContext.value.value();
    };
    const auto value = static_cast<std::int64_t>(printed);
    QVERIFY2(longest(low) <= value && value <= longest(high),
             qPrintable(QStringLiteral("%1 to %2").arg(longest(low)).arg(longest(high))));
    // It is a limit: some memory of the interval gives exactly this length.
    scenario.workload.context = value;
    scenario.cacheMemory = engines::reserve(scenario).pool.value().needed;
    QCOMPARE(tests::limitsOf(scenario).maxContext.value.value(), value);
}

void checkBlocks(const Scenario& scenario, const Figures& printed)
{
    const engines::vllm::VllmPlan plan(scenario);
    const engines::vllm::Layout& layout = plan.layout();
    if (printed.count("attention_block") > 0)
        QCOMPARE(static_cast<double>(layout.attentionBlock), printed.at("attention_block"));
    if (printed.count("padding") > 0) {
        const double state = static_cast<double>(layout.state.count());
        QVERIFY(isPrinted(printed.at("padding"), 100.0 * (static_cast<double>(layout.page.count()) - state) / state));
    }
    if (printed.count("cpu_blocks") > 0) {
        const Bytes block = layout.block.front();
        QCOMPARE(static_cast<double>(core::gib(plan.options().swap).count() / block.count()), printed.at("cpu_blocks"));
    }
}

const engines::CachePart* part(const engines::Reservation& reservation, const std::string& kind)
{
    const auto parts = reservation.caches();
    const auto found = std::ranges::find(parts, kind, &engines::CachePart::kind);
    return found == parts.end() ? nullptr : &*found;
}

/// "kv.k", "kv_swa.cells"; "all" is the sum of the parts.
double figureOf(const engines::Reservation& reservation, const QString& name)
{
    if (name == "all" || name == "bytes") {
        Bytes sum;
        for (const engines::CachePart& each : reservation.caches())
            sum += each.bytes();
        return name == "all" ? gibOf(sum) : static_cast<double>(sum.count());
    }
    if (name == "tokens")
        return static_cast<double>(reservation.cacheTokens.value_or(-1));
    if (name == "blocks")
        return static_cast<double>(reservation.pool->blocks.value_or(-1));
    if (name == "request_blocks")
        return static_cast<double>(reservation.pool->requestBlocks);
    const engines::CachePart* cache = part(reservation, name.section('.', 0, 0).toStdString());
    if (cache == nullptr)
        return -1;
    const QString which = name.section('.', 1);
    return which == "cells" ? static_cast<double>(cache->cells) : gibOf(which == "k" ? cache->k : cache->v);
}

} // namespace

class TestServing : public QObject {
    Q_OBJECT

private slots:
    void cases_data()
    {
        QTest::addColumn<int>("place");
        const std::vector<TableRow> all = rows();
        QVERIFY(all.size() >= 60);
        for (std::size_t i = 0; i < all.size(); ++i)
            QTest::addRow("%s", qPrintable(all[i].at("id"))) << static_cast<int>(i);
    }

    void cases()
    {
        QFETCH(int, place);
        const TableRow row = rows()[static_cast<std::size_t>(place)];
        Scenario scenario = servingScenario(row);
        for (const core::Issue& issue : core::check(scenario))
            QFAIL(core::english(issue.message).c_str());
        const Figures printed = printedFigures(row);
        if (scenario.engine == core::EngineId::Vllm) {
            checkPool(scenario, row, printed);
            if (printed.count("longest") > 0)
                checkLongest(scenario, row, printed.at("longest"));
            if (printed.count("needed") > 0)
                QVERIFY(isPrinted(printed.at("needed"), gibOf(engines::reserve(scenario).pool->needed)));
            return checkBlocks(scenario, printed);
        }
        if (row.at("memory").startsWith("free ")) {
            scenario.hardware.basis = core::MemoryBasis::Typed;
            scenario.hardware.typed = tests::valueOf(core::parseSize(row.at("memory").mid(5).toStdString()));
            scenario.weightBytes = Bytes();
            for (const char* flag : {"runtime-context", "activation-memory"})
                scenario.settings.set(flag, "0");
        }
        const engines::Reservation reservation = engines::reserve(scenario);
        for (const auto& [name, value] : printed) {
            const double predicted = figureOf(reservation, name);
            const bool exact = value == std::floor(value) && value > 1'000;
            QVERIFY2(exact ? predicted == value : isPrinted(value, predicted),
                     qPrintable(QStringLiteral("%1 is %2").arg(name).arg(predicted, 0, 'f', 4)));
        }
    }

    /// total · utilization − weights − rest = what is left for the cache.
    void budgets_data() { cases_data(); }
    void budgets()
    {
        QFETCH(int, place);
        const TableRow row = rows()[static_cast<std::size_t>(place)];
        const QStringList terms = row.at("budget").split(' ', Qt::SkipEmptyParts);
        if (terms.size() != 6)
            return;
        Scenario scenario = servingScenario(row);
        scenario.hardware.basis = core::MemoryBasis::Typed;
        const auto size = [&](int term) { return (terms[term] + "GiB").toStdString(); };
        scenario.hardware.typed = tests::valueOf(core::parseSize(size(0)));
        scenario.settings.set("gpu-memory-utilization", terms[1].toStdString());
        scenario.hardware.parallel = {}; // the terms are those of one rank
        scenario.hardware.count = 1;
        scenario.weightBytes = tests::valueOf(core::parseSize(size(2)));
        scenario.settings.set("runtime-context", size(3));
        scenario.settings.set("activation-memory", size(4));
        for (const char* flag : {"communication-buffer", "graph-memory"})
            scenario.settings.set(flag, "0");
        for (const core::Issue& issue : core::check(scenario))
            QFAIL(core::english(issue.message).c_str());
        const double left = gibOf(engines::reserve(scenario).pool->memory.value());
        QVERIFY2(std::abs(left - terms[5].toDouble()) <= 0.02, qPrintable(QString::number(left)));
    }

    /// What we predict is what we read: the log of each case explains itself, and whose it is is seen.
    void ownLines_data() { cases_data(); }
    void ownLines()
    {
        QFETCH(int, place);
        const TableRow row = rows()[static_cast<std::size_t>(place)];
        Scenario scenario = servingScenario(row);
        scenario.cacheMemory = core::gib(40);
        const engines::Description description = tests::described(scenario);
        QVERIFY(!description.command.empty());
        QVERIFY(!description.log.empty());
        std::string text;
        for (const std::string& line : description.log)
            text += "\x1B[32mINFO 01-02 03:04:05 [x.py:7]\x1B[0m " + line + "\r\n";
        const engines::EngineLog log = engines::readLog(text);
        QCOMPARE(log.engine, scenario.engine);
        QVERIFY2(log.unknown.empty(), log.unknown.empty() ? "" : log.unknown.front().text.c_str());
        const auto comparison = tests::compared(scenario, log);
        QVERIFY(!comparison.empty());
        for (const engines::LogComparison& figure : comparison)
            QVERIFY2(figure.agrees,
                     (figure.figure + ": " + figure.printed + ", predicted " + figure.predicted).c_str());
    }

    /// What is in use and each cause of waste add up to what is needed, on the device that needs most.
    void sums_data() { cases_data(); }
    void sums()
    {
        QFETCH(int, place);
        const TableRow row = rows()[static_cast<std::size_t>(place)];
        for (const std::int64_t batch : {1, 3}) {
            Scenario scenario = servingScenario(row);
            scenario.workload.batch = batch;
            const engines::Reservation reservation = engines::reserve(scenario);
            Bytes most;
            Bytes used;
            for (const engines::DeviceShare& share : reservation.shares()) {
                for (const Bytes bytes : share.waste.byCause)
                    QVERIFY(bytes >= Bytes());
                most = std::max(most, share.cache() - share.waste.of(core::WasteCause::SpareSlots));
                used += share.used;
            }
            QCOMPARE(most, reservation.pool->needed);
            QVERIFY(used <= core::evaluate(scenario).kv.total);
        }
    }
};

ROOM_TEST(TestServing, void)
#include "test_serving.moc"
