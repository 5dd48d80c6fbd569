// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/config/hf_experts.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <charconv>

namespace core::readers {

namespace {

constexpr Range kLayerRange{0, 65'535};
constexpr Range kStepRange{1, 65'535};

/// Which layers have experts, as one rule of a file says it; nothing where the file does not use that rule.
using MoeRule = std::optional<std::vector<bool>>;

template <typename Predicate> std::vector<bool> layersWhere(std::int64_t layers, Predicate predicate)
{
    std::vector<bool> result;
    for (std::int64_t i = 0; i < layers; ++i)
        result.push_back(predicate(i));
    return result;
}

/// `mlp_layer_types`: "dense", "sparse".
MoeRule byWords(ConfigValues& values, std::int64_t layers)
{
    const std::vector<std::string> words = values.language().texts("mlp_layer_types");
    if (static_cast<std::int64_t>(words.size()) < layers)
        return std::nullopt;
    return layersWhere(layers, [&](std::int64_t i) { return words[static_cast<std::size_t>(i)] != "dense"; });
}

/// `moe_layer_freq` as a list of 0 and 1.
MoeRule byFlags(ConfigValues& values, std::int64_t layers)
{
    const auto flags = values.numbers("moe_layer_freq", {0, 1});
    if (!flags)
        return std::nullopt;
    return layersWhere(layers, [&](std::int64_t i) {
        const auto place = static_cast<std::size_t>(i);
        return place < flags->size() && (*flags)[place] == 1;
    });
}

/// Numbers in a text like "3,4,5".
std::vector<std::int64_t> numbersIn(std::string_view text)
{
    std::vector<std::int64_t> numbers;
    while (!text.empty()) {
        std::int64_t number = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
        if (error == std::errc{})
            numbers.push_back(number);
        const std::size_t comma = text.find(',');
        text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 1);
    }
    return numbers;
}

/// `moe_layers`: a list of layer numbers; `moe_layers_enum`: the same as a text.
MoeRule byNumbers(ConfigValues& values, std::int64_t layers)
{
    auto numbers = values.numbers("moe_layers", kLayerRange);
    const nlohmann::json* text = values.at("moe_layers_enum");
    if (!numbers && text != nullptr && text->is_string())
        *numbers = numbersIn(text->get<std::string>());
    if (!numbers || numbers->empty())
        return std::nullopt;
    std::ranges::sort(*numbers);
    return layersWhere(layers, [&](std::int64_t i) { return std::ranges::binary_search(*numbers, i); });
}

/// `interleave_moe_layer_step` (Llama 4), `expert_layer_period` and `…_offset` (Jamba), `moe_layer_interval` with
/// `moe_layer_start_index` and `…_end_index` (ERNIE).
MoeRule bySpacing(ConfigValues& values, std::int64_t layers)
{
    const auto step = values.number("interleave_moe_layer_step", kStepRange);
    const auto period = values.number("expert_layer_period", kStepRange);
    const auto offset = values.number("expert_layer_offset", kLayerRange);
    const auto interval = values.number("moe_layer_interval", kStepRange);
    const auto start = values.number("moe_layer_start_index", {0, 65'535});
    const auto end = values.number("moe_layer_end_index", {-1, 65'535});
    if (step)
        return layersWhere(layers, [&](std::int64_t i) { return (i + 1) % *step == 0; });
    if (period)
        return layersWhere(layers, [&](std::int64_t i) { return i % *period == offset.value_or(0); });
    if (!interval && !start)
        return std::nullopt;
    const std::int64_t last = end.value_or(-1) < 0 ? layers - 1 : *end;
    return layersWhere(layers, [&](std::int64_t i) {
        return (i + 1) % interval.value_or(1) == 0 && i >= start.value_or(0) && i <= last;
    });
}

bool contains(const nlohmann::json* list, std::int64_t number)
{
    return list != nullptr && list->is_array() &&
           std::ranges::any_of(*list, [number](const nlohmann::json& item) { return wholeNumber(item) == number; });
}

/// Layers from `first_k_dense_replace` on, every `decoder_sparse_step`-th, without `mlp_only_layers`.
MoeRule byDefault(ConfigValues& values, std::int64_t layers)
{
    const std::int64_t dense = values.findOr(Quantity::DenseLayers, 0);
    const std::int64_t step = values.findOr(Quantity::MoeStep, 1);
    const nlohmann::json* without = values.at("mlp_only_layers");
    const std::int64_t shift = values.at("decoder_sparse_step") != nullptr ? 1 : 0;
    return layersWhere(layers,
                       [&](std::int64_t i) { return i >= dense && (i + shift) % step == 0 && !contains(without, i); });
}

std::vector<bool> moeLayersOf(ConfigValues& values, std::int64_t layers)
{
    for (const auto rule : {byWords, byFlags, byNumbers, bySpacing, byDefault}) {
        MoeRule said = rule(values, layers);
        if (said)
            return std::move(*said);
    }
    return std::vector<bool>(static_cast<std::size_t>(layers), false);
}

/// The width of all shared experts of a layer.
std::int64_t sharedWidthOf(ConfigValues& values, std::int64_t expertWidth)
{
    const std::optional<std::int64_t> width = values.find(Quantity::SharedExpertWidth);
    const std::optional<std::int64_t> count = values.find(Quantity::SharedExperts);
    if (width)
        return *width * count.value_or(1);
    return count.value_or(0) * expertWidth;
}

} // namespace

void readExperts(ConfigValues& values, const Layout& layout, Widths& widths)
{
    widths.moe.assign(layout.layers.size(), false);
    if (widths.shape.experts == 0)
        return;
    const std::int64_t experts = values.findOr(Quantity::Experts, 0);
    const std::optional<std::int64_t> expert = values.find(Quantity::ExpertWidth);
    const std::int64_t common = values.findOr(Quantity::MlpWidth, 0);
    widths.experts = experts;
    if (experts == 0 && widths.shape.sharedWithout == 0)
        return;
    widths.expert = expert.value_or(common);
    const std::int64_t shared = sharedWidthOf(values, widths.expert);
    const std::int64_t idle = values.findOr(Quantity::IdleExperts, 0);
    const std::int64_t latent = values.findOr(Quantity::ExpertLatent, 0);
    const std::int64_t perToken = values.findOr(Quantity::ExpertsPerToken, 0);
    widths.shared = shared;
    if (experts == 0) {
        widths.mlp = widths.shared; // the shared MLP is the only one
        return;
    }
    widths.idleExperts = idle;
    widths.expertLatent = latent;
    widths.perToken = std::min(perToken, experts);
    const bool own = values.family().mlp == MlpRule::OwnLayers;
    std::vector<bool> moe =
        own ? layersWhere(layout.count(),
                          [&](std::int64_t i) { return layout.layers[static_cast<std::size_t>(i)].kind == kExperts; })
            : moeLayersOf(values, layout.count());
    widths.moe = std::move(moe);
    values.derived("moe_layers", std::to_string(std::ranges::count(widths.moe, true)),
                   "layers whose MLP is made of experts");
}

} // namespace core::readers
