// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/kv_cache.h"
#include "core/teaching/mistake_library.h"

#include <algorithm>
#include <array>

namespace core {

namespace {

template <typename Change> void changeHeads(Scenario& scenario, Change change)
{
    putKvHeadsInGroups(scenario);
    for (CacheGroup& group : scenario.model.groups) {
        if (hasHeads(group.kind))
            change(group);
    }
}

template <typename Change> void changeLatents(Scenario& scenario, Change change)
{
    for (CacheGroup& group : scenario.model.groups) {
        if (group.kind == CacheKind::Latent)
            change(group);
    }
}

bool hasWindow(const CacheGroup& group)
{
    return group.kind == CacheKind::Window || group.kind == CacheKind::Chunk;
}

void countBits(Scenario& scenario)
{
    constexpr std::int64_t kBits = 8;
    for (CacheGroup& group : scenario.model.groups) {
        for (std::int64_t CacheGroup::*elements :
             {&CacheGroup::keyDim, &CacheGroup::valueDim, &CacheGroup::latentDim, &CacheGroup::ropeDim,
              &CacheGroup::indexDim, &CacheGroup::convElements, &CacheGroup::recurrentElements})
            group.*elements *= kBits;
    }
}

void setLayers(Scenario& scenario, std::int64_t layers)
{
    for (CacheGroup& group : scenario.model.groups) {
        if (group.layers.count() != layers)
            group.layers = LayerSet::range(0, layers - 1);
    }
}

void useFormat(Scenario& scenario, KvFormat format)
{
    const auto isAsLarge = [&](KvFormat other) {
        const KvFormatInfo& a = info(format);
        const KvFormatInfo& b = info(other);
        return a.blockBytes * b.blockElements == b.blockBytes * a.blockElements;
    };
    if (isAsLarge(scenario.kFormat) && isAsLarge(scenario.vFormat))
        return;
    scenario.kFormat = format;
    scenario.vFormat = format;
}

void forgetScales(Scenario& scenario)
{
    const KvFormatInfo& format = info(scenario.kFormat);
    if (format.blockElements > 2)
        useFormat(scenario, format.blockBytes >= format.blockElements ? KvFormat::Int8 : KvFormat::Int4);
}

std::optional<double> sixteenthOf16Bits(const SolvedTask& solved)
{
    constexpr double kSixteenth = 1.0 / 16;
    Task wide = solved.task;
    wide.scenario.kFormat = KvFormat::Bf16;
    wide.scenario.vFormat = KvFormat::Bf16;
    return times(kSixteenth, solve(wide));
}

/// 8,192 becomes 8,000; contexts that are no multiple of 1,024 stay as they are.
std::int64_t inThousands(std::int64_t tokens)
{
    return tokens % 1024 == 0 ? tokens / 1024 * 1000 : tokens;
}

void takeKForThousand(Scenario& scenario)
{
    Workload& workload = scenario.workload;
    workload.context = inThousands(workload.context);
    if (workload.maxContext)
        workload.maxContext = inThousands(*workload.maxContext);
}

/// Lets all layers keep what those that keep every token do.
void fillEveryLayer(Scenario& scenario)
{
    std::vector<CacheGroup>& groups = scenario.model.groups;
    const auto full = std::ranges::find(groups, CacheKind::Full, &CacheGroup::kind);
    const auto isAttention = [](const CacheGroup& group) {
        return group.kind != CacheKind::State && group.kind != CacheKind::None;
    };
    if (full == groups.end() || std::ranges::all_of(groups, isAttention))
        return;
    CacheGroup all = *full;
    all.layers = LayerSet::range(0, scenario.model.layers - 1);
    groups = {std::move(all)};
}

void ignoreWindows(Scenario& scenario)
{
    for (CacheGroup& group : scenario.model.groups)
        group.kind = hasWindow(group) ? CacheKind::Full : group.kind;
}

void forgetWindowLayers(Scenario& scenario)
{
    std::vector<CacheGroup>& groups = scenario.model.groups;
    if (std::ranges::count(groups, CacheKind::Full, &CacheGroup::kind) > 0)
        std::erase_if(groups, hasWindow);
}

void forgetStates(Scenario& scenario)
{
    std::erase_if(scenario.model.groups, [](const CacheGroup& group) { return group.kind == CacheKind::State; });
}

std::optional<double> stateForEveryToken(const SolvedTask& solved)
{
    const auto& [task, right, number] = solved;
    const Workload& workload = task.scenario.workload;
    const double fixed = solve(AskedQuantity::FixedCache, task.scenario).value_or(0);
    const std::int64_t requests = task.quantity == AskedQuantity::Cache ? workload.batch : 1;
    if (fixed <= 0)
        return std::nullopt;
    return right + fixed * static_cast<double>((workload.context - 1) * requests);
}

constexpr std::array kMistakes{
    // The factors of the equation.
    Mistake{"query-heads",
            [](Scenario& scenario) {
                changeHeads(scenario,
                            [](CacheGroup& group) { group.kvHeads = std::max(group.kvHeads, group.queryHeads); });
            },
            KV_TEXT("core", "This fits if you counted the {0} query heads, or the width. Only the {1} KV heads are "
                            "cached: queries are used once and dropped.")},
    Mistake{"keys-only",
            [](Scenario& scenario) { changeHeads(scenario, [](CacheGroup& group) { group.valueDim = 0; }); },
            KV_TEXT("core", "This fits if you counted keys or values, but not both. Every token leaves a key and a "
                            "value: that is the 2 in the equation.")},
    Mistake{"head-count-for-dim",
            [](Scenario& scenario) {
                changeHeads(scenario, [](CacheGroup& group) {
                    if (group.queryHeads != 0 && group.queryHeads != group.keyDim)
                        group.keyDim = group.valueDim = group.queryHeads;
                });
            },
            KV_TEXT("core", "This fits if you took {0}, the number of heads, for the length of one. A head of this "
                            "model has {6} elements.")},
    Mistake{"bits", countBits, KV_TEXT("core", "This fits if you counted bits. A byte has 8 bits, so divide by 8.")},
    Mistake{"one-layer", [](Scenario& scenario) { setLayers(scenario, 1); },
            KV_TEXT("core", "This fits if you stopped at one layer. Each layer keeps keys and values of its own, so "
                            "multiply by the layers.")},
    Mistake{.id = "other-layers",
            .effect = setLayers,
            .text = KV_TEXT("core", "This fits if you took {2} layers, which another model has. This one has {5}."),
            .needsNumber = true},
    Mistake{"one-byte", [](Scenario& scenario) { useFormat(scenario, KvFormat::Int8); },
            KV_TEXT("core", "This fits if you counted one byte for each element. In this cache format it is {10}."),
            KV_TEXT("core", "This fits if you counted one byte for each element. In this cache format {11} elements "
                            "take {10} bytes.")},
    Mistake{"two-bytes", [](Scenario& scenario) { useFormat(scenario, KvFormat::Bf16); },
            KV_TEXT("core", "This fits if you counted two bytes for each element, as a 16-bit cache has. In this cache "
                            "format it is {10}."),
            KV_TEXT("core", "This fits if you counted two bytes for each element, as a 16-bit cache has. In this cache "
                            "format {11} elements take {10} bytes.")},
    Mistake{"four-bytes", [](Scenario& scenario) { useFormat(scenario, KvFormat::Fp32); },
            KV_TEXT("core", "This fits if you counted four bytes for each element, as FP32 has. In this cache format "
                            "it is {10}."),
            KV_TEXT("core", "This fits if you counted four bytes for each element, as FP32 has. In this cache format "
                            "{11} elements take {10} bytes.")},
    Mistake{"no-scales", forgetScales,
            KV_TEXT("core", "This fits if you left the scales out. Each small block of elements carries a scale, and "
                            "those bytes are cached too.")},
    Mistake{"sixteenth", sixteenthOf16Bits,
            KV_TEXT("core", "This fits if you took 4 bits for a sixteenth of 16 bits. It is a quarter.")},
    Mistake{"thousands", takeKForThousand,
            KV_TEXT("core", "This fits if you took K for 1,000. In token counts K is 1,024, so the context is {3} "
                            "tokens.")},
    Mistake{"one-request", [](Scenario& scenario) { scenario.workload.batch = 1; },
            KV_TEXT("core", "This fits for a single request. There are {4} at once, and each one has its own cache.")},
    // Models whose layers are not alike.
    Mistake{"every-layer", fillEveryLayer,
            KV_TEXT("core", "This fits if every layer kept keys and values. In this model only some layers do; the "
                            "others have a state of fixed size, or nothing.")},
    Mistake{"window-ignored", ignoreWindows,
            KV_TEXT("core", "This fits if every layer kept the whole context. Layers with a window keep only their "
                            "last tokens.")},
    Mistake{"window-layers-forgotten", forgetWindowLayers,
            KV_TEXT("core", "This fits if you counted only the layers that keep the whole context. Layers with a "
                            "window keep something too: their last tokens.")},
    Mistake{"states-forgotten", forgetStates,
            KV_TEXT("core", "This fits if you left the states out. They do not grow, but each request has its own.")},
    Mistake{"state-per-token", stateForEveryToken,
            KV_TEXT("core", "This fits if you multiplied the states by the tokens. A state is overwritten at each "
                            "token: a request keeps one, whatever its length.")},
    Mistake{"latent-twice",
            [](Scenario& scenario) {
                changeLatents(scenario, [](CacheGroup& group) {
                    group.latentDim *= 2;
                    group.ropeDim *= 2;
                });
            },
            KV_TEXT("core", "This fits if you stored the latent twice, once for K and once for V. It is stored once, "
                            "and both are computed from it.")},
    Mistake{"rotary-forgotten",
            [](Scenario& scenario) { changeLatents(scenario, [](CacheGroup& group) { group.ropeDim = 0; }); },
            KV_TEXT("core", "This fits if you left out the short part that carries the position. It is stored beside "
                            "the latent.")},
    Mistake{.id = "latent-as-heads",
            .effect =
                [](Scenario& scenario, std::int64_t elements) {
                    changeLatents(scenario, [&](CacheGroup& group) {
                        group.latentDim = elements;
                        group.ropeDim = 0;
                    });
                },
            .text = KV_TEXT("core", "This fits if every head kept its own key and value, {2} elements in all. This "
                                    "model keeps one small latent for all heads."),
            .needsNumber = true},
    Mistake{.id = "width-over-heads",
            .effect =
                [](Scenario& scenario, std::int64_t width) {
                    changeHeads(scenario, [&](CacheGroup& group) {
                        if (group.queryHeads != 0)
                            group.keyDim = group.valueDim = width / group.queryHeads;
                    });
                },
            .text = KV_TEXT("core", "This fits if you divided the width of {2} by {0} heads. This configuration says "
                                    "its head dimension itself, so read it."),
            .needsNumber = true},
};

} // namespace

std::span<const Mistake> cacheMistakes()
{
    return kMistakes;
}

void putKvHeadsInGroups(Scenario& scenario)
{
    for (CacheGroup& group : scenario.model.groups)
        group.kvHeads = kvHeads(scenario, group);
    scenario.kvHeads.reset();
}

} // namespace core
