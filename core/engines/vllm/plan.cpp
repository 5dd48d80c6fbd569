// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engines/vllm/plan.h"

#include "core/engines/vllm/vllm.h"
#include "core/engines/waste_steps.h"
#include "core/numbers.h"
#include "core/scenario/kv_cache.h"

#include <algorithm>
#include <numeric>

namespace core::engines::vllm {

namespace {

std::int64_t statesOf(const Options& options, const LayerType& type, std::int64_t tokens)
{
    switch (options.states) {
    case StateMode::All:
        return std::max<std::int64_t>(ceilDivided(tokens, type.blockTokens), 1);
    case StateMode::Align:
        return 2 + options.drafts;
    case StateMode::None:
        break;
    }
    return 1 + options.drafts;
}

} // namespace

/// The blocks that a workload needs on each device of a replica.
struct VllmPlan::Demand {
    std::int64_t context = 0; ///< tokens
    std::int64_t shared = 0;  ///< tokens that the replica keeps once
    std::int64_t batched = 0;
    std::int64_t longest = 0;   ///< tokens
    std::int64_t ofRequest = 0; ///< blocks of a request
    std::int64_t ofLongest = 0; ///< of the longest one
    std::int64_t ofPrefix = 0;  ///< Blocks of the shared prefix, which are kept once.
    std::int64_t requests = 0;  ///< of the replica with most
};

VllmPlan::VllmPlan(const Scenario& given)
    : Plan(given),
      m_options(optionsOf(scenario())),
      m_spread(spreadOf(scenario(), m_options.partition)),
      m_budget(budgetOf(valuesOf(scenario()), m_spread)),
      m_layout(layoutOf(scenario(), m_options, m_spread))
{
    if (m_options.rules.countsGraphs)
        m_budget.graphs = m_options.graphs;
    m_hasCross =
        std::ranges::any_of(m_layout.types, [](const LayerType& type) { return type.rule == BlockRule::Cross; });
    readMemory();
}

/// What each stage has for its cache; the least number of blocks holds for all of them.
void VllmPlan::readMemory()
{
    const std::optional<Bytes> device = deviceMemory(scenario().hardware);
    const std::optional<Bytes> usable =
        device ? std::optional(fractionOf(*device, m_options.utilization)) : std::nullopt;
    for (std::int64_t stage = 0; stage < m_spread.pipeline; ++stage) {
        const auto place = static_cast<std::size_t>(stage);
        m_weights.at(place) = weightsOn(scenario(), m_spread, stage, weights().value_or(Bytes()));
        m_room.at(place) = roomBeside(scenario(), m_weights.at(place), m_budget);
        m_memory.at(place) = cacheMemory(scenario(), usable, m_weights.at(place), m_budget);
        const Bytes block = m_layout.block.at(place);
        const bool larger = block > m_layout.block.at(m_binding);
        if (!m_memory.at(place) || block == Bytes()) {
            m_binding = larger ? place : m_binding;
            continue;
        }
        const std::int64_t blocks = m_memory.at(place)->count() / block.count();
        if (!m_blocks || blocks < *m_blocks || (blocks == *m_blocks && larger)) {
            m_blocks = blocks;
            m_binding = place;
        }
    }
    if (m_options.blocks)
        m_blocks = m_options.blocks;
}

std::int64_t VllmPlan::blocksIn(Bytes memory) const
{
    return memory.count() / std::max<std::int64_t>(m_layout.block.at(m_binding).count(), 1);
}

/// At least one whole request where its prompt is not computed in pieces: with an encoder.
std::int64_t VllmPlan::batched(std::int64_t longest) const
{
    return m_hasCross ? std::max(m_options.batched, longest) : m_options.batched;
}

std::int64_t VllmPlan::blocksOf(const LayerType& type, std::int64_t tokens, std::int64_t batched) const
{
    switch (type.rule) {
    case BlockRule::Full:
        return ceilDivided(ceilDivided(tokens, m_options.contextRanks), type.blockTokens);
    case BlockRule::Window:
        return ceilDivided(std::min(type.window - 1 + batched, tokens), type.blockTokens) + 1;
    case BlockRule::Chunk:
        return ceilDivided(std::min(type.window + batched, tokens), type.blockTokens);
    case BlockRule::Cross:
        return ceilDivided(batched, type.blockTokens);
    case BlockRule::State:
        return statesOf(m_options, type, tokens);
    }
    return 0;
}

std::int64_t VllmPlan::blocksOf(std::int64_t tokens, std::int64_t batched) const
{
    if (m_layout.isUniform)
        return m_layout.types.empty() ? 0 : blocksOf(m_layout.types.front(), tokens, batched);
    std::int64_t sum = 0;
    for (const LayerType& type : m_layout.types)
        sum += type.groups * blocksOf(type, tokens, batched);
    return sum;
}

std::int64_t VllmPlan::sharedTokens(const Workload& workload) const
{
    if (!m_options.sharesPrefixes || workload.sharedPrefix == 0)
        return 0;
    std::int64_t unit = m_options.contextRanks;
    for (const LayerType& type : m_layout.types) {
        if (unit <= workload.sharedPrefix)
            unit = std::lcm(unit, type.blockTokens * m_options.contextRanks);
    }
    return core::sharedTokens(workload, unit);
}

std::int64_t VllmPlan::sharedBlocks(const LayerType& type, std::int64_t shared) const
{
    return type.rule == BlockRule::Full ? shared / m_options.contextRanks / type.blockTokens : 0;
}

std::int64_t VllmPlan::sharedBlocks(std::int64_t shared) const
{
    if (m_layout.isUniform)
        return m_layout.types.empty() ? 0 : sharedBlocks(m_layout.types.front(), shared);
    std::int64_t sum = 0;
    for (const LayerType& type : m_layout.types)
        sum += type.groups * sharedBlocks(type, shared);
    return sum;
}

std::int64_t VllmPlan::printedTokens(std::int64_t blocks, std::int64_t longest, std::int64_t ofLongest) const
{
    const bool onlyStates = m_layout.isUniform && m_layout.state > Bytes(); // then a block holds a whole request
    const std::int64_t tokens = onlyStates ? longest : m_layout.blockTokens;
    switch (m_options.rules.print) {
    case Print::Blocks:
        return saturatingProduct(blocks, tokens);
    case Print::Groups:
        return saturatingProduct(saturatingProduct(blocks / m_layout.groups, tokens), m_options.contextRanks);
    case Print::Requests:
        break;
    }
    // In floating point and in this order, as the engine computes it: it may print one token less than there are.
    const double requests = static_cast<double>(blocks) / static_cast<double>(std::max<std::int64_t>(ofLongest, 1));
    const double printed = requests * static_cast<double>(longest);
    return printed < static_cast<double>(kCountless) ? static_cast<std::int64_t>(printed) : kCountless;
}

double VllmPlan::concurrency(std::int64_t blocks, std::int64_t longest, std::int64_t ofLongest) const
{
    if (m_options.rules.print == Print::Blocks)
        return static_cast<double>(printedTokens(blocks, longest, ofLongest)) / static_cast<double>(longest);
    return static_cast<double>(blocks) / static_cast<double>(std::max<std::int64_t>(ofLongest, 1));
}

void VllmPlan::reserve(const Workload& workload, Reservation& reservation) const
{
    Demand demand;
    demand.context = workload.context;
    demand.longest = std::max<std::int64_t>(workload.maxContext.value_or(workload.context), 1);
    demand.batched = batched(demand.longest);
    demand.ofRequest = blocksOf(workload.context, demand.batched);
    demand.ofLongest = demand.longest == workload.context ? demand.ofRequest : blocksOf(demand.longest, demand.batched);
    demand.requests = ceilDivided(workload.batch, m_spread.replicas);
    demand.shared = sharedTokens(workload);
    demand.ofPrefix = sharedBlocks(demand.shared);
    reservation.deviceCount = 0;
    reservation.partCount = 0;
    reservation.host.reset();
    forEachDevice(m_spread, workload.batch,
                  [&](const Device& device) { addDevice(device, workload, demand, reservation); });
    for (const LayerType& type : m_layout.types)
        addPart(type, demand, reservation);
    const std::int64_t needed =
        std::max(ofRequests(demand.requests, demand.ofRequest, demand.ofPrefix), demand.ofLongest);
    Pool& pool = reservation.pool.emplace();
    pool = {.blockTokens = m_layout.blockTokens,
            .blockBytes = m_layout.block.at(m_binding),
            .requestBlocks = demand.ofLongest,
            .needed = m_layout.block.at(m_binding) * needed,
            .memory = m_memory.at(m_binding),
            .blocks = m_blocks};
    reservation.requestTokens = demand.longest;
    reservation.cacheTokens.reset();
    if (m_blocks) {
        pool.concurrency = concurrency(*m_blocks, demand.longest, demand.ofLongest);
        reservation.cacheTokens = printedTokens(*m_blocks, demand.longest, demand.ofLongest);
    }
}

void VllmPlan::addDevice(const Device& device, const Workload& workload, const Demand& demand,
                         Reservation& reservation) const
{
    const auto stage = static_cast<std::size_t>(device.stage);
    DeviceShare& share = reservation.devices.at(reservation.deviceCount++);
    share = {.count = device.count, .weights = m_weights.at(stage) * device.count};
    m_budget.addTo(share, device.count);
    for (const LayerType& type : m_layout.types) {
        const std::int64_t blocks = blocksOf(type, workload.context, demand.batched);
        const std::int64_t all = ofRequests(device.requests, blocks, sharedBlocks(type, demand.shared));
        Bytes held;
        for (const ModelGroup& modelGroup : type.modelGroups) {
            addModelGroup(type, modelGroup, blocks, device, workload, demand, share);
            held += type.page * all * modelGroup.layers.at(stage);
        }
        const Bytes padding = reserved(type, stage, all) - held;
        share.waste.add(WasteCause::PaddingLayers, padding * device.count);
    }
    const Bytes block = m_layout.block.at(stage);
    const std::int64_t inUse = ofRequests(device.requests, demand.ofRequest, demand.ofPrefix);
    if (demand.ofLongest > inUse)
        share.waste.add(WasteCause::MaxContext, block * (demand.ofLongest - inUse) * device.count);
    const std::optional<Bytes> pool = m_options.blocks ? std::optional(block * *m_options.blocks) : m_memory.at(stage);
    if (!pool)
        return;
    share.left = std::max(m_room.at(stage) - *pool, Bytes()) * device.count;
    share.pool = *pool * device.count;
}

/// Bytes of so many blocks in the layers of a type on a stage.
Bytes VllmPlan::reserved(const LayerType& type, std::size_t stage, std::int64_t blocks) const
{
    const std::int64_t pages = m_layout.isUniform ? type.layers.at(stage) : type.groups * m_layout.pages.at(stage);
    return type.page * blocks * pages;
}

/// The steps from the ideal cache to the pages of a group's layers, `blocks` of each for a request.
void VllmPlan::addModelGroup(const LayerType& type, const ModelGroup& modelGroup, std::int64_t blocks,
                             const Device& device, const Workload& workload, const Demand& demand,
                             DeviceShare& share) const
{
    const auto stage = static_cast<std::size_t>(device.stage);
    const std::int64_t layers = modelGroup.layers.at(stage);
    const auto ofAll = [&](std::int64_t each, std::int64_t shared = 0) {
        return saturatingProduct(ofRequests(device.requests, each, shared), layers * device.count);
    };
    const std::int64_t n = ofAll(1);
    const std::int64_t ofPrefix = sharedBlocks(type, demand.shared);
    const Bytes pages = type.page * ofAll(blocks, ofPrefix);
    if (n == 0 || modelGroup.group == nullptr) {
        share.waste.add(WasteCause::Speculation, pages);
        return;
    }
    const std::int64_t kept = entries(*modelGroup.group, workload.context, workload.encoderTokens);
    const std::int64_t onRank = type.rule == BlockRule::Full ? ceilDivided(kept, m_options.contextRanks) : kept;
    const std::int64_t shared = type.rule == BlockRule::Full ? demand.shared : 0;
    const std::int64_t inPrefix = sharedEntries(*modelGroup.group, workload, kept, shared);
    const std::int64_t onRankInPrefix = ceilDivided(inPrefix, m_options.contextRanks);
    const Bytes whole = modelGroup.ideal * saturatingProduct(ofRequests(device.requests, kept, inPrefix), layers);
    WasteSteps steps(share, device.partOf(whole, m_spread.heads), pages);
    steps.rise(WasteCause::Replication, modelGroup.idealOnRank * ofAll(onRank, onRankInPrefix));
    if (type.rule == BlockRule::State) {
        const std::int64_t own = 1 + m_options.drafts;
        steps.rise(WasteCause::StateFormat, type.plain * n);
        steps.rise(WasteCause::Speculation, type.entry() * std::min(own, blocks) * n);
        steps.rise(WasteCause::CachedStates, type.entry() * blocks * n);
        return steps.finish(WasteCause::PagePadding);
    }
    const Bytes entry = type.entry();
    steps.rise(type.cause, entry * ofAll(onRank, onRankInPrefix));
    if (type.rule == BlockRule::Full && modelGroup.group->window > 0)
        steps.rise(WasteCause::WholeWindow, entry * ofAll(workload.context, shared));
    if (type.rule == BlockRule::Window || type.rule == BlockRule::Chunk)
        steps.rise(WasteCause::WindowBatch, entry * std::min(type.window + demand.batched, workload.context) * n);
    if (type.rule == BlockRule::Cross || modelGroup.group->kind == CacheKind::Cross)
        steps.rise(WasteCause::MaxContext,
                   entry * (type.rule == BlockRule::Cross ? demand.batched : workload.context) * n);
    steps.rise(WasteCause::PartialBlock,
               entry * ofAll(ceilDivided(saturatingProduct(blocks, type.blockTokens), type.ratio),
                             ofPrefix * type.blockTokens / type.ratio));
    steps.finish(WasteCause::PagePadding);
}

/// A line for the layers of a type, for what the workload needs on the device that binds.
void VllmPlan::addPart(const LayerType& type, const Demand& demand, Reservation& reservation) const
{
    if (reservation.partCount == kMaxParts)
        return;
    const bool longest = demand.ofLongest > ofRequests(demand.requests, demand.ofRequest, demand.ofPrefix);
    const std::int64_t tokens = longest ? demand.longest : demand.context;
    const std::int64_t requests = longest ? 1 : demand.requests;
    const std::int64_t blocks = blocksOf(type, tokens, demand.batched);
    CachePart& part = reservation.parts.at(reservation.partCount++);
    part = {.kind = id(type.kind),
            .cells = type.rule == BlockRule::State ? blocks : saturatingProduct(blocks, type.blockTokens),
            .layers = type.layers.at(m_binding),
            .sequences = requests,
            .streams = requests,
            .kFormat = scenario().kFormat,
            .vFormat = scenario().vFormat,
            .k = {},
            .v = {}};
    const std::int64_t held = type.rule == BlockRule::State ? blocks : ceilDivided(part.cells, type.ratio);
    const std::int64_t ofPrefix = longest ? 0 : sharedBlocks(type, demand.shared);
    part.v = type.v * ofRequests(requests, held, ofPrefix * type.blockTokens / type.ratio) * part.layers;
    part.k = reserved(type, m_binding, ofRequests(requests, blocks, ofPrefix)) - part.v;
}

} // namespace core::engines::vllm
