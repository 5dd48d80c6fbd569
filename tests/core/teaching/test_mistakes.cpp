// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/teaching/mistakes.h"
#include "tests/core/catalogue.h"
#include "tests/room.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

namespace {

using core::Asked;
using core::MistakeUse;
using core::Scenario;
using core::Task;

constexpr double kGib = 1073741824;

/// What a mistake makes of a task, as a multiple of the right number.
struct Row {
    const char* mistake;
    Asked asked;
    double factor; ///< 0: no occasion for it
    std::int64_t number = 0;
};

/// Of 4 requests of 8,192 tokens to Llama 3.1 8B (32 layers, 32 query heads, 8 KV heads of 128), FP16.
constexpr Row kOfLlama[] = {
    {"query-heads", Asked::Cache, 4},
    {"keys-only", Asked::Cache, 0.5},
    {"head-count-for-dim", Asked::Cache, 0.25},
    {"bits", Asked::Cache, 8},
    {"one-layer", Asked::Cache, 1.0 / 32},
    {"other-layers", Asked::Cache, 2.5, 80},
    {"one-byte", Asked::Cache, 0.5},
    {"two-bytes", Asked::Cache, 0},
    {"four-bytes", Asked::Cache, 2},
    {"no-scales", Asked::Cache, 0},
    {"sixteenth", Asked::Cache, 1.0 / 16},
    {"thousands", Asked::Cache, 8000.0 / 8192},
    {"one-request", Asked::Cache, 0.25},
    {"one-request", Asked::RequestCache, 0},
    {"every-layer", Asked::Cache, 0},
    {"window-ignored", Asked::Cache, 0},
    {"window-layers-forgotten", Asked::Cache, 0},
    {"states-forgotten", Asked::Cache, 0},
    {"state-per-token", Asked::Cache, 0},
    {"latent-twice", Asked::Cache, 0},
    {"rotary-forgotten", Asked::Cache, 0},
    {"latent-as-heads", Asked::Cache, 0, 40960},
    {"times", Asked::Cache, 8, 8},
    {"weights-one-byte", Asked::Weights, 0.5},
    {"weights-two-bytes", Asked::Weights, 0},
    {"weights-four-bytes", Asked::Weights, 2},
    {"active-only", Asked::Weights, 0},
    {"no-waste", Asked::Reserved, 0},
    {"mark-up", Asked::Reserved, 0},
    {"taken-off", Asked::Reserved, 0},
    {"whole-block", Asked::Waste, 0},
    {"one-gpu", Asked::Cache, 0},
    {"reserve-forgotten", Asked::Total, 0},
    {"overhead-forgotten", Asked::Total, 0},
    {"label-memory", Asked::MaxBatch, 0},
    {"width-over-kv-heads", Asked::HeadDim, 4},
    {"width-over-layers", Asked::HeadDim, 0}, // as many as heads
    {"width-over-heads", Asked::HeadDim, 0.625, 2560},
    {"kv-heads", Asked::Sharing, 2},
    {"query-head-count", Asked::Sharing, 8},
    {"upside-down", Asked::Sharing, 1.0 / 16},
    {"other-model", Asked::Sharing, 1.25, 5},
};

Task task(Asked asked, Scenario scenario)
{
    return {asked, std::move(scenario), {}};
}

double wrong(const Task& task, const char* id, std::int64_t number = 0)
{
    return core::wrongAnswer(task, {core::mistake(id), number, false}).value_or(0);
}

/// The row's mistake on `scenario`, as a multiple of the right number.
double factor(const Row& row, const Scenario& scenario)
{
    const Task asked = task(row.asked, scenario);
    const double right = core::solve(asked).value_or(0);
    const double answer = wrong(asked, row.mistake, row.number);
    return right > 0 ? answer / right : 0;
}

/// The scenario in vLLM on so many GPUs.
Scenario onEngine(Scenario scenario, std::int64_t gpus)
{
    scenario.engine = core::EngineId::Vllm;
    scenario.hardware.count = gpus;
    return scenario;
}

Scenario llama()
{
    return tests::with(tests::scenarioOf("llama-3.1-8b"), 8192, 4);
}

} // namespace

class TestMistakes : public QObject {
    Q_OBJECT

private slots:
    void changesOneInput_data()
    {
        QTest::addColumn<int>("row");
        for (int i = 0; i < static_cast<int>(std::size(kOfLlama)); ++i)
            QTest::addRow("%s, %s", kOfLlama[i].mistake, core::id(kOfLlama[i].asked).data()) << i;
    }
    void changesOneInput()
    {
        QFETCH(const int, row);
        QVERIFY(core::mistake(kOfLlama[row].mistake) != nullptr);
        QCOMPARE(factor(kOfLlama[row], llama()), kOfLlama[row].factor);
    }

    /// GLM-4 9B (2 KV heads, 32 query heads) on 8 GPUs that divide the heads: each keeps one, four keep the same.
    void headsAreMistakenOnManyGpus()
    {
        Scenario scenario = onEngine(tests::with(tests::scenarioOf("glm-4-9b"), 32'768, 1), 8);
        const Task device = task(Asked::DeviceCache, scenario);
        const double one = 40 * 2 * 128 * 2 * 32'768.0;
        QCOMPARE(*core::solve(device), one);
        QCOMPARE(wrong(device, "heads-cut"), one / 4);
        QCOMPARE(wrong(device, "heads-undivided"), 2 * one);
        QCOMPARE(wrong(device, "all-gpus"), 8 * one);
        QCOMPARE(wrong(device, "query-heads"), 4 * one);
        const Task all = task(Asked::Reserved, scenario);
        QCOMPARE(*core::solve(all), 8 * one);
        QCOMPARE(wrong(all, "one-of-gpus"), one);
        QCOMPARE(wrong(all, "no-copies"), 2 * one);
        scenario.hardware.count = 2; // as many as heads: nothing is copied, and each keeps the half
        QCOMPARE(*core::solve(task(Asked::DeviceCache, scenario)), one);
        QCOMPARE(wrong(task(Asked::Reserved, scenario), "no-copies"), 0.0);
        QCOMPARE(wrong(task(Asked::DeviceCache, scenario), "heads-cut"), 0.0);
        scenario.hardware.count = 1;
        for (const char* mistake : {"heads-undivided", "all-gpus", "one-of-gpus", "one-large-gpu", "weights-on-each"})
            QCOMPARE(wrong(task(Asked::DeviceCache, scenario), mistake), 0.0);
    }

    void poolsAreMistaken()
    {
        Scenario scenario = tests::onTyped(onEngine(llama(), 1), core::gib(24), 1);
        scenario.weightBytes = core::gib(10);
        scenario.engineVersion = "0.24"; // which takes off recorded graphs too
        scenario.settings.set("gpu-memory-utilization", "0.5");
        scenario.settings.set("runtime-context", "0.5GiB");
        scenario.settings.set("activation-memory", "0.25GiB");
        scenario.settings.set("graph-memory", "0.25GiB");
        const Task pool = task(Asked::Pool, scenario);
        QCOMPARE(*core::solve(pool), kGib);
        QCOMPARE(wrong(pool, "whole-card"), 13 * kGib);
        QCOMPARE(wrong(pool, "share-of-rest"), 6 * kGib);
        QCOMPARE(wrong(pool, "computing-forgotten"), 1.25 * kGib);
        QCOMPARE(wrong(pool, "own-work-forgotten"), 2 * kGib);
        QCOMPARE(wrong(pool, "weights-forgotten"), 11 * kGib);
        scenario.weightBytes = core::gib(12);
        scenario.hardware.count = 2;
        scenario.settings.set("communication-buffer", "1GiB");
        const Task each = task(Asked::Pool, scenario);
        QCOMPARE(*core::solve(each), 4 * kGib);
        QCOMPARE(wrong(each, "all-gpus"), 8 * kGib);
        QCOMPARE(wrong(each, "own-work-forgotten"), 6 * kGib);
        scenario.weightBytes = core::gib(8);
        QCOMPARE(wrong(task(Asked::Pool, scenario), "weights-on-each"), 2 * kGib);
        scenario.settings.set("communication-buffer", "0GiB");
        QCOMPARE(wrong(task(Asked::Pool, scenario), "one-large-gpu"), 15 * kGib);
        QCOMPARE(core::solve(task(Asked::Pool, llama())), std::nullopt); // no engine, no pool
        QCOMPARE(core::solve(task(Asked::Blocks, llama())), std::nullopt);
    }

    void blocksAreMistaken()
    {
        Scenario scenario = onEngine(llama(), 1); // 128 KiB for each token
        scenario.cacheMemory = core::Bytes(core::gib(2).count() + 1'500'000);
        const Task blocks = task(Asked::Blocks, scenario);
        QCOMPARE(*core::solve(blocks), 1'024.0);
        QCOMPARE(wrong(blocks, "rounded-up"), 1'025.0);
        QCOMPARE(wrong(blocks, "token-for-block"), 16'395.0); // 11 tokens more
        QCOMPARE(wrong(blocks, "blocks-as-tokens"), 16'384.0);
        scenario.engine = core::EngineId::TensorRtLlm; // which rounds up itself
        const Task others = task(Asked::Blocks, scenario);
        QCOMPARE(wrong(others, "rounded-up"), 0.0);
        QVERIFY(*core::solve(others) * 32 * 131'072 > static_cast<double>(scenario.cacheMemory->count()));
    }

    void weightsAreMistakenByRequests()
    {
        const Task total = task(Asked::Total, tests::with(llama(), 8192, 16));
        const double weights = 16060522496;
        QCOMPARE(*core::solve(total), weights + 16 * kGib);
        QCOMPARE(wrong(total, "weights-each"), 16 * weights + 16 * kGib);
        QCOMPARE(wrong(total, "weights-forgotten"), 16 * kGib);
        QCOMPARE(wrong(total, "cache-forgotten"), weights);
        QCOMPARE(wrong(task(Asked::Total, tests::with(llama(), 8192, 1)), "weights-each"), 0.0);
    }

    void memoryIsMistakenByUnits()
    {
        Scenario scenario = tests::onTyped(llama(), core::gib(24), 2);
        scenario.weightBytes = core::Bytes();
        scenario.workload.context = 8192;
        const Task batch = task(Asked::MaxBatch, scenario);
        QCOMPARE(*core::solve(batch), 48.0);
        QCOMPARE(wrong(batch, "decimal-memory"), 44.0);
        QCOMPARE(wrong(batch, "one-gpu"), 24.0);
        QCOMPARE(wrong(batch, "rounded-up"), 49.0);
        scenario.hardware.typed = core::Bytes(80'000'000'000);
        scenario.hardware.count = 1;
        QCOMPARE(wrong(task(Asked::MaxBatch, scenario), "binary-memory"), 80.0);
    }

    void wasteIsAShareOfReserved()
    {
        Scenario scenario = tests::with(llama(), 8192, 16);
        scenario.waste = core::Percent::whole(20);
        const Task reserved = task(Asked::Reserved, scenario);
        QCOMPARE(*core::solve(reserved), 20 * kGib);
        QCOMPARE(wrong(reserved, "mark-up"), 16 * 1.2 * kGib);
        QCOMPARE(wrong(reserved, "taken-off"), 16 * 0.8 * kGib);
        QCOMPARE(wrong(reserved, "no-waste"), 16 * kGib);
        const Task share = task(Asked::WasteShare, scenario);
        QCOMPARE(wrong(share, "share-of-used"), 25.0);
        QCOMPARE(wrong(share, "used-share"), 80.0);
    }

    void otherLawsHaveTheirOwnMistakes()
    {
        const auto times = [](const char* model, const char* mistake, std::int64_t context = 8192) {
            return factor({mistake, Asked::RequestCache, 0}, tests::with(tests::scenarioOf(model), context, 1));
        };
        QCOMPARE(times("deepseek-v3", "latent-twice"), 2.0);
        QCOMPARE(times("deepseek-v3", "rotary-forgotten"), 512.0 / 576);
        QCOMPARE(times("deepseek-v3", "keys-only"), 0.0);
        QCOMPARE(times("mistral-7b-v0.1", "window-ignored", 32768), 8.0);
        QVERIFY(times("qwen3.5-27b", "every-layer") > 3);
        QVERIFY(times("qwen3.5-27b", "states-forgotten") < 1);
        QVERIFY(times("qwen3.5-27b", "state-per-token") > 100);
        Scenario quantised = llama();
        quantised.kFormat = core::KvFormat::Q8_0;
        quantised.vFormat = core::KvFormat::Q8_0;
        QCOMPARE(factor({"no-scales", Asked::Cache, 0}, quantised), 32.0 / 34);
        quantised.kFormat = core::KvFormat::Q4_0;
        quantised.vFormat = core::KvFormat::Q4_0;
        QCOMPARE(factor({"no-scales", Asked::Cache, 0}, quantised), 16.0 / 18);
    }

    void mixturesKeepAllExperts()
    {
        const Task weights = task(Asked::Weights, tests::scenarioOf("mixtral-8x7b"));
        QCOMPARE(wrong(weights, "active-only", 12'879'925'248), 2.0 * 12'879'925'248);
    }

    void growthIsMistakenForWork()
    {
        Task factor = task(Asked::Factor, tests::with(llama(), 16384, 1));
        factor.compared = tests::with(llama(), 8192, 1);
        QCOMPARE(*core::solve(factor), 2.0);
        QCOMPARE(wrong(factor, "attention-work"), 4.0);
        QCOMPARE(wrong(factor, "nothing-grows"), 1.0);
        QCOMPARE(wrong(factor, "upside-down"), 0.5);
        factor.compared.reset();
        QCOMPARE(core::solve(factor), std::nullopt);
    }

    void crossingsAreMissedByADoubling()
    {
        const Task crossing = task(Asked::Crossover, tests::with(llama(), 8192, 1));
        QCOMPARE(wrong(crossing, "next-doubling"), 131072.0);
        QCOMPARE(wrong(crossing, "next-doubling-in-thousands"), 128000.0);
        QCOMPARE(wrong(crossing, "decimal-weights"), 114441.0);
    }

    void everyMistakeIsWellFormed()
    {
        std::set<std::string_view> ids;
        for (const core::Mistake& mistake : core::mistakes()) {
            QVERIFY2(ids.insert(mistake.id).second, mistake.id.data());
            QVERIFY2((mistake.change == nullptr) != (mistake.turn == nullptr), mistake.id.data());
            const std::string text =
                core::english(core::diagnosisOf(task(Asked::Cache, llama()), {&mistake, 7, false}));
            QVERIFY2(text.size() > 30 && text.back() == '.', text.c_str());
            QVERIFY2(text.find('{') == std::string::npos, text.c_str());
            QVERIFY2(std::ranges::count(text, '.') + std::ranges::count(text, ':') <= 5, text.c_str());
        }
        QCOMPARE(core::mistake("no such mistake"), nullptr);
    }

    void usualMistakesExist()
    {
        for (std::size_t i = 0; i < core::askedIds().size(); ++i) {
            const Asked asked = *core::asked(core::askedIds()[i]);
            QCOMPARE(core::id(asked), core::askedIds()[i]);
            for (const MistakeUse& use : core::usualMistakes(asked)) {
                QVERIFY(use.mistake != nullptr);
                QVERIFY(!use.mistake->needsNumber);
            }
        }
        QCOMPARE(core::asked("cash"), std::nullopt);
    }

    /// No mistake crashes on any law, quantity or format, and none is taken for a number below 0.
    void everyMistakeBearsEveryModel()
    {
        for (const core::Model& model : tests::models()) {
            Scenario scenario = tests::onTyped(tests::with(core::scenarioOf(model), 4096, 3), core::gib(80), 2);
            scenario.waste = core::Percent::whole(20);
            scenario.reserve = core::Percent::whole(10);
            for (const Asked asked : {Asked::Cache, Asked::PerToken, Asked::Total, Asked::HeadDim, Asked::Gpus})
                tryAllMistakes(task(asked, scenario));
        }
    }

    /// Nor on what engines set aside.
    void everyMistakeBearsEveryEngine()
    {
        constexpr std::array kEngines{core::EngineId::Vllm, core::EngineId::Sglang, core::EngineId::TensorRtLlm,
                                      core::EngineId::LlamaCpp};
        std::size_t turn = 0; // each model with one of them
        for (const core::Model& model : tests::models()) {
            Scenario scenario = tests::onTyped(tests::with(core::scenarioOf(model), 4096, 3), core::gib(80), 8);
            scenario.engine = kEngines.at(turn++ % kEngines.size());
            for (const Asked asked : {Asked::Pool, Asked::Blocks, Asked::DeviceCache})
                tryAllMistakes(task(asked, scenario));
        }
    }

private:
    static void tryAllMistakes(const Task& task)
    {
        for (const core::Mistake& mistake : core::mistakes()) {
            const auto answer = core::wrongAnswer(task, {&mistake, 32, false});
            QVERIFY2(!answer || std::isfinite(*answer), mistake.id.data());
        }
    }
};

ROOM_TEST(TestMistakes, void)
#include "test_mistakes.moc"
