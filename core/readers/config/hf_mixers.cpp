// SPDX-License-Identifier: GPL-3.0-or-later
// Shapes of the projections as the classes in Hugging Face transformers, or the modelling code published beside the
// weights, make them.
#include "core/readers/config/hf_mixers.h"

#include <algorithm>

namespace core::readers {

namespace {

MixerCount operator+(const MixerCount& a, const MixerCount& b)
{
    return {a.projections + b.projections, a.other + b.other};
}

/// Layers that read another layer's cache have no projections for keys and values.
bool ownsKeys(const Widths& w, const Layer& layer)
{
    return !layer.shared || w.shape.sharedKeepKeys == 2;
}

/// Norms of queries and keys, a gate on the output, sinks.
Parameters besideHeads(const Widths& w, const Layer& layer)
{
    const Heads& heads = layer.heads;
    const int norms = ownsKeys(w, layer) || w.shape.sharedKeepKeys == 1 ? 2 : 1;
    const int normsHere = layer.kind == kCross ? 2 : norms * w.shape.headNorms;
    const Parameters perHead = Parameters(normsHere) * (1 + w.shape.headNormBias) * heads.keyDim;
    const Parameters perProjection =
        Parameters(w.shape.projectionNorms) * (Parameters(heads.query) + heads.kv) * heads.keyDim;
    const bool sinks = w.shape.sinks == 1 || (w.shape.sinks == 2 && layer.kind == kWindow);
    const Parameters gates = layer.kind == kCross ? Parameters(2) : Parameters(0); // of attention and MLP
    return perHead + perProjection + gates + (sinks ? Parameters(heads.query) : Parameters(0));
}

/// One latent and one rotary part for all heads (DeepSeek-V2, arXiv:2405.04434 section 2.1).
MixerCount latentParameters(const Widths& w, const Layout& layout, const Layer& layer)
{
    const Parameters heads = layer.heads.query;
    const Parameters queryDim = Parameters(w.nopeDim) + layout.ropeDim;
    const Parameters query = w.queryRank > 0 ? Parameters(w.queryRank) * (Parameters(w.width) + heads * queryDim)
                                             : Parameters(w.width) * heads * queryDim;
    const Parameters keyValue = Parameters(w.width) * (Parameters(layout.latentDim) + layout.ropeDim) +
                                Parameters(layout.latentDim) * heads * (Parameters(w.nopeDim) + w.valueDim);
    const Parameters output = heads * w.valueDim * w.width;
    const Parameters gate = w.shape.outputGate == 1 ? heads * w.valueDim * w.width : Parameters(0);
    const Parameters norms = Parameters(w.shape.latentNorms) * (Parameters(w.queryRank) + layout.latentDim);
    return {query + keyValue + output + gate, norms};
}

/// Raw window and compressed entries of one vector, K = V (DeepSeek-V4).
MixerCount compressedParameters(const Widths& w, const Layer& layer)
{
    const Parameters dim = layer.heads.keyDim;
    const Parameters heads = Parameters(layer.heads.query) * dim;
    const Parameters query = Parameters(w.queryRank) * (Parameters(w.width) + heads);
    const Parameters output = heads * w.outputRank + Parameters(w.outputGroups) * w.outputRank * w.width;
    MixerCount count{query + Parameters(w.width) * dim + output, Parameters(w.queryRank) + dim + layer.heads.query};
    if (layer.ratio > 0) {
        const Parameters wide = Parameters(layer.index ? 2 : 1) * dim;
        count.projections += Parameters(2) * w.width * wide;
        count.other += Parameters(layer.ratio) * wide + dim;
    }
    return count;
}

/// The indexer of a layer with index keys.
MixerCount indexerParameters(const Widths& w, const Layout& layout, const Layer& layer)
{
    const Parameters dim = layout.indexDim;
    if (layout.attention == AttentionKind::Heads) // MiniMax-M3: queries, a key, a norm of each
        return {Parameters(w.width) * dim * (Parameters(w.indexHeads) + 1), dim * 2};
    const Parameters query = Parameters(w.queryRank) * w.indexHeads * dim + Parameters(w.width) * w.indexHeads;
    if (layer.ratio > 0) // keys of compressed entries, by a compressor of their own
        return {query + Parameters(4) * w.width * dim, Parameters(2) * layer.ratio * dim + dim};
    return {query + Parameters(w.width) * dim, dim * 2};
}

/// Mamba: arXiv:2312.00752.
MixerCount mamba1(const Widths& w, const StateShape& s)
{
    const Parameters inner = s.inner;
    const Parameters timeBC = Parameters(s.dtRank) + Parameters(2) * s.size;
    const Parameters biases = Parameters(w.shape.stateBias) * (inner * 2 + w.width);
    const Parameters projections =
        Parameters(3) * w.width * inner + inner * timeBC + Parameters(s.dtRank) * inner + biases;
    const Parameters other = inner * (Parameters(s.kernel) + w.shape.convBias + s.size + 2); // D, bias of the time step
    return {projections, other + Parameters(w.shape.stateNorms) * timeBC};
}

/// Mamba 2: arXiv:2405.21060.
MixerCount mamba2(const Widths& w, const StateShape& s)
{
    const Parameters inner = s.inner;
    const Parameters channels = inner + Parameters(2) * s.groups * s.size;
    const Parameters in = inner + channels + s.heads;
    const Parameters biases = Parameters(w.shape.stateBias) * (in + w.width);
    const Parameters other = channels * (Parameters(s.kernel) + w.shape.convBias) + Parameters(3) * s.heads;
    return {Parameters(w.width) * (in + inner) + biases, other + Parameters(w.shape.gateNorm) * inner};
}

MixerCount shortConv(const Widths& w, const StateShape& s)
{
    return {Parameters(4) * w.width * w.width, Parameters(s.kernel) * w.width};
}

/// Gated delta net: arXiv:2412.06464.
MixerCount deltaNet(const Widths& w, const StateShape& s)
{
    const Parameters keys = Parameters(s.keyHeads) * s.keyDim;
    const Parameters channels = keys * 2 + Parameters(s.heads) * s.headDim;
    const Parameters valueWidth = Parameters(s.heads) * s.headDim;
    const Parameters projections = Parameters(w.width) * (channels + valueWidth * 2 + Parameters(2) * s.heads);
    return {projections, channels * s.kernel + Parameters(2) * s.heads + s.headDim};
}

/// Kimi delta attention: arXiv:2510.26692.
MixerCount kda(const Widths& w, const StateShape& s)
{
    const Parameters inner = Parameters(s.heads) * s.headDim;
    const Parameters narrow = Parameters(s.headDim) * (Parameters(w.width) + inner);
    const Parameters gates = narrow + (w.shape.wholeGate != 0 ? Parameters(w.width) * inner : narrow);
    const Parameters projections = Parameters(w.width) * (inner * 4 + s.heads) + gates;
    const std::int64_t step = std::max(w.shape.headsAhead, 1);
    const std::int64_t decays = (s.heads + step - 1) / step * step;
    return {projections, inner * 3 * s.kernel + inner + decays + s.headDim};
}

/// Lightning attention: arXiv:2401.04658, with a gate and a norm over all heads.
MixerCount lightning(const Widths& w, const StateShape& s)
{
    const Parameters inner = Parameters(s.heads) * s.headDim;
    return {Parameters(5) * w.width * inner, inner};
}

/// RG-LRU: arXiv:2402.19427; its gates are one block for each head.
MixerCount lru(const Widths& w, const StateShape& s)
{
    const Parameters inner = s.inner;
    const std::int64_t blocks = s.heads > 0 ? s.heads : 1;
    const Parameters gates = Parameters(2) * (inner * (s.inner / blocks) + inner);
    return {Parameters(3) * w.width * inner + gates, inner * (Parameters(s.kernel) + 1) + inner * 3 + w.width};
}

/// RWKV 4: arXiv:2305.13048.
MixerCount rwkv4(const Widths& w, const StateShape& s)
{
    return {Parameters(4) * w.width * s.inner, Parameters(3) * w.width + Parameters(2) * s.inner};
}

/// RWKV 5: arXiv:2404.05892.
MixerCount rwkv5(const Widths& w, const StateShape& s)
{
    return {Parameters(5) * w.width * s.inner, Parameters(4) * w.width + Parameters(4) * s.inner};
}

MixerCount recurrentParameters(RecurrentKind kind, const Widths& w, const StateShape& s)
{
    switch (kind) {
    case RecurrentKind::Mamba1:
        return mamba1(w, s);
    case RecurrentKind::Mamba2:
        return mamba2(w, s);
    case RecurrentKind::ShortConv:
        return shortConv(w, s);
    case RecurrentKind::DeltaNet:
        return deltaNet(w, s);
    case RecurrentKind::Kda:
        return kda(w, s);
    case RecurrentKind::Lightning:
        return lightning(w, s);
    case RecurrentKind::Lru:
        return lru(w, s);
    case RecurrentKind::Rwkv4:
        return rwkv4(w, s);
    case RecurrentKind::Rwkv5:
        return rwkv5(w, s);
    case RecurrentKind::Mlstm: // not counted
    case RecurrentKind::None:
        break;
    }
    return {};
}

/// A convolution over queries, keys and values (mamba_ssm), with its bias.
Parameters attentionConv(const Layout& layout, const Layer& layer)
{
    const Heads& heads = layer.heads;
    const Parameters channels =
        Parameters(heads.query) * heads.keyDim + Parameters(heads.kv) * (Parameters(heads.keyDim) + heads.valueDim);
    return layout.attentionConv > 0 ? channels * (Parameters(layout.attentionConv) + 2) : Parameters(0);
}

MixerCount attentionParameters(const Widths& w, const Layout& layout, const Layer& layer)
{
    switch (layout.attention) {
    case AttentionKind::Latent:
        return latentParameters(w, layout, layer);
    case AttentionKind::Compressed:
        return compressedParameters(w, layer);
    case AttentionKind::Heads:
        break;
    }
    return headsParameters(w, layer);
}

} // namespace

MixerCount headsParameters(const Widths& w, const Layer& layer)
{
    const Heads& heads = layer.heads;
    const Parameters query = Parameters(heads.query) * heads.keyDim;
    const bool oneForBoth = w.shape.keyIsValue != 0 && layer.kind == kFull;
    const Parameters key = ownsKeys(w, layer) ? Parameters(heads.kv) * heads.keyDim : Parameters(0);
    const Parameters value = ownsKeys(w, layer) && !oneForBoth ? Parameters(heads.kv) * heads.valueDim : Parameters(0);
    const Parameters output = Parameters(heads.query) * heads.valueDim;
    const Parameters gate = w.shape.outputGate == 1   ? query
                            : w.shape.outputGate == 2 ? Parameters(heads.query)
                                                      : Parameters(0);
    const Parameters biases =
        Parameters(w.shape.qkvBias) * (query + key * w.shape.keyBias + value) + Parameters(w.shape.outBias) * w.width;
    const std::int64_t in = w.shape.doubledInput != 0 ? 2 * w.width : w.width;
    return {Parameters(in) * (query + key + value + gate) + output * w.width + biases, besideHeads(w, layer)};
}

MixerCount mixerParameters(const Widths& w, const Layout& layout, const Layer& layer)
{
    MixerCount count;
    if (layer.linear)
        count.projections = Parameters(w.width) * w.width;
    if (layer.attends() && w.memoryBlocks == 0) {
        count = attentionParameters(w, layout, layer);
        count.other += attentionConv(layout, layer);
        for (std::int64_t more = 1; more < layout.mixers; ++more)
            count = count + attentionParameters(w, layout, layer);
    }
    if (layer.index)
        count = count + indexerParameters(w, layout, layer);
    if (layer.isRecurrent())
        count = count + recurrentParameters(layout.recurrent, w, layout.state);
    return count;
}

} // namespace core::readers
