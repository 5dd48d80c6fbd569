// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/element_format.h"

#include "core/text/text.h"

#include <algorithm>
#include <array>

namespace core {

namespace {

constexpr std::string_view kPlain = "width of the number format";
constexpr std::string_view kGgml = "ggml block layouts (ggml-common.h)";
constexpr std::string_view kHeadScale = "vLLM kv_cache_interface.py: one FP32 scale for each token and head";

constexpr std::array kFormats{
    KvFormatInfo{KvFormat::Fp32, "fp32", "FP32", 1, 4, kPlain},
    KvFormatInfo{KvFormat::Fp16, "fp16", "FP16", 1, 2, kPlain},
    KvFormatInfo{KvFormat::Bf16, "bf16", "BF16", 1, 2, kPlain},
    KvFormatInfo{KvFormat::Fp8, "fp8", "FP8", 1, 1, kPlain},
    KvFormatInfo{KvFormat::Int8, "int8", "INT8", 1, 1, kPlain},
    KvFormatInfo{KvFormat::Int4, "int4", "INT4", 2, 1, "half a byte, without scales"},
    KvFormatInfo{KvFormat::Nvfp4, "nvfp4", "NVFP4", 64, 36, "16 elements share one FP8 scale"},
    KvFormatInfo{KvFormat::Mxfp4, "mxfp4", "MXFP4", 32, 17, "OCP Microscaling: 32 elements share one 8-bit scale"},
    KvFormatInfo{KvFormat::Q8_0, "q8_0", "Q8_0", 32, 34, kGgml},
    KvFormatInfo{KvFormat::Q5_1, "q5_1", "Q5_1", 32, 24, kGgml},
    KvFormatInfo{KvFormat::Q5_0, "q5_0", "Q5_0", 32, 22, kGgml},
    KvFormatInfo{KvFormat::Q4_1, "q4_1", "Q4_1", 32, 20, kGgml},
    KvFormatInfo{KvFormat::Q4_0, "q4_0", "Q4_0", 32, 18, kGgml},
    KvFormatInfo{KvFormat::Iq4Nl, "iq4_nl", "IQ4_NL", 32, 18, kGgml},
    KvFormatInfo{KvFormat::Q8Kv, "q8_kv", "Q8_KV", 1, 1, "ik_llama.cpp pull request 208: 8 bytes for each row", 8},
    KvFormatInfo{KvFormat::Int8Head, "int8_per_token_head", "INT8 per head", 1, 1, kHeadScale, 4},
    KvFormatInfo{KvFormat::Fp8Head, "fp8_per_token_head", "FP8 per head", 1, 1, kHeadScale, 4},
    KvFormatInfo{KvFormat::Int4Head, "int4_per_token_head", "INT4 per head", 2, 1, kHeadScale, 4},
    KvFormatInfo{KvFormat::Fp8Mla, "fp8_ds_mla", "FP8 with scales for MLA", 128, 132,
                 "vLLM kv_cache_interface.py: 128 elements share an FP32 scale, the rotary part stays BF16"},
};

constexpr std::size_t kOwnFormats = 5; ///< at the end: known to some engines alone

/// What engines call formats, where it is not our name.
struct Alias {
    std::string_view name;
    KvFormat format;
};

constexpr std::array kAliases{
    Alias{"f32", KvFormat::Fp32},
    Alias{"f16", KvFormat::Fp16},
    Alias{"float32", KvFormat::Fp32},
    Alias{"float16", KvFormat::Fp16},
    Alias{"bfloat16", KvFormat::Bf16},
    Alias{"fp8_e4m3", KvFormat::Fp8},
    Alias{"fp8_e5m2", KvFormat::Fp8},
    Alias{"float8_e4m3fn", KvFormat::Fp8},
    Alias{"float8_e5m2", KvFormat::Fp8},
    Alias{"fp4_e2m1", KvFormat::Nvfp4},
    Alias{"float4_e2m1fn_x2", KvFormat::Nvfp4},
};

} // namespace

std::span<const KvFormatInfo> kvFormats()
{
    return std::span(kFormats).first(kFormats.size() - kOwnFormats);
}

bool isOwn(KvFormat format)
{
    return static_cast<std::size_t>(format) >= kFormats.size() - kOwnFormats;
}

const KvFormatInfo& info(KvFormat format)
{
    return kFormats.at(static_cast<std::size_t>(format));
}

std::optional<KvFormat> kvFormat(std::string_view id)
{
    const std::string lower = toLower(id);
    const auto* const alias = std::ranges::find(kAliases, lower, &Alias::name);
    if (alias != kAliases.end())
        return alias->format;
    const auto found = std::ranges::find(kFormats, lower, &KvFormatInfo::id);
    return found == kFormats.end() ? std::nullopt : std::optional(found->format);
}

Bytes bytesOf(KvFormat format, std::int64_t elements, std::int64_t heads)
{
    const KvFormatInfo& row = info(format);
    const std::int64_t blocks = elements / row.blockElements + (elements % row.blockElements != 0 ? 1 : 0);
    return elements == 0 ? Bytes() : Bytes(row.blockBytes) * blocks + Bytes(row.headBytes) * heads;
}

} // namespace core
