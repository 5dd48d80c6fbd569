// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/gguf/gguf_layout.h"

#include "core/readers/read_error.h"

#include <fmt/format.h>

#include <algorithm>

namespace core::readers {

namespace {

constexpr std::int64_t kIndexedRatio = 4; ///< DeepSeek-V4 keeps index keys where it compresses 4 tokens into one

/// Reads a layout step by step; each step sees what those before it found.
class LayoutReader {
public:
    LayoutReader(GgufValues& values, const GgufArchitecture& architecture)
        : m_values(values), m_architecture(architecture)
    {
    }

    Layout read();

private:
    void readCounts();
    void readHeadCounts();
    void readKinds();
    void readHeadSizes();
    void readLatent();
    void readShared();
    void readCompressed();
    void readIndex();
    void readState();
    void checkHeads();

    std::int64_t headSize(std::string_view field, std::string_view key, std::optional<std::int64_t> otherwise);
    std::vector<std::int64_t> indexedLayers() const;
    bool attends() const { return std::ranges::any_of(m_layout.layers, &Layer::attends); }

    GgufValues& m_values;
    const GgufArchitecture& m_architecture;
    Layout m_layout;
    std::int64_t m_layers = 0;
    std::optional<std::int64_t> m_width;
    std::vector<std::int64_t> m_queryHeads;
    std::vector<std::int64_t> m_kvHeads;
};

void LayoutReader::readCounts()
{
    constexpr Range kLayers{1, 65'535};
    const std::string_view key =
        m_architecture.encoder && m_values.has("decoder_block_count") ? "decoder_block_count" : "block_count";
    const std::int64_t blocks = m_values.need("layers", key, kLayers);
    const auto drafts = m_values.find("draft_layers", "nextn_predict_layers", {0, kLayers.max});
    const auto context = m_values.find("max_context", "context_length", kGgufTokens);
    const auto width = m_values.find("width", "embedding_length", kGgufDim);
    m_layers = blocks - drafts.value_or(0);
    if (m_layers < 1)
        refuse(KV_TEXT("core", "{0} says that {1} of its {2} layers are for multi-token prediction, which cannot "
                               "be right; nothing was changed; convert the model again."),
               {m_values.file(), *drafts, blocks});
    if (drafts.value_or(0) > 0)
        m_values.note(fmt::format("{} of {} blocks are for multi-token prediction: their cache and weights are counted "
                                  "only with speculation, so not here",
                                  *drafts, blocks));
    m_layout.drafts = drafts.value_or(0);
    if (context.value_or(0) > 0)
        m_layout.maxContext = *context;
    m_width = width;
}

void LayoutReader::readHeadCounts()
{
    auto query = m_values.perLayer("query_heads", "attention.head_count", kGgufDim, m_layers);
    auto kv = m_values.perLayer("kv_heads", "attention.head_count_kv", kGgufDim, m_layers);
    m_queryHeads = query.value_or(std::vector<std::int64_t>(static_cast<std::size_t>(m_layers), 0));
    if (!kv && query)
        m_values.derived("kv_heads", std::to_string(m_queryHeads.front()),
                         "as many as query heads (multi-head attention)");
    m_kvHeads = kv.value_or(m_queryHeads);
}

void LayoutReader::readKinds()
{
    std::string letters = readGgufKinds(m_values, m_architecture, m_kvHeads);
    const std::int64_t window = applyGgufWindows(m_values, m_architecture, letters);
    for (const char letter : letters) {
        const bool windowed = letter == kWindow || letter == kChunk;
        m_layout.layers.push_back({.kind = letter, .heads = {}, .window = windowed ? window : 0, .mlp = {}});
    }
}

std::int64_t LayoutReader::headSize(std::string_view field, std::string_view key, std::optional<std::int64_t> otherwise)
{
    const std::optional<std::int64_t> size = m_values.find(field, key, {1, kGgufDim.max});
    if (size || otherwise)
        return size.value_or(otherwise.value_or(0));
    const auto heads = std::ranges::find_if(m_queryHeads, [](std::int64_t count) { return count > 0; });
    if (heads == m_queryHeads.end())
        m_values.missing("attention.head_count");
    if (m_width.value_or(0) < *heads)
        m_values.missing(key);
    m_values.derived(field, std::to_string(*m_width / *heads),
                     fmt::format("width {} / query heads {}", *m_width, *heads));
    return *m_width / *heads;
}

void LayoutReader::readHeadSizes()
{
    if (!attends())
        return;
    const std::int64_t key = headSize("head_dim", "attention.key_length", {});
    const std::int64_t value = headSize("value_dim", "attention.value_length", {});
    const bool windows = std::ranges::any_of(m_layout.layers, [](const Layer& layer) { return layer.kind == kWindow; });
    std::int64_t windowKey = key;
    std::int64_t windowValue = value;
    if (windows) {
        windowKey = headSize("window_head_dim", "attention.key_length_swa", key);
        windowValue = headSize("window_value_dim", "attention.value_length_swa", value);
    }
    for (std::size_t i = 0; i < m_layout.layers.size(); ++i) {
        Layer& layer = m_layout.layers[i];
        const bool window = layer.kind == kWindow;
        if (layer.attends())
            layer.heads = {m_queryHeads[i], m_kvHeads[i], window ? windowKey : key, window ? windowValue : value};
    }
}

/// A latent where the file has the sizes of heads before absorption; without them llama.cpp keeps K and V of all heads.
void LayoutReader::readLatent()
{
    if (!attends())
        return;
    const auto latent = m_values.find("latent_dim", "attention.kv_lora_rank", kGgufDim);
    const auto rope = m_values.number("rope.dimension_count", kGgufDim);
    const auto headKey = m_values.number("attention.key_length_mla", kGgufDim);
    const auto headValue = m_values.number("attention.value_length_mla", kGgufDim);
    const std::int64_t keyDim = std::ranges::find_if(m_layout.layers, &Layer::attends)->heads.keyDim;
    const bool absorbed = headKey && headValue;
    if (!absorbed && latent.value_or(0) > 0) {
        m_layout.latentDim = *latent;
        m_layout.ropeDim = rope.value_or(0);
        if (rope)
            m_values.read("rope_dim", std::to_string(*rope), "rope.dimension_count");
        m_values.note(fmt::format("without key_length_mla and value_length_mla llama.cpp keeps K and V of all heads; a "
                                  "newer conversion of the model keeps one latent of {} + {}",
                                  *latent, rope.value_or(0)));
    }
    if (!absorbed)
        return;
    if (latent.value_or(0) < 1)
        m_values.missing("attention.kv_lora_rank");
    if (keyDim < *latent)
        refuse(KV_TEXT("core", "In {0}, the latent of {1} is wider than the key of {2}, which cannot be right; "
                               "nothing was changed; convert the model again."),
               {m_values.file(), *latent, keyDim});
    m_layout.attention = AttentionKind::Latent;
    m_layout.latentDim = *latent;
    m_layout.ropeDim = keyDim - *latent;
    m_layout.latentsOnly = true;
    m_layout.nopeDim = std::max<std::int64_t>(*headKey - m_layout.ropeDim, 0);
    m_layout.expandedValueDim = m_layout.nopeDim > 0 ? *headValue : 0;
    m_values.derived("rope_dim", std::to_string(m_layout.ropeDim),
                     fmt::format("key_length {} - kv_lora_rank {}", keyDim, *latent));
}

/// Layers behind the first so many read the cache of an earlier one.
void LayoutReader::readShared()
{
    const auto shared = m_values.find("shared_kv_layers", "attention.shared_kv_layers", {0, 65'535});
    std::int64_t own = std::max<std::int64_t>(m_layers - shared.value_or(0), 0);
    if (m_architecture.ownLayers > 0) {
        own = std::min(own, m_architecture.ownLayers);
        m_values.defaulted("own_layers", std::to_string(own),
                           fmt::format("llama.cpp: the first {} layers of {} hold a cache", m_architecture.ownLayers,
                                       m_values.architecture()));
    }
    for (std::int64_t i = own; i < m_layers; ++i)
        m_layout.layers[static_cast<std::size_t>(i)].shared = true;
    if (own < m_layers)
        m_values.note(
            fmt::format("{} of {} layers read the cache of an earlier layer and keep none", m_layers - own, m_layers));
}

/// DeepSeek-V4: a raw window in each layer and, where the ratio is not 0, one vector for so many tokens.
void LayoutReader::readCompressed()
{
    if (!m_architecture.compressed)
        return;
    constexpr std::string_view kKey = "attention.compress_ratios";
    const auto ratios = m_values.perLayer("compressed", kKey, kGgufDim, m_layers);
    if (!ratios)
        m_values.missing(kKey);
    m_layout.attention = AttentionKind::Compressed;
    for (std::size_t i = 0; i < m_layout.layers.size(); ++i) {
        Layer& layer = m_layout.layers[i];
        if (layer.kind != kWindow)
            m_values.missing("attention.sliding_window");
        layer.heads.valueDim = 0; // K = V
        layer.ratio = (*ratios)[i];
    }
    m_values.note("the running windows of the compressors, which engines keep besides the cache, are not counted");
}

std::vector<std::int64_t> LayoutReader::indexedLayers() const
{
    constexpr std::int64_t kShares =
        1'048'576; // the context of GLM 5.2, whose layers share indices; earlier ones do not
    const auto types = m_values.list("attention.indexer.types", {0, 1}, "full");
    const auto dense = m_values.number("leading_dense_block_count", {0, 65'535});
    std::vector<std::int64_t> indexed;
    for (std::int64_t i = 0; i < m_layers; ++i) {
        const auto place = static_cast<std::size_t>(i);
        bool here = true;
        if (m_architecture.index == GgufIndex::Types)
            here = types ? place < types->size() && (*types)[place] != 0
                         : m_layout.maxContext.value_or(kShares) < kShares || i < 2 || i % 4 == 2;
        else if (m_architecture.index == GgufIndex::AfterDense)
            here = i >= dense.value_or(0);
        else if (m_architecture.index == GgufIndex::Compressed)
            here = m_layout.layers[place].ratio == kIndexedRatio;
        indexed.push_back(here && m_layout.layers[place].attends() ? 1 : 0);
    }
    return indexed;
}

void LayoutReader::readIndex()
{
    if (m_architecture.index == GgufIndex::None)
        return;
    const std::int64_t dim = m_values.need("index_dim", "attention.indexer.key_length", {1, kGgufDim.max});
    const std::vector<std::int64_t> indexed = indexedLayers();
    m_layout.indexDim = dim;
    for (std::size_t i = 0; i < m_layout.layers.size(); ++i)
        m_layout.layers[i].index = indexed[i] != 0;
    m_values.note(fmt::format("sparse attention does not shrink the cache; {} of {} layers keep an index key of {} "
                              "besides",
                              std::ranges::count(indexed, 1), m_layers, dim));
}

void LayoutReader::readState()
{
    if (std::ranges::none_of(m_layout.layers, &Layer::isRecurrent))
        return;
    if (m_width.value_or(0) < 1)
        m_values.missing("embedding_length");
    StateShape state = readGgufState(m_values, m_architecture, *m_width, std::ranges::max(m_queryHeads));
    m_layout.recurrent = m_architecture.recurrent;
    m_layout.state = state;
}

void LayoutReader::checkHeads()
{
    for (const Layer& layer : m_layout.layers) {
        if (m_architecture.encoder && layer.heads.kv < 1)
            m_values.missing("attention.head_count");
        if (layer.heads.kv > layer.heads.query)
            refuse(KV_TEXT("core", "{0} says {1} KV heads but only {2} query heads, which cannot be right; "
                                   "nothing was changed; convert the model again."),
                   {m_values.file(), layer.heads.kv, layer.heads.query});
    }
    if (!m_layout.isTooVaried())
        return;
    refuse(KV_TEXT("core", "{0} describes more than {1} different kinds of layers, which cannot be right; nothing "
                           "was changed; convert the model again."),
           {m_values.file(), static_cast<std::int64_t>(kMostKinds)});
}

Layout LayoutReader::read()
{
    m_layout.crossBeside = m_architecture.encoder;
    for (const auto step : {&LayoutReader::readCounts, &LayoutReader::readHeadCounts, &LayoutReader::readKinds,
                            &LayoutReader::readHeadSizes, &LayoutReader::readLatent, &LayoutReader::readShared,
                            &LayoutReader::readCompressed, &LayoutReader::readIndex, &LayoutReader::readState,
                            &LayoutReader::checkHeads}) {
        (this->*step)();
    }
    return std::move(m_layout);
}

} // namespace

Layout readGgufLayout(GgufValues& values, const GgufArchitecture& architecture)
{
    return LayoutReader(values, architecture).read();
}

} // namespace core::readers
