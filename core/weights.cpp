// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/weights.h"

#include "core/text.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace core {

namespace {

constexpr std::array<std::string_view, 7> kPartIds{"embedding", "head",           "attention", "mlp",
                                                   "experts",   "shared_experts", "other"};

constexpr std::string_view kPlain = "width of the number format; every parameter";
// 128 parameters: 64 bytes of 4-bit values, a 2-byte scale and a 4-bit zero point; twice that to stay whole.
constexpr WeightEncoding kGroup128{256, 133};
constexpr WeightEncoding k16Bit{1, 2};

constexpr std::array kFormats{
    WeightFormatInfo{WeightFormat::Fp32, "fp32", "FP32", {1, 4}, Kept16::Nothing, kPlain},
    WeightFormatInfo{WeightFormat::Bf16, "bf16", "BF16", k16Bit, Kept16::Nothing, kPlain},
    WeightFormatInfo{WeightFormat::Fp16, "fp16", "FP16", k16Bit, Kept16::Nothing, kPlain},
    WeightFormatInfo{WeightFormat::Fp8, "fp8", "FP8", {1, 1}, Kept16::Nothing, kPlain},
    WeightFormatInfo{WeightFormat::Int8, "int8", "INT8", {1, 1}, Kept16::Nothing, kPlain},
    WeightFormatInfo{WeightFormat::Awq4, "awq-4bit", "AWQ 4-bit", kGroup128, Kept16::EmbeddingHeadAndNorms,
                     "arXiv:2306.00978: groups of 128 with a 16-bit scale and a 4-bit zero point"},
    WeightFormatInfo{WeightFormat::Gptq4, "gptq-4bit", "GPTQ 4-bit", kGroup128, Kept16::EmbeddingHeadAndNorms,
                     "arXiv:2210.17323: groups of 128 with a 16-bit scale and a 4-bit zero point"},
    WeightFormatInfo{
        WeightFormat::Nvfp4, "nvfp4", "NVFP4", {16, 9}, Kept16::EmbeddingHeadAndNorms, "16 values share one FP8 scale"},
    WeightFormatInfo{WeightFormat::Mxfp4,
                     "mxfp4",
                     "MXFP4",
                     {32, 17},
                     Kept16::EverythingButExperts,
                     "OCP Microscaling: 32 values share one 8-bit scale"},
};

bool isBody(WeightPart part)
{
    return part == WeightPart::Attention || part == WeightPart::Mlp || part == WeightPart::Experts ||
           part == WeightPart::SharedExperts;
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
    return kFormats;
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
    const bool hasExperts = std::ranges::count(weights.parts, WeightPart::Experts, &WeightCount::part) > 0;
    const bool onlyExperts = row.kept == Kept16::EverythingButExperts && hasExperts;
    const bool encoded = row.kept == Kept16::Nothing || (onlyExperts ? part == WeightPart::Experts : isBody(part));
    return encoded ? row.encoding : k16Bit;
}

Bytes bytesOf(const Weights& weights, const WeightCount& count, WeightFormat format)
{
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
