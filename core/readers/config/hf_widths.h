// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/readers/config/hf_layout.h"
#include "core/readers/config/hf_shape.h"
#include "core/readers/config/hf_values.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace core::readers {

/// Everything that the count of parameters needs beside the layout: the family's shape after the file's switches, and
/// the widths. 0 where the model does not have one.
struct Widths {
    Shape shape;
    bool tied = false;
    std::int64_t width = 0;
    std::int64_t vocabulary = 0;
    std::int64_t embeddingWidth = 0;
    std::int64_t mlp = 0; ///< of layers without experts
    std::int64_t queryRank = 0;
    std::int64_t nopeDim = 0;
    std::int64_t valueDim = 0; ///< of latent attention
    std::int64_t outputRank = 0;
    std::int64_t outputGroups = 0;
    std::int64_t indexHeads = 0;
    std::int64_t experts = 0; ///< 0: dense
    std::int64_t perToken = 0;
    std::int64_t idleExperts = 0; ///< that do nothing
    std::int64_t expert = 0;
    std::int64_t expertLatent = 0;        ///< width that experts see, where it is not the model's
    std::int64_t shared = 0;              ///< width of all shared experts of a layer
    std::vector<bool> moe;                ///< layers with experts
    std::vector<std::int64_t> mlpOfLayer; ///< widths of the MLP by layer, where a list gives them
    std::int64_t perLayerWidth = 0;
    std::int64_t perLayerVocabulary = 0;
    std::int64_t loraRank = 0;
    std::int64_t memoryBlocks = 0;
    std::int64_t streams = 0;     ///< of hyper-connections
    std::int64_t alternating = 0; ///< inputs of alternating updates (Gemma 3n)
    std::int64_t hashLayers = 0;  ///< first layers whose experts are chosen by a hash: no routing bias
};

/// Reads the widths; nothing where one is missing that the file must give.
std::optional<Widths> readWidths(ConfigValues& values, const Layout& layout);

} // namespace core::readers
