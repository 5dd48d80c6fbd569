// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/config/hf_blocks.h"

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

Result<Left> leftOut(const JsonObject& part)
{
    const Result<std::optional<bool>> noOp = part.optionalBool("no_op");
    const Result<std::optional<bool>> linear = part.optionalBool("replace_with_linear");
    if (const std::optional<Error> error = firstError(noOp, linear))
        return tl::unexpected<Error>(*error);
    return Left{noOp->value_or(false), linear->value_or(false)};
}

Result<void> readAttention(const JsonObject& part, Layer& layer)
{
    const Result<Left> left = leftOut(part);
    const Result<std::optional<std::int64_t>> group = part.optionalCount("n_heads_in_group", kHeadRange);
    const Result<std::optional<std::int64_t>> kv = part.optionalCount("num_key_value_heads", kHeadRange);
    const Result<std::optional<std::int64_t>> window = part.optionalCount("window_length", kTokenRange);
    if (const std::optional<Error> error = firstError(left, group, kv, window))
        return tl::unexpected<Error>(*error);
    if (left->out || left->linear) {
        layer.kind = kNothing;
        layer.linear = left->linear;
        return {};
    }
    if (*kv)
        layer.heads.kv = **kv;
    else if (*group && **group <= layer.heads.query)
        layer.heads.kv = layer.heads.query / **group;
    if (*window) {
        layer.kind = kWindow;
        layer.window = **window;
    }
    return {};
}

/// ffn_mult is a factor of 2/3 of the width; the result is rounded up to a multiple of 256.
std::int64_t widthFromFactor(double factor, std::int64_t width)
{
    constexpr std::int64_t kMultiple = 256;
    const auto exact = static_cast<std::int64_t>(2.0 * factor * static_cast<double>(width) / 3.0);
    return (exact + kMultiple - 1) / kMultiple * kMultiple;
}

Result<void> readMlp(const JsonObject& part, std::int64_t width, Layer& layer)
{
    constexpr double kMostFactor = 1024;
    const Result<Left> left = leftOut(part);
    const Result<std::optional<std::int64_t>> given = part.optionalCount("intermediate_size", kWidthRange);
    if (const std::optional<Error> error = firstError(left, given))
        return tl::unexpected<Error>(*error);
    layer.mlpIsLinear = left->linear;
    if (left->out || left->linear) {
        layer.mlp = 0;
        return {};
    }
    const nlohmann::json* factor = part.find("ffn_mult");
    if (*given)
        layer.mlp = **given;
    else if (factor != nullptr && factor->is_number() && factor->get<double>() > 0 &&
             factor->get<double>() <= kMostFactor)
        layer.mlp = widthFromFactor(factor->get<double>(), width);
    return {};
}

Result<void> readBlock(const JsonObject& block, std::int64_t width, Layer& layer)
{
    const Result<std::optional<JsonObject>> attention = block.optionalObject("attention");
    const Result<std::optional<JsonObject>> mlp = block.optionalObject("ffn");
    if (const std::optional<Error> error = firstError(attention, mlp))
        return tl::unexpected<Error>(*error);
    Result<void> first = *attention ? readAttention(**attention, layer) : Result<void>();
    Result<void> second = *mlp ? readMlp(**mlp, width, layer) : Result<void>();
    return first ? second : first;
}

} // namespace

Result<void> applyBlocks(ConfigValues& values, Layout& layout)
{
    const Result<std::vector<JsonObject>> blocks = values.language().objects("block_configs");
    if (!blocks || blocks->empty())
        return blocks ? Result<void>() : tl::unexpected<Error>(blocks.error());
    if (blocks->size() < layout.layers.size())
        return fail(KV_TEXT("core", "In {0}, \"{1}\" has {2} entries, but there are {3} layers; nothing was changed; "
                                    "correct one of them there."),
                    {values.file(), values.language().place("block_configs"), static_cast<std::int64_t>(blocks->size()),
                     layout.count()});
    const Result<std::int64_t> width = values.need(Quantity::Width);
    if (!width)
        return tl::unexpected<Error>(width.error());
    for (std::size_t i = 0; i < layout.layers.size(); ++i) {
        if (Result<void> read = readBlock((*blocks)[i], *width, layout.layers[i]); !read)
            return read;
    }
    values.read("layer_kinds", "attention and MLP of each layer", "block_configs");
    return {};
}

} // namespace core::readers
