// SPDX-License-Identifier: GPL-3.0-or-later
// The rows of a TokenPlan: which layers keep what.
#include "core/engines/tokens.h"
#include "core/scenario/kv_cache.h"

#include <algorithm>
#include <map>

namespace core::engines {

namespace {

/// Layer by layer the group it belongs to, among those that keep heads.
std::map<std::int32_t, const CacheGroup*> ownersOf(const Model& model)
{
    std::map<std::int32_t, const CacheGroup*> owners;
    for (const CacheGroup& group : model.groups) {
        if (hasHeads(group.kind) && group.kind != CacheKind::Cross) {
            for (const std::int32_t layer : group.layers.layers())
                owners[layer] = &group;
        }
    }
    return owners;
}

/// The shortest period with which the groups of the layers repeat.
std::int32_t periodOf(const std::map<std::int32_t, const CacheGroup*>& owners)
{
    const auto repeats = [&](std::int32_t period) {
        return std::ranges::all_of(owners, [&](const auto& owner) {
            const auto later = owners.find(owner.first + period);
            return later == owners.end() || later->second == owner.second;
        });
    };
    std::int32_t period = 1;
    while (period < static_cast<std::int32_t>(owners.size()) && !repeats(period))
        ++period;
    return period;
}

} // namespace

TokenPlan::TokenPlan(const Scenario& given, const TokenRules& rules, const Budget& budget, std::optional<Bytes> usable,
                     std::int64_t share)
    : Plan(given), m_rules(rules), m_spread(spreadOf(given)), m_budget(budget)
{
    const Model& model = scenario().model;
    m_hasWindows = m_rules.windowRatio > 0 && keeps(model, CacheKind::Full) && hasWindows(scenario());
    m_hasStates = hasStates(scenario());
    for (const CacheGroup& group : model.groups)
        addRows(group, false);
    if (m_rules.drafts > 0 || m_rules.draftLayers.value_or(0) > 0) {
        for (const CacheGroup& group : draftsOf(model, m_rules.draftLayers))
            addRows(group, true);
    }
    sumUp();
    readMemory(usable, share);
    makeLines();
}

void TokenPlan::addRows(const CacheGroup& group, bool drafts)
{
    if (group.kind == CacheKind::None)
        return;
    if (group.kind == CacheKind::Shared)
        return addShared(group);
    TokenRow row = rowOf(group);
    if (drafts) {
        row.kind = Kind::Draft;
        row.group = nullptr;
    }
    pushRow(row, group);
    if (group.kind != CacheKind::Index || !m_rules.scalesSparse)
        return;
    for (const CacheGroup& latents : scenario().model.groups) { // every latent layer has room for index keys
        if (latents.kind == CacheKind::Latent && latents.layers.count() > group.layers.count())
            pushRow(m_rows.back(), latents, true);
    }
}

/// Layers that read the cache of others, sized like the layers whose place in the pattern they have.
void TokenPlan::addShared(const CacheGroup& group)
{
    const std::map<std::int32_t, const CacheGroup*> owners = ownersOf(scenario().model);
    if (!m_rules.pricesShared || owners.empty())
        return;
    const std::int32_t period = periodOf(owners);
    std::map<const CacheGroup*, CacheGroup> parts;
    for (const std::int32_t layer : group.layers.layers()) {
        const auto owner = owners.find(layer % period);
        if (owner == owners.end())
            continue;
        CacheGroup& part = parts.try_emplace(owner->second, *owner->second).first->second;
        if (part.layers == owner->second->layers)
            part.layers = {};
        part.layers.add(layer);
    }
    for (const auto& [owner, part] : parts) {
        TokenRow row = rowOf(part);
        row.group = nullptr;
        row.cause = WasteCause::Replication;
        pushRow(row, part);
    }
}

void TokenPlan::pushRow(TokenRow row, const CacheGroup& group, bool inPlace)
{
    if (inPlace)
        m_rows.pop_back();
    for (std::int64_t stage = 0; stage < m_spread.pipeline; ++stage)
        row.layers.at(static_cast<std::size_t>(stage)) = m_spread.layersOn(stage, group.layers.layers());
    m_rows.push_back(row);
}

/// What an entry of each kind takes in all rows.
void TokenPlan::sumUp()
{
    for (const TokenRow& row : m_rows) {
        for (std::size_t stage = 0; stage < m_entries.size(); ++stage) {
            Entry& entry = m_entries.at(stage);
            Bytes& sum = row.kind == Kind::State ? entry.state : row.kind == Kind::Window ? entry.window : entry.token;
            sum += (row.k + row.v) * row.layers.at(stage);
        }
        if (row.kind == Kind::Window && row.group != nullptr)
            m_window = std::max(m_window, row.group->window);
    }
}

/// The lines that the engine prints, in their order.
void TokenPlan::makeLines()
{
    m_pageBytes = cost(m_binding, m_rules.page, 0).total();
    for (Line line : {Line{Kind::Full, m_hasWindows ? "kv_full" : "kv"}, Line{Kind::Index, "index"},
                      Line{Kind::Window, "kv_swa"}, Line{Kind::Draft, "draft"}, Line{Kind::State, "state"}}) {
        for (const TokenRow& row : m_rows) {
            if (row.kind != line.kind)
                continue;
            const std::int64_t layers = row.layers.at(m_binding);
            line.layers += layers;
            line.k += row.k * layers;
            line.v += row.v * layers;
        }
        if (line.layers > 0)
            m_lines.push_back(line);
    }
}

TokenPlan::TokenRow TokenPlan::rowOf(const CacheGroup& group) const
{
    const CacheGroup part = onRank(scenario(), group, m_spread.heads);
    TokenRow row{.group = &group,
                 .ideal = entryBytes(scenario(), group),
                 .idealOnRank = entryBytes(part, scenario().kFormat, scenario().vFormat)};
    const bool sparse = m_rules.scalesSparse && hasIndexKeys(scenario());
    KvFormat k = scenario().kFormat;
    if (sparse && (group.kind == CacheKind::Index || k == KvFormat::Fp8))
        k = KvFormat::Fp8Mla;
    const auto [first, second] = entryParts(part, k, scenario().vFormat);
    row.k = bytesOf(first.format, first.elements, first.heads);
    row.v = bytesOf(second.format, second.elements, second.heads);
    if (group.kind == CacheKind::Latent || group.kind == CacheKind::Index) {
        row.k += row.v; // one figure
        row.v = {};
    }
    if (group.kind == CacheKind::State) {
        row.kind = Kind::State;
        row.v = bytesOf(m_rules.stateFormat.value_or(KvFormat::Fp32), part.recurrentElements);
        row.cause = WasteCause::StateFormat;
    } else if (m_hasWindows && isWindow(group.kind)) {
        row.kind = Kind::Window;
    } else if (m_rules.indexApart && group.kind == CacheKind::Index) {
        row.kind = Kind::Index;
    }
    return row;
}

} // namespace core::engines
