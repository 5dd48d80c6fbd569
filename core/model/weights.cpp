// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/weights.h"

#include "core/text/text.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace core {

namespace {

constexpr std::array<std::string_view, 10> kPartIds{"embedding", "layer_embedding", "head",  "attention", "mlp",
                                                    "experts",   "shared_experts",  "other", "whole",     "draft"};

constexpr std::string_view kPlain = "width of the number format; every parameter";
constexpr WeightEncoding k16Bit{1, 2};
constexpr WeightEncoding k32Bit{1, 4};

constexpr WeightEncodings everywhere(WeightEncoding encoding)
{
    return {encoding, encoding, encoding, encoding, encoding};
}

/// Embedding, head and norms stay at 16 bit.
constexpr WeightEncodings linearLayers(WeightEncoding encoding)
{
    return {k16Bit, k16Bit, encoding, encoding, k16Bit};
}

// 128 parameters: 64 bytes of 4-bit values, a 2-byte scale and a 4-bit zero point; twice that to stay whole.
constexpr WeightEncoding kGroup128{256, 133};

constexpr std::string_view kMlx = "mlx.core.quantize: groups of 64 with a 16-bit scale and a 16-bit bias";
// NF4 with double quantisation: 64 parameters share an 8-bit scale, 256 scales a 32-bit one.
constexpr WeightEncoding kNf4{16'384, 8'452};
/// MLX quantises embedding and head too; 64 parameters share a 16-bit scale and a 16-bit bias.
constexpr WeightEncodings mlx(std::int64_t bits)
{
    const WeightEncoding group{64, 8 * bits + 4};
    return {group, group, group, group, k16Bit};
}

// GGUF: blocks of 256 parameters (ggml-common.h): Q2_K 84, Q3_K 110, Q4_K 144, Q5_K 176, Q6_K 210, IQ4_XS 136 bytes;
// norms are F32. The mixtures give the head Q6_K and raise some tensors (llama-quant.cpp): taken here as
// - attention: K and V projections an eighth each of Q, K, V, O (four query heads share a KV head), so V is a tenth;
// - MLP: three matrices of one size, one of them ffn_down.
constexpr WeightEncoding kQ6K{256, 210};
constexpr std::string_view kGguf = "ggml block layouts and llama.cpp's mixture of tensor types, with typical shares";
/// Half of V and of ffn_down in Q6_K, the rest in Q4_K: (0.95·144 + 0.05·210) and (5·144 + 210) / 6.
constexpr WeightEncodings kQ4KM{{256, 144}, kQ6K, {2'560, 1'473}, {256, 155}, k32Bit};
/// The same on Q5_K: (0.95·176 + 0.05·210) and (5·176 + 210) / 6.
constexpr WeightEncodings kQ5KM{{256, 176}, kQ6K, {2'560, 1'777}, {1'536, 1'090}, k32Bit};
/// On Q3_K: V about Q4_K (146), attention output Q4_K, ffn_down Q4_K with some Q5_K (146).
constexpr WeightEncodings kQ3KM{{256, 110}, kQ6K, {2'560, 1'272}, {256, 122}, k32Bit};
/// On Q2_K: V Q4_K, attention output and ffn_down Q3_K.
constexpr WeightEncodings kQ2K{{256, 84}, kQ6K, {2'560, 1'004}, {768, 278}, k32Bit};
/// IQ4_XS with V in Q5_K.
constexpr WeightEncodings kIq4Xs{{256, 136}, kQ6K, {256, 140}, {256, 136}, k32Bit};

constexpr std::array kFormats{
    WeightFormatInfo{WeightFormat::Fp32, "fp32", "FP32", everywhere({1, 4}), false, false, kPlain},
    WeightFormatInfo{WeightFormat::Bf16, "bf16", "BF16", everywhere(k16Bit), false, false, kPlain},
    WeightFormatInfo{WeightFormat::Fp16, "fp16", "FP16", everywhere(k16Bit), false, false, kPlain},
    WeightFormatInfo{WeightFormat::Fp8, "fp8", "FP8", everywhere({1, 1}), false, false, kPlain},
    WeightFormatInfo{WeightFormat::Int8, "int8", "INT8", everywhere({1, 1}), false, false, kPlain},
    WeightFormatInfo{WeightFormat::Awq4, "awq-4bit", "AWQ 4-bit", linearLayers(kGroup128), false, false,
                     "arXiv:2306.00978: groups of 128 with a 16-bit scale and a 4-bit zero point"},
    WeightFormatInfo{WeightFormat::Gptq4, "gptq-4bit", "GPTQ 4-bit", linearLayers(kGroup128), false, false,
                     "arXiv:2210.17323: groups of 128 with a 16-bit scale and a 4-bit zero point"},
    WeightFormatInfo{WeightFormat::Nvfp4, "nvfp4", "NVFP4", linearLayers({16, 9}), false, false,
                     "16 values share one FP8 scale"},
    WeightFormatInfo{WeightFormat::Mxfp4, "mxfp4", "MXFP4", linearLayers({32, 17}), true, false,
                     "OCP Microscaling: 32 values share one 8-bit scale"},
    WeightFormatInfo{WeightFormat::Bnb4, "bnb-4bit", "bitsandbytes 4-bit", linearLayers(kNf4), false, false,
                     "arXiv:2305.14314: NF4 in blocks of 64, scales quantised to 8 bit in blocks of 256"},
    WeightFormatInfo{WeightFormat::Mlx4, "mlx-4bit", "MLX 4-bit", mlx(4), false, false, kMlx},
    WeightFormatInfo{WeightFormat::Mlx6, "mlx-6bit", "MLX 6-bit", mlx(6), false, false, kMlx},
    WeightFormatInfo{WeightFormat::Mlx8, "mlx-8bit", "MLX 8-bit", mlx(8), false, false, kMlx},
    WeightFormatInfo{
        WeightFormat::Q8_0, "q8_0", "Q8_0", {{32, 34}, {32, 34}, {32, 34}, {32, 34}, k32Bit}, false, true, kGguf},
    WeightFormatInfo{WeightFormat::Q6K, "q6_k", "Q6_K", {kQ6K, kQ6K, kQ6K, kQ6K, k32Bit}, false, true, kGguf},
    WeightFormatInfo{WeightFormat::Q5KM, "q5_k_m", "Q5_K_M", kQ5KM, false, true, kGguf},
    WeightFormatInfo{WeightFormat::Q4KM, "q4_k_m", "Q4_K_M", kQ4KM, false, true, kGguf},
    WeightFormatInfo{WeightFormat::Q3KM, "q3_k_m", "Q3_K_M", kQ3KM, false, true, kGguf},
    WeightFormatInfo{WeightFormat::Q2K, "q2_k", "Q2_K", kQ2K, false, true, kGguf},
    WeightFormatInfo{WeightFormat::Iq4Xs, "iq4_xs", "IQ4_XS", kIq4Xs, false, true, kGguf},
    WeightFormatInfo{WeightFormat::Stored, "stored", "as stored", everywhere(k16Bit), false, false,
                     "sum over the tensors of the weight file"},
};

bool has(const Weights& weights, WeightPart part)
{
    return std::ranges::find(weights.parts, part, &WeightCount::part) != weights.parts.end();
}

} // namespace

std::string_view id(WeightPart part)
{
    return kPartIds.at(static_cast<std::size_t>(part));
}

std::optional<WeightPart> weightPart(std::string_view id)
{
    const auto found = std::ranges::find(kPartIds, id);
    if (found == kPartIds.end())
        return std::nullopt;
    return static_cast<WeightPart>(found - kPartIds.begin());
}

std::span<const WeightFormatInfo> weightFormats()
{
    return std::span(kFormats).first(kFormats.size() - 1);
}

const WeightFormatInfo& info(WeightFormat format)
{
    return kFormats.at(static_cast<std::size_t>(format));
}

std::optional<WeightFormat> weightFormat(std::string_view id)
{
    const std::string lower = toLower(id);
    const auto found = std::ranges::find(kFormats, lower, &WeightFormatInfo::id);
    return found == kFormats.end() ? std::nullopt : std::optional(found->format);
}

std::int64_t Weights::parameters() const
{
    return std::accumulate(parts.begin(), parts.end(), std::int64_t{0},
                           [](std::int64_t sum, const WeightCount& count) { return sum + count.parameters; });
}

std::int64_t Weights::activeParameters() const
{
    return std::accumulate(parts.begin(), parts.end(), std::int64_t{0}, [](std::int64_t sum, const WeightCount& count) {
        return sum + count.active.value_or(count.parameters);
    });
}

WeightEncoding encodingOf(const Weights& weights, WeightPart part, WeightFormat format)
{
    const WeightFormatInfo& row = info(format);
    if (row.onlyExperts && part != WeightPart::Experts && has(weights, WeightPart::Experts))
        return k16Bit;
    switch (part) {
    case WeightPart::Embedding:
    case WeightPart::LayerEmbedding:
        return has(weights, WeightPart::Head) ? row.encodings.embedding : row.encodings.head;
    case WeightPart::Head:
        return row.encodings.head;
    case WeightPart::Attention:
        return row.encodings.attention;
    case WeightPart::Other:
        return row.encodings.other;
    default:
        return row.encodings.mlp;
    }
}

Bytes bytesOf(const Weights& weights, const WeightCount& count, WeightFormat format)
{
    if (format == WeightFormat::Stored && !weights.stored.empty()) {
        Bytes sum;
        for (const StoredTensors& tensors : weights.stored)
            sum += tensors.part == count.part ? tensors.bytes : Bytes();
        return sum;
    }
    const WeightEncoding encoding = encodingOf(weights, count.part, format);
    return scaledUp(Bytes(count.parameters), encoding.blockBytes, encoding.blockParameters);
}

Bytes bytesOf(const Weights& weights, WeightFormat format)
{
    Bytes sum;
    for (const WeightCount& count : weights.parts)
        sum += bytesOf(weights, count, format);
    return sum;
}

} // namespace core
