// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/custom_model.h"

#include <array>
#include <string>

namespace core {

namespace {

constexpr std::int64_t kMaxLayers = 65'535;
constexpr std::int64_t kMaxHeads = 1'048'576;
constexpr std::int64_t kMaxParameters = 1'000'000'000'000'000;

struct Input {
    std::string_view field;
    std::int64_t value;
    std::int64_t low;
    std::int64_t high;
};

} // namespace

Result<Model> customModel(const CustomModel& description)
{
    const std::array inputs{
        Input{"layers", description.layers, 1, kMaxLayers}, Input{"heads", description.heads, 1, kMaxHeads},
        Input{"kv_heads", description.kvHeads, 1, kMaxHeads}, Input{"head_dim", description.headDim, 1, kMaxHeads},
        Input{"parameters", description.parameters, 0, kMaxParameters}};
    Model model;
    model.id = "custom";
    model.name = "Custom model";
    model.source = "typed";
    model.family = "custom";
    for (const Input& input : inputs) {
        if (input.value < input.low || input.value > input.high)
            return fail(KV_TEXT("core", "The custom model's {0} is {1}; use {2} to {3}."),
                        {std::string(input.field), input.value, input.low, input.high});
        if (input.value > 0) // 0 parameters: unknown
            model.provenance.push_back({std::string(input.field), std::to_string(input.value), How::Typed, {}, {}, {}});
    }
    if (description.heads % description.kvHeads != 0)
        return fail(
            KV_TEXT("core", "The custom model's {0} heads cannot share {1} KV heads evenly; use a divisor of {0}."),
            {description.heads, description.kvHeads});
    model.layers = description.layers;
    model.groups = {{.kind = CacheKind::Full,
                     .layers = LayerSet::range(0, description.layers - 1),
                     .queryHeads = description.heads,
                     .kvHeads = description.kvHeads,
                     .keyDim = description.headDim,
                     .valueDim = description.headDim}};
    if (description.parameters > 0)
        model.weights = {{{WeightPart::Whole, description.parameters}}, WeightFormat::Bf16, "typed"};
    return model;
}

} // namespace core
