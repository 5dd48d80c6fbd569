// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engines/tokens.h"

#include "core/engines/waste_steps.h"
#include "core/numbers.h"
#include "core/scenario/kv_cache.h"

#include <algorithm>

namespace core::engines {

namespace {

constexpr std::int64_t kWhole = 10'000;

std::int64_t roundedUp(std::int64_t value, std::int64_t multiple)
{
    return saturatingProduct(ceilDivided(value, multiple), multiple);
}

} // namespace

/// What a workload needs on each device of a replica with so many requests.
struct TokenPlan::Demand {
    std::int64_t requests = 0;
    std::int64_t shared = 0;  ///< tokens of each request that are kept once
    std::int64_t context = 0; ///< tokens of all requests, in whole pages
    std::int64_t tokens = 0;  ///< of the pool
    std::int64_t states = 0;
};

std::int64_t TokenPlan::tokensOf(Kind kind, std::int64_t tokens) const
{
    if (kind != Kind::Window)
        return tokens;
    const std::int64_t share = saturatingProduct(tokens, m_rules.windowRatio) / kWhole;
    return share - share % m_rules.page;
}

TokenPlan::Cost TokenPlan::cost(std::size_t stage, std::int64_t tokens, std::int64_t states) const
{
    const Entry& entry = m_entries.at(stage);
    return {.tokens = entry.token * tokens + entry.window * tokensOf(Kind::Window, tokens),
            .states = entry.state * states};
}

/// The pools of `memory` bytes on a device. States of drafts are set aside first.
TokenPlan::Sizes TokenPlan::sizesOf(std::size_t stage, Bytes memory) const
{
    const Bytes state = cost(stage, 0, 1).states;
    memory = std::max(memory - state * m_rules.draftStates.value_or(0), Bytes());
    Sizes sizes{.tokens = 0, .states = m_rules.states.value_or(0)};
    Bytes ofTokens = memory;
    if (m_rules.states) {
        ofTokens = std::max(memory - state * *m_rules.states, Bytes());
    } else if (m_rules.stateRatio > 0 && state > Bytes()) {
        const Bytes ofStates = memory - scaledUp(memory, kWhole, kWhole + m_rules.stateRatio);
        sizes.states = ofStates.count() / state.count();
        ofTokens = memory - ofStates;
    }
    sizes.tokens = tokensIn(stage, ofTokens);
    return sizes;
}

/// Tokens of pools of `memory` bytes. Tokens of windows are so many for each of the others: one division, in
/// ten-thousandths of a token.
std::int64_t TokenPlan::tokensIn(std::size_t stage, Bytes memory) const
{
    const Bytes cell = m_entries.at(stage).token * kWhole + m_entries.at(stage).window * m_rules.windowRatio;
    if (cell == Bytes())
        return 0;
    if (m_rules.roundsUp)
        return saturatingProduct(scaledUp(memory, kWhole, (cell * m_rules.page).count()).count(), m_rules.page);
    std::int64_t tokens = scaledUp(memory, kWhole, cell.count()).count();
    if (scaledUp(Bytes(tokens), cell.count(), kWhole) > memory)
        --tokens;
    return tokens - tokens % m_rules.page;
}

/// Each stage has a pool; the one with the fewest tokens holds for all of them.
void TokenPlan::readMemory(std::optional<Bytes> usable, std::int64_t share)
{
    for (std::int64_t stage = 0; stage < m_spread.pipeline; ++stage) {
        const auto place = static_cast<std::size_t>(stage);
        m_weights.at(place) = weightsOn(scenario(), m_spread, stage, weights().value_or(Bytes()));
        std::optional<Bytes> memory = cacheMemory(scenario(), usable, m_weights.at(place), m_budget);
        if (memory && !scenario().cacheMemory)
            memory = fractionOf(*memory, share);
        m_memory.at(place) = memory;
        m_room.at(place) = roomBeside(scenario(), m_weights.at(place), m_budget);
        m_spare.at(place) = cost(place, m_rules.sparePages * m_rules.page, m_rules.spareStates).total();
        chooseBindingStage(place);
    }
    if (!m_rules.tokens)
        return;
    if (!m_sizes)
        m_sizes = Sizes{.tokens = *m_rules.tokens, .states = m_rules.states.value_or(0)};
    m_sizes->tokens = std::min(m_sizes->tokens, *m_rules.tokens - *m_rules.tokens % m_rules.page);
}

void TokenPlan::chooseBindingStage(std::size_t stage)
{
    if (const std::optional<Bytes>& memory = m_memory.at(stage)) {
        const Sizes sizes = sizesOf(stage, *memory);
        if (m_sizes && m_sizes->tokens <= sizes.tokens)
            return;
        m_sizes = sizes;
        m_binding = stage;
    } else if (cost(stage, kWhole, 1).total() > cost(m_binding, kWhole, 1).total()) {
        m_binding = stage;
    }
}

std::int64_t TokenPlan::sharedTokens(const Workload& workload) const
{
    const bool hasEncoder = keeps(scenario().model, CacheKind::Cross);
    return m_rules.sharesPrefixes && !hasEncoder ? core::sharedTokens(workload, m_rules.page) : 0;
}

TokenPlan::Demand TokenPlan::demandOf(const Workload& workload, std::int64_t requests) const
{
    const std::int64_t longest = std::max(workload.maxContext.value_or(workload.context), workload.context);
    Demand demand;
    demand.requests = requests;
    demand.shared = workload.sharedPrefix > 0 ? sharedTokens(workload) : 0;
    demand.context = ofRequests(requests, roundedUp(workload.context, m_rules.page), demand.shared);
    demand.tokens = std::max(demand.context, roundedUp(longest, m_rules.page));
    if (m_hasWindows) {
        const std::int64_t inWindows = std::min(m_window, workload.context);
        const Bytes held(saturatingProduct(roundedUp(inWindows, m_rules.page), requests));
        const std::int64_t others = scaledUp(held, kWhole, m_rules.windowRatio).count();
        demand.tokens = std::max(demand.tokens, roundedUp(others, m_rules.page));
    }
    if (m_hasStates)
        demand.states = m_rules.states.value_or(saturatingProduct(requests, m_rules.statesOfRequest));
    return demand;
}

void TokenPlan::reserve(const Workload& workload, Reservation& reservation) const
{
    const std::int64_t most = (workload.batch + m_spread.replicas - 1) / m_spread.replicas;
    const Demand demand = demandOf(workload, most);
    reservation.deviceCount = 0;
    reservation.host.reset();
    forEachDevice(m_spread, workload.batch,
                  [&](const Device& device) { addDevice(device, workload, demand, reservation); });
    Sizes sizes = m_sizes.value_or(Sizes{.tokens = demand.tokens, .states = 0});
    if (sizes.states == 0) // not known: what is needed
        sizes.states = demand.states;
    addParts(sizes, most, reservation);
    const std::int64_t longest = std::max(workload.maxContext.value_or(workload.context), std::int64_t{1});
    Pool& pool = reservation.pool.emplace();
    pool = {.blockTokens = m_rules.page,
            .blockBytes = m_pageBytes,
            .requestBlocks = ceilDivided(longest, m_rules.page),
            .needed = needed(m_binding, demand),
            .memory = m_memory.at(m_binding)};
    reservation.requestTokens = longest;
    reservation.cacheTokens.reset();
    if (m_sizes) {
        reservation.cacheTokens = m_sizes->tokens;
        pool.blocks = m_sizes->tokens / m_rules.page;
        pool.concurrency = static_cast<double>(m_sizes->tokens) / static_cast<double>(longest);
    }
}

/// States of drafts: of the requests that may run at once, or of those that do.
Bytes TokenPlan::draftStatesOf(std::size_t stage, const Demand& demand) const
{
    return m_rules.statesDraft && m_hasStates
               ? cost(stage, 0, m_rules.draftStates.value_or(saturatingProduct(demand.requests, m_rules.drafts))).states
               : Bytes();
}

/// What a workload takes of the memory of a device: the pools that hold it, and the states of drafts.
Bytes TokenPlan::needed(std::size_t stage, const Demand& demand) const
{
    const Cost held = cost(stage, demand.tokens, demand.states);
    const Bytes drafts = draftStatesOf(stage, demand);
    if (m_rules.stateRatio == 0 || m_rules.states || held.states == Bytes())
        return held.total() + drafts;
    const std::int64_t both = kWhole + m_rules.stateRatio; // the pool that is needed most sets the other
    return std::max(scaledUp(held.states, both, m_rules.stateRatio), scaledUp(held.tokens, both, kWhole)) + drafts;
}

void TokenPlan::addDevice(const Device& device, const Workload& workload, const Demand& longest,
                          Reservation& reservation) const
{
    const auto stage = static_cast<std::size_t>(device.stage);
    DeviceShare& share = reservation.devices.at(reservation.deviceCount++);
    share = {.count = device.count, .weights = m_weights.at(stage) * device.count};
    m_budget.addTo(share, device.count);
    const Demand demand = device.requests == longest.requests ? longest : demandOf(workload, device.requests);
    for (const TokenRow& row : m_rows)
        addRow(row, device, workload, demand, share);
    const Bytes drafts = draftStatesOf(stage, demand);
    share.waste.add(WasteCause::Speculation, drafts * device.count);
    if (m_hasStates) { // which share the memory with tokens in a ratio
        const Bytes held = cost(stage, demand.tokens, demand.states).total() + drafts;
        share.waste.add(WasteCause::PoolSplit, (needed(stage, demand) - held) * device.count);
    }
    const Bytes spare = m_spare.at(stage);
    share.waste.add(WasteCause::SpareSlots, spare * device.count);
    std::optional<Bytes> pool = m_memory.at(stage);
    if (pool && m_rules.roundsUp && m_sizes)
        pool = std::max(cost(stage, m_sizes->tokens, 0).total(), *pool); // states take of it, too
    if (m_rules.tokens && m_sizes) {
        const Bytes most = cost(stage, m_sizes->tokens, std::max(m_sizes->states, demand.states)).total() + drafts;
        pool = pool ? std::min(*pool, most) : most;
    }
    if (!pool)
        return;
    share.pool = (*pool + spare) * device.count;
    share.left = std::max(m_room.at(stage) - (*pool + spare), Bytes()) * device.count;
}

/// The steps from the ideal cache to the slots of a row's layers.
void TokenPlan::addRow(const TokenRow& row, const Device& device, const Workload& workload, const Demand& demand,
                       DeviceShare& share) const
{
    const std::int64_t layers = row.layers.at(static_cast<std::size_t>(device.stage));
    const std::int64_t n = layers * device.count;
    const Bytes entry = row.k + row.v;
    const bool isState = row.kind == Kind::State;
    const Bytes top = entry * (isState ? demand.states : tokensOf(row.kind, demand.tokens)) * n;
    if (row.group == nullptr) {
        share.waste.add(row.kind == Kind::Draft ? WasteCause::Speculation : row.cause, top);
        return;
    }
    const std::int64_t each = entries(*row.group, workload.context, workload.encoderTokens);
    const std::int64_t shared = isState || row.kind == Kind::Window ? 0 : demand.shared;
    const std::int64_t kept = ofRequests(device.requests, each, sharedEntries(*row.group, workload, each, shared));
    WasteSteps steps(share, device.partOf(row.ideal * kept * layers, m_spread.heads), top);
    steps.rise(WasteCause::Replication, row.idealOnRank * kept * n);
    steps.rise(row.cause, entry * kept * n);
    if (isState) {
        steps.rise(WasteCause::CachedStates, entry * saturatingProduct(device.requests, m_rules.statesOfRequest) * n);
    } else if (row.kind != Kind::Window) {
        if (row.group->window > 0)
            steps.rise(WasteCause::WholeWindow, entry * ofRequests(device.requests, workload.context, shared) * n);
        if (row.group->kind == CacheKind::Cross) // a slot of a token is one of all layers
            steps.rise(WasteCause::PagePadding, entry * saturatingProduct(workload.context, device.requests) * n);
        steps.rise(WasteCause::PartialBlock, entry * demand.context * n);
        const std::int64_t longest = std::max(workload.maxContext.value_or(0), workload.context);
        steps.rise(WasteCause::MaxContext, entry * std::max(roundedUp(longest, m_rules.page), demand.context) * n);
    }
    steps.finish(WasteCause::PoolSplit);
}

/// The lines that the engine prints: pools with their spare slots.
void TokenPlan::addParts(const Sizes& sizes, std::int64_t sequences, Reservation& reservation) const
{
    reservation.partCount = 0;
    for (const Line& line : m_lines) {
        const bool isState = line.kind == Kind::State;
        const std::int64_t cells = isState ? sizes.states : tokensOf(line.kind, sizes.tokens);
        const std::int64_t slots = cells + (isState ? m_rules.spareStates : m_rules.sparePages * m_rules.page);
        CachePart& part = reservation.parts.at(reservation.partCount++);
        part = {.kind = line.name,
                .cells = cells,
                .layers = line.layers,
                .sequences = sequences,
                .kFormat = scenario().kFormat,
                .vFormat = scenario().vFormat,
                .k = line.k * slots,
                .v = line.v * slots};
    }
}

} // namespace core::engines
