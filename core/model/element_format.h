// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/bytes.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace core {

/// How the elements of a cache entry are stored.
enum class KvFormat : std::uint8_t {
    Fp32,
    Fp16,
    Bf16,
    Fp8,
    Int8,
    Int4,
    Nvfp4,
    Mxfp4,
    Q8_0,
    Q5_1,
    Q5_0,
    Q4_1,
    Q4_0,
    Iq4Nl,
    Q8Kv,
    Int8Head,
    Fp8Head,
    Int4Head,
    Fp8Mla,
};

/// One row of the table of cache formats: `blockElements` elements take `blockBytes` bytes, scales included, and each
/// head's vector `headBytes` more.
struct KvFormatInfo {
    KvFormat format;
    std::string_view id;   ///< as typed: "q8_0"
    std::string_view name; ///< as shown: "Q8_0"
    std::int64_t blockElements;
    std::int64_t blockBytes;
    std::string_view source;    ///< where the block layout is written down
    std::int64_t headBytes = 0; ///< scales kept once for the vector of a head
};

/// The formats that are nobody's own. An engine may know more of them; `info` and `kvFormat` know all.
std::span<const KvFormatInfo> kvFormats();
/// True for a format that only some engines know.
bool isOwn(KvFormat format);
const KvFormatInfo& info(KvFormat format);

/// The format typed as `id` or as engines name it (f16, bfloat16, fp8_e4m3), in lower or upper case; nothing when there
/// is none.
std::optional<KvFormat> kvFormat(std::string_view id);

/// Bytes of one vector of `elements` elements, rounded up to whole blocks, that `heads` heads share.
Bytes bytesOf(KvFormat format, std::int64_t elements, std::int64_t heads = 1);

} // namespace core
