// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/bytes.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace core {

/// What a group of parameters does in the model.
enum class WeightPart : std::uint8_t {
    Embedding,     ///< token embedding, with learned positions
    Head,          ///< output head; absent where it is tied to the embedding
    Attention,     ///< projections of attention and its replacements
    Mlp,           ///< dense feed-forward layers
    Experts,       ///< routed experts
    SharedExperts, ///< experts that every token uses
    Other,         ///< norms, routers, vision, anything else
    Whole,         ///< a total that is not known by part
};

/// The part's name in files: "embedding", "head", "attention", "mlp", "experts", "shared_experts", "other",
/// "whole".
std::string_view id(WeightPart part);
std::optional<WeightPart> weightPart(std::string_view id);

/// How weights are stored.
enum class WeightFormat : std::uint8_t {
    Fp32,
    Bf16,
    Fp16,
    Fp8,
    Int8,
    Awq4,
    Gptq4,
    Nvfp4,
    Mxfp4,
    Bnb4,
    Mlx4,
    Mlx6,
    Mlx8,
    Q8_0,
    Q6K,
    Q5KM,
    Q4KM,
    Q3KM,
    Q2K,
    Iq4Xs,
};

/// `blockParameters` parameters take `blockBytes` bytes, scales and zero points included.
struct WeightEncoding {
    std::int64_t blockParameters;
    std::int64_t blockBytes;
};

/// How a format stores each part. A tied embedding is also the head and stored as one.
struct WeightEncodings {
    WeightEncoding embedding;
    WeightEncoding head;
    WeightEncoding attention;
    WeightEncoding mlp; ///< and experts
    WeightEncoding other;
};

struct WeightFormatInfo {
    WeightFormat format;
    std::string_view id;   ///< "awq-4bit"
    std::string_view name; ///< "AWQ 4-bit"
    WeightEncodings encodings;
    bool onlyExperts;        ///< in a model with experts all else stays at 16 bit, as published for gpt-oss
    bool about;              ///< a mixture whose shares are typical, not read from a file
    std::string_view source; ///< where the layout is written down
};

std::span<const WeightFormatInfo> weightFormats();
const WeightFormatInfo& info(WeightFormat format);
std::optional<WeightFormat> weightFormat(std::string_view id);

/// The parameters of one part of a model.
struct WeightCount {
    WeightPart part = WeightPart::Other;
    std::int64_t parameters = 0;
    std::optional<std::int64_t> active{}; ///< of these, what one token reads; all where it is not given

    friend bool operator==(const WeightCount&, const WeightCount&) = default;
};

/// A model's parameters by part. Empty when nothing is known of them.
struct Weights {
    std::vector<WeightCount> parts;
    WeightFormat published = WeightFormat::Bf16; ///< the format of the published checkpoint
    std::string source;                          ///< where the count comes from

    bool known() const { return !parts.empty(); }
    std::int64_t parameters() const;       ///< sum over the parts
    std::int64_t activeParameters() const; ///< sum of what one token reads
    friend bool operator==(const Weights&, const Weights&) = default;
};

/// How `part` of `weights` is encoded in `format`.
WeightEncoding encodingOf(const Weights& weights, WeightPart part, WeightFormat format);

/// Bytes of `count`, which belongs to `weights`, in `format`: parameters · block bytes / block parameters, rounded up.
Bytes bytesOf(const Weights& weights, const WeightCount& count, WeightFormat format);

/// Σ bytesOf over the parts.
Bytes bytesOf(const Weights& weights, WeightFormat format);

} // namespace core
