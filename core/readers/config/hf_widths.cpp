// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/config/hf_widths.h"

#include "core/readers/config/hf_experts.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace core::readers {

namespace {

/// What the key of a switch says: true or false, a word or a number above 0 in the place of true (gating = "per-head"),
/// or whether its text begins with the word behind "="; nothing where it is absent.
std::optional<bool> saidBy(const ConfigValues& values, std::string_view key)
{
    const std::size_t equals = key.find('=');
    const nlohmann::json* given = values.at(key.substr(0, equals));
    const bool isText = given != nullptr && given->is_string();
    if (equals != std::string_view::npos)
        return isText && given->get<std::string>().starts_with(key.substr(equals + 1));
    const bool isNumber = given != nullptr && given->is_number();
    return isText || isNumber ? std::optional<bool>(isText || given->get<double>() > 0) : values.flag(key);
}

void applySwitch(const ConfigValues& values, const Switch& row, Shape& shape)
{
    if (row.whenTrue == kNumber) {
        const std::optional<std::int64_t> number = values.language().optionalCount(row.key, {0, 16});
        if (number)
            shape.*row.member = static_cast<int>(*number);
        return;
    }
    const std::optional<bool> said = saidBy(values, row.key);
    const int value = said ? (*said ? row.whenTrue : row.whenFalse) : kKeep;
    if (value != kKeep)
        shape.*row.member = value;
}

Shape shapeOf(const ConfigValues& values)
{
    Shape shape = values.family().shape;
    for (const Switch& row : values.family().switches) {
        applySwitch(values, row, shape);
    }
    return shape;
}

constexpr std::array<std::string_view, 5> kTiedKeys{"tie_word_embeddings", "tie_embeddings", "tie_embedding",
                                                    "share_input_output_layers", "use_embedding_sharing"};

/// What one part of the file says of it, and under which key.
std::optional<std::pair<std::string_view, bool>> tiedIn(const JsonFields& part)
{
    for (const std::string_view key : kTiedKeys) {
        const std::optional<bool> tied = part.optionalBool(key);
        if (tied)
            return std::pair(key, *tied);
    }
    return std::nullopt;
}

/// Whether the head is the embedding: the language part says so, else the file, else the class.
bool tiedOf(ConfigValues& values, const Shape& shape)
{
    for (const JsonFields* part : {&values.language(), &values.whole()}) {
        const auto said = tiedIn(*part);
        if (!said)
            continue;
        const auto [key, tied] = *said;
        values.read("tied_embedding", tied ? "true" : "false", part->place(key));
        if (tied && shape.ownHead != 0)
            values.note(fmt::format("{} = true is not followed: checkpoints of this family store a head", key));
        return tied && shape.ownHead == 0;
    }
    values.defaulted("tied_embedding", shape.tied != 0 ? "true" : "false", values.classDefault());
    return shape.tied != 0;
}

/// LFM2: two thirds of the width, rounded up to a multiple, unless the file says that the width stands as it is.
std::int64_t adjustedMlp(ConfigValues& values, std::int64_t width)
{
    const bool adjust = values.flag(Flag{"block_auto_adjust_ff_dim", true});
    const auto multiple = values.number("block_multiple_of", {1, 1'048'576});
    const nlohmann::json* factor = values.at("block_ffn_dim_multiplier");
    const bool scaled =
        factor != nullptr && factor->is_number() && factor->get<double>() > 0 && factor->get<double>() < 64;
    if (!adjust)
        return width;
    const std::int64_t twoThirds = width * 2 / 3;
    const auto exact =
        static_cast<std::int64_t>((scaled ? factor->get<double>() : 1.0) * static_cast<double>(twoThirds));
    const std::int64_t step = multiple.value_or(256);
    return (exact + step - 1) / step * step;
}

/// The width of the MLP: read, else the family's multiple of the width; nothing where neither is known.
std::optional<std::int64_t> mlpWidthOf(ConfigValues& values, const Shape& shape, std::int64_t width)
{
    const nlohmann::json* list = values.at("intermediate_size");
    const bool varies = list != nullptr && list->is_array();
    const std::optional<std::int64_t> dense = values.find(Quantity::DenseMlpWidth);
    const std::optional<std::int64_t> read =
        varies ? std::optional<std::int64_t>(std::nullopt) : values.find(Quantity::MlpWidth);
    const std::optional<std::int64_t> ratio = values.find(Quantity::MlpRatio);
    if (dense)
        return *dense;
    if (read && shape.adjustedMlp != 0)
        return adjustedMlp(values, *read);
    if (read)
        return *read / shape.mlpDivisor;
    if (shape.mlpHalves != 0) {
        const std::int64_t halves = shape.mlpHalves * width / 2 / 32 * 32;
        values.derived("mlp_width", std::to_string(halves), fmt::format("{}/2 x width {}", shape.mlpHalves, width));
        return halves;
    }
    const std::int64_t times = ratio.value_or(shape.mlpRatio);
    if (times == 0)
        return std::nullopt;
    values.derived("mlp_width", std::to_string(times * width), fmt::format("{} x width {}", times, width));
    return times * width;
}

/// OpenELM: factors of the width, rounded to a multiple as its class does.
std::vector<std::int64_t> multipliedMlps(ConfigValues& values, std::int64_t width)
{
    std::vector<std::int64_t> widths;
    const nlohmann::json* factors = values.at("ffn_multipliers");
    const auto divisor = values.number("ffn_dim_divisor", {1, 1'048'576});
    if (factors == nullptr || !factors->is_array())
        return widths;
    const std::int64_t step = divisor.value_or(256);
    for (const nlohmann::json& item : *factors) {
        const double factor = item.is_number() ? item.get<double>() : 0.0;
        if (!(factor > 0 && factor < 1024))
            values.language().wrong("ffn_multipliers",
                                    KV_TEXT("core", "In {0}, \"{1}\" is {2}, but it must be a list of factors "
                                                    "above 0; nothing was changed; correct it there."));
        const double exact = factor * static_cast<double>(width);
        std::int64_t rounded = std::max(step, (static_cast<std::int64_t>(exact) + step / 2) / step * step);
        rounded += static_cast<double>(rounded) < 0.9 * exact ? step : 0;
        widths.push_back(rounded);
    }
    return widths;
}

/// MLP widths that differ from layer to layer; empty where they do not.
std::vector<std::int64_t> mlpsByLayer(ConfigValues& values, std::int64_t width)
{
    auto list = values.numbers("intermediate_size", {0, 16'777'216});
    return list ? std::vector<std::int64_t>(std::move(*list)) : multipliedMlps(values, width);
}

struct Wanted {
    Quantity quantity;
    std::int64_t Widths::*member;
};

constexpr std::array kWanted{
    Wanted{Quantity::Width, &Widths::width},
    Wanted{Quantity::Vocabulary, &Widths::vocabulary},
    Wanted{Quantity::EmbeddingWidth, &Widths::embeddingWidth},
    Wanted{Quantity::QueryRank, &Widths::queryRank},
    Wanted{Quantity::NopeDim, &Widths::nopeDim},
    Wanted{Quantity::OutputRank, &Widths::outputRank},
    Wanted{Quantity::OutputGroups, &Widths::outputGroups},
    Wanted{Quantity::IndexHeads, &Widths::indexHeads},
    Wanted{Quantity::PerLayerWidth, &Widths::perLayerWidth},
    Wanted{Quantity::PerLayerVocabulary, &Widths::perLayerVocabulary},
    Wanted{Quantity::LoraRank, &Widths::loraRank},
    Wanted{Quantity::MemoryBlocks, &Widths::memoryBlocks},
};

void readWanted(ConfigValues& values, Widths& widths)
{
    for (const Wanted& row : kWanted) {
        const std::int64_t value = values.findOr(row.quantity, 0);
        widths.*row.member = value;
    }
    const std::int64_t multiple = values.findOr(Quantity::VocabularyMultiple, 1);
    const auto streams = values.number("hc_mult", {0, 1'024});
    const auto alternating = values.number("altup_num_inputs", {0, 1'024});
    const auto hashed = values.number("num_hash_layers", {0, 65'535});
    widths.streams = streams.value_or(0);
    widths.alternating = alternating.value_or(widths.shape.alternating);
    widths.hashLayers = hashed.value_or(0);
    widths.vocabulary = (widths.vocabulary + multiple - 1) / multiple * multiple;
    if (widths.embeddingWidth == 0)
        widths.embeddingWidth = widths.width;
}

/// The width of one value head of latent attention: `v_head_dim`, else width / query heads.
void readLatentWidths(ConfigValues& values, const Layout& layout, Widths& widths)
{
    if (layout.attention != AttentionKind::Latent || layout.layers.empty())
        return;
    std::int64_t heads = 0;
    for (const Layer& layer : layout.layers)
        heads = std::max(heads, layer.heads.query);
    const std::int64_t value = values.findOr(Quantity::ValueDim, heads > 0 ? widths.width / heads : widths.width);
    widths.valueDim = value;
}

/// True where a width that the count needs is not known.
bool isIncomplete(const Widths& widths, const Layout& layout)
{
    bool mlpMissing = false;
    for (std::size_t i = 0; i < layout.layers.size(); ++i) {
        const Layer& layer = layout.layers[i];
        const bool dense = !widths.moe[i] && layer.kind != kExperts && !layer.mlp && widths.mlpOfLayer.empty();
        mlpMissing = mlpMissing || (dense && widths.mlp == 0 && !layer.mlpIsLinear);
    }
    const bool positionsMissing = widths.shape.positions != 0 && !layout.maxContext;
    const bool listTooShort = !widths.mlpOfLayer.empty() && widths.mlpOfLayer.size() < layout.layers.size();
    return mlpMissing || positionsMissing || listTooShort;
}

} // namespace

std::optional<Widths> readWidths(ConfigValues& values, const Layout& layout)
{
    const Shape shape = shapeOf(values);
    Widths widths;
    widths.shape = shape;
    const bool tied = tiedOf(values, shape);
    readWanted(values, widths);
    widths.tied = tied;
    if (widths.width == 0 || widths.vocabulary == 0)
        return std::nullopt;
    const bool noMlp = values.family().mlp == MlpRule::None;
    const std::optional<std::int64_t> mlp =
        noMlp ? std::optional<std::int64_t>(0) : mlpWidthOf(values, shape, widths.width);
    std::vector<std::int64_t> byLayer = mlpsByLayer(values, widths.width);
    readLatentWidths(values, layout, widths);
    widths.mlp = mlp.value_or(0);
    if (!noMlp)
        widths.mlpOfLayer = std::move(byLayer);
    readExperts(values, layout, widths);
    return !noMlp && isIncomplete(widths, layout) ? std::nullopt : std::optional(widths);
}

} // namespace core::readers
