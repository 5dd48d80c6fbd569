// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/config/hf_layout.h"

#include "core/readers/config/hf_blocks.h"
#include "core/readers/config/hf_pattern.h"
#include "core/readers/config/hf_windows.h"
#include "core/readers/read_error.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace core::readers {

namespace {

constexpr std::int64_t kIndexedRatio = 4; ///< DeepSeek-V4 keeps index keys where it compresses 4 tokens into one

constexpr std::int64_t kMostChannels = 16'777'216;

bool springs(const nlohmann::json* value, TrapWhen when)
{
    if (value == nullptr)
        return false;
    switch (when) {
    case TrapWhen::Present:
        return true;
    case TrapWhen::Positive:
        return value->is_array() || (value->is_number() && value->get<double>() > 0);
    case TrapWhen::True:
        return value->is_boolean() && value->get<bool>();
    case TrapWhen::NonEmpty:
        return value->is_structured() && !value->empty();
    }
    return false;
}

bool knows(const Family& family, CacheLaw law)
{
    const bool latent = family.attention == AttentionKind::Latent && law == CacheLaw::Latent;
    const bool compressed = family.attention == AttentionKind::Compressed && law == CacheLaw::Compressed;
    const bool recurrent =
        family.recurrent != RecurrentKind::None && (law == CacheLaw::Hybrid || law == CacheLaw::Recurrent);
    const bool chunked = law == CacheLaw::Chunked && family.kinds.find(kChunk) != std::string_view::npos;
    return latent || compressed || recurrent || chunked || (family.known & laws({law})) != 0;
}

/// Layers that read the cache of another one: the last `num_kv_shared_layers`, or all but every n-th (cross-layer
/// attention), or the second half.
void shareCaches(ConfigValues& values, Layout& layout)
{
    if (!knows(values.family(), CacheLaw::SharedKv))
        return;
    const std::int64_t half = std::max<std::int64_t>(layout.count() - layout.count() / 2 - 2, 0);
    const std::int64_t atEnd = values.family().secondHalfShares ? half : values.findOr(Quantity::SharedKvLayers, 0);
    const bool crossLayer = values.flag(Flag{"use_cla", false});
    const std::int64_t factor = values.findOr(Quantity::ShareFactor, 1);
    if (!crossLayer && factor > 1)
        values.note(fmt::format("cla_share_factor = {} has no effect: use_cla is not true", factor));
    for (std::int64_t i = 0; i < layout.count(); ++i) {
        const bool shared = i >= layout.count() - atEnd || (crossLayer && i % factor != 0);
        layout.layers[static_cast<std::size_t>(i)].shared = shared;
    }
    const auto shared =
        std::ranges::count_if(layout.layers, [](const Layer& layer) { return layer.shared && layer.attends(); });
    if (shared > 0)
        values.note(
            fmt::format("{} of {} layers read the cache of an earlier layer and keep none", shared, layout.count()));
}

/// True where layer `i` has an indexer of its own, by the spacing that GLM-5.2 states.
bool indexedBySpacing(std::int64_t i, std::int64_t offset, std::int64_t every)
{
    return std::max<std::int64_t>(i - offset + 1, 0) % every == 0;
}

/// Which layers keep index keys: `indexer_types` ("full", "shared"), `sparse_attention_freq`, the spacing
/// `index_topk_freq`, else all.
std::vector<bool> indexedLayers(ConfigValues& values, std::int64_t layers)
{
    const std::vector<std::string> types = values.language().texts("indexer_types");
    const auto flags = values.numbers("sparse_attention_config.sparse_attention_freq", {0, 1});
    const auto every = values.number("index_topk_freq", {1, 65'535});
    const auto offset = values.number("index_skip_topk_offset", {0, 65'535});
    std::vector<bool> indexed;
    for (std::int64_t i = 0; i < layers; ++i) {
        const auto place = static_cast<std::size_t>(i);
        if (!types.empty())
            indexed.push_back(place < types.size() && types[place] != "shared");
        else if (flags)
            indexed.push_back(place < flags->size() && (*flags)[place] == 1);
        else
            indexed.push_back(indexedBySpacing(i, offset.value_or(0), every.value_or(1)));
    }
    return indexed;
}

void addIndexKeys(ConfigValues& values, Layout& layout)
{
    const bool sparse = knows(values.family(), CacheLaw::Index);
    if (!sparse)
        return;
    const std::optional<std::int64_t> dim = values.find(Quantity::IndexDim);
    const std::vector<bool> indexed = indexedLayers(values, layout.count());
    if (!dim)
        return;
    layout.indexDim = *dim;
    const bool compressed = layout.attention == AttentionKind::Compressed;
    for (std::size_t i = 0; i < layout.layers.size(); ++i) {
        Layer& layer = layout.layers[i];
        layer.index = layer.attends() && (compressed ? layer.ratio == kIndexedRatio : indexed[i]);
    }
    const auto count = std::ranges::count_if(layout.layers, &Layer::index);
    values.derived("index", std::to_string(*dim),
                   fmt::format("one index key of {} for each token in {} layers", *dim, count));
    values.note(
        fmt::format("sparse attention does not shrink the cache; {} of {} layers keep an index key of {} besides",
                    count, layout.count(), *dim));
}

/// DeepSeek-V4: a raw window in each layer and, where the ratio is not 0, one vector for so many tokens.
void compress(ConfigValues& values, Layout& layout)
{
    if (layout.attention != AttentionKind::Compressed)
        return;
    const auto ratios = values.numbers("compress_ratios", {0, 1'048'576});
    const std::int64_t window = values.need(Quantity::Window);
    if (!ratios || ratios->size() < layout.layers.size())
        refuse(KV_TEXT("core", "{0} needs \"compress_ratios\" with an entry for each of its {1} layers; nothing was "
                               "changed; add it there."),
               {values.file(), layout.count()});
    if (ratios->size() > layout.layers.size())
        values.note(
            fmt::format("compress_ratios has {} entries for {} layers: the list was cut (layers for multi-token "
                        "prediction stand behind them)",
                        ratios->size(), layout.count()));
    for (std::size_t i = 0; i < layout.layers.size(); ++i) {
        Layer& layer = layout.layers[i];
        layer.kind = kWindow;
        layer.window = window;
        layer.heads.valueDim = 0; // K = V
        layer.ratio = (*ratios)[i];
    }
    values.read("compressed", fmt::format("{} tokens in one entry", kIndexedRatio), "compress_ratios");
    values.note("the running windows of the compressors, which engines keep besides the cache, are not counted");
}

void readLatent(ConfigValues& values, Layout& layout)
{
    if (layout.attention != AttentionKind::Latent)
        return;
    const std::int64_t latent = values.need(Quantity::Latent);
    const std::int64_t rope = values.need(Quantity::RopeDim);
    const std::int64_t nope = values.findOr(Quantity::NopeDim, 0);
    const std::int64_t value = values.findOr(Quantity::ValueDim, 0);
    layout.latentDim = latent;
    layout.ropeDim = rope;
    layout.nopeDim = nope;
    layout.expandedValueDim = nope > 0 ? value : 0;
}

/// The state of the recurrent layers, and that of a convolution over queries, keys and values (mamba_ssm).
void readStates(ConfigValues& values, Layout& layout)
{
    const std::int64_t kernel = values.findOr(Quantity::AttentionConv, 0);
    if (values.at("ssm_cfg") != nullptr)
        layout.attentionConv = std::max<std::int64_t>(kernel - 1, 0);
    const bool tooWide = std::ranges::any_of(layout.layers, [](const Layer& layer) {
        return (layer.heads.query + 2 * layer.heads.kv) * std::max(layer.heads.keyDim, layer.heads.valueDim) >
               kMostChannels;
    });
    if (layout.attentionConv > 0 && tooWide)
        refuse(KV_TEXT("core", "{0} describes an attention of more than {1} channels, which cannot be right; "
                               "nothing was changed; correct its heads there."),
               {values.file(), kMostChannels});
    if (std::ranges::none_of(layout.layers, &Layer::isRecurrent))
        return;
    const std::int64_t width = values.need(Quantity::Width);
    StateShape state = readState(values, width);
    layout.state = state;
}

/// Refuses files in which thousands of layers keep thousands of different things.
void checkVariety(ConfigValues& values, Layout& layout)
{
    if (!layout.isTooVaried())
        return;
    refuse(KV_TEXT("core", "{0} describes more than {1} different kinds of layers, which cannot be right; "
                           "nothing was changed; correct its lists there."),
           {values.file(), static_cast<std::int64_t>(kMostKinds)});
}

void readEncoder(ConfigValues& values, Layout& layout)
{
    layout.crossBeside = knows(values.family(), CacheLaw::EncoderDecoder);
    if (!layout.crossBeside)
        return;
    const std::optional<std::int64_t> tokens = values.find(Quantity::EncoderTokens);
    layout.encoderTokens = tokens;
    values.note(tokens ? fmt::format("cross attention always holds {} encoder positions", *tokens)
                       : std::string("cross attention grows with the input, self-attention with the output"));
}

} // namespace

void checkTraps(const ConfigValues& values, std::string_view declared)
{
    for (const Trap& trap : traps()) {
        const nlohmann::json* value = values.language().find(trap.key);
        if (springs(value, trap.when) && !knows(values.family(), trap.law))
            refuse(refusal(trap.law), {values.file(), fmt::format("{}, {} {}", declared, trap.key, shown(*value))});
    }
}

Layout readLayout(ConfigValues& values, std::string_view declared)
{
    LayerKinds kinds = readKinds(values, declared);
    const std::optional<std::int64_t> maxContext = values.find(Quantity::MaxContext);
    Layout layout;
    layout.attention = values.family().attention;
    layout.recurrent = values.family().recurrent;
    layout.mixers = values.family().shape.mixers;
    layout.maxContext = maxContext;
    const std::int64_t window = applyWindow(values, kinds, layout.maxContext);
    const std::vector<Heads> heads = readHeads(values, kinds.letters);
    for (std::size_t i = 0; i < kinds.letters.size(); ++i) {
        const char kind = kinds.letters[i];
        const bool windowed = kind == kWindow || kind == kChunk;
        layout.layers.push_back({.kind = kind, .heads = heads[i], .window = windowed ? window : 0, .mlp = {}});
    }
    for (const auto step :
         {shareCaches, applyBlocks, readLatent, compress, addIndexKeys, readStates, readEncoder, checkVariety}) {
        step(values, layout);
    }
    return layout;
}

} // namespace core::readers
