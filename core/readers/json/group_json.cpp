// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/json/group_json.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace core::readers {

namespace {

constexpr std::int64_t kMaxDim = 1'048'576;
constexpr std::int64_t kMaxTokens = 1'000'000'000'000;
constexpr std::int64_t kMaxStateElements = 1'000'000'000'000;

/// A set of kinds.
constexpr unsigned bit(CacheKind kind)
{
    return 1U << static_cast<unsigned>(kind);
}

constexpr unsigned kWindows = bit(CacheKind::Window) | bit(CacheKind::Chunk);
constexpr unsigned kHeads = bit(CacheKind::Full) | bit(CacheKind::Cross) | kWindows;
constexpr unsigned kLatent = bit(CacheKind::Latent);
constexpr unsigned kCompressed = bit(CacheKind::Compressed);
constexpr unsigned kState = bit(CacheKind::State);

/// A number of a group: its key, the kinds that have it, its range; one whose range begins at 0 may be left out.
struct NumberField {
    std::string_view key;
    unsigned kinds;
    std::int64_t CacheGroup::*value;
    Range range;
};

constexpr std::array kNumbers{
    NumberField{"query_heads", kHeads | kLatent, &CacheGroup::queryHeads, {0, kMaxDim}},
    NumberField{"kv_heads", kHeads, &CacheGroup::kvHeads, {1, kMaxDim}},
    NumberField{"kv_heads", kLatent, &CacheGroup::kvHeads, {0, 1}},
    NumberField{"key_dim", kHeads | kCompressed, &CacheGroup::keyDim, {1, kMaxDim}},
    NumberField{"key_dim", kLatent, &CacheGroup::keyDim, {0, kMaxDim}},
    NumberField{"value_dim", kHeads | kLatent, &CacheGroup::valueDim, {0, kMaxDim}},
    NumberField{"window", kWindows, &CacheGroup::window, {1, kMaxTokens}},
    NumberField{"latent_dim", kLatent, &CacheGroup::latentDim, {1, kMaxDim}},
    NumberField{"latent_dim", bit(CacheKind::Full), &CacheGroup::latentDim, {0, kMaxDim}},
    NumberField{"rope_dim", kLatent | bit(CacheKind::Full), &CacheGroup::ropeDim, {0, kMaxDim}},
    NumberField{"index_dim", bit(CacheKind::Index), &CacheGroup::indexDim, {1, kMaxDim}},
    NumberField{"ratio", kCompressed, &CacheGroup::ratio, {1, kMaxTokens}},
    NumberField{"ratio", bit(CacheKind::Index), &CacheGroup::ratio, {0, kMaxTokens}},
    NumberField{"conv_elements", kState, &CacheGroup::convElements, {0, kMaxStateElements}},
    NumberField{"recurrent_elements", kState, &CacheGroup::recurrentElements, {0, kMaxStateElements}},
};

struct FormatField {
    std::string_view key;
    KvFormat CacheGroup::*value;
};

constexpr std::array kFormats{
    FormatField{"conv_format", &CacheGroup::convFormat},
    FormatField{"recurrent_format", &CacheGroup::recurrentFormat},
};

std::vector<std::string_view> keysOf(CacheKind kind)
{
    std::vector<std::string_view> keys{"kind", "layers", "layer_numbers"};
    for (const NumberField& field : kNumbers) {
        if ((field.kinds & bit(kind)) != 0)
            keys.push_back(field.key);
    }
    if (kind == CacheKind::State) {
        for (const FormatField& field : kFormats)
            keys.push_back(field.key);
    }
    return keys;
}

CacheKind readKind(const JsonFields& json)
{
    const std::string text = json.text("kind");
    const std::optional<CacheKind> kind = cacheKind(text);
    if (!kind)
        json.wrong("kind", KV_TEXT("core", "In {0}, \"{1}\" is {2}, but the kinds of cache are full, window, chunk, "
                                           "latent, index, compressed, state, cross, shared and none; nothing was "
                                           "changed; correct it there."));
    return *kind;
}

/// The layers of a group: the numbers given, which must be as many as counted, or all layers of the model.
LayerSet readLayers(const JsonFields& json, std::int64_t modelLayers)
{
    const std::int64_t count = json.count("layers", {1, modelLayers});
    const std::optional<std::string> numbers = json.optionalText("layer_numbers");
    if (!numbers) {
        if (count != modelLayers)
            json.missing("layer_numbers");
        return LayerSet::range(0, modelLayers - 1);
    }
    std::optional<LayerSet> layers = LayerSet::fromText(*numbers);
    if (!layers || layers->count() == 0 || layers->layers().back() >= modelLayers)
        json.wrong("layer_numbers",
                   KV_TEXT("core", "In {0}, \"{1}\" is {2}, but it must be ascending numbers and "
                                   "ranges from 0 to {3}, like \"0-3,8\"; nothing was changed; "
                                   "correct it there."),
                   {modelLayers - 1});
    if (layers->count() != count)
        json.wrong("layer_numbers",
                   KV_TEXT("core", "In {0}, \"{1}\" is {2}, which are {3} layers, but \"layers\" "
                                   "says {4}; nothing was changed; correct one of them."),
                   {layers->count(), count});
    return std::move(*layers);
}

void readNumbers(const JsonFields& json, CacheGroup& group)
{
    for (const NumberField& field : kNumbers) {
        if ((field.kinds & bit(group.kind)) == 0)
            continue;
        const std::optional<std::int64_t> number = json.optionalCount(field.key, field.range);
        if (!number && field.range.min > 0)
            json.missing(field.key);
        group.*field.value = number.value_or(0);
    }
}

void readFormats(const JsonFields& json, CacheGroup& group)
{
    for (const FormatField& field : kFormats) {
        const std::optional<std::string> text = json.optionalText(field.key);
        if (!text)
            continue;
        const std::optional<KvFormat> format = kvFormat(*text);
        if (!format)
            json.wrong(field.key, KV_TEXT("core", "In {0}, \"{1}\" is {2}, which is no element format; nothing was "
                                                  "changed; write one like fp32 or bf16."));
        group.*field.value = *format;
    }
}

} // namespace

CacheGroup groupFromJson(const JsonFields& json, std::int64_t layers)
{
    const CacheKind kind = readKind(json);
    CacheGroup group;
    group.kind = kind;
    json.onlyKeys(keysOf(kind));
    LayerSet layerSet = readLayers(json, layers);
    readNumbers(json, group);
    if (kind == CacheKind::State)
        readFormats(json, group);
    group.layers = std::move(layerSet);
    return group;
}

nlohmann::ordered_json groupToJson(const CacheGroup& group)
{
    nlohmann::ordered_json json{
        {"kind", id(group.kind)}, {"layers", group.layers.count()}, {"layer_numbers", group.layers.toText()}};
    for (const NumberField& field : kNumbers) {
        const std::int64_t value = group.*field.value;
        if ((field.kinds & bit(group.kind)) != 0 && (value != 0 || field.range.min > 0))
            json[std::string(field.key)] = value;
    }
    if (group.kind == CacheKind::State) {
        for (const FormatField& field : kFormats)
            json[std::string(field.key)] = info(group.*field.value).id;
    }
    return json;
}

} // namespace core::readers
