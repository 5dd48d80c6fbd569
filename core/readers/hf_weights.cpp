// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/hf_weights.h"

#include "core/readers/hf_format.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <limits>

namespace core::readers {

namespace {

constexpr std::int64_t kMaxParameters = 1'000'000'000'000'000;

/// A number of parameters that stays at the largest number instead of wrapping.
class Parameters {
public:
    Parameters(std::int64_t count = 0) : m_count(count) {} // numbers of the file enter formulas as they are

    std::int64_t count() const { return m_count; }
    friend Parameters operator+(Parameters a, Parameters b)
    {
        std::int64_t sum = 0;
        return __builtin_add_overflow(a.m_count, b.m_count, &sum) ? std::numeric_limits<std::int64_t>::max() : sum;
    }
    friend Parameters operator*(Parameters a, Parameters b)
    {
        std::int64_t product = 0;
        return __builtin_mul_overflow(a.m_count, b.m_count, &product) ? std::numeric_limits<std::int64_t>::max()
                                                                      : product;
    }

private:
    std::int64_t m_count;
};

/// Everything the count needs: the family's shape after the file's switches, and the widths.
struct Widths {
    Shape shape;
    Layout layout;
    bool tied = false;
    std::int64_t width = 0;
    std::int64_t vocabulary = 0;
    std::int64_t embeddingWidth = 0;
    std::int64_t mlp = 0;
    std::int64_t experts = 0; ///< 0: dense
    std::int64_t expert = 0;
    std::int64_t shared = 0; ///< width of all shared experts of a layer
    std::int64_t moeLayers = 0;

    std::int64_t denseLayers() const { return layout.layers - moeLayers; }
};

Result<void> applySwitch(const ConfigValues& values, const Switch& row, Shape& shape)
{
    if (row.whenTrue == kNumber) {
        const Result<std::optional<std::int64_t>> number = values.language().optionalCount(row.key, {0, 16});
        if (!number)
            return tl::unexpected<Error>(number.error());
        if (*number)
            shape.*row.member = static_cast<int>(**number);
        return {};
    }
    const Result<std::optional<bool>> flag = values.flag(row.key);
    if (!flag)
        return tl::unexpected<Error>(flag.error());
    const int value = *flag ? (**flag ? row.whenTrue : row.whenFalse) : kKeep;
    if (value != kKeep)
        shape.*row.member = value;
    return {};
}

Result<Shape> shapeOf(const ConfigValues& values)
{
    Shape shape = values.family().shape;
    for (const Switch& row : values.family().switches) {
        const Result<void> applied = applySwitch(values, row, shape);
        if (!applied)
            return tl::unexpected<Error>(applied.error());
    }
    return shape;
}

constexpr std::array<std::string_view, 5> kTiedKeys{"tie_word_embeddings", "tie_embeddings", "tie_embedding",
                                                    "share_input_output_layers", "use_embedding_sharing"};

/// Whether the head is the embedding: the language part says so, else the file, else the class.
Result<bool> tiedOf(ConfigValues& values, const Shape& shape)
{
    for (const JsonObject* part : {&values.language(), &values.whole()}) {
        for (const std::string_view key : kTiedKeys) {
            const Result<std::optional<bool>> tied = part->optionalBool(key);
            if (!tied)
                return tl::unexpected<Error>(tied.error());
            if (!*tied)
                continue;
            values.read("tied_embedding", **tied ? "true" : "false", part->place(key));
            return **tied;
        }
    }
    values.defaulted("tied_embedding", shape.tied != 0 ? "true" : "false", values.classDefault());
    return shape.tied != 0;
}

/// The width of the MLP: read, else the family's multiple of the width; nothing where neither is known.
Result<std::optional<std::int64_t>> mlpWidthOf(ConfigValues& values, const Shape& shape, std::int64_t width)
{
    const Result<std::optional<std::int64_t>> read = values.find(Quantity::MlpWidth);
    const Result<std::optional<std::int64_t>> ratio = values.find(Quantity::MlpRatio);
    if (const std::optional<Error> error = firstError(read, ratio))
        return tl::unexpected<Error>(*error);
    if (*read)
        return **read / shape.mlpDivisor;
    const std::int64_t times = ratio->value_or(shape.mlpRatio);
    if (times == 0)
        return std::nullopt;
    values.derived("mlp_width", std::to_string(times * width), fmt::format("{} x width {}", times, width));
    return times * width;
}

bool contains(const nlohmann::json& list, std::int64_t number)
{
    return list.is_array() &&
           std::ranges::any_of(list, [number](const nlohmann::json& item) { return wholeNumber(item) == number; });
}

/// Layers whose MLP is made of experts: those from `first_k_dense_replace` on, every `decoder_sparse_step`-th, without
/// `mlp_only_layers`; or the ones in `moe_layer_freq`.
Result<std::int64_t> moeLayersOf(ConfigValues& values, std::int64_t layers)
{
    const nlohmann::json* list = values.at("moe_layer_freq");
    if (list != nullptr && list->is_array())
        return std::ranges::count_if(*list, [](const nlohmann::json& item) { return wholeNumber(item) == 1; });
    const Result<std::optional<std::int64_t>> dense = values.find(Quantity::DenseLayers);
    const Result<std::optional<std::int64_t>> step = values.find(Quantity::MoeStep);
    if (const std::optional<Error> error = firstError(dense, step))
        return tl::unexpected<Error>(*error);
    const nlohmann::json* without = values.at("mlp_only_layers");
    const bool sparseStep = values.at("decoder_sparse_step") != nullptr;
    std::int64_t count = 0;
    for (std::int64_t layer = dense->value_or(0); layer < layers; ++layer) {
        const std::int64_t place = sparseStep ? layer + 1 : layer;
        const bool excluded = without != nullptr && contains(*without, layer);
        count += place % step->value_or(1) == 0 && !excluded ? 1 : 0;
    }
    return count;
}

/// The width of all shared experts of a layer.
Result<std::int64_t> sharedWidthOf(ConfigValues& values, std::int64_t expertWidth)
{
    const Result<std::optional<std::int64_t>> width = values.find(Quantity::SharedExpertWidth);
    const Result<std::optional<std::int64_t>> count = values.find(Quantity::SharedExperts);
    if (const std::optional<Error> error = firstError(width, count))
        return tl::unexpected<Error>(*error);
    if (*width)
        return **width * count->value_or(1);
    return count->value_or(0) * expertWidth;
}

Result<void> readExperts(ConfigValues& values, Widths& widths)
{
    if (widths.shape.experts == 0)
        return {};
    const Result<std::optional<std::int64_t>> experts = values.find(Quantity::Experts);
    if (!experts)
        return tl::unexpected<Error>(experts.error());
    widths.experts = experts->value_or(0);
    if (widths.experts == 0 && widths.shape.sharedWithout == 0)
        return {};
    const Result<std::optional<std::int64_t>> expert = values.find(Quantity::ExpertWidth);
    if (!expert)
        return tl::unexpected<Error>(expert.error());
    widths.expert = expert->value_or(widths.mlp);
    const Result<std::int64_t> shared = sharedWidthOf(values, widths.expert);
    if (!shared)
        return tl::unexpected<Error>(shared.error());
    widths.shared = *shared;
    if (widths.experts == 0) {
        widths.mlp = widths.shared; // the shared MLP is the only one
        return {};
    }
    const Result<std::int64_t> moeLayers = moeLayersOf(values, widths.layout.layers);
    const Result<std::optional<std::int64_t>> perToken = values.find(Quantity::ExpertsPerToken);
    if (const std::optional<Error> error = firstError(moeLayers, perToken))
        return tl::unexpected<Error>(*error);
    widths.moeLayers = *moeLayers;
    values.derived("moe_layers", std::to_string(*moeLayers), "layers whose MLP is made of experts");
    return {};
}

/// All widths; nothing where one is missing that the file must give.
Result<std::optional<Widths>> readWidths(ConfigValues& values, const Layout& layout)
{
    const Result<Shape> shape = shapeOf(values);
    if (!shape)
        return tl::unexpected<Error>(shape.error());
    const Result<bool> tied = tiedOf(values, *shape);
    const Result<std::optional<std::int64_t>> width = values.find(Quantity::Width);
    const Result<std::optional<std::int64_t>> vocabulary = values.find(Quantity::Vocabulary);
    const Result<std::optional<std::int64_t>> embedding = values.find(Quantity::EmbeddingWidth);
    if (const std::optional<Error> error = firstError(tied, width, vocabulary, embedding))
        return tl::unexpected<Error>(*error);
    if (!*width || !*vocabulary)
        return std::nullopt;
    const Result<std::optional<std::int64_t>> mlp = mlpWidthOf(values, *shape, **width);
    if (!mlp)
        return tl::unexpected<Error>(mlp.error());
    Widths widths{*shape, layout, *tied, **width, **vocabulary, embedding->value_or(**width), mlp->value_or(0)};
    const Result<void> experts = readExperts(values, widths);
    if (!experts)
        return tl::unexpected<Error>(experts.error());
    const bool mlpMissing = widths.mlp == 0 && widths.denseLayers() > 0;
    const bool positionsMissing = widths.shape.positions != 0 && !layout.maxContext;
    return mlpMissing || positionsMissing ? std::nullopt : std::optional(widths);
}

/// One feed-forward network of the given inner width.
Parameters mlp(const Widths& w, std::int64_t inner)
{
    const Parameters matrices = Parameters(2 + w.shape.gated) * w.width * inner;
    const Parameters biases = Parameters(w.shape.mlpBias) * (Parameters(1 + w.shape.gated) * inner + w.width);
    return matrices + biases;
}

Parameters attentionLayer(const Widths& w)
{
    const Parameters query = Parameters(w.layout.queryHeads) * w.layout.headDim;
    const Parameters keyValue = Parameters(2) * w.layout.kvHeads * w.layout.headDim;
    const Parameters biases = Parameters(w.shape.qkvBias) * (query + keyValue) + Parameters(w.shape.outBias) * w.width;
    return Parameters(w.width) * (query * 2 + keyValue) + biases;
}

/// A norm over the width.
Parameters norm(const Widths& w)
{
    return Parameters(w.shape.normScale + w.shape.normBias) * w.width;
}

/// Norms of queries and keys in one layer.
Parameters queryKeyNorms(const Widths& w)
{
    const Parameters perHead = Parameters(2) * w.shape.headNorms * (1 + w.shape.headNormBias) * w.layout.headDim;
    const Parameters heads = Parameters(w.layout.queryHeads) + w.layout.kvHeads;
    return perHead + Parameters(w.shape.projectionNorms) * heads * w.layout.headDim;
}

/// The router of one layer, with the gate of the shared experts.
Parameters router(const Widths& w)
{
    const std::int64_t gate = w.shared > 0 ? w.shape.sharedExpertGate : 0;
    return Parameters(w.experts) * (Parameters(w.width) + w.shape.routerBias) + Parameters(gate) * w.width;
}

Parameters other(const Widths& w)
{
    const Parameters layer = norm(w) * w.shape.normsPerLayer + queryKeyNorms(w);
    const Parameters outside = norm(w) * (w.shape.finalNorms + w.shape.embeddingNorms);
    const bool projected = w.embeddingWidth != w.width;
    const Parameters projections = projected ? Parameters(2) * w.embeddingWidth * w.width : Parameters(0);
    return layer * w.layout.layers + router(w) * w.moeLayers + outside + projections;
}

std::vector<WeightCount> countParts(const Widths& w)
{
    const Parameters table = Parameters(w.vocabulary) * w.embeddingWidth;
    const std::int64_t positions = w.shape.positions != 0 ? *w.layout.maxContext + w.shape.extraPositions : 0;
    const Parameters head = w.tied ? Parameters(0) : table;
    const std::pair<WeightPart, Parameters> parts[] = {
        {WeightPart::Embedding, table + Parameters(positions) * w.width},
        {WeightPart::Head, head + Parameters(w.shape.headBias) * w.vocabulary},
        {WeightPart::Attention, attentionLayer(w) * w.layout.layers},
        {WeightPart::Mlp, mlp(w, w.mlp) * w.denseLayers()},
        {WeightPart::Experts, mlp(w, w.expert) * w.experts * w.moeLayers},
        {WeightPart::SharedExperts, w.shared > 0 ? mlp(w, w.shared) * w.moeLayers : Parameters(0)},
        {WeightPart::Other, other(w)},
    };
    std::vector<WeightCount> counts;
    for (const auto& [part, parameters] : parts) {
        if (parameters.count() > 0)
            counts.push_back({part, parameters.count()});
    }
    return counts;
}

} // namespace

Result<Weights> countWeights(ConfigValues& values, const Layout& layout)
{
    const Result<WeightFormat> format = publishedFormat(values);
    const Result<std::optional<Widths>> widths = readWidths(values, layout);
    if (const std::optional<Error> error = firstError(format, widths))
        return tl::unexpected<Error>(*error);
    Weights weights;
    weights.published = *format;
    if (!*widths) {
        values.note(fmt::format("parameters not counted: {} lacks a width that the count needs", values.file()));
        return weights;
    }
    weights.parts = countParts(**widths);
    Parameters total;
    for (const WeightCount& count : weights.parts)
        total = total + count.parameters;
    if (total.count() > kMaxParameters)
        return fail(KV_TEXT("core",
                            "{0} describes a model of more than {1} parameters, which cannot be right; nothing was "
                            "changed; correct its widths or choose another file."),
                    {values.file(), kMaxParameters});
    weights.source = fmt::format("counted from the shapes in {}", values.file());
    values.derived("parameters", std::to_string(total.count()), "sum of the parts, each counted from the shapes");
    return weights;
}

} // namespace core::readers
