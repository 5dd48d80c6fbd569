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

using core::AskedQuantity;
using core::MistakeUse;
using core::Scenario;
using core::Task;

constexpr double kGib = 1073741824;

/// What a mistake makes of a task, as a multiple of the right number.
struct Row {
    const char* mistake;
    AskedQuantity quantity;
    double factor; ///< 0: no occasion for it
    std::int64_t number = 0;
};

/// Of 4 requests of 8,192 tokens to Llama 3.1 8B (32 layers, 32 query heads, 8 KV heads of 128), FP16.
constexpr Row kOfLlama[] = {
    {"query-heads", AskedQuantity::Cache, 4},
    {"keys-only", AskedQuantity::Cache, 0.5},
    {"head-count-for-dim", AskedQuantity::Cache, 0.25},
    {"bits", AskedQuantity::Cache, 8},
    {"one-layer", AskedQuantity::Cache, 1.0 / 32},
    {"other-layers", AskedQuantity::Cache, 2.5, 80},
    {"one-byte", AskedQuantity::Cache, 0.5},
    {"two-bytes", AskedQuantity::Cache, 0},
    {"four-bytes", AskedQuantity::Cache, 2},
    {"no-scales", AskedQuantity::Cache, 0},
    {"sixteenth", AskedQuantity::Cache, 1.0 / 16},
    {"thousands", AskedQuantity::Cache, 8000.0 / 8192},
    {"one-request", AskedQuantity::Cache, 0.25},
    {"one-request", AskedQuantity::RequestCache, 0},
    {"every-layer", AskedQuantity::Cache, 0},
    {"window-ignored", AskedQuantity::Cache, 0},
    {"window-layers-forgotten", AskedQuantity::Cache, 0},
    {"states-forgotten", AskedQuantity::Cache, 0},
    {"state-per-token", AskedQuantity::Cache, 0},
    {"latent-twice", AskedQuantity::Cache, 0},
    {"rotary-forgotten", AskedQuantity::Cache, 0},
    {"latent-as-heads", AskedQuantity::Cache, 0, 40960},
    {"times", AskedQuantity::Cache, 8, 8},
    {"weights-one-byte", AskedQuantity::Weights, 0.5},
    {"weights-two-bytes", AskedQuantity::Weights, 0},
    {"weights-four-bytes", AskedQuantity::Weights, 2},
    {"active-only", AskedQuantity::Weights, 0},
    {"no-waste", AskedQuantity::Reserved, 0},
    {"mark-up", AskedQuantity::Reserved, 0},
    {"taken-off", AskedQuantity::Reserved, 0},
    {"whole-block", AskedQuantity::Waste, 0},
    {"one-gpu", AskedQuantity::Cache, 0},
    {"reserve-forgotten", AskedQuantity::Total, 0},
    {"overhead-forgotten", AskedQuantity::Total, 0},
    {"label-memory", AskedQuantity::MaxBatch, 0},
    {"width-over-kv-heads", AskedQuantity::HeadDim, 4},
    {"width-over-layers", AskedQuantity::HeadDim, 0}, // as many as heads
    {"width-over-heads", AskedQuantity::HeadDim, 0.625, 2560},
    {"kv-heads", AskedQuantity::Sharing, 2},
    {"query-head-count", AskedQuantity::Sharing, 8},
    {"upside-down", AskedQuantity::Sharing, 1.0 / 16},
    {"other-model", AskedQuantity::Sharing, 1.25, 5},
};

Task task(AskedQuantity quantity, Scenario scenario)
{
    return {quantity, std::move(scenario), {}};
}

double wrong(const Task& task, const char* id, std::int64_t number = 0)
{
    return core::wrongAnswer(task, {core::mistake(id), number, false}).value_or(0);
}

/// The row's mistake on `scenario`, as a multiple of the right number.
double factor(const Row& row, const Scenario& scenario)
{
    const Task asked = task(row.quantity, scenario);
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
            QTest::addRow("%s, %s", kOfLlama[i].mistake, core::id(kOfLlama[i].quantity).data()) << i;
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
        const Task device = task(AskedQuantity::DeviceCache, scenario);
        const double one = 40 * 2 * 128 * 2 * 32'768.0;
        QCOMPARE(*core::solve(device), one);
        QCOMPARE(wrong(device, "heads-cut"), one / 4);
        QCOMPARE(wrong(device, "heads-undivided"), 2 * one);
        QCOMPARE(wrong(device, "all-gpus"), 8 * one);
        QCOMPARE(wrong(device, "query-heads"), 4 * one);
        const Task all = task(AskedQuantity::Reserved, scenario);
        QCOMPARE(*core::solve(all), 8 * one);
        QCOMPARE(wrong(all, "one-of-gpus"), one);
        QCOMPARE(wrong(all, "no-copies"), 2 * one);
        scenario.hardware.count = 2; // as many as heads: nothing is copied, and each keeps the half
        QCOMPARE(*core::solve(task(AskedQuantity::DeviceCache, scenario)), one);
        QCOMPARE(wrong(task(AskedQuantity::Reserved, scenario), "no-copies"), 0.0);
        QCOMPARE(wrong(task(AskedQuantity::DeviceCache, scenario), "heads-cut"), 0.0);
        scenario.hardware.count = 1;
        for (const char* mistake : {"heads-undivided", "all-gpus", "one-of-gpus", "one-large-gpu", "weights-on-each"})
            QCOMPARE(wrong(task(AskedQuantity::DeviceCache, scenario), mistake), 0.0);
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
        const Task pool = task(AskedQuantity::Pool, scenario);
        QCOMPARE(*core::solve(pool), kGib);
        QCOMPARE(wrong(pool, "whole-card"), 13 * kGib);
        QCOMPARE(wrong(pool, "share-of-rest"), 6 * kGib);
        QCOMPARE(wrong(pool, "computing-forgotten"), 1.25 * kGib);
        QCOMPARE(wrong(pool, "own-work-forgotten"), 2 * kGib);
        QCOMPARE(wrong(pool, "weights-forgotten"), 11 * kGib);
        scenario.weightBytes = core::gib(12);
        scenario.hardware.count = 2;
        scenario.settings.set("communication-buffer", "1GiB");
        const Task each = task(AskedQuantity::Pool, scenario);
        QCOMPARE(*core::solve(each), 4 * kGib);
        QCOMPARE(wrong(each, "all-gpus"), 8 * kGib);
        QCOMPARE(wrong(each, "own-work-forgotten"), 6 * kGib);
        scenario.weightBytes = core::gib(8);
        QCOMPARE(wrong(task(AskedQuantity::Pool, scenario), "weights-on-each"), 2 * kGib);
        scenario.settings.set("communication-buffer", "0GiB");
        QCOMPARE(wrong(task(AskedQuantity::Pool, scenario), "one-large-gpu"), 15 * kGib);
        QCOMPARE(core::solve(task(AskedQuantity::Pool, llama())), std::nullopt); // no engine, no pool
        QCOMPARE(core::solve(task(AskedQuantity::Blocks, llama())), std::nullopt);
    }

    void blocksAreMistaken()
    {
        Scenario scenario = onEngine(llama(), 1); // 128 KiB for each token
        scenario.cacheMemory = core::Bytes(core::gib(2).count() + 1'500'000);
        const Task blocks = task(AskedQuantity::Blocks, scenario);
        QCOMPARE(*core::solve(blocks), 1'024.0);
        QCOMPARE(wrong(blocks, "rounded-up"), 1'025.0);
        QCOMPARE(wrong(blocks, "token-for-block"), 16'395.0); // 11 tokens more
        QCOMPARE(wrong(blocks, "blocks-as-tokens"), 16'384.0);
        scenario.engine = core::EngineId::TensorRtLlm; // which rounds up itself
        const Task others = task(AskedQuantity::Blocks, scenario);
        QCOMPARE(wrong(others, "rounded-up"), 0.0);
        QVERIFY(*core::solve(others) * 32 * 131'072 > static_cast<double>(scenario.cacheMemory->count()));
    }

    void weightsAreMistakenByRequests()
    {
        const Task total = task(AskedQuantity::Total, tests::with(llama(), 8192, 16));
        const double weights = 16060522496;
        QCOMPARE(*core::solve(total), weights + 16 * kGib);
        QCOMPARE(wrong(total, "weights-each"), 16 * weights + 16 * kGib);
        QCOMPARE(wrong(total, "weights-forgotten"), 16 * kGib);
        QCOMPARE(wrong(total, "cache-forgotten"), weights);
        QCOMPARE(wrong(task(AskedQuantity::Total, tests::with(llama(), 8192, 1)), "weights-each"), 0.0);
    }

    void memoryIsMistakenByUnits()
    {
        Scenario scenario = tests::onTyped(llama(), core::gib(24), 2);
        scenario.weightBytes = core::Bytes();
        scenario.workload.context = 8192;
        const Task batch = task(AskedQuantity::MaxBatch, scenario);
        QCOMPARE(*core::solve(batch), 48.0);
        QCOMPARE(wrong(batch, "decimal-memory"), 44.0);
        QCOMPARE(wrong(batch, "one-gpu"), 24.0);
        QCOMPARE(wrong(batch, "rounded-up"), 49.0);
        scenario.hardware.typed = core::Bytes(80'000'000'000);
        scenario.hardware.count = 1;
        QCOMPARE(wrong(task(AskedQuantity::MaxBatch, scenario), "binary-memory"), 80.0);
    }

    void wasteIsAShareOfReserved()
    {
        Scenario scenario = tests::with(llama(), 8192, 16);
        scenario.waste = core::Percent::whole(20);
        const Task reserved = task(AskedQuantity::Reserved, scenario);
        QCOMPARE(*core::solve(reserved), 20 * kGib);
        QCOMPARE(wrong(reserved, "mark-up"), 16 * 1.2 * kGib);
        QCOMPARE(wrong(reserved, "taken-off"), 16 * 0.8 * kGib);
        QCOMPARE(wrong(reserved, "no-waste"), 16 * kGib);
        const Task share = task(AskedQuantity::WasteShare, scenario);
        QCOMPARE(wrong(share, "share-of-used"), 25.0);
        QCOMPARE(wrong(share, "used-share"), 80.0);
    }

    void otherLawsHaveTheirOwnMistakes()
    {
        const auto times = [](const char* model, const char* mistake, std::int64_t context = 8192) {
            return factor({mistake, AskedQuantity::RequestCache, 0}, tests::with(tests::scenarioOf(model), context, 1));
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
        QCOMPARE(factor({"no-scales", AskedQuantity::Cache, 0}, quantised), 32.0 / 34);
        quantised.kFormat = core::KvFormat::Q4_0;
        quantised.vFormat = core::KvFormat::Q4_0;
        QCOMPARE(factor({"no-scales", AskedQuantity::Cache, 0}, quantised), 16.0 / 18);
    }

    void mixturesKeepAllExperts()
    {
        const Task weights = task(AskedQuantity::Weights, tests::scenarioOf("mixtral-8x7b"));
        QCOMPARE(wrong(weights, "active-only", 12'879'925'248), 2.0 * 12'879'925'248);
    }

    void growthIsMistakenForWork()
    {
        Task factor = task(AskedQuantity::Factor, tests::with(llama(), 16384, 1));
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
        const Task crossing = task(AskedQuantity::Crossover, tests::with(llama(), 8192, 1));
        QCOMPARE(wrong(crossing, "next-doubling"), 131072.0);
        QCOMPARE(wrong(crossing, "next-doubling-in-thousands"), 128000.0);
        QCOMPARE(wrong(crossing, "decimal-weights"), 114441.0);
    }

    void everyMistakeIsWellFormed()
    {
        std::set<std::string_view> ids;
        for (const core::Mistake& mistake : core::mistakes()) {
            QVERIFY2(ids.insert(mistake.id).second, mistake.id.data());
            const bool ignoresNumber = std::holds_alternative<core::ChangeScenario>(mistake.effect);
            QVERIFY2(!mistake.needsNumber || !ignoresNumber, mistake.id.data());
            const std::string text =
                core::english(core::diagnosisOf(task(AskedQuantity::Cache, llama()), {&mistake, 7, false}));
            QVERIFY2(text.size() > 30 && text.back() == '.', text.c_str());
            QVERIFY2(text.find('{') == std::string::npos, text.c_str());
            QVERIFY2(std::ranges::count(text, '.') + std::ranges::count(text, ':') <= 5, text.c_str());
        }
        QCOMPARE(core::mistake("no such mistake"), nullptr);
    }

    void usualMistakesExist()
    {
        for (std::size_t i = 0; i < core::askedQuantityIds().size(); ++i) {
            const AskedQuantity quantity = *core::askedQuantityNamed(core::askedQuantityIds()[i]);
            QCOMPARE(core::id(quantity), core::askedQuantityIds()[i]);
            for (const MistakeUse& use : core::usualMistakes(quantity)) {
                QVERIFY(use.mistake != nullptr);
                QVERIFY(!use.mistake->needsNumber);
            }
        }
        QCOMPARE(core::askedQuantityNamed("cash"), std::nullopt);
    }

    /// No mistake crashes on any law, quantity or format, and none is taken for a number below 0.
    void everyMistakeBearsEveryModel()
    {
        for (const core::Model& model : tests::models()) {
            Scenario scenario = tests::onTyped(tests::with(core::scenarioOf(model), 4096, 3), core::gib(80), 2);
            scenario.waste = core::Percent::whole(20);
            scenario.reserve = core::Percent::whole(10);
            for (const AskedQuantity quantity : {AskedQuantity::Cache, AskedQuantity::PerToken, AskedQuantity::Total,
                                                 AskedQuantity::HeadDim, AskedQuantity::Gpus})
                tryAllMistakes(task(quantity, scenario));
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
            for (const AskedQuantity quantity :
                 {AskedQuantity::Pool, AskedQuantity::Blocks, AskedQuantity::DeviceCache})
                tryAllMistakes(task(quantity, scenario));
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
