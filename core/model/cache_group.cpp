// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/cache_group.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace core {

namespace {

constexpr std::array<std::string_view, 10> kKindIds{"full",       "window", "chunk", "latent", "index",
                                                    "compressed", "state",  "cross", "shared", "none"};
constexpr std::int64_t kMaxLayer = 65'535;

/// Reads a decimal number at the front of `text` and removes it.
std::optional<std::int64_t> takeNumber(std::string_view& text)
{
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || text.front() == '-' || number > kMaxLayer)
        return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return number;
}

/// Reads "3" or "16-19" at the front of `text` and removes it: first and last, in order.
std::optional<std::pair<std::int64_t, std::int64_t>> takeRun(std::string_view& text)
{
    const std::optional<std::int64_t> first = takeNumber(text);
    if (!first || !text.starts_with('-'))
        return first ? std::optional(std::pair(*first, *first)) : std::nullopt;
    text.remove_prefix(1);
    const std::optional<std::int64_t> last = text.empty() ? std::nullopt : takeNumber(text);
    return last && *last >= *first ? std::optional(std::pair(*first, *last)) : std::nullopt;
}

} // namespace

std::string_view id(CacheKind kind)
{
    return kKindIds.at(static_cast<std::size_t>(kind));
}

std::optional<CacheKind> cacheKind(std::string_view id)
{
    const auto found = std::ranges::find(kKindIds, id);
    if (found == kKindIds.end())
        return std::nullopt;
    return static_cast<CacheKind>(found - kKindIds.begin());
}

LayerSet LayerSet::range(std::int64_t first, std::int64_t last)
{
    LayerSet set;
    for (std::int64_t layer = first; layer <= last; ++layer)
        set.add(layer);
    return set;
}

std::optional<LayerSet> LayerSet::fromText(std::string_view text)
{
    LayerSet set;
    while (!text.empty()) {
        const std::optional<std::pair<std::int64_t, std::int64_t>> run = takeRun(text);
        if (!run || (!set.m_layers.empty() && run->first <= set.m_layers.back()))
            return std::nullopt;
        for (std::int64_t layer = run->first; layer <= run->second; ++layer)
            set.add(layer);
        if (text.empty())
            return set;
        if (!text.starts_with(',') || text.size() == 1)
            return std::nullopt;
        text.remove_prefix(1);
    }
    return set;
}

void LayerSet::add(std::int64_t layer)
{
    m_layers.push_back(static_cast<std::int32_t>(layer));
}

std::string LayerSet::toText() const
{
    std::string text;
    for (std::size_t i = 0; i < m_layers.size(); ++i) {
        std::size_t last = i;
        while (last + 1 < m_layers.size() && m_layers[last + 1] == m_layers[last] + 1)
            ++last;
        text.append(text.empty() ? "" : ",").append(std::to_string(m_layers[i]));
        if (last > i)
            text.append("-").append(std::to_string(m_layers[last]));
        i = last;
    }
    return text;
}

bool hasHeads(CacheKind kind)
{
    return kind == CacheKind::Full || kind == CacheKind::Window || kind == CacheKind::Chunk || kind == CacheKind::Cross;
}

bool isWindow(CacheKind kind)
{
    return kind == CacheKind::Window || kind == CacheKind::Chunk;
}

std::array<EntryPart, 2> entryParts(const CacheGroup& group, std::int64_t kvHeads, KvFormat k, KvFormat v)
{
    switch (group.kind) {
    case CacheKind::Full:
    case CacheKind::Window:
    case CacheKind::Chunk:
    case CacheKind::Cross:
        return {EntryPart{kvHeads * group.keyDim, k, kvHeads}, EntryPart{kvHeads * group.valueDim, v, kvHeads}};
    case CacheKind::Latent:
        if (k == KvFormat::Fp8Mla)
            return {EntryPart{group.latentDim, k}, EntryPart{group.ropeDim, KvFormat::Bf16}};
        return {EntryPart{group.latentDim + group.ropeDim, k}, EntryPart{0, v}};
    case CacheKind::Index:
        return {EntryPart{group.indexDim, k}, EntryPart{0, v}};
    case CacheKind::Compressed:
        return {EntryPart{group.keyDim, k}, EntryPart{0, v}};
    case CacheKind::State:
        return {EntryPart{group.convElements, group.convFormat},
                EntryPart{group.recurrentElements, group.recurrentFormat}};
    case CacheKind::Shared:
    case CacheKind::None:
        break;
    }
    return {};
}

Bytes entryBytes(const CacheGroup& group, std::int64_t kvHeads, KvFormat k, KvFormat v)
{
    const auto [first, second] = entryParts(group, kvHeads, k, v);
    return bytesOf(first.format, first.elements, first.heads) + bytesOf(second.format, second.elements, second.heads);
}

std::int64_t tokensPerEntry(const CacheGroup& group)
{
    const bool compressed = group.kind == CacheKind::Compressed || group.kind == CacheKind::Index;
    return compressed ? std::max<std::int64_t>(group.ratio, 1) : 1;
}

std::int64_t entries(const CacheGroup& group, std::int64_t tokens, std::int64_t encoderTokens)
{
    switch (group.kind) {
    case CacheKind::Full:
    case CacheKind::Latent:
        return tokens;
    case CacheKind::Window:
    case CacheKind::Chunk:
        return std::min(tokens, group.window);
    case CacheKind::Index:
    case CacheKind::Compressed:
        return tokens / tokensPerEntry(group);
    case CacheKind::State:
        return 1;
    case CacheKind::Cross:
        return encoderTokens;
    case CacheKind::Shared:
    case CacheKind::None:
        break;
    }
    return 0;
}

bool growsBeyond(const CacheGroup& group, std::int64_t tokens)
{
    switch (group.kind) {
    case CacheKind::Full:
    case CacheKind::Latent:
    case CacheKind::Index:
    case CacheKind::Compressed:
        return true;
    case CacheKind::Window:
    case CacheKind::Chunk:
        return tokens < group.window;
    case CacheKind::State:
    case CacheKind::Cross:
    case CacheKind::Shared:
    case CacheKind::None:
        break;
    }
    return false;
}

} // namespace core
