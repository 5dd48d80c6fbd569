// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/readers/safetensors/safetensors_header.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_set>

namespace core::readers {

/// Knows how many parameters stand in a tensor that packs several into one number: GPTQ, AWQ, bitsandbytes, NVFP4,
/// MXFP4, compressed-tensors and MLX.
class Packing {
public:
    /// `bits` of a parameter where the number holds several of them; `tensors` must outlive this.
    Packing(std::span<const SafeTensor> tensors, std::int64_t bits);

    /// Parameters of a tensor that is no scale.
    std::int64_t parameters(const SafeTensor& tensor) const;

private:
    bool hasBeside(std::string_view name, std::string_view ending) const;

    std::unordered_set<std::string_view> m_names; ///< empty where nothing is packed
    std::int64_t m_bits;
};

/// Bits of a parameter that the quantisation in a config.json states; nothing where it states none.
std::optional<std::int64_t> statedBits(const nlohmann::json& config);

} // namespace core::readers
