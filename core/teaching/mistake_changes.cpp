// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/teaching/mistake_changes.h"

#include "core/scenario/kv_cache.h"
#include "core/sizing/evaluate.h"

#include <algorithm>
#include <cmath>

namespace core::changes {

namespace {

/// Does `change` to every group for which it returns true; true when there was one.
template <typename Change> bool eachGroup(Scenario& scenario, Change change)
{
    bool changed = false;
    for (CacheGroup& group : scenario.model.groups)
        changed = change(group) || changed;
    return changed;
}

bool inFormat(Scenario& scenario, KvFormat format)
{
    const auto isSame = [&](KvFormat other) {
        const KvFormatInfo& a = info(format);
        const KvFormatInfo& b = info(other);
        return a.blockBytes * b.blockElements == b.blockBytes * a.blockElements;
    };
    if (isSame(scenario.kFormat) && isSame(scenario.vFormat))
        return false;
    scenario.kFormat = format;
    scenario.vFormat = format;
    return true;
}

bool withWeights(Scenario& scenario, WeightFormat format)
{
    if (scenario.weightBytes || !scenario.model.weights.known())
        return false;
    scenario.weightFormat = format;
    return true;
}

/// `bytes` with its number of `from` units read in `to` units: 48 GiB as 48 GB.
Bytes misread(Bytes bytes, double from, double to)
{
    return Bytes(static_cast<std::int64_t>(std::round(static_cast<double>(bytes.count()) / from) * to));
}

constexpr double kGiB = 1073741824.0;
constexpr double kGB = 1e9;

bool typedMemory(Scenario& scenario, Bytes (*misreading)(Bytes))
{
    const std::optional<Bytes> device = deviceMemory(scenario.hardware);
    if (!device)
        return false;
    scenario.hardware.basis = MemoryBasis::Typed;
    scenario.hardware.typed = misreading(*device);
    return true;
}

} // namespace

bool queryHeads(Scenario& scenario, std::int64_t /*number*/)
{
    const bool changed = eachGroup(scenario, [&](CacheGroup& group) {
        const std::int64_t cached = kvHeads(scenario, group);
        if (!hasHeads(group.kind) || group.queryHeads <= cached)
            return false;
        group.kvHeads = group.queryHeads;
        return true;
    });
    scenario.kvHeads.reset();
    return changed;
}

bool keysOnly(Scenario& scenario, std::int64_t /*number*/)
{
    return eachGroup(scenario, [](CacheGroup& group) {
        const bool changed = hasHeads(group.kind) && group.valueDim > 0;
        group.valueDim = hasHeads(group.kind) ? 0 : group.valueDim;
        return changed;
    });
}

bool headCountForDim(Scenario& scenario, std::int64_t /*number*/)
{
    return eachGroup(scenario, [](CacheGroup& group) {
        if (!hasHeads(group.kind) || group.queryHeads == 0 || group.queryHeads == group.keyDim)
            return false;
        group.keyDim = group.queryHeads;
        group.valueDim = group.queryHeads;
        return true;
    });
}

bool widthOverHeads(Scenario& scenario, std::int64_t number)
{
    return eachGroup(scenario, [&](CacheGroup& group) {
        if (!hasHeads(group.kind) || group.queryHeads == 0)
            return false;
        group.keyDim = number / group.queryHeads;
        group.valueDim = group.keyDim;
        return true;
    });
}

bool bits(Scenario& scenario, std::int64_t /*number*/)
{
    constexpr std::int64_t kBits = 8;
    return eachGroup(scenario, [](CacheGroup& group) {
        for (std::int64_t CacheGroup::*elements :
             {&CacheGroup::keyDim, &CacheGroup::valueDim, &CacheGroup::latentDim, &CacheGroup::ropeDim,
              &CacheGroup::indexDim, &CacheGroup::convElements, &CacheGroup::recurrentElements})
            group.*elements *= kBits;
        return true;
    });
}

bool oneLayer(Scenario& scenario, std::int64_t /*number*/)
{
    return otherLayers(scenario, 1);
}

bool otherLayers(Scenario& scenario, std::int64_t number)
{
    return eachGroup(scenario, [&](CacheGroup& group) {
        const bool changed = group.layers.count() != number;
        group.layers = LayerSet::range(0, number - 1);
        return changed;
    });
}

bool everyLayer(Scenario& scenario, std::int64_t /*number*/)
{
    std::vector<CacheGroup>& groups = scenario.model.groups;
    const auto full = std::ranges::find(groups, CacheKind::Full, &CacheGroup::kind);
    const auto isAttention = [](const CacheGroup& group) {
        return group.kind != CacheKind::State && group.kind != CacheKind::None;
    };
    if (full == groups.end() || std::ranges::all_of(groups, isAttention))
        return false;
    CacheGroup all = *full;
    all.layers = LayerSet::range(0, scenario.model.layers - 1);
    groups = {std::move(all)};
    return true;
}

bool noWindow(Scenario& scenario, std::int64_t /*number*/)
{
    return eachGroup(scenario, [](CacheGroup& group) {
        if (group.kind != CacheKind::Window && group.kind != CacheKind::Chunk)
            return false;
        group.kind = CacheKind::Full;
        return true;
    });
}

bool noWindowLayers(Scenario& scenario, std::int64_t /*number*/)
{
    std::vector<CacheGroup>& groups = scenario.model.groups;
    const bool hasOthers = std::ranges::count(groups, CacheKind::Full, &CacheGroup::kind) > 0;
    return hasOthers && std::erase_if(groups, [](const CacheGroup& group) {
                            return group.kind == CacheKind::Window || group.kind == CacheKind::Chunk;
                        }) > 0;
}

bool noStates(Scenario& scenario, std::int64_t /*number*/)
{
    return std::erase_if(scenario.model.groups,
                         [](const CacheGroup& group) { return group.kind == CacheKind::State; }) > 0;
}

bool latentTwice(Scenario& scenario, std::int64_t /*number*/)
{
    return eachGroup(scenario, [](CacheGroup& group) {
        group.latentDim *= 2;
        group.ropeDim *= 2;
        return group.kind == CacheKind::Latent;
    });
}

bool noRotaryPart(Scenario& scenario, std::int64_t /*number*/)
{
    return eachGroup(scenario, [](CacheGroup& group) {
        group.ropeDim = 0;
        return group.kind == CacheKind::Latent;
    });
}

bool latentAsHeads(Scenario& scenario, std::int64_t number)
{
    return eachGroup(scenario, [&](CacheGroup& group) {
        if (group.kind != CacheKind::Latent)
            return false;
        group.latentDim = number;
        group.ropeDim = 0;
        return true;
    });
}

bool oneByte(Scenario& scenario, std::int64_t /*number*/)
{
    return inFormat(scenario, KvFormat::Int8);
}

bool twoBytes(Scenario& scenario, std::int64_t /*number*/)
{
    return inFormat(scenario, KvFormat::Bf16);
}

bool fourBytes(Scenario& scenario, std::int64_t /*number*/)
{
    return inFormat(scenario, KvFormat::Fp32);
}

bool noScales(Scenario& scenario, std::int64_t /*number*/)
{
    const KvFormatInfo& format = info(scenario.kFormat);
    if (format.blockElements <= 2)
        return false;
    return inFormat(scenario, format.blockBytes >= format.blockElements ? KvFormat::Int8 : KvFormat::Int4);
}

bool oneByteWeights(Scenario& scenario, std::int64_t /*number*/)
{
    return withWeights(scenario, WeightFormat::Int8);
}

bool twoByteWeights(Scenario& scenario, std::int64_t /*number*/)
{
    return withWeights(scenario, WeightFormat::Bf16);
}

bool fourByteWeights(Scenario& scenario, std::int64_t /*number*/)
{
    return withWeights(scenario, WeightFormat::Fp32);
}

bool weightsEach(Scenario& scenario, std::int64_t /*number*/)
{
    const std::optional<Bytes> weights = weightBytes(scenario);
    if (!weights || scenario.workload.batch == 1)
        return false;
    scenario.weightBytes = *weights * scenario.workload.batch;
    return true;
}

bool noWeights(Scenario& scenario, std::int64_t /*number*/)
{
    const bool changed = weightBytes(scenario).value_or(Bytes()) > Bytes();
    scenario.weightBytes = Bytes();
    return changed;
}

bool activeOnly(Scenario& scenario, std::int64_t number)
{
    const Weights& weights = scenario.model.weights;
    const std::optional<Bytes> all = weightBytes(scenario);
    const std::int64_t active = number > 0 ? number : weights.activeParameters();
    if (!all || !weights.known() || active >= weights.parameters())
        return false;
    scenario.weightBytes = scaledUp(*all, active, weights.parameters());
    return true;
}

bool decimalWeights(Scenario& scenario, std::int64_t /*number*/)
{
    const std::optional<Bytes> weights = weightBytes(scenario);
    if (!weights)
        return false;
    scenario.weightBytes = misread(*weights, kGiB, kGB);
    return true;
}

bool thousands(Scenario& scenario, std::int64_t /*number*/)
{
    Workload& workload = scenario.workload;
    const auto inThousands = [](std::int64_t tokens) { return tokens % 1024 == 0 ? tokens / 1024 * 1000 : tokens; };
    const Workload before = workload;
    workload.context = inThousands(workload.context);
    if (workload.maxContext)
        workload.maxContext = inThousands(*workload.maxContext);
    return workload != before;
}

bool oneRequest(Scenario& scenario, std::int64_t /*number*/)
{
    const bool changed = scenario.workload.batch != 1;
    scenario.workload.batch = 1;
    return changed;
}

bool noCache(Scenario& scenario, std::int64_t /*number*/)
{
    scenario.workload.batch = 0;
    return true;
}

bool noWaste(Scenario& scenario, std::int64_t /*number*/)
{
    const bool changed = scenario.engine != EngineId::Ideal || scenario.waste != Percent{};
    scenario.engine = EngineId::Ideal;
    scenario.engineVersion.clear();
    scenario.settings = {};
    scenario.waste = {};
    return changed;
}

bool oneGpu(Scenario& scenario, std::int64_t /*number*/)
{
    const bool changed = scenario.hardware.count != 1;
    scenario.hardware.count = 1;
    return changed;
}

bool noReserve(Scenario& scenario, std::int64_t /*number*/)
{
    const bool changed = scenario.reserve != Percent{};
    scenario.reserve = {};
    return changed;
}

bool noOverhead(Scenario& scenario, std::int64_t /*number*/)
{
    const bool changed = scenario.overhead != Bytes();
    scenario.overhead = {};
    return changed;
}

bool labelMemory(Scenario& scenario, std::int64_t /*number*/)
{
    const bool changed = scenario.hardware.gpu && scenario.hardware.basis == MemoryBasis::Usable;
    scenario.hardware.basis = changed ? MemoryBasis::Label : scenario.hardware.basis;
    return changed;
}

bool decimalMemory(Scenario& scenario, std::int64_t /*number*/)
{
    return typedMemory(scenario, [](Bytes bytes) { return misread(bytes, kGiB, kGB); });
}

bool binaryMemory(Scenario& scenario, std::int64_t /*number*/)
{
    return typedMemory(scenario, [](Bytes bytes) { return misread(bytes, kGB, kGiB); });
}

} // namespace core::changes
