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
    Embedding,      ///< token embedding, with learned positions
    LayerEmbedding, ///< embeddings of each layer's own (Gemma 3n and 4), which engines may leave on the host
    Head,           ///< output head; absent where it is tied to the embedding
    Attention,      ///< projections of attention and its replacements
    Mlp,            ///< dense feed-forward layers
    Experts,        ///< routed experts
    SharedExperts,  ///< experts that every token uses
    Other,          ///< norms, routers, vision, anything else
    Whole,          ///< a total that is not known by part
    Draft,          ///< layers for multi-token prediction in a weight file: stored, but not loaded without speculation
};

/// The part's name in files: "embedding", "layer_embedding", "head", "attention", "mlp", "experts", "shared_experts",
/// "other", "whole", "draft".
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
    Stored, ///< as the tensors of the model's weight file are, each in its own type
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

/// The formats that any model can be counted in: all but `Stored`.
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

/// Tensors of one part that a weight file stores in one type.
struct StoredTensors {
    WeightPart part = WeightPart::Other;
    std::string type;            ///< "Q4_K", "BF16"
    std::int64_t tensors = 0;    ///< how many there are
    std::int64_t parameters = 0; ///< 0 for scales and tables, which are stored but are no parameters
    Bytes bytes;                 ///< exact, without padding between tensors

    friend bool operator==(const StoredTensors&, const StoredTensors&) = default;
};

/// A model's parameters by part. Empty when nothing is known of them.
struct Weights {
    std::vector<WeightCount> parts;
    WeightFormat published = WeightFormat::Bf16; ///< the format of the published checkpoint
    std::string source;                          ///< where the count comes from
    std::vector<StoredTensors> stored{};         ///< of a weight file, by part and type; empty where none was read

    bool known() const { return !parts.empty(); }
    std::int64_t parameters() const;       ///< sum over the parts
    std::int64_t activeParameters() const; ///< sum of what one token reads
    friend bool operator==(const Weights&, const Weights&) = default;
};

/// How `part` of `weights` is encoded in `format`.
WeightEncoding encodingOf(const Weights& weights, WeightPart part, WeightFormat format);

/// Bytes of `count`, which belongs to `weights`, in `format`: parameters · block bytes / block parameters, rounded up;
/// as stored: Σ bytes of the tensors of that part (16 bit where no weight file was read, which `check` refuses).
Bytes bytesOf(const Weights& weights, const WeightCount& count, WeightFormat format);

/// Σ bytesOf over the parts.
Bytes bytesOf(const Weights& weights, WeightFormat format);

} // namespace core
