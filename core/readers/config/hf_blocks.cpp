// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/config/hf_blocks.h"

#include "core/readers/read_error.h"

#include <nlohmann/json.hpp>

#include <cmath>

namespace core::readers {

namespace {

constexpr Range kHeadRange{1, 1'048'576};
constexpr Range kWidthRange{1, 16'777'216};
constexpr Range kTokenRange{1, 1'000'000'000'000};

/// True where the block leaves its attention or MLP out; it may be replaced by one matrix.
struct Left {
    bool out = false;
    bool linear = false;
};

Left leftOut(const JsonFields& part)
{
    const std::optional<bool> noOp = part.optionalBool("no_op");
    const std::optional<bool> linear = part.optionalBool("replace_with_linear");
    return Left{noOp.value_or(false), linear.value_or(false)};
}

void readAttention(const JsonFields& part, Layer& layer)
{
    const Left left = leftOut(part);
    const std::optional<std::int64_t> group = part.optionalCount("n_heads_in_group", kHeadRange);
    const std::optional<std::int64_t> kv = part.optionalCount("num_key_value_heads", kHeadRange);
    const std::optional<std::int64_t> window = part.optionalCount("window_length", kTokenRange);
    if (left.out || left.linear) {
        layer.kind = kNothing;
        layer.linear = left.linear;
        return;
    }
    if (kv)
        layer.heads.kv = *kv;
    else if (group && *group <= layer.heads.query)
        layer.heads.kv = layer.heads.query / *group;
    if (window) {
        layer.kind = kWindow;
        layer.window = *window;
    }
}

/// ffn_mult is a factor of 2/3 of the width; the result is rounded up to a multiple of 256.
std::int64_t widthFromFactor(double factor, std::int64_t width)
{
    constexpr std::int64_t kMultiple = 256;
    const auto exact = static_cast<std::int64_t>(2.0 * factor * static_cast<double>(width) / 3.0);
    return (exact + kMultiple - 1) / kMultiple * kMultiple;
}

void readMlp(const JsonFields& part, std::int64_t width, Layer& layer)
{
    constexpr double kMostFactor = 1024;
    const Left left = leftOut(part);
    const std::optional<std::int64_t> given = part.optionalCount("intermediate_size", kWidthRange);
    layer.mlpIsLinear = left.linear;
    if (left.out || left.linear) {
        layer.mlp = 0;
        return;
    }
    const nlohmann::json* factor = part.find("ffn_mult");
    if (given)
        layer.mlp = *given;
    else if (factor != nullptr && factor->is_number() && factor->get<double>() > 0 &&
             factor->get<double>() <= kMostFactor)
        layer.mlp = widthFromFactor(factor->get<double>(), width);
}

void readBlock(const JsonFields& block, std::int64_t width, Layer& layer)
{
    const std::optional<JsonFields> attention = block.optionalObject("attention");
    const std::optional<JsonFields> mlp = block.optionalObject("ffn");
    if (attention)
        readAttention(*attention, layer);
    if (mlp)
        readMlp(*mlp, width, layer);
}

} // namespace

void applyBlocks(ConfigValues& values, Layout& layout)
{
    const std::vector<JsonFields> blocks = values.language().objects("block_configs");
    if (blocks.empty())
        return;
    if (blocks.size() < layout.layers.size())
        refuse(KV_TEXT("core", "In {0}, \"{1}\" has {2} entries, but there are {3} layers; nothing was changed; "
                               "correct one of them there."),
               {values.file(), values.language().place("block_configs"), static_cast<std::int64_t>(blocks.size()),
                layout.count()});
    const std::int64_t width = values.need(Quantity::Width);
    for (std::size_t i = 0; i < layout.layers.size(); ++i) {
        readBlock(blocks[i], width, layout.layers[i]);
    }
    values.read("layer_kinds", "attention and MLP of each layer", "block_configs");
}

} // namespace core::readers
