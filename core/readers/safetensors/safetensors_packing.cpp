// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/safetensors/safetensors_packing.h"

#include "core/readers/json/json_reader.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <limits>
#include <string>

namespace core::readers {

namespace {

bool isInteger(const SafeTensor& tensor)
{
    constexpr std::array<std::string_view, 4> kPacking{"U8", "I8", "I32", "U32"};
    return std::ranges::count(kPacking, tensor.type->name) > 0;
}

/// elements · factor / divisor.
std::int64_t scaled(std::int64_t elements, std::int64_t factor, std::int64_t divisor)
{
    std::int64_t product = 0;
    return __builtin_mul_overflow(elements, factor, &product) ? std::numeric_limits<std::int64_t>::max()
                                                              : product / divisor;
}

/// The number of bits at `key` of `object`.
std::optional<std::int64_t> bitsAt(const nlohmann::json& object, std::string_view key)
{
    const auto found = object.find(std::string(key));
    const std::optional<std::int64_t> bits = found == object.end() ? std::nullopt : wholeNumber(*found);
    return bits && *bits >= 1 && *bits <= 16 ? bits : std::nullopt;
}

/// The bits of the first group of compressed-tensors.
std::optional<std::int64_t> bitsOfGroups(const nlohmann::json& quantization)
{
    const auto groups = quantization.find("config_groups");
    if (groups == quantization.end() || !groups->is_object())
        return std::nullopt;
    for (const nlohmann::json& group : *groups) {
        const auto weights = group.is_object() ? group.find("weights") : group.end();
        if (group.is_object() && weights != group.end() && weights->is_object())
            return bitsAt(*weights, "num_bits");
    }
    return std::nullopt;
}

} // namespace

Packing::Packing(std::span<const SafeTensor> tensors, std::int64_t bits) : m_bits(bits)
{
    if (std::ranges::none_of(tensors, isInteger))
        return;
    m_names.reserve(tensors.size());
    for (const SafeTensor& tensor : tensors)
        m_names.insert(tensor.name);
}

bool Packing::hasBeside(std::string_view name, std::string_view ending) const
{
    return m_names.contains(std::string(name).append(ending));
}

std::int64_t Packing::parameters(const SafeTensor& tensor) const
{
    if (m_names.empty() || !isInteger(tensor) || tensor.type->name == "I8")
        return tensor.elements;
    const std::string_view name = tensor.name;
    const std::string_view stem = name.substr(0, name.rfind('.')); // without "weight"
    const bool whole = name.ends_with(".qweight") || name.ends_with(".weight_packed") || hasBeside(stem, ".scales");
    if (tensor.type->bits == 32)
        return whole ? scaled(tensor.elements, tensor.type->bits, m_bits) : tensor.elements;
    const bool blocks = name.ends_with("_blocks") &&
                        hasBeside(name.substr(0, name.size() - std::string_view("blocks").size()), "scales");
    const bool halves = blocks || name.ends_with(".weight_packed") || hasBeside(name, ".absmax") ||
                        hasBeside(name, "_scale") || hasBeside(name, "_scale_2");
    return halves ? scaled(tensor.elements, 2, 1) : tensor.elements;
}

std::optional<std::int64_t> statedBits(const nlohmann::json& config)
{
    for (const std::string_view key : {"quantization_config", "quantization"}) {
        const auto found = config.find(std::string(key));
        if (found == config.end() || !found->is_object())
            continue;
        for (const std::string_view bits : {"bits", "w_bit", "num_bits"}) {
            if (const std::optional<std::int64_t> number = bitsAt(*found, bits))
                return number;
        }
        if (const std::optional<std::int64_t> number = bitsOfGroups(*found))
            return number;
    }
    const auto language = config.find("text_config");
    return language != config.end() && language->is_object() ? statedBits(*language) : std::nullopt;
}

} // namespace core::readers
