// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/config/hf_heads.h"

#include "core/readers/read_error.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace core::readers {

namespace {

constexpr Range kHeadRange{1, 1'048'576};

/// Keys that speak of the heads of one kind of layer.
struct KindKey {
    char kind;
    std::int64_t Heads::*member;
    std::string_view field; ///< The name of the value in the provenance.
    std::string_view keys;
};

constexpr std::array kKindKeys{
    KindKey{kWindow, &Heads::query, "window_query_heads",
            "swa_num_attention_heads attention_other_setting.num_attention_heads"},
    KindKey{kWindow, &Heads::kv, "window_kv_heads",
            "swa_num_key_value_heads attention_other_setting.num_attention_groups"},
    KindKey{kWindow, &Heads::keyDim, "window_head_dim", "swa_head_dim attention_other_setting.head_dim"},
    KindKey{kWindow, &Heads::valueDim, "window_value_dim", "swa_v_head_dim"},
    KindKey{kFull, &Heads::kv, "full_kv_heads", "num_global_key_value_heads"},
    KindKey{kFull, &Heads::keyDim, "full_head_dim", "global_head_dim"},
};

/// Keys whose lists give a number for each layer.
struct ListKey {
    std::int64_t Heads::*member;
    std::string_view field;
    std::string_view keys;
};

constexpr std::array kListKeys{
    ListKey{&Heads::query, "query_heads", "num_attention_heads_per_layer num_query_heads num_attention_heads"},
    ListKey{&Heads::kv, "kv_heads", "num_key_value_heads_per_layer num_kv_heads num_key_value_heads"},
};

struct List {
    std::string_view key; ///< empty: no list
    std::vector<std::int64_t> numbers;
};

List readList(ConfigValues& values, const ListKey& row, std::size_t layers)
{
    const bool varies = (values.family().known & laws({CacheLaw::LayerVarying})) != 0;
    for (const std::string_view key : split(row.keys)) {
        if (!varies && !key.ends_with("_per_layer")) // a list where this family has one number is an error
            continue;
        std::optional<std::vector<std::int64_t>> numbers = values.numbers(key, {0, kHeadRange.max});
        if (!numbers)
            continue;
        if (numbers->size() < layers)
            refuse(KV_TEXT("core", "In {0}, \"{1}\" has {2} entries, but there are {3} layers; nothing was changed; "
                                   "correct one of them there."),
                   {values.file(), values.language().place(key), static_cast<std::int64_t>(numbers->size()),
                    static_cast<std::int64_t>(layers)});
        numbers->resize(layers);
        const auto [least, most] = std::ranges::minmax(*numbers);
        values.read(row.field, least == most ? std::to_string(least) : fmt::format("{} to {}", least, most), key);
        return List{key, std::move(*numbers)};
    }
    return List{};
}

/// The KV heads where no key counts: one, or as many as query heads.
std::int64_t withoutKey(ConfigValues& values, std::int64_t queryHeads, const KvHeadRule& rule, bool one)
{
    const std::int64_t heads = one ? 1 : queryHeads;
    const bool ignored = std::ranges::any_of(split(values.keysOf(Quantity::KvHeads)),
                                             [&](std::string_view key) { return values.at(key) != nullptr; });
    if (one)
        values.derived("kv_heads", "1", fmt::format("{} is true: one KV head for all query heads", rule.oneIf.key));
    else
        values.derived("kv_heads", std::to_string(heads), "as many as query heads (multi-head attention)");
    const bool byBlocks = values.at("block_configs") != nullptr;
    if (!one && !ignored && !byBlocks)
        values.note("KV heads missing: multi-head attention assumed, one KV head for each query head");
    if (ignored)
        values.note(fmt::format("the number of KV heads in {} is ignored: the class takes {}", values.file(), heads));
    return heads;
}

std::int64_t kvHeadsOf(ConfigValues& values, std::int64_t queryHeads)
{
    const KvHeadRule& rule = values.family().kvHeads;
    const bool counts = values.flag(rule.keyIf);
    const bool one = values.flag(rule.oneIf);
    if (counts) {
        const std::optional<std::int64_t> read = values.find(Quantity::KvHeads);
        if (read)
            return *read;
    }
    return withoutKey(values, queryHeads, rule, one && !counts);
}

/// The explicit head size, else width / query heads, which must be whole.
std::int64_t headDimOf(ConfigValues& values, std::int64_t queryHeads)
{
    const std::optional<std::int64_t> read = values.find(Quantity::HeadDim);
    if (read)
        return *read;
    const std::int64_t width = values.need(Quantity::Width);
    if (queryHeads == 0 || width % queryHeads != 0)
        refuse(KV_TEXT("core", "{0} gives no head size, and its width {1} is not divisible by its {2} query heads; "
                               "nothing was changed; add \"head_dim\" there."),
               {values.file(), width, queryHeads});
    values.derived("head_dim", std::to_string(width / queryHeads),
                   fmt::format("width {} / query heads {}", width, queryHeads));
    return width / queryHeads;
}

/// The heads that the file gives for the whole model; numbers that lists give are left at those of the first layer.
Heads commonHeads(ConfigValues& values, const List& query, const List& kv)
{
    Heads heads;
    const std::int64_t queryHeads = query.key.empty() || query.key == "num_attention_heads_per_layer"
                                        ? values.need(Quantity::QueryHeads)
                                        : query.numbers.front();
    heads.query = queryHeads;
    if (values.family().attention == AttentionKind::Latent)
        return heads; // the cache has no heads, whatever other keys say
    const std::int64_t kvHeads = kv.key.empty() ? kvHeadsOf(values, queryHeads) : kv.numbers.front();
    const std::int64_t headDim = headDimOf(values, queryHeads);
    const std::int64_t valueDim = values.findOr(Quantity::ValueDim, headDim);
    heads.kv = kvHeads;
    heads.keyDim = headDim;
    heads.valueDim = valueDim > 0 ? valueDim : headDim; // 0 where a latent is switched off
    return heads;
}

/// False for the keys of `attention_other_setting` where that is about another kind of layer.
bool counts(const ConfigValues& values, std::string_view key)
{
    if (!key.starts_with("attention_other_setting."))
        return true;
    const nlohmann::json* type = values.at("attention_other_setting.attention_type");
    return type == nullptr || (type->is_string() && type->get<std::string>().starts_with("sliding"));
}

/// The number at the first key of `row` that is given and counts.
std::optional<std::int64_t> numberOf(ConfigValues& values, const KindKey& row)
{
    for (const std::string_view key : split(row.keys)) {
        if (!counts(values, key))
            continue;
        std::optional<std::int64_t> number = values.number(key, kHeadRange);
        if (!number)
            continue;
        values.read(row.field, std::to_string(*number), key);
        return number;
    }
    return std::nullopt;
}

/// `heads` with what the file says of the layers of this kind.
Heads headsOfKind(ConfigValues& values, Heads heads, char kind)
{
    const bool alike = heads.keyDim == heads.valueDim;
    bool valueSaid = false;
    for (const KindKey& row : kKindKeys) {
        if (row.kind != kind)
            continue;
        const std::optional<std::int64_t> number = numberOf(values, row);
        heads.*row.member = number.value_or(heads.*row.member);
        valueSaid = valueSaid || (number && row.member == &Heads::valueDim);
    }
    if (alike && !valueSaid)
        heads.valueDim = heads.keyDim;
    return heads;
}

bool attends(char kind)
{
    return kind == kFull || kind == kWindow || kind == kChunk || kind == kBoth || kind == kCross;
}

void checkHeads(const ConfigValues& values, const Heads& heads)
{
    if (heads.kv <= heads.query)
        return;
    refuse(KV_TEXT("core", "{0} says {1} KV heads but only {2} query heads, which cannot be right; nothing was "
                           "changed; correct it there."),
           {values.file(), heads.kv, heads.query});
}

/// The heads of full and of window layers, and those of the whole model.
struct HeadsByKind {
    Heads common;
    Heads full;
    Heads window;

    const Heads& of(char kind) const { return kind == kWindow ? window : kind == kFull ? full : common; }
};

HeadsByKind headsByKind(ConfigValues& values, const List& query, const List& kv)
{
    const Heads common = commonHeads(values, query, kv);
    const Heads full = headsOfKind(values, common, kFull);
    const Heads window = headsOfKind(values, common, kWindow);
    return HeadsByKind{common, full, window};
}

} // namespace

std::vector<Heads> readHeads(ConfigValues& values, std::string_view letters)
{
    std::vector<Heads> result(letters.size());
    if (std::ranges::none_of(letters, attends))
        return result;
    const List query = readList(values, kListKeys[0], letters.size());
    const List kv = readList(values, kListKeys[1], letters.size());
    const HeadsByKind byKind = headsByKind(values, query, kv);
    for (std::size_t i = 0; i < letters.size(); ++i) {
        if (!attends(letters[i]))
            continue;
        Heads& heads = result[i];
        heads = byKind.of(letters[i]);
        heads.query = query.key.empty() ? heads.query : query.numbers[i];
        heads.kv = kv.key.empty() ? heads.kv : kv.numbers[i];
        checkHeads(values, heads);
    }
    return result;
}

} // namespace core::readers
