// SPDX-License-Identifier: GPL-3.0-or-later
// Changes of what an engine does with one device or several.
#include "core/engines/budget.h"
#include "core/engines/engine.h"
#include "core/engines/parallel.h"
#include "core/scenario/kv_cache.h"
#include "core/sizing/evaluate.h"
#include "core/teaching/memory_share.h"
#include "core/teaching/mistake_changes.h"

namespace core::changes {

namespace {

/// Sets a line of the engine's own budget to nothing; false where it has no such line or nothing stands there.
bool without(Scenario& scenario, std::string_view flag)
{
    const auto rows = engines::settings(scenario.engine);
    if (engines::find(rows, flag) == nullptr)
        return false;
    const engines::SettingValues values(rows, scenario.settings, scenario.engineVersion);
    const bool changed = values.size(flag).value_or(Bytes(1)) > Bytes(); // a word stands for some amount
    scenario.settings.set(flag, "0GiB");
    return changed;
}

/// Ranks of the scenario's engine that divide the heads.
std::int64_t ranksOf(const Scenario& scenario)
{
    return engines::spreadOf(scenario).heads;
}

} // namespace

bool wholeCard(Scenario& scenario, std::int64_t /*number*/)
{
    const engines::Setting* flag = memoryShareFlag(scenario);
    if (flag == nullptr || memoryShareOf(scenario) == Percent::whole(100))
        return false;
    scenario.settings.set(flag->flag, "1");
    return true;
}

/// share · (memory − weights) is what weights of that share would leave.
bool shareOfRest(Scenario& scenario, std::int64_t /*number*/)
{
    const std::optional<Percent> share = memoryShareOf(scenario);
    const std::optional<Bytes> weights = weightBytes(scenario);
    if (!share || !weights)
        return false;
    scenario.weightBytes = share->of(*weights);
    return scenario.weightBytes != weights;
}

bool noComputing(Scenario& scenario, std::int64_t /*number*/)
{
    return without(scenario, engines::kActivationRow.flag);
}

bool noOwnWork(Scenario& scenario, std::int64_t /*number*/)
{
    bool changed = noOverhead(scenario, 0);
    for (const engines::Setting& setting : engines::settings(scenario.engine))
        changed = (setting.estimate && without(scenario, setting.flag)) || changed;
    return changed;
}

bool weightsOnEach(Scenario& scenario, std::int64_t /*number*/)
{
    const std::optional<Bytes> weights = weightBytes(scenario);
    if (!weights || ranksOf(scenario) == 1)
        return false;
    scenario.weightBytes = *weights * ranksOf(scenario);
    return true;
}

bool oneLargeGpu(Scenario& scenario, std::int64_t /*number*/)
{
    const std::int64_t count = scenario.hardware.count;
    const std::optional<Bytes> device = deviceMemory(scenario.hardware);
    if (!device || count == 1)
        return false;
    scenario.hardware.basis = MemoryBasis::Typed;
    scenario.hardware.typed = *device * count;
    scenario.hardware.count = 1;
    scenario.hardware.parallel = {};
    return true;
}

/// As many heads as GPUs, each a part of a real one.
bool cutHeads(Scenario& scenario, std::int64_t /*number*/)
{
    const std::int64_t ranks = ranksOf(scenario);
    bool changed = false;
    for (CacheGroup& group : scenario.model.groups) {
        const std::int64_t heads = kvHeads(scenario, group);
        if (!hasHeads(group.kind) || heads == 0 || heads >= ranks)
            continue;
        group.kvHeads = ranks;
        group.keyDim = group.keyDim * heads / ranks;
        group.valueDim = group.valueDim * heads / ranks;
        changed = true;
    }
    scenario.kvHeads.reset();
    return changed;
}

bool undividedHeads(Scenario& scenario, std::int64_t /*number*/)
{
    const std::int64_t ranks = ranksOf(scenario);
    bool changed = false;
    for (CacheGroup& group : scenario.model.groups) {
        const std::int64_t heads = kvHeads(scenario, group);
        if (!hasHeads(group.kind))
            continue;
        group.kvHeads = heads * ranks;
        changed = changed || (heads > 1 && ranks > 1);
    }
    scenario.kvHeads.reset();
    return changed;
}

bool noCopies(Scenario& scenario, std::int64_t /*number*/)
{
    if (engines::reserve(scenario).waste().of(WasteCause::Replication) == Bytes())
        return false;
    scenario.hardware.parallel = {};
    return noWaste(scenario, 0);
}

} // namespace core::changes
