// SPDX-License-Identifier: GPL-3.0-or-later
// What is advised is right: each piece fits, says what a fresh evaluation says, changes one thing, and goes no further
// than it must (or as far as it can). The ladders and the search are done here by other means.
#include "core/scenario/kv_cache.h"
#include "core/sizing/advice.h"
#include "core/sizing/limits.h"
#include "tests/core/catalogue.h"
#include "tests/room.h"

#include <QTest>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

using core::Advice;
using core::Bytes;
using core::Evaluation;
using core::KvFormat;
using core::Lever;
using core::Scenario;
using core::WeightFormat;

namespace {

constexpr KvFormat kKvLadder[] = {KvFormat::Fp16, KvFormat::Q8_0, KvFormat::Fp8, KvFormat::Q4_0};
constexpr WeightFormat kWeightLadder[] = {WeightFormat::Bf16, WeightFormat::Fp8, WeightFormat::Q6K, WeightFormat::Awq4};

bool fits(const Scenario& scenario)
{
    const Evaluation evaluation = core::assess(scenario);
    return evaluation.issues.empty() && evaluation.footprint.fits().value_or(false);
}

const Advice* find(const std::vector<Advice>& all, Lever lever)
{
    const auto found = std::ranges::find(all, lever, &Advice::lever);
    return found == all.end() ? nullptr : &*found;
}

/// `scenario` with what the lever changes as it is in `base`.
Scenario undone(Scenario scenario, Lever lever, const Scenario& base)
{
    switch (lever) {
    case Lever::Batch:
        scenario.workload.batch = base.workload.batch;
        break;
    case Lever::Context:
        scenario.workload.context = base.workload.context;
        scenario.workload.maxContext = base.workload.maxContext;
        break;
    case Lever::KvFormat:
        scenario.kFormat = base.kFormat;
        scenario.vFormat = base.vFormat;
        break;
    case Lever::WeightFormat:
        scenario.weightFormat = base.weightFormat;
        break;
    case Lever::GpuCount:
        scenario.hardware.count = base.hardware.count;
        break;
    case Lever::Gpu:
        scenario.hardware.gpu = base.hardware.gpu;
        break;
    }
    return scenario;
}

Scenario withBatch(Scenario scenario, std::int64_t batch)
{
    scenario.workload.batch = batch;
    return scenario;
}

Scenario withContext(Scenario scenario, std::int64_t context)
{
    scenario.workload.context = context;
    if (scenario.workload.maxContext)
        scenario.workload.maxContext = std::max(*scenario.workload.maxContext, context);
    return scenario;
}

Scenario withKv(Scenario scenario, KvFormat format)
{
    scenario.kFormat = scenario.vFormat = format;
    return scenario;
}

Scenario withWeights(Scenario scenario, WeightFormat format)
{
    scenario.weightFormat = format;
    return scenario;
}

Scenario withCount(Scenario scenario, std::int64_t count)
{
    scenario.hardware.count = count;
    return scenario;
}

Bytes kvBytes(const Scenario& scenario)
{
    return core::requestCache(scenario, scenario.workload.context);
}

Bytes weightBytes(const Scenario& scenario)
{
    return core::weightBytes(scenario).value_or(Bytes());
}

/// The first rung of a ladder that is smaller (when it is over) or larger than now and fits.
template <typename Format, std::size_t N, typename With, typename Size>
std::optional<Format> rung(const Format (&ladder)[N], const Scenario& now, bool over, With with, Size size)
{
    for (const Format format : ladder) {
        const Scenario then = with(now, format);
        if ((over ? size(then) < size(now) : size(then) > size(now)) && fits(then))
            return format;
    }
    return std::nullopt;
}

/// The largest n in 1 … `most` for which `with(now, n)` fits; 0 when there is none.
template <typename With> std::int64_t largest(const Scenario& now, std::int64_t most, With with)
{
    std::int64_t low = 0;
    std::int64_t high = most + 1;
    while (high - low > 1) {
        const std::int64_t middle = (low + high) / 2;
        (fits(with(now, middle)) ? low : high) = middle;
    }
    return low;
}

std::vector<Scenario> margins(const Scenario& plain)
{
    Scenario reserved = plain;
    reserved.reserve = core::Percent{1'250};
    reserved.overhead = core::mib(700);
    Scenario wasteful = plain;
    wasteful.waste = core::Percent::whole(20);
    Scenario contiguous = plain;
    contiguous.engine = core::EngineId::Contiguous;
    contiguous.workload.maxContext = 2 * plain.workload.context;
    Scenario paged = plain;
    paged.engine = core::EngineId::Paged;
    paged.hardware.basis = core::MemoryBasis::Label;
    return {plain, reserved, wasteful, contiguous, paged};
}

/// Models of every kind on small and large devices, from what fits easily to what never does.
std::vector<Scenario> manyScenarios()
{
    std::vector<Scenario> all;
    for (const char* model : {"llama-3.1-8b", "qwen2.5-32b", "gemma-3-27b", "deepseek-v3", "gpt-oss-20b"}) {
        for (const char* gpu : {"rtx-4090", "a100-sxm-80", "apple-m2-ultra:128"}) {
            for (const auto& [context, batch] : {std::pair{1'000, 1}, std::pair{8'192, 16}, std::pair{131'072, 64}}) {
                const Scenario plain = tests::on(tests::with(tests::scenarioOf(model), context, batch), gpu, 2);
                std::ranges::move(margins(plain), std::back_inserter(all));
            }
        }
    }
    Scenario typed = tests::onTyped(tests::with(tests::scenarioOf("qwen2.5-32b"), 8'192, 16), core::gib(24), 2);
    typed.weightBytes = core::gib(18);
    all.push_back(typed);
    all.push_back(withKv(typed, KvFormat::Q4_0));
    return all;
}

} // namespace

class TestAdvice : public QObject {
    Q_OBJECT

private slots:
    void everyPieceFitsAndSaysSo()
    {
        std::size_t pieces = 0;
        for (const Scenario& scenario : manyScenarios()) {
            const Evaluation now = core::assess(scenario);
            for (const Advice& advice : core::advise(now, tests::gpus())) {
                const Evaluation then = core::assess(advice.scenario);
                QVERIFY(then.issues.empty());
                QVERIFY(*then.footprint.fits());
                QCOMPARE(advice.result.args.size(), std::size_t{1});
                QCOMPARE(std::get<Bytes>(advice.result.args.front()), *then.footprint.free());
                QVERIFY(advice.scenario != scenario);
                QVERIFY(undone(advice.scenario, advice.lever, scenario) == scenario);
                QVERIFY(!core::english(advice.action).empty());
                ++pieces;
            }
        }
        QVERIFY(pieces > 500);
    }

    void batchIsTheLargest()
    {
        for (const Scenario& scenario : manyScenarios()) {
            const std::vector<Advice> all = core::advise(core::assess(scenario), {});
            const Advice* advice = find(all, Lever::Batch);
            const std::int64_t most = largest(scenario, core::kMaxBatch, withBatch);
            QCOMPARE(advice != nullptr, most > 0 && most != scenario.workload.batch);
            if (advice == nullptr)
                continue;
            QCOMPARE(advice->scenario.workload.batch, most);
            QVERIFY(most == core::kMaxBatch || !fits(withBatch(scenario, most + 1)));
        }
    }

    void contextIsTheLongest()
    {
        for (const Scenario& scenario : manyScenarios()) {
            const std::vector<Advice> all = core::advise(core::assess(scenario), {});
            const Advice* advice = find(all, Lever::Context);
            const std::int64_t most = largest(scenario, core::kMaxContext, withContext);
            QCOMPARE(advice != nullptr, most > 0 && most != scenario.workload.context);
            if (advice == nullptr)
                continue;
            QCOMPARE(advice->scenario.workload.context, most);
            QVERIFY(most == core::kMaxContext || !fits(withContext(scenario, most + 1)));
        }
    }

    void formatsAreTheNearestRung()
    {
        for (const Scenario& scenario : manyScenarios()) {
            const bool over = !fits(scenario);
            const std::vector<Advice> all = core::advise(core::assess(scenario), {});
            const Advice* cache = find(all, Lever::KvFormat);
            const std::optional<KvFormat> kv = rung(kKvLadder, scenario, over, withKv, kvBytes);
            QCOMPARE(cache != nullptr, kv.has_value());
            QVERIFY(cache == nullptr || cache->scenario == withKv(scenario, *kv));

            const Advice* weights = find(all, Lever::WeightFormat);
            const std::optional<WeightFormat> format =
                scenario.weightBytes ? std::nullopt : rung(kWeightLadder, scenario, over, withWeights, weightBytes);
            QCOMPARE(weights != nullptr, format.has_value());
            QVERIFY(weights == nullptr || weights->scenario == withWeights(scenario, *format));
        }
    }

    void gpusAreTheFewest()
    {
        for (const Scenario& scenario : manyScenarios()) {
            const bool over = !fits(scenario);
            const std::vector<Advice> all = core::advise(core::assess(scenario), {});
            const Advice* advice = find(all, Lever::GpuCount);
            QCOMPARE(advice != nullptr, over && fits(withCount(scenario, core::kMaxGpus)));
            if (advice == nullptr)
                continue;
            QVERIFY(!fits(withCount(scenario, advice->scenario.hardware.count - 1)));
            QVERIFY(advice->scenario.hardware.count > scenario.hardware.count);
        }
    }

    void gpuIsTheNextLarger()
    {
        for (const Scenario& scenario : manyScenarios()) {
            const bool over = !fits(scenario);
            const std::vector<Advice> all = core::advise(core::assess(scenario), tests::gpus());
            const Advice* advice = find(all, Lever::Gpu);
            if (!over || scenario.hardware.basis == core::MemoryBasis::Typed) {
                QVERIFY(advice == nullptr);
                continue;
            }
            const core::Gpu& now = *scenario.hardware.gpu;
            for (const core::Gpu& other : tests::gpus()) {
                Scenario then = scenario;
                then.hardware.gpu = other;
                if (other.memory.usable <= now.memory.usable || !fits(then))
                    continue;
                QVERIFY(advice != nullptr); // where one would do, one is offered
                const core::Gpu& best = *advice->scenario.hardware.gpu;
                QVERIFY(best.memory.usable > now.memory.usable);
                if (other.vendor == now.vendor && other.unified == now.unified) {
                    QCOMPARE(best.vendor, now.vendor);
                    QCOMPARE(best.unified, now.unified);
                    QVERIFY(other.memory.usable >= best.memory.usable);
                }
            }
        }
    }

    void headroomIsWorthMoreOnly()
    {
        for (const Scenario& scenario : manyScenarios()) {
            if (!fits(scenario))
                continue;
            for (const Advice& advice : core::advise(core::assess(scenario), tests::gpus())) {
                QVERIFY(advice.lever != Lever::Gpu && advice.lever != Lever::GpuCount);
                QVERIFY(advice.scenario.workload.batch >= scenario.workload.batch);
                QVERIFY(advice.scenario.workload.context >= scenario.workload.context);
                QVERIFY(core::assess(advice.scenario).footprint.memory.total() >=
                        core::assess(scenario).footprint.memory.total());
            }
        }
    }

    void issuesTable()
    {
        // 8B in BF16 with 16 requests of 8,192 tokens on a 24 GiB card: 8 fit.
        const Scenario over = tests::on(tests::with(tests::scenarioOf("llama-3.1-8b"), 8'192, 16), "rtx-4090");
        const std::vector<Advice> all = core::advise(core::assess(over), tests::gpus());
        QCOMPARE(all.size(), std::size_t{6});
        QCOMPARE(core::english(all.front().action), std::string("Batch 8"));
        QCOMPARE(find(all, Lever::GpuCount)->scenario.hardware.count, std::int64_t{2});
        QVERIFY(find(all, Lever::KvFormat)->scenario.kFormat == KvFormat::Q8_0); // 14.96 + 8.50 of 23.64 GiB
        QVERIFY(find(all, Lever::WeightFormat)->scenario.weightFormat == WeightFormat::Fp8);
    }

    void nothingWithoutCapacityOrWithIssues()
    {
        QVERIFY(core::advise(core::assess(tests::scenarioOf("llama-3.1-8b")), tests::gpus()).empty());
        const Scenario bad = tests::on(tests::with(tests::scenarioOf("llama-3.1-8b"), 0, 1), "rtx-4090");
        QVERIFY(core::advise(core::assess(bad), tests::gpus()).empty());
    }

    void leversHaveNames()
    {
        QCOMPARE(core::id(Lever::Batch), std::string_view("batch"));
        QCOMPARE(core::id(Lever::KvFormat), std::string_view("kv_format"));
        QCOMPARE(core::id(Lever::Gpu), std::string_view("gpu"));
    }
};

ROOM_TEST(TestAdvice, void)
#include "test_advice.moc"
