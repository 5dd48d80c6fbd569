// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/teaching/mistake_library.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace core {

namespace {

void useWeightFormat(Scenario& scenario, WeightFormat format)
{
    if (!scenario.weightBytes && scenario.model.weights.known())
        scenario.weightFormat = format;
}

void weightsForEachRequest(Scenario& scenario)
{
    const std::optional<Bytes> weights = weightBytes(scenario);
    if (weights && scenario.workload.batch > 1)
        scenario.weightBytes = *weights * scenario.workload.batch;
}

void forgetWeights(Scenario& scenario)
{
    if (weightBytes(scenario))
        scenario.weightBytes = Bytes();
}

/// Counts `active` parameters, or those that the model says one token reads where that is 0.
void countActiveWeights(Scenario& scenario, std::int64_t active)
{
    const Weights& weights = scenario.model.weights;
    const std::optional<Bytes> all = weightBytes(scenario);
    const std::int64_t counted = active > 0 ? active : weights.activeParameters();
    if (all && weights.known() && counted < weights.parameters())
        scenario.weightBytes = scaledUp(*all, counted, weights.parameters());
}

constexpr double kGiB = 1073741824.0;
constexpr double kGB = 1e9;

/// The size with its number of one unit read in another: 48 GiB as 48 GB.
Bytes misread(Bytes bytes, double unit, double misreadUnit)
{
    return Bytes(static_cast<std::int64_t>(std::round(static_cast<double>(bytes.count()) / unit) * misreadUnit));
}

void misreadWeights(Scenario& scenario)
{
    if (const std::optional<Bytes> weights = weightBytes(scenario))
        scenario.weightBytes = misread(*weights, kGiB, kGB);
}

void misreadMemory(Scenario& scenario, double unit, double misreadUnit)
{
    const std::optional<Bytes> device = deviceMemory(scenario.hardware);
    if (!device)
        return;
    scenario.hardware.basis = MemoryBasis::Typed;
    scenario.hardware.typed = misread(*device, unit, misreadUnit);
}

void useLabelMemory(Scenario& scenario)
{
    if (scenario.hardware.gpu && scenario.hardware.basis == MemoryBasis::Usable)
        scenario.hardware.basis = MemoryBasis::Label;
}

/// The cache in use with the share of waste put on top of it (`sign` 1) or taken off it (-1).
std::optional<double> usedAndWaste(const SolvedTask& solved, double sign)
{
    const Scenario& scenario = solved.task.scenario;
    const double share = static_cast<double>(scenario.waste.hundredths) / 10'000.0;
    return share > 0 ? times(1 + sign * share, solve(AskedQuantity::Cache, scenario)) : std::nullopt;
}

std::optional<double> wasteToUsed(const SolvedTask& solved)
{
    const auto sizeOf = [&](AskedQuantity quantity) { return solve(quantity, solved.task.scenario).value_or(0); };
    return 100.0 * sizeOf(AskedQuantity::Waste) / std::max(sizeOf(AskedQuantity::Cache), 1.0);
}

std::optional<double> wholeBlocksLost(const SolvedTask& solved)
{
    const Scenario& scenario = solved.task.scenario;
    if (scenario.engine != EngineId::Paged)
        return std::nullopt;
    return times(static_cast<double>(scenario.blockTokens * scenario.workload.batch),
                 solve(AskedQuantity::PerToken, scenario));
}

constexpr std::array kMistakes{
    Mistake{"weights-one-byte", [](Scenario& scenario) { useWeightFormat(scenario, WeightFormat::Int8); },
            KV_TEXT("core", "This fits if you counted one byte for each weight. Look at the weights format.")},
    Mistake{"weights-two-bytes", [](Scenario& scenario) { useWeightFormat(scenario, WeightFormat::Bf16); },
            KV_TEXT("core", "This fits if you counted two bytes for each weight. Look at the weights format.")},
    Mistake{"weights-four-bytes", [](Scenario& scenario) { useWeightFormat(scenario, WeightFormat::Fp32); },
            KV_TEXT("core", "This fits if you counted four bytes for each weight. Look at the weights format.")},
    Mistake{"weights-each", weightsForEachRequest,
            KV_TEXT("core", "This fits if you counted the weights {4} times, once for each request. All requests share "
                            "one copy; only the cache is multiplied.")},
    Mistake{"weights-forgotten", forgetWeights,
            KV_TEXT("core", "This fits if you left the weights out. They are in memory before the first token comes.")},
    Mistake{"cache-forgotten", [](Scenario& scenario) { scenario.workload.batch = 0; },
            KV_TEXT("core", "This fits if you left the cache out. The weights are only the part that does not grow.")},
    Mistake{"active-only", countActiveWeights,
            KV_TEXT("core", "This fits if you counted only the weights that one token reads. The next token may need "
                            "other experts, so all of them stay in memory.")},
    Mistake{"decimal-weights", misreadWeights,
            KV_TEXT("core", "This fits if you took the weights' GiB for GB. A GiB is 2³⁰ bytes, 7.4 % more than a "
                            "GB.")},
    Mistake{"no-waste", wasteNothing,
            KV_TEXT("core", "This fits if nothing were wasted. Some of what is reserved stays empty.")},
    Mistake{"mark-up", [](const SolvedTask& solved) { return usedAndWaste(solved, 1); },
            KV_TEXT("core", "This fits if you put {8} on top of what is used. The share is of what is reserved, so "
                            "divide by what remains of it.")},
    Mistake{"taken-off", [](const SolvedTask& solved) { return usedAndWaste(solved, -1); },
            KV_TEXT("core", "This fits if you took {8} off. Waste comes on top of what is used: more is reserved than "
                            "used.")},
    Mistake{"share-of-used", wasteToUsed,
            KV_TEXT("core", "This fits if you divided by what is used. The share is of what is reserved, so it never "
                            "exceeds 100 %.")},
    Mistake{"used-share", [](const SolvedTask& solved) { return std::optional(100.0 - solved.right); },
            KV_TEXT("core", "This fits for the share that is used. The question is what stays empty.")},
    Mistake{"whole-block", wholeBlocksLost,
            KV_TEXT("core", "This fits if a whole block of {9} tokens were lost. Only the rest of each request's last "
                            "block is empty.")},
    Mistake{"one-gpu", [](Scenario& scenario) { scenario.hardware.count = 1; },
            KV_TEXT("core", "This fits for one GPU. There are {7}, and the cache may use what the weights leave on all "
                            "of them.")},
    Mistake{"reserve-forgotten", [](Scenario& scenario) { scenario.reserve = {}; },
            KV_TEXT("core", "This fits if you left out what is kept free. That share of each GPU is not to be used.")},
    Mistake{"overhead-forgotten", [](Scenario& scenario) { scenario.overhead = {}; },
            KV_TEXT("core", "This fits if you left the overhead out. A program needs some memory of its own on each "
                            "GPU.")},
    Mistake{"label-memory", useLabelMemory,
            KV_TEXT("core", "This fits if the whole memory on the label could be used. The GPU's own software takes "
                            "some of it before a program starts.")},
    Mistake{"decimal-memory", [](Scenario& scenario) { misreadMemory(scenario, kGiB, kGB); },
            KV_TEXT("core", "This fits if you took the memory's GiB for GB. A GiB is 7.4 % more.")},
    Mistake{"binary-memory", [](Scenario& scenario) { misreadMemory(scenario, kGB, kGiB); },
            KV_TEXT("core", "This fits if you took the memory's GB for GiB. A GB is 10⁹ bytes, 7 % less than a GiB.")},
};

} // namespace

std::span<const Mistake> memoryMistakes()
{
    return kMistakes;
}

void wasteNothing(Scenario& scenario)
{
    scenario.engine = EngineId::Ideal;
    scenario.engineVersion.clear();
    scenario.settings = {};
    scenario.waste = {};
}

} // namespace core
