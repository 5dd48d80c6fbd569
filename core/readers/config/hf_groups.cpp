// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/config/hf_layout.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

namespace core::readers {

namespace {

/// Adds layer `number` to the group that keeps what `what` says, or makes that group.
void add(std::vector<CacheGroup>& groups, CacheGroup what, std::int64_t number)
{
    const auto found = std::ranges::find_if(groups, [&](CacheGroup& group) {
        LayerSet layers = std::exchange(group.layers, {}); // `what` has none: all else is compared
        const bool alike = group == what;
        group.layers = std::move(layers);
        return alike;
    });
    CacheGroup& group = found == groups.end() ? groups.emplace_back(std::move(what)) : *found;
    group.layers.add(number);
}

CacheKind cacheKindOf(const Layer& layer)
{
    switch (layer.kind) {
    case kWindow:
        return CacheKind::Window;
    case kChunk:
        return CacheKind::Chunk;
    case kCross:
        return CacheKind::Cross;
    default:
        return CacheKind::Full;
    }
}

CacheGroup headsGroup(CacheKind kind, const Layer& layer)
{
    const bool windowed = kind == CacheKind::Window || kind == CacheKind::Chunk;
    return {.kind = kind,
            .layers = {},
            .queryHeads = layer.heads.query,
            .kvHeads = layer.heads.kv,
            .keyDim = layer.heads.keyDim,
            .valueDim = layer.heads.valueDim,
            .window = windowed ? layer.window : 0};
}

/// What the attention of a layer keeps.
CacheGroup attentionGroup(const Layout& layout, const Layer& layer)
{
    if (layer.shared)
        return {.kind = CacheKind::Shared, .layers = {}};
    if (layout.attention == AttentionKind::Latent)
        return {.kind = CacheKind::Latent,
                .layers = {},
                .queryHeads = layer.heads.query,
                .kvHeads = layout.latentsOnly ? 1 : 0,
                .keyDim = layout.nopeDim > 0 ? layout.nopeDim + layout.ropeDim : 0,
                .valueDim = layout.expandedValueDim,
                .latentDim = layout.latentDim,
                .ropeDim = layout.ropeDim};
    if (layer.heads.kv == 0)
        return {.kind = CacheKind::None, .layers = {}};
    CacheGroup heads = headsGroup(cacheKindOf(layer), layer);
    if (heads.kind == CacheKind::Full) {
        heads.latentDim = layout.latentDim;
        heads.ropeDim = layout.ropeDim;
    }
    return heads;
}

CacheGroup stateGroup(std::int64_t convElements, KvFormat convFormat, std::int64_t recurrentElements, KvFormat format)
{
    return {.kind = CacheKind::State,
            .layers = {},
            .convElements = convElements,
            .convFormat = convFormat,
            .recurrentElements = recurrentElements,
            .recurrentFormat = format};
}

/// What a layer keeps besides the cache of its attention.
void addBesides(std::vector<CacheGroup>& groups, const Layout& layout, const Layer& layer, std::int64_t number)
{
    if (layer.ratio > 0)
        add(groups, {.kind = CacheKind::Compressed, .layers = {}, .keyDim = layer.heads.keyDim, .ratio = layer.ratio},
            number);
    if (layer.index)
        add(groups, {.kind = CacheKind::Index, .layers = {}, .indexDim = layout.indexDim, .ratio = layer.ratio},
            number);
    if (layout.attentionConv > 0 && layer.attends()) {
        const Heads& heads = layer.heads;
        const std::int64_t channels = heads.query * heads.keyDim + heads.kv * (heads.keyDim + heads.valueDim);
        add(groups, stateGroup(layout.attentionConv * channels, KvFormat::Bf16, 0, KvFormat::Fp32), number);
    }
    if (layout.crossBeside)
        add(groups, headsGroup(CacheKind::Cross, layer), number);
}

} // namespace

bool Layout::isTooVaried() const
{
    std::set<std::array<std::int64_t, 6>> kinds;
    for (const Layer& layer : layers) {
        kinds.insert(
            {layer.heads.query, layer.heads.kv, layer.heads.keyDim, layer.heads.valueDim, layer.window, layer.ratio});
        if (kinds.size() > kMostKinds)
            return true;
    }
    return false;
}

std::vector<Provenance> layersByKind(std::span<const CacheGroup> groups, std::string_view file)
{
    std::vector<Provenance> rows;
    for (const CacheGroup& group : groups) {
        if (groups.size() > 1 && std::ranges::count(groups, group.kind, &CacheGroup::kind) == 1)
            rows.push_back({std::string(id(group.kind)) + "_layers",
                            std::to_string(group.layers.count()),
                            How::Derived,
                            std::string(file),
                            {},
                            "layers " + group.layers.toText()});
    }
    return rows;
}

std::vector<CacheGroup> draftGroups(std::span<const CacheGroup> groups, std::int64_t layers, std::int64_t count)
{
    constexpr std::int64_t kMostDrafts = 64;
    const auto seesAll = [](const CacheGroup& group) {
        return group.kind == CacheKind::Full || group.kind == CacheKind::Latent;
    };
    const auto like = std::find_if(groups.rbegin(), groups.rend(), seesAll);
    if (count < 1 || count > kMostDrafts || like == groups.rend())
        return {};
    CacheGroup drafts = *like;
    drafts.layers = LayerSet::range(layers, layers + count - 1);
    return {std::move(drafts)};
}

std::vector<CacheGroup> Layout::groups() const
{
    // Two latents of one layer would be one layer twice in a group, so each has a group of its own.
    std::vector<std::vector<CacheGroup>> blocks(static_cast<std::size_t>(mixers));
    std::int64_t number = 0;
    for (const Layer& layer : layers) {
        std::vector<CacheGroup>& first = blocks.front();
        if (!layer.attends() && !layer.isRecurrent())
            add(first, {.kind = CacheKind::None, .layers = {}}, number);
        for (std::vector<CacheGroup>& block : blocks) {
            if (layer.attends())
                add(block, attentionGroup(*this, layer), number);
        }
        if (layer.isRecurrent())
            add(first, stateGroup(state.convElements, state.convFormat, state.recurrentElements, state.recurrentFormat),
                number);
        addBesides(first, *this, layer, number);
        ++number;
    }
    std::vector<CacheGroup> result;
    for (std::vector<CacheGroup>& block : blocks)
        result.insert(result.end(), block.begin(), block.end());
    return result;
}

} // namespace core::readers
