// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/layout_text.h"

#include "core/format.h"

#include <fmt/format.h>

namespace app {

namespace {

using core::CacheGroup;
using core::CacheKind;
using core::formatCount;

std::string headsInWords(const CacheGroup& group)
{
    const std::string dims =
        group.keyDim == group.valueDim
            ? formatCount(group.keyDim)
            : fmt::format("{} (K) and {} (V)", formatCount(group.keyDim), formatCount(group.valueDim));
    const std::string heads =
        fmt::format("{} KV head{} of {}", formatCount(group.kvHeads), group.kvHeads == 1 ? "" : "s", dims);
    if (group.queryHeads == 0)
        return heads;
    if (group.queryHeads == group.kvHeads)
        return heads + " (MHA)";
    return fmt::format("{} for {} query heads ({})", heads, formatCount(group.queryHeads),
                       group.kvHeads == 1 ? "MQA" : "GQA");
}

std::string keptInWords(const CacheGroup& group)
{
    switch (group.kind) {
    case CacheKind::Full:
        return "full attention, " + headsInWords(group);
    case CacheKind::Window:
        return fmt::format("attention over the last {} tokens, {}", formatCount(group.window), headsInWords(group));
    case CacheKind::Chunk:
        return fmt::format("attention within chunks of {} tokens, {}", formatCount(group.window), headsInWords(group));
    case CacheKind::Latent:
        return fmt::format("latent attention (MLA), {} + {} rotary elements for all heads",
                           formatCount(group.latentDim), formatCount(group.ropeDim));
    case CacheKind::Index:
        return fmt::format("index keys of {} elements", formatCount(group.indexDim));
    case CacheKind::Compressed:
        return fmt::format("compressed attention, one vector of {} for every {} tokens", formatCount(group.keyDim),
                           formatCount(group.ratio));
    case CacheKind::State:
        return fmt::format("recurrent state, {} + {} elements whatever the context", formatCount(group.convElements),
                           formatCount(group.recurrentElements));
    case CacheKind::Cross:
        return "cross attention to the encoder, " + headsInWords(group);
    case CacheKind::Shared:
        return "attention that reads the cache of another layer";
    case CacheKind::None:
        break;
    }
    return "neither attention nor state";
}

} // namespace

std::string groupInWords(const CacheGroup& group)
{
    const std::int64_t layers = group.layers.count();
    return fmt::format("{} layer{} of {}", formatCount(layers), layers == 1 ? "" : "s", keptInWords(group));
}

std::string layoutInWords(const core::Model& model)
{
    std::string words;
    for (const CacheGroup& group : model.groups)
        words += (words.empty() ? "" : "; ") + groupInWords(group);
    return words;
}

std::string entryLaw(const CacheGroup& group)
{
    switch (group.kind) {
    case CacheKind::Full:
    case CacheKind::Latent:
    case CacheKind::Index:
        return "t";
    case CacheKind::Window:
    case CacheKind::Chunk:
        return fmt::format("min(t, {})", formatCount(group.window));
    case CacheKind::Compressed:
        return fmt::format("floor(t / {})", formatCount(group.ratio));
    case CacheKind::State:
        return "1";
    case CacheKind::Cross:
        return "encoder tokens";
    case CacheKind::Shared:
    case CacheKind::None:
        break;
    }
    return "0";
}

} // namespace app
