// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/config/hf_weights.h"

#include "core/readers/config/hf_encoder.h"
#include "core/readers/config/hf_format.h"
#include "core/readers/config/hf_mixers.h"
#include "core/readers/read_error.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace core::readers {

namespace {

constexpr std::int64_t kMaxParameters = 1'000'000'000'000'000;

/// Parameters by part while they are counted.
class Counts {
public:
    Parameters& operator[](WeightPart part) { return m_parts.at(static_cast<std::size_t>(part)); }
    Parameters total() const
    {
        Parameters sum;
        for (const Parameters& part : m_parts)
            sum += part;
        return sum;
    }
    std::vector<WeightCount> list() const
    {
        std::vector<WeightCount> counts;
        for (std::size_t i = 0; i < m_parts.size(); ++i) {
            if (m_parts[i].count() > 0)
                counts.push_back({static_cast<WeightPart>(i), m_parts[i].count(), {}});
        }
        return counts;
    }

private:
    std::array<Parameters, static_cast<std::size_t>(WeightPart::Whole)> m_parts;
};

/// The width of the dense MLP of layer `i`; 0 where it has none.
std::int64_t denseWidth(const Widths& w, const Layer& layer, std::size_t i)
{
    const std::int64_t common = i < w.mlpOfLayer.size() ? w.mlpOfLayer[i] : w.mlp;
    const std::int64_t width = layer.mlp.value_or(common);
    return layer.shared && w.shape.wideWhereShared != 0 ? 2 * width : width;
}

bool hasDenseMlp(const ConfigValues& values, const Widths& w, const Layer& layer, std::size_t i)
{
    switch (values.family().mlp) {
    case MlpRule::None:
        return false;
    case MlpRule::OwnLayers:
        return layer.kind == kMlpOnly;
    case MlpRule::EveryLayer:
        break;
    }
    return w.memoryBlocks == 0 && (!w.moe[i] || w.shape.besideExperts != 0);
}

/// The router of one layer, with the gate of the shared experts and projections to a narrower width for the experts.
Parameters router(const Widths& w, std::size_t layer)
{
    const bool hashed = static_cast<std::int64_t>(layer) < w.hashLayers;
    const Parameters rows = Parameters(w.experts) + w.idleExperts;
    const Parameters gate = w.shared > 0 ? Parameters(w.shape.sharedExpertGate) * w.width : Parameters(0);
    const Parameters narrowed = Parameters(w.expertLatent) * (Parameters(2) * w.width + w.shape.latentExpertNorm);
    return rows * (Parameters(w.width) + (hashed ? 0 : w.shape.routerBias)) + gate + narrowed +
           Parameters(w.shape.expertNorms) * w.width;
}

std::int64_t expertInput(const Widths& w)
{
    return w.expertLatent > 0 ? w.expertLatent : w.width;
}

/// The biases of one routed expert: vectors, which stay at 16 bit where the matrices do not.
Parameters expertBiases(const Widths& w)
{
    return Parameters(w.shape.expertBias) * (Parameters(1 + w.shape.gated) * w.expert + expertInput(w));
}

void addExperts(Counts& counts, const Widths& w, std::size_t layer)
{
    counts[WeightPart::Experts] += feedForward(w, expertInput(w), w.expert, 0) * w.experts;
    counts[WeightPart::Other] += expertBiases(w) * w.experts;
    if (w.shared > 0)
        counts[WeightPart::SharedExperts] += feedForward(w, w.width, w.shared, w.shape.mlpBias);
    counts[WeightPart::Other] += router(w, layer);
}

/// Norms over the width of one layer; blocks that leave attention or MLP out leave their norm out too.
Parameters layerNorms(const Widths& w, const Layer& layer)
{
    const std::int64_t left = (layer.kind == kNothing && !layer.linear ? 1 : 0) +
                              (layer.mlp == std::int64_t{0} && !layer.mlpIsLinear ? 1 : 0);
    return norm(w) * std::max<std::int64_t>(w.shape.normsPerLayer - left, 0);
}

/// What some families add to each layer: inputs of its own, alternating updates (Gemma 3n), hyper-connections.
Parameters layerExtras(const Widths& w)
{
    const Parameters own = Parameters(2) * w.width * w.perLayerWidth + (w.perLayerWidth > 0 ? w.width : 0);
    const Parameters n = w.alternating;
    const Parameters laurel = Parameters(2) * w.width * w.loraRank + w.width;
    const Parameters updates = Parameters(2) * w.width + n * n + n * n * n + n * w.width;
    const Parameters streams = w.streams;
    const Parameters connections = (streams + 2) * streams * (streams * w.width + 1) + 3;
    const Parameters mixes = Parameters(4) * w.shape.residualMixes * w.width; // before attention and before the MLP
    return own + mixes + (w.alternating > 0 ? laurel + updates : Parameters(0)) +
           (w.streams > 0 ? connections * 2 : Parameters(0));
}

/// The same outside the layers.
Parameters outsideExtras(const Widths& w, const Layout& layout)
{
    const Parameters own = Parameters(layout.count()) * w.perLayerWidth * w.width + w.perLayerWidth;
    const Parameters updates = Parameters(std::max<std::int64_t>(w.alternating - 1, 0)) * 2 * w.width * w.width;
    const Parameters streams = w.streams;
    const Parameters connections = w.streams > 0 ? streams * streams * w.width + streams + 1 : Parameters(0);
    return own + updates + connections + Parameters(2) * w.shape.residualMixes * w.width;
}

/// Zamba 2: attention and MLP in a few blocks that layers take in turns, with low-rank adapters and one projection for
/// each layer that uses one.
void addSharedBlocks(Counts& counts, const Widths& w, const Layout& layout)
{
    const auto used = std::ranges::find_if(layout.layers, &Layer::attends);
    if (w.memoryBlocks == 0 || used == layout.layers.end())
        return;
    const auto uses = std::ranges::count_if(layout.layers, &Layer::attends);
    const MixerCount attention = headsParameters(w, *used);
    const Parameters adapters = Parameters(3) * w.shape.attentionAdapters * w.loraRank * 4 * w.width * uses;
    counts[WeightPart::Attention] += attention.projections * w.memoryBlocks + adapters;
    counts[WeightPart::Mlp] += feedForward(w, w.width, w.mlp, w.shape.mlpBias) * w.memoryBlocks +
                               Parameters(w.loraRank) * (Parameters(w.width) + Parameters(2) * w.mlp) * uses;
    counts[WeightPart::Other] += Parameters(3) * w.width * w.memoryBlocks + Parameters(w.width) * w.width * uses;
}

void addLayer(Counts& counts, const ConfigValues& values, const Widths& w, const Layout& layout, std::size_t i)
{
    const Layer& layer = layout.layers[i];
    const MixerCount mixer = mixerParameters(w, layout, layer);
    counts[WeightPart::Attention] += mixer.projections;
    counts[WeightPart::Other] += mixer.other + layerNorms(w, layer) + layerExtras(w);
    if (layout.crossBeside)
        counts[WeightPart::Attention] += mixer.projections;
    if (w.moe[i])
        addExperts(counts, w, i);
    if (!hasDenseMlp(values, w, layer, i))
        return;
    const Parameters mlp = layer.mlpIsLinear ? Parameters(w.width) * w.width
                                             : feedForward(w, w.width, denseWidth(w, layer, i), w.shape.mlpBias);
    counts[WeightPart::Mlp] += mlp * layout.mixers;
    if (w.shape.receptance != 0) { // RWKV: a gate of its own and two mixtures of tokens
        counts[WeightPart::Mlp] += Parameters(w.width) * w.width;
        counts[WeightPart::Other] += Parameters(2) * w.width;
    }
}

Counts countAll(const ConfigValues& values, const Widths& w, const Layout& layout)
{
    Counts counts;
    const Parameters table = Parameters(w.vocabulary) * w.embeddingWidth;
    const std::int64_t positions = w.shape.positions != 0 ? *layout.maxContext + w.shape.extraPositions : 0;
    const Parameters perLayer = Parameters(w.perLayerVocabulary) * w.perLayerWidth * layout.count();
    counts[WeightPart::Embedding] +=
        table + Parameters(positions) * w.width + Parameters(w.shape.extraTokens) * w.width;
    counts[WeightPart::LayerEmbedding] += perLayer;
    counts[WeightPart::Head] += (w.tied ? Parameters(0) : table) + Parameters(w.shape.headBias) * w.vocabulary;
    const bool projected = w.embeddingWidth != w.width;
    const Parameters projections = projected ? Parameters(2) * w.embeddingWidth * w.width : Parameters(0);
    counts[WeightPart::Other] +=
        norm(w) * (w.shape.finalNorms + w.shape.embeddingNorms) + projections + outsideExtras(w, layout);
    for (std::size_t i = 0; i < layout.layers.size(); ++i)
        addLayer(counts, values, w, layout, i);
    addSharedBlocks(counts, w, layout);
    return counts;
}

/// Of the routed experts and their biases, the parameters that one token reads.
void setActive(std::vector<WeightCount>& parts, const Widths& w)
{
    if (w.perToken == 0)
        return;
    const std::int64_t used = w.perToken * w.experts / (w.experts + w.idleExperts);
    const auto layers = std::ranges::count(w.moe, true);
    const Parameters idleBiases = expertBiases(w) * (w.experts - used) * layers;
    for (WeightCount& count : parts) {
        if (count.part == WeightPart::Experts)
            count.active = count.parameters / w.experts * used;
        else if (count.part == WeightPart::Other && idleBiases.count() > 0)
            count.active = count.parameters - idleBiases.count();
    }
}

} // namespace

Weights countWeights(ConfigValues& values, const Layout& layout)
{
    const WeightFormat format = publishedFormat(values);
    Weights weights;
    weights.published = format;
    if (values.family().shape.uncounted != 0) {
        values.note("parameters not counted: the shapes of this family's weights are not in the tables");
        return weights;
    }
    const std::optional<Widths> widths = readWidths(values, layout);
    const std::optional<Encoder> encoder = readEncoder(values);
    if (!widths) {
        values.note(fmt::format("parameters not counted: {} lacks a width that the count needs", values.file()));
        return weights;
    }
    Counts counts = countAll(values, *widths, layout);
    if (encoder) {
        const EncoderCount count = encoderParameters(*encoder, *widths, layout);
        counts[WeightPart::Attention] += count.attention;
        counts[WeightPart::Mlp] += count.mlp;
        counts[WeightPart::Embedding] += count.positions;
        counts[WeightPart::Other] += count.other;
    }
    const std::int64_t total = counts.total().count();
    if (total > kMaxParameters)
        refuse(KV_TEXT("core", "{0} describes a model of more than {1} parameters, which cannot be right; nothing was "
                               "changed; correct its widths or choose another file."),
               {values.file(), kMaxParameters});
    weights.parts = counts.list();
    setActive(weights.parts, *widths);
    weights.source = fmt::format("counted from the shapes in {}", values.file());
    values.derived("parameters", std::to_string(total), "sum of the parts, each counted from the shapes");
    if (weights.activeParameters() != total)
        values.derived("active_parameters", std::to_string(weights.activeParameters()),
                       fmt::format("of the experts, the {} that a token uses", widths->perToken));
    return weights;
}

} // namespace core::readers
