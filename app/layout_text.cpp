// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/layout_text.h"

#include "core/model/layout_words.h"
#include "core/text/format.h"

#include <fmt/format.h>

namespace app {

namespace {

using core::CacheGroup;
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

} // namespace

std::string groupInWords(const CacheGroup& group)
{
    const std::int64_t layers = group.layers.count();
    const std::string kept = english(kindInWords(group));
    return fmt::format("{} layer{} of {}{}", formatCount(layers), layers == 1 ? "" : "s", kept,
                       hasHeads(group.kind) ? ", " + headsInWords(group) : "");
}

std::string layoutInWords(const core::Model& model)
{
    std::string words;
    for (const CacheGroup& group : model.groups)
        words += (words.empty() ? "" : "; ") + groupInWords(group);
    return words;
}

} // namespace app
