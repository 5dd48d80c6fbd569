// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/readers/json/json_reader.h"

#include <cstdint>
#include <string_view>

namespace core::readers {

/// A number that config.json files give, under one of several keys.
enum class Quantity : std::uint8_t {
    Layers,
    Width,
    QueryHeads,
    KvHeads,
    HeadDim,
    ValueDim,
    MaxContext,
    Vocabulary,
    VocabularyMultiple,
    EmbeddingWidth,
    MlpWidth,
    DenseMlpWidth,
    MlpRatio,
    Window,
    WindowedFrom,
    Experts,
    ExpertsPerToken,
    ExpertWidth,
    ExpertLatent,
    IdleExperts,
    SharedExperts,
    SharedExpertWidth,
    DenseLayers,
    MoeStep,
    Latent,
    RopeDim,
    NopeDim,
    QueryRank,
    OutputRank,
    OutputGroups,
    IndexDim,
    IndexHeads,
    SharedKvLayers,
    ShareFactor,
    ConvKernel,
    StateSize,
    InnerWidth,
    Expand,
    StateHeads,
    StateHeadDim,
    StateKeyHeads,
    StateKeyDim,
    StateGroups,
    DtRank,
    AttentionConv,
    PerLayerWidth,
    PerLayerVocabulary,
    LoraRank,
    MemoryBlocks,
    EncoderLayers,
    EncoderMlpWidth,
    EncoderTokens,
    Mels,
    PositionBuckets,
};

struct QuantityInfo {
    Quantity quantity;
    std::string_view field; ///< The name of the value in the provenance: "kv_heads".
    /// Spellings, first choice first, with blanks between; "a.b" is b inside a. Those behind "/" count only where none
    /// before is given, and may differ from those before.
    std::string_view keys;
    Range range;
};

const QuantityInfo& info(Quantity quantity);

} // namespace core::readers
