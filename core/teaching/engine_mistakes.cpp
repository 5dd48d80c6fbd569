// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engines/budget.h"
#include "core/engines/engine.h"
#include "core/engines/parallel.h"
#include "core/teaching/mistake_library.h"
#include "core/teaching/scenario_facts.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace core {

namespace {

/// Sets a line of the engine's own budget to nothing, where it has such a line.
void setToNothing(Scenario& scenario, std::string_view flag)
{
    if (engines::find(engines::settings(scenario.engine), flag) != nullptr)
        scenario.settings.set(flag, "0GiB");
}

/// The ranks of the scenario's engine that divide the heads among them.
std::int64_t ranksOf(const Scenario& scenario)
{
    return engines::spreadOf(scenario).heads;
}

void takeWholeCard(Scenario& scenario)
{
    if (const engines::Setting* flag = memoryShareFlag(scenario))
        scenario.settings.set(flag->flag, "1");
}

/// share · (memory − weights) is what weights of that share would leave.
void shareWhatWeightsLeave(Scenario& scenario)
{
    const std::optional<Percent> share = memoryShareOf(scenario);
    const std::optional<Bytes> weights = weightBytes(scenario);
    if (share && weights && share->of(*weights) != *weights)
        scenario.weightBytes = share->of(*weights);
}

void forgetOwnWork(Scenario& scenario)
{
    scenario.overhead = {};
    for (const engines::Setting& setting : engines::settings(scenario.engine)) {
        if (setting.estimate)
            setToNothing(scenario, setting.flag);
    }
}

void putWeightsOnEachGpu(Scenario& scenario)
{
    const std::optional<Bytes> weights = weightBytes(scenario);
    if (weights && ranksOf(scenario) > 1)
        scenario.weightBytes = *weights * ranksOf(scenario);
}

void joinGpus(Scenario& scenario)
{
    Hardware& hardware = scenario.hardware;
    const std::optional<Bytes> device = deviceMemory(hardware);
    if (!device || hardware.count == 1)
        return;
    hardware.basis = MemoryBasis::Typed;
    hardware.typed = *device * hardware.count;
    hardware.count = 1;
    hardware.parallel = {};
}

/// Makes as many KV heads as there are ranks, each a part of a real one.
void cutHeads(Scenario& scenario)
{
    const std::int64_t ranks = ranksOf(scenario);
    putKvHeadsInGroups(scenario);
    for (CacheGroup& group : scenario.model.groups) {
        const std::int64_t heads = group.kvHeads;
        if (!hasHeads(group.kind) || heads == 0 || heads >= ranks)
            continue;
        group.kvHeads = ranks;
        group.keyDim = group.keyDim * heads / ranks;
        group.valueDim = group.valueDim * heads / ranks;
    }
}

/// Multiplies the KV heads, so that each rank keeps as many as there are.
void keepAllHeadsOnEachGpu(Scenario& scenario)
{
    const std::int64_t ranks = ranksOf(scenario);
    putKvHeadsInGroups(scenario);
    std::vector<CacheGroup>& groups = scenario.model.groups;
    const auto hasSeveral = [](const CacheGroup& group) { return hasHeads(group.kind) && group.kvHeads > 1; };
    if (std::ranges::none_of(groups, hasSeveral))
        return;
    for (CacheGroup& group : groups)
        group.kvHeads *= hasHeads(group.kind) ? ranks : 1;
}

void storeHeadsOnce(Scenario& scenario)
{
    if (engines::reserve(scenario).waste().of(WasteCause::Replication) == Bytes())
        return;
    scenario.hardware.parallel = {};
    wasteNothing(scenario);
}

/// Nothing where there is one GPU only.
std::optional<double> gpusOf(const Task& task)
{
    const std::int64_t count = task.scenario.hardware.count;
    return count > 1 ? std::optional(static_cast<double>(count)) : std::nullopt;
}

std::optional<double> poolInTokenBlocks(const SolvedTask& solved)
{
    const engines::Pool pool = poolOf(solved.task.scenario);
    const double token = static_cast<double>(pool.blockBytes.count()) / static_cast<double>(pool.blockTokens);
    const double memory = pool.memory ? static_cast<double>(pool.memory->count()) : 0;
    return token > 0 ? std::optional(std::floor(memory / token)) : std::nullopt;
}

constexpr std::array kMistakes{
    Mistake{"whole-card", takeWholeCard,
            KV_TEXT("core", "This fits if the server took the whole GPU. It takes its share only, and leaves the rest "
                            "alone.")},
    Mistake{"share-of-rest", shareWhatWeightsLeave,
            KV_TEXT("core", "This fits if the share were of what the weights leave. It is of the whole memory: first "
                            "the share, then the weights.")},
    Mistake{"computing-forgotten", [](Scenario& scenario) { setToNothing(scenario, engines::kActivationRow.flag); },
            KV_TEXT("core", "This fits if you left out the room to compute in. The server sets it aside before it "
                            "sizes the pool.")},
    Mistake{"own-work-forgotten", forgetOwnWork,
            KV_TEXT("core", "This fits if you took off nothing but the weights. The server needs memory for its own "
                            "work too.")},
    Mistake{"weights-on-each", putWeightsOnEachGpu,
            KV_TEXT("core", "This fits if each GPU held all the weights. Here the {7} GPUs divide them.")},
    Mistake{"one-large-gpu", joinGpus,
            KV_TEXT("core", "This fits for one GPU of {7} times the size. Each of the {7} needs memory for its own "
                            "work, and they need some to talk to each other.")},
    Mistake{"all-gpus", [](const SolvedTask& solved) { return times(solved.right, gpusOf(solved.task)); },
            KV_TEXT("core", "This fits for the {7} GPUs together. The question is about one of them.")},
    Mistake{"one-of-gpus",
            [](const SolvedTask& solved) {
                const std::optional<double> gpus = gpusOf(solved.task);
                return gpus ? std::optional(solved.right / *gpus) : std::nullopt;
            },
            KV_TEXT("core", "This fits for one GPU. The question is about the {7} of them together.")},
    Mistake{"heads-cut", cutHeads,
            KV_TEXT("core", "This fits if {1} KV heads could be cut into {7} parts. A head is kept whole, so GPUs that "
                            "have none of their own keep a copy.")},
    Mistake{"heads-undivided", keepAllHeadsOnEachGpu,
            KV_TEXT("core", "This fits if each GPU kept all of the {1} KV heads. It keeps those that its own query "
                            "heads look at.")},
    Mistake{"no-copies", storeHeadsOnce,
            KV_TEXT("core", "This fits if each KV head were stored once. {7} GPUs share {1} of them, so that some keep "
                            "copies.")},
    Mistake{"token-for-block", poolInTokenBlocks,
            KV_TEXT("core", "This fits if you divided by the bytes of one token. A block holds {9} of them.")},
    Mistake{"blocks-as-tokens",
            [](const SolvedTask& solved) {
                return std::optional(solved.right * static_cast<double>(blockTokensOf(solved.task.scenario)));
            },
            KV_TEXT("core", "This fits for tokens. The question is about blocks, each of which holds {9}.")},
};

} // namespace

std::span<const Mistake> engineMistakes()
{
    return kMistakes;
}

} // namespace core
