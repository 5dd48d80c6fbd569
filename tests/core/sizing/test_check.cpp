// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sizing/evaluate.h"
#include "tests/core/catalogue.h"
#include "tests/room.h"

#include <QTest>

#include <cstdint>
#include <functional>
#include <span>
#include <string>

using core::Bytes;
using core::EngineId;
using core::Percent;
using core::Scenario;

namespace {

Scenario good()
{
    return tests::on(tests::scenarioOf("llama-3.1-8b"), "rtx-4090");
}

/// The fields with an issue, in their order: "context waste".
QString fields(const Scenario& scenario)
{
    QStringList names;
    for (const core::Issue& issue : core::check(scenario))
        names << QString::fromUtf8(core::id(issue.field).data());
    return names.join(QLatin1Char(' '));
}

struct Row {
    const char* name;
    std::function<void(Scenario&)> change;
    const char* fields;
};

const Row kBoundaries[] = {
    {"context 1", [](Scenario& s) { s.workload.context = 1; }, ""},
    {"context 0", [](Scenario& s) { s.workload.context = 0; }, "context"},
    {"context below 0", [](Scenario& s) { s.workload.context = -8'192; }, "context"},
    {"context 16,777,216", [](Scenario& s) { s.workload.context = 16'777'216; }, ""},
    {"context 16,777,217", [](Scenario& s) { s.workload.context = 16'777'217; }, "context"},
    {"batch 1", [](Scenario& s) { s.workload.batch = 1; }, ""},
    {"batch 0", [](Scenario& s) { s.workload.batch = 0; }, "batch"},
    {"batch 65,536", [](Scenario& s) { s.workload.batch = 65'536; }, ""},
    {"batch 65,537", [](Scenario& s) { s.workload.batch = 65'537; }, "batch"},
    {"encoder tokens 0", [](Scenario& s) { s.workload.encoderTokens = 0; }, ""},
    {"encoder tokens below 0", [](Scenario& s) { s.workload.encoderTokens = -1; }, "encoder-tokens"},
    {"encoder tokens 16,777,216", [](Scenario& s) { s.workload.encoderTokens = 16'777'216; }, ""},
    {"encoder tokens 16,777,217", [](Scenario& s) { s.workload.encoderTokens = 16'777'217; }, "encoder-tokens"},
    {"maximum = context", [](Scenario& s) { s.workload.maxContext = 8'192; }, ""},
    {"maximum below context", [](Scenario& s) { s.workload.maxContext = 8'191; }, "max-context"},
    {"maximum 16,777,216", [](Scenario& s) { s.workload.maxContext = 16'777'216; }, ""},
    {"maximum 16,777,217", [](Scenario& s) { s.workload.maxContext = 16'777'217; }, "max-context"},
    {"waste 95 %", [](Scenario& s) { s.waste = Percent::whole(95); }, ""},
    {"waste 95.01 %", [](Scenario& s) { s.waste = Percent{9'501}; }, "waste"},
    {"waste below 0", [](Scenario& s) { s.waste = Percent{-1}; }, "waste"},
    {"reserve 99.99 %", [](Scenario& s) { s.reserve = Percent{9'999}; }, ""},
    {"reserve 100 %", [](Scenario& s) { s.reserve = Percent::whole(100); }, "reserve"},
    {"reserve below 0", [](Scenario& s) { s.reserve = Percent{-1}; }, "reserve"},
    {"overhead below 0", [](Scenario& s) { s.overhead = Bytes(-1); }, "overhead"},
    {"weights of 0 bytes", [](Scenario& s) { s.weightBytes = Bytes(); }, ""},
    {"weights below 0", [](Scenario& s) { s.weightBytes = Bytes(-1); }, "weights-bytes"},
    {"block of 1", [](Scenario& s) { s.blockTokens = 1; }, ""},
    {"block of 0", [](Scenario& s) { s.blockTokens = 0; }, "block-size"},
    {"block of 65,536", [](Scenario& s) { s.blockTokens = 65'536; }, ""},
    {"block of 65,537", [](Scenario& s) { s.blockTokens = 65'537; }, "block-size"},
    {"1 GPU", [](Scenario& s) { s.hardware.count = 1; }, ""},
    {"0 GPUs", [](Scenario& s) { s.hardware.count = 0; }, "gpus"},
    {"65,536 GPUs", [](Scenario& s) { s.hardware.count = 65'536; }, ""},
    {"65,537 GPUs", [](Scenario& s) { s.hardware.count = 65'537; }, "gpus"},
    {"no GPU", [](Scenario& s) { s.hardware = {}; }, ""},
    {"1 byte of memory", [](Scenario& s) { s.hardware.typed = Bytes(1); }, ""},
    {"0 bytes of memory", [](Scenario& s) { s.hardware.typed = Bytes(); }, "vram"},
    {"memory to be typed", [](Scenario& s) { s.hardware.basis = core::MemoryBasis::Typed; }, "vram"},
    {"no model", [](Scenario& s) { s.model = {}; }, "model"},
};

const Row kTogether[] = {
    {"a share of waste in blocks",
     [](Scenario& s) {
         s.engine = EngineId::Paged;
         s.waste = Percent::whole(20);
     },
     "waste"},
    {"a share of waste to the maximum",
     [](Scenario& s) {
         s.engine = EngineId::Contiguous;
         s.waste = Percent{1};
     },
     "waste"},
    {"no waste in blocks", [](Scenario& s) { s.engine = EngineId::Paged; }, ""},
    {"everything at once",
     [](Scenario& s) {
         s.model = {};
         s.workload = {.context = 0, .maxContext = -1, .batch = 0, .encoderTokens = -1};
         s.waste = Percent::whole(96);
         s.reserve = Percent::whole(100);
         s.overhead = Bytes(-1);
         s.weightBytes = Bytes(-1);
         s.blockTokens = 0;
         s.hardware.count = 0;
         s.hardware.typed = Bytes(-1);
     },
     "model context batch encoder-tokens waste max-context max-context block-size weights-bytes gpus vram reserve "
     "overhead"},
};

/// What goes beyond 2^63 - 2 bytes.
const Row kTooMuch[] = {
    // 262,144 = 2^18 bytes per token in FP32 · 2^24 tokens · 2^16 requests = 2^58; 32 times as many heads: 2^63
    {"2^63 bytes of cache",
     [](Scenario& s) {
         s.kFormat = s.vFormat = core::KvFormat::Fp32;
         s.model.groups.front().kvHeads = 8 * 32;
         s.workload.context = core::kMaxContext;
         s.workload.batch = core::kMaxBatch;
     },
     "context"},
    {"2^64 bytes of cache, which would wrap to 0",
     [](Scenario& s) {
         s.kFormat = s.vFormat = core::KvFormat::Fp32;
         s.model.groups.front().kvHeads = 8 * 64;
         s.model.weights = {};
         s.hardware = {};
         s.workload.context = core::kMaxContext;
         s.workload.batch = core::kMaxBatch;
     },
     "context"},
    // 2^61 bytes of cache in FP16, 20 times as much reserved
    {"waste of 95 %",
     [](Scenario& s) {
         s.workload.context = core::kMaxContext;
         s.workload.batch = core::kMaxBatch;
         s.model.groups.front().kvHeads = 8 * 16;
         s.waste = Percent::whole(95);
     },
     "context"},
    {"overhead of 65,536 devices",
     [](Scenario& s) {
         s.overhead = Bytes(std::int64_t{1} << 48);
         s.hardware.count = core::kMaxGpus;
     },
     "context"},
    {"weights", [](Scenario& s) { s.weightBytes = Bytes::tooMany(); }, "context"},
    {"memory of all devices", [](Scenario& s) { s = tests::onTyped(s, Bytes(std::int64_t{1} << 48), core::kMaxGpus); },
     "vram"},
};

void addRows(std::span<const Row> rows)
{
    QTest::addColumn<int>("row");
    for (std::size_t i = 0; i < rows.size(); ++i)
        QTest::newRow(rows[i].name) << static_cast<int>(i);
}

/// The row's issues are those expected, and `assess` evaluates exactly when there are none.
void compareFields(std::span<const Row> rows)
{
    QFETCH(const int, row);
    const Row& expected = rows[static_cast<std::size_t>(row)];
    Scenario scenario = good();
    expected.change(scenario);
    QCOMPARE(fields(scenario), QString::fromLatin1(expected.fields));
    const core::Evaluation evaluation = core::assess(scenario);
    QCOMPARE(evaluation.issues, core::check(scenario));
    QCOMPARE(evaluation.footprint == core::Footprint{}, !evaluation.issues.empty());
}

} // namespace

class TestCheck : public QObject {
    Q_OBJECT

private slots:
    void boundaries_data() { addRows(kBoundaries); }
    void boundaries() { compareFields(kBoundaries); }

    void together_data() { addRows(kTogether); }
    void together() { compareFields(kTogether); }

    void neverWrapped_data() { addRows(kTooMuch); }
    void neverWrapped() { compareFields(kTooMuch); }

    void inRangeNothingWraps()
    {
        // All inputs at their largest with the largest model: still a positive number.
        Scenario scenario = tests::with(tests::scenarioOf("llama-3.1-405b"), core::kMaxContext, core::kMaxBatch);
        scenario.kFormat = scenario.vFormat = core::KvFormat::Fp32;
        // 2 · 126 · 8 · 128 · 4 bytes per token
        QCOMPARE(tests::footprintOf(scenario).kv.total, Bytes(1'032'192) * core::kMaxContext * core::kMaxBatch);
    }

    void sentences()
    {
        Scenario scenario = good();
        scenario.workload.context = 16'777'217;
        scenario.workload.batch = 0;
        const std::vector<core::Issue> issues = core::check(scenario);
        QCOMPARE(issues.size(), std::size_t{2});
        QCOMPARE(core::english(issues[0].message), std::string("Context is 16,777,217 tokens; use 1 to 16,777,216."));
        QCOMPARE(core::english(issues[1].message), std::string("Batch is 0 requests; use 1 to 65,536."));
        scenario = good();
        scenario.waste = Percent{9'650};
        QCOMPARE(core::english(core::check(scenario).front().message),
                 std::string("Waste is 96.5 % of the reserved cache; use 0 to 95 %."));
    }
};

ROOM_TEST(TestCheck, void)
#include "test_check.moc"
