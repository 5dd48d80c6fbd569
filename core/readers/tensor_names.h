// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/weights.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace core::readers {

/// The part that a tensor of a GGUF file belongs to, by its name ("blk.0.attn_q.weight").
WeightPart ggufPart(std::string_view name);

/// The block of such a name: 0 for "blk.0.attn_q.weight"; nothing where it has none.
std::optional<std::int64_t> ggufBlock(std::string_view name);

/// Tables that stand among the tensors but are no parameters: factors of rotary positions.
bool isGgufTable(std::string_view name);

/// What the name of a tensor of a safetensors file tells.
struct TensorName {
    WeightPart part = WeightPart::Other;
    bool beside = false; ///< of the parts for images and sound
    bool draft = false;  ///< of a module for multi-token prediction
    bool scale = false;  ///< scales, zero points and the like: stored, but no parameters
};

/// The same for names of Hugging Face models ("model.layers.0.self_attn.q_proj.weight").
TensorName hubName(std::string_view name);

/// The layer of such a name; nothing where it has none.
std::optional<std::int64_t> hubLayer(std::string_view name);

} // namespace core::readers
