// SPDX-License-Identifier: GPL-3.0-or-later
// Every number of every derivation, computed again from what the derivation says.
#include "core/sizing/explain.h"
#include "tests/core/catalogue.h"
#include "tests/room.h"

#include <QTest>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

using core::Bytes;
using core::Derivation;
using core::EngineId;
using core::Evaluation;
using core::Operand;
using core::Operation;
using core::Quantity;
using core::Scenario;
using core::Step;
using core::Value;

namespace {

__extension__ using Wide = __int128;

constexpr Quantity kQuantities[] = {Quantity::Cache, Quantity::Weights,  Quantity::Waste,      Quantity::Total,
                                    Quantity::Free,  Quantity::MaxBatch, Quantity::MaxContext, Quantity::Crossover};

/// The whole number behind a value; percentages in hundredths.
std::int64_t number(const Value& value)
{
    if (const auto* count = std::get_if<std::int64_t>(&value))
        return *count;
    if (const auto* bytes = std::get_if<Bytes>(&value))
        return bytes->count();
    return std::get<core::Percent>(value).hundredths;
}

Wide ceilOf(Wide numerator, Wide denominator)
{
    return (numerator + denominator - 1) / denominator;
}

Wide folded(const std::vector<std::int64_t>& operands, Operation operation)
{
    Wide result = operands.empty() ? 0 : operands.front();
    for (std::size_t i = 1; i < operands.size(); ++i) {
        if (operation == Operation::Product)
            result *= operands[i];
        else
            result += operation == Operation::Sum ? operands[i] : -operands[i];
    }
    return result;
}

/// True where the step's result is what its operation makes of its operands.
bool isRight(const Step& step)
{
    std::vector<std::int64_t> in;
    for (const Operand& operand : step.operands)
        in.push_back(number(operand.value));
    const std::int64_t result = number(step.result);
    switch (step.operation) {
    case Operation::Product:
    case Operation::Sum:
    case Operation::Difference:
        return folded(in, step.operation) == result;
    case Operation::WholeBlocks:
        return in.size() == 3 && ceilOf(in[0], in[1]) * in[2] == result;
    case Operation::CeilProduct:
        return in.size() == 3 && ceilOf(static_cast<Wide>(in[0]) * in[1], in[2]) == result;
    case Operation::ShareOfReserved:
        return in.size() == 2 && ceilOf(static_cast<Wide>(in[0]) * in[1], 10'000 - in[1]) == result;
    case Operation::LargestFitting:
        return in.size() == 3 && (result == 0 || in[1] <= in[0]) && in[2] > in[0];
    case Operation::FirstReaching:
        return in.size() == 3 && (result == 1 || in[1] < in[0]) && in[2] >= in[0];
    }
    return false;
}

/// The footprint's own number; nothing where it does not exist.
std::optional<std::int64_t> numberOf(const Evaluation& evaluation, Quantity quantity)
{
    const core::Footprint& footprint = evaluation.footprint;
    const auto count = [](std::optional<Bytes> bytes) { return bytes ? std::optional(bytes->count()) : std::nullopt; };
    switch (quantity) {
    case Quantity::Cache:
        return count(footprint.kv.kept());
    case Quantity::Weights:
        return count(footprint.weights);
    case Quantity::Waste:
        return count(footprint.memory.waste);
    case Quantity::Total:
        return count(footprint.memory.total());
    case Quantity::Free:
        return count(footprint.free());
    case Quantity::MaxBatch:
        return footprint.limits.maxBatch.value;
    case Quantity::MaxContext:
        return footprint.limits.maxContext.value;
    case Quantity::Crossover:
        return footprint.limits.crossover;
    }
    return std::nullopt;
}

/// True where the last step adds up, in order, what the steps before it found of its kind.
bool sumsEarlierSteps(const Derivation& derivation)
{
    const Step& last = derivation.steps.back();
    if (last.operation != Operation::Sum || derivation.steps.size() == 1)
        return true;
    std::size_t found = 0;
    for (const Step& step : derivation.steps) {
        if (found < last.operands.size() && step.result == last.operands[found].value)
            ++found;
    }
    return found == last.operands.size();
}

bool isNamed(const Step& step)
{
    return std::ranges::none_of(step.operands, [](const Operand& operand) {
        return operand.symbol.empty() || operand.name.empty() || operand.origin.empty();
    });
}

/// All that is wrong with a derivation; empty when nothing is.
QString faultOf(const Evaluation& evaluation, const Derivation& derivation)
{
    const std::optional<std::int64_t> expected = numberOf(evaluation, derivation.quantity);
    if (derivation.steps.empty() || !expected)
        return derivation.steps.empty() && !expected ? QString()
                                                     : QStringLiteral("a number without steps, or the reverse");
    const auto wrong = std::ranges::find_if_not(derivation.steps, isRight);
    if (wrong != derivation.steps.end())
        return QStringLiteral("step: ") + QString::fromStdString(core::english(wrong->title));
    if (!std::ranges::all_of(derivation.steps, isNamed))
        return QStringLiteral("an operand without symbol, name or origin");
    if (number(derivation.steps.back().result) != *expected)
        return QStringLiteral("the last step is not the number");
    const bool sums = derivation.quantity == Quantity::Cache || derivation.quantity == Quantity::Weights;
    if (sums && !sumsEarlierSteps(derivation))
        return QStringLiteral("the sum is of other numbers than its steps'");
    return derivation.formula.empty() ? QStringLiteral("no formula") : QString();
}

QByteArray nameOf(const Evaluation& evaluation, Quantity quantity)
{
    return QByteArray::fromStdString(evaluation.scenario.model.id + " " + std::string(core::id(quantity)) + ": ");
}

void compareAll(const Scenario& scenario)
{
    const Evaluation evaluation = core::assess(scenario);
    QVERIFY(evaluation.issues.empty());
    for (const Quantity quantity : kQuantities) {
        const Derivation derivation = core::explain(evaluation, quantity);
        const QString fault = faultOf(evaluation, derivation);
        QCOMPARE(derivation.quantity, quantity);
        QVERIFY2(fault.isEmpty(), nameOf(evaluation, quantity) + fault.toUtf8());
    }
}

Evaluation llama8B()
{
    return core::assess(tests::on(tests::scenarioOf("llama-3.1-8b"), "rtx-4090"));
}

/// "2 · 32 · 8", and what it gives.
std::string numbers(const Step& step)
{
    std::string text;
    for (const Operand& operand : step.operands)
        text.append(text.empty() ? "" : " ").append(core::formatValue(operand.value));
    return text + " = " + core::formatValue(step.result);
}

} // namespace

class TestExplain : public QObject {
    Q_OBJECT

private slots:
    void everyModel_data()
    {
        QTest::addColumn<QString>("engine");
        QTest::addColumn<QString>("k");
        QTest::addColumn<QString>("v");
        QTest::addColumn<QString>("weights"); // empty: as published
        QTest::newRow("ideal, fp16") << "ideal"
                                     << "fp16"
                                     << "fp16"
                                     << "";
        QTest::newRow("ideal, fp8 and fp32") << "ideal"
                                             << "fp8"
                                             << "fp32"
                                             << "fp8";
        QTest::newRow("paged, blocks of 32") << "paged"
                                             << "q8_0"
                                             << "q4_0"
                                             << "awq-4bit";
        QTest::newRow("contiguous, int4") << "contiguous"
                                          << "int4"
                                          << "int4"
                                          << "mxfp4";
        QTest::newRow("paged, blocks of 64") << "paged"
                                             << "nvfp4"
                                             << "nvfp4"
                                             << "nvfp4";
    }
    void everyModel()
    {
        QFETCH(const QString, engine);
        QFETCH(const QString, k);
        QFETCH(const QString, v);
        QFETCH(const QString, weights);
        for (const core::Model& model : tests::models()) {
            Scenario scenario = tests::on(tests::with(tests::scenarioOf(model), 5'003, 3), "h100-sxm", 2);
            scenario.engine = *core::engineId(engine.toStdString());
            scenario.waste = core::Percent{scenario.engine == EngineId::Ideal ? 1'234 : 0};
            scenario.workload.maxContext = 6'000;
            scenario.workload.encoderTokens = 77;
            scenario.kFormat = *core::kvFormat(k.toStdString());
            scenario.vFormat = *core::kvFormat(v.toStdString());
            scenario.weightFormat = core::weightFormat(weights.toStdString()).value_or(scenario.weightFormat);
            scenario.reserve = core::Percent{333};
            scenario.overhead = Bytes(123'456'789);
            compareAll(scenario);
            if (QTest::currentTestFailed())
                return;
        }
    }

    void edges_data()
    {
        QTest::addColumn<int>("edge");
        int edge = 0;
        for (const char* name :
             {"no hardware", "weights unknown", "weights typed", "nothing fits", "no cache", "one token"})
            QTest::newRow(name) << edge++;
    }
    void edges()
    {
        QFETCH(const int, edge);
        Scenario scenario = tests::on(tests::scenarioOf("llama-3.1-8b"), edge == 3 ? "rtx-2060-6" : "rtx-4090");
        if (edge == 0)
            scenario.hardware = {};
        if (edge == 1)
            scenario.model.weights = {};
        if (edge == 2)
            scenario.weightBytes = core::gib(5);
        if (edge == 4)
            scenario.model.groups.front().kind = core::CacheKind::None;
        if (edge == 5)
            scenario.workload.context = 1;
        compareAll(scenario);
    }

    void textbook()
    {
        const Derivation derivation = core::explain(llama8B(), Quantity::Cache);
        QCOMPARE(derivation.formula, std::string("2·L·H·D·S·P·B"));
        QCOMPARE(derivation.steps.size(), std::size_t{1});
        QCOMPARE(numbers(derivation.steps.front()), std::string("2 32 8 128 8,192 2 1 = 1.00 GiB"));
        const std::vector<Operand>& in = derivation.steps.front().operands;
        QCOMPARE(core::english(in[1].origin), std::string("read from num_hidden_layers in config.json"));
        QCOMPARE(core::english(in[2].origin), std::string("read from num_key_value_heads in config.json"));
        QVERIFY(QString::fromStdString(core::english(in[3].origin)).startsWith(QLatin1String("derived: ")));
        QCOMPARE(derivation.sources.size(), std::size_t{1});
    }

    void blocked()
    {
        // K in q8_0: 8 · 128 elements = 32 blocks of 34 bytes; V in fp16.
        Evaluation evaluation = llama8B();
        evaluation.scenario.kFormat = core::KvFormat::Q8_0;
        const Derivation derivation = core::explain(core::assess(evaluation.scenario), Quantity::Cache);
        QCOMPARE(derivation.formula, std::string("L·E·S·B"));
        std::string all;
        for (const Step& step : derivation.steps)
            all += numbers(step) + "; ";
        QCOMPARE(all, std::string("8 128 = 1,024; 1,024 32 34 = 1.06 KiB; 8 128 = 1,024; 1,024 1 2 = 2 KiB; "
                                  "1.06 KiB 2 KiB = 3.06 KiB; 32 3.06 KiB 8,192 1 = 784 MiB; "));
    }

    void severalKinds()
    {
        const Evaluation gemma = core::assess(tests::scenarioOf("gemma-3-27b"));
        const Derivation derivation = core::explain(gemma, Quantity::Cache);
        QCOMPARE(derivation.formula, std::string("2·L·H·D·S·P·B + 2·L·H·D·S·P·B"));
        QCOMPARE(derivation.steps.size(), std::size_t{3});
        QCOMPARE(core::english(derivation.steps[0].title), std::string("52 sliding-window layers"));
        QCOMPARE(numbers(derivation.steps[0]), std::string("2 52 16 128 1,024 2 1 = 416 MiB"));
        QCOMPARE(numbers(derivation.steps[2]), std::string("416 MiB 640 MiB = 1.03 GiB"));
    }

    void limitsNameBothSides()
    {
        Scenario scenario = tests::onTyped(tests::scenarioOf("llama-3.1-8b"), core::gib(24));
        const Derivation derivation = core::explain(core::assess(scenario), Quantity::MaxBatch);
        QCOMPARE(numbers(derivation.steps.front()), std::string("24.00 GiB 23.96 GiB 24.96 GiB = 9"));
        const Derivation crossing = core::explain(core::assess(scenario), Quantity::Crossover);
        QCOMPARE(number(crossing.steps.front().operands[1].value), 131'072ll * 122'532);
        QCOMPARE(number(crossing.steps.front().operands[2].value), 131'072ll * 122'533);
    }

    /// A pool that is given limits without a GPU, too.
    void limitsOfPools()
    {
        for (const EngineId engine : {EngineId::Vllm, EngineId::Sglang, EngineId::TensorRtLlm}) {
            Scenario scenario = tests::scenarioOf("llama-3.1-8b");
            scenario.engine = engine;
            scenario.cacheMemory = core::gib(9);
            compareAll(scenario);
        }
        Scenario scenario = tests::scenarioOf("llama-3.1-8b");
        scenario.engine = EngineId::Vllm;
        scenario.cacheMemory = core::gib(9);
        const Derivation derivation = core::explain(core::assess(scenario), Quantity::MaxBatch);
        const std::vector<Operand>& operands = derivation.steps.front().operands;
        for (std::size_t i = 0; i < 3; ++i)
            QCOMPARE(number(operands[i].value), core::gib(i < 2 ? 9 : 10).count());
    }

    void needsOfLimitsAreThoseOfTheirScenarios()
    {
        Scenario scenario = tests::onTyped(tests::scenarioOf("gemma-3-27b"), core::gib(80));
        scenario.engine = EngineId::Paged;
        const Evaluation evaluation = core::assess(scenario);
        const auto total = [](const Scenario& changed) { return tests::footprintOf(changed).memory.total().count(); };
        const std::int64_t batch = *evaluation.footprint.limits.maxBatch.value;
        const std::int64_t context = *evaluation.footprint.limits.maxContext.value;
        const Step byBatch = core::explain(evaluation, Quantity::MaxBatch).steps.front();
        QCOMPARE(number(byBatch.operands[1].value), total(tests::with(scenario, 8'192, batch)));
        QCOMPARE(number(byBatch.operands[2].value), total(tests::with(scenario, 8'192, batch + 1)));
        const Step byContext = core::explain(evaluation, Quantity::MaxContext).steps.front();
        QCOMPARE(number(byContext.operands[1].value), total(tests::with(scenario, context, 1)));
        QCOMPARE(number(byContext.operands[2].value), total(tests::with(scenario, context + 1, 1)));
    }

    void names()
    {
        QStringList names;
        for (const Quantity quantity : kQuantities)
            names << QString::fromUtf8(core::id(quantity).data());
        QCOMPARE(names.join(QLatin1Char(' ')),
                 QStringLiteral("cache weights waste total free max-batch max-context crossover"));
    }
};

ROOM_TEST(TestExplain, void)
#include "test_explain.moc"
