// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/layout_words.h"

namespace core {

Message kindInWords(const CacheGroup& group)
{
    switch (group.kind) {
    case CacheKind::Full:
        return {KV_TEXT("core", "full attention"), {}};
    case CacheKind::Window:
        return {KV_TEXT("core", "attention over the last {0} tokens"), {group.window}};
    case CacheKind::Chunk:
        return {KV_TEXT("core", "attention within chunks of {0} tokens"), {group.window}};
    case CacheKind::Latent:
        return {KV_TEXT("core", "latent attention (MLA), {0} + {1} rotary elements for all heads"),
                {group.latentDim, group.ropeDim}};
    case CacheKind::Index:
        return {KV_TEXT("core", "index keys of {0} elements"), {group.indexDim}};
    case CacheKind::Compressed:
        return {KV_TEXT("core", "compressed attention, one vector of {0} for every {1} tokens"),
                {group.keyDim, group.ratio}};
    case CacheKind::State:
        return {KV_TEXT("core", "recurrent state, {0} + {1} elements whatever the context"),
                {group.convElements, group.recurrentElements}};
    case CacheKind::Cross:
        return {KV_TEXT("core", "cross attention to the encoder"), {}};
    case CacheKind::Shared:
        return {KV_TEXT("core", "attention that reads the cache of another layer"), {}};
    case CacheKind::None:
        break;
    }
    return {KV_TEXT("core", "neither attention nor state"), {}};
}

Message entryLaw(const CacheGroup& group)
{
    switch (group.kind) {
    case CacheKind::Full:
    case CacheKind::Latent:
    case CacheKind::Index:
    case CacheKind::Compressed:
        if (tokensPerEntry(group) > 1)
            return {KV_TEXT("core", "floor(t / {0})"), {tokensPerEntry(group)}};
        return {KV_TEXT("core", "t"), {}};
    case CacheKind::Window:
    case CacheKind::Chunk:
        return {KV_TEXT("core", "min(t, {0})"), {group.window}};
    case CacheKind::State:
        return {KV_TEXT("core", "1"), {}};
    case CacheKind::Cross:
        return {KV_TEXT("core", "encoder tokens"), {}};
    case CacheKind::Shared:
    case CacheKind::None:
        break;
    }
    return {KV_TEXT("core", "0"), {}};
}

} // namespace core
