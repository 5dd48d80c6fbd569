// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/config/hf_encoder.h"

#include "core/readers/config/hf_mixers.h"

namespace core::readers {

std::optional<Encoder> readEncoder(ConfigValues& values)
{
    if ((values.family().known & laws({CacheLaw::EncoderDecoder})) == 0)
        return std::nullopt;
    const std::int64_t decoder = values.need(Quantity::Layers);
    const std::int64_t decoderMlp = values.findOr(Quantity::MlpWidth, 0);
    const std::int64_t layers = values.findOr(Quantity::EncoderLayers, decoder);
    const std::int64_t mlp = values.findOr(Quantity::EncoderMlpWidth, decoderMlp);
    const std::int64_t mels = values.findOr(Quantity::Mels, 0);
    const std::int64_t buckets = values.findOr(Quantity::PositionBuckets, 0);
    const auto positions = values.number("max_encoder_position_embeddings", {1, 1'000'000'000});
    return Encoder{layers, mlp, mels, buckets, positions};
}

EncoderCount encoderParameters(const Encoder& encoder, const Widths& w, const Layout& layout)
{
    EncoderCount count;
    const Layer& like = layout.layers.front();
    const Parameters global = Parameters(3) * w.shape.encoderGlobal * w.width * (Parameters(w.width) + 1);
    count.attention = (headsParameters(w, like).projections + global) * encoder.layers;
    count.mlp = feedForward(w, w.width, encoder.mlp, w.shape.mlpBias) * encoder.layers;
    count.other = norm(w) * (w.shape.normsPerLayer - 1) * encoder.layers +
                  norm(w) * (w.shape.finalNorms + w.shape.embeddingNorms) +
                  Parameters(2) * encoder.buckets * like.heads.query;
    if (encoder.mels > 0) // two convolutions over three frames
        count.other += Parameters(3) * w.width * (Parameters(encoder.mels) + w.width) + Parameters(2) * w.width;
    if (w.shape.positions != 0)
        count.positions = Parameters(encoder.positions.value_or(
                              layout.encoderTokens.value_or(layout.maxContext.value_or(0) + w.shape.extraPositions))) *
                          w.width;
    return count;
}

Parameters feedForward(const Widths& w, std::int64_t in, std::int64_t inner, int bias)
{
    const Parameters matrices = Parameters(2 + w.shape.gated) * in * inner;
    return matrices + Parameters(bias) * (Parameters(1 + w.shape.gated) * inner + in);
}

Parameters norm(const Widths& w)
{
    return Parameters(w.shape.normScale + w.shape.normBias) * w.width;
}

} // namespace core::readers
