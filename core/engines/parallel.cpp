// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engines/parallel.h"

#include "core/engines/setting.h"
#include "core/numbers.h"
#include "core/scenario/kv_cache.h"
#include "core/text/text.h"

namespace core::engines {

namespace {

/// Whole numbers with commas between, one for each stage, that add up to all layers.
std::optional<std::vector<std::int64_t>> typedPartition(std::int64_t layers, std::int64_t stages,
                                                        std::string_view typed)
{
    std::vector<std::int64_t> parts;
    std::int64_t left = layers;
    for (const std::string_view number : split(typed, ',')) {
        const Result<std::int64_t> part = parseCount(number);
        if (!part || *part > left)
            return std::nullopt;
        parts.push_back(*part);
        left -= *part;
    }
    const bool whole = static_cast<std::int64_t>(parts.size()) == stages && left == 0;
    return whole ? std::optional(std::move(parts)) : std::nullopt;
}

/// Layers of each stage: as typed, else as even as can be, where what is left goes to the stages before the last, from
/// behind. Source: vLLM distributed/utils.py, get_pp_indices.
std::vector<std::int64_t> partitionOf(std::int64_t layers, std::int64_t stages, std::string_view typed)
{
    if (std::optional<std::vector<std::int64_t>> parts = typedPartition(layers, stages, typed))
        return *std::move(parts);
    std::vector<std::int64_t> parts(static_cast<std::size_t>(stages), layers / stages);
    const std::int64_t left = layers % stages;
    for (std::int64_t i = 0; i < left; ++i)
        ++parts[static_cast<std::size_t>(stages - 2 - i)];
    return parts;
}

/// True for weights of which every layer has its part.
bool isOfLayers(WeightPart part)
{
    return part != WeightPart::Embedding && part != WeightPart::Head && part != WeightPart::Draft;
}

/// True where a stage has weights that no layer has: the embedding on the first, all else on the last.
bool isOn(const Spread& spread, std::int64_t stage, WeightPart part, bool tied)
{
    const bool last = stage + 1 == spread.pipeline;
    return part == WeightPart::Embedding ? stage == 0 || (last && tied) : last;
}

/// What is wrong where ranks can neither divide the heads of a group nor copy them evenly.
std::optional<Message> undivided(const Scenario& scenario, std::int64_t ranks)
{
    for (const CacheGroup& group : scenario.model.groups) {
        const std::int64_t kv = hasHeads(group.kind) ? kvHeads(scenario, group) : 0;
        if (group.queryHeads > 0 && group.queryHeads % ranks != 0)
            return Message{KV_TEXT("core",
                                   "{0} query heads cannot be divided by {1} tensor-parallel GPUs; use a number "
                                   "that divides them."),
                           {group.queryHeads, ranks}};
        if (kv > 0 && kv % ranks != 0 && ranks % kv != 0)
            return Message{KV_TEXT("core",
                                   "{0} KV heads can neither be divided by {1} tensor-parallel GPUs nor be copied "
                                   "to as many each; use a divisor or a multiple of them."),
                           {kv, ranks}};
    }
    return std::nullopt;
}

} // namespace

std::int64_t Spread::layersOn(std::int64_t stage) const
{
    const auto place = static_cast<std::size_t>(stage);
    return ends[place] - (place == 0 ? 0 : ends[place - 1]);
}

bool Spread::holds(std::int64_t stage, std::int32_t layer) const
{
    const auto place = static_cast<std::size_t>(stage);
    const bool isLast = stage + 1 == pipeline;
    return (place == 0 || layer >= ends[place - 1]) && (isLast || layer < ends[place]);
}

std::int64_t Spread::layersOn(std::int64_t stage, std::span<const std::int32_t> layers) const
{
    if (pipeline == 1)
        return static_cast<std::int64_t>(layers.size());
    return std::ranges::count_if(layers, [&](std::int32_t layer) { return holds(stage, layer); });
}

bool dividesLayers(const Scenario& scenario, std::string_view partition)
{
    return typedPartition(scenario.model.layers, spreadOf(scenario).pipeline, partition).has_value();
}

Spread spreadOf(const Scenario& scenario, std::string_view partition)
{
    const Parallelism& typed = scenario.hardware.parallel;
    const std::int64_t count = std::max<std::int64_t>(scenario.hardware.count, 1);
    const auto bounded = [](std::optional<std::int64_t> ranks) {
        return std::clamp<std::int64_t>(ranks.value_or(1), 1, kMaxGpus);
    };
    Spread spread;
    spread.pipeline = std::min(bounded(typed.pipeline), kMaxStages);
    spread.replicas = bounded(typed.data);
    const Setting* shared = find(settings(scenario.engine), engine(scenario.engine).sharedRanksFlag);
    const bool mayShare = shared != nullptr && spread.replicas > 1;
    const bool asked = mayShare && isOn(valueOf(*shared, scenario.settings, scenario.engineVersion));
    const std::int64_t others = spread.pipeline * (asked ? 1 : spread.replicas);
    const bool divides = typed.isTyped() || engine(scenario.engine).takesTensor;
    spread.tensor = typed.tensor ? bounded(typed.tensor) : divides ? std::max<std::int64_t>(count / others, 1) : 1;
    spread.sharesWeights =
        mayShare && (asked || (spread.tensor * spread.pipeline == count && spread.tensor % spread.replicas == 0));
    spread.heads = spread.sharesWeights ? std::max<std::int64_t>(spread.tensor / spread.replicas, 1) : spread.tensor;
    std::int64_t end = 0;
    for (const std::int64_t part : partitionOf(scenario.model.layers, spread.pipeline, partition))
        spread.ends.push_back(end += part);
    return spread;
}

std::vector<CacheGroup> draftsOf(const Model& model, std::optional<std::int64_t> typed)
{
    const auto keepsTokens = [](const CacheGroup& group) {
        return (hasHeads(group.kind) && group.kind != CacheKind::Cross) || group.kind == CacheKind::Latent;
    };
    const bool plain = model.groups.size() == 1 && model.groups.front().kind == CacheKind::Full;
    if (!typed && (!model.draftGroups.empty() || !plain))
        return model.draftGroups;
    const std::vector<CacheGroup>& shapes = model.draftGroups.empty() ? model.groups : model.draftGroups;
    const auto shape = std::ranges::find_if(shapes, keepsTokens);
    const std::int64_t count = typed.value_or(1);
    if (shape == shapes.end() || count == 0)
        return {};
    CacheGroup drafts = *shape;
    drafts.layers = LayerSet::range(model.layers, model.layers + count - 1);
    return {drafts};
}

void checkSpread(const Scenario& scenario, std::vector<Issue>& issues)
{
    const Parallelism& typed = scenario.hardware.parallel;
    const Engine& row = engine(scenario.engine);
    const auto add = [&](Field field, std::string_view text, std::vector<Value> args) {
        issues.push_back({field, Message{text, std::move(args)}});
    };
    if (!row.takesRanks())
        return add(typed.tensor     ? Field::Tensor
                   : typed.pipeline ? Field::Pipeline
                                    : Field::Data,
                   KV_TEXT("core", "The engine {0} splits layers by rules of its own; leave the ranks out."),
                   {std::string(id(row.id))});
    if (typed.pipeline.value_or(1) > std::min(kMaxStages, scenario.model.layers))
        return add(Field::Pipeline, KV_TEXT("core", "There are {0} pipeline stages; use at most {1}."),
                   {*typed.pipeline, std::min(kMaxStages, scenario.model.layers)});
    const Spread spread = spreadOf(scenario);
    if (spread.devices() > scenario.hardware.count)
        add(Field::GpuCount,
            KV_TEXT("core", "{0} × {1} × {2} ranks need {3} GPUs, but there are {4}; use more GPUs or fewer ranks."),
            {spread.heads, spread.pipeline, spread.replicas, spread.devices(), scenario.hardware.count});
    if (spread.sharesWeights && spread.tensor % spread.replicas != 0)
        return add(Field::Data,
                   KV_TEXT("core",
                           "{0} tensor-parallel GPUs cannot be shared out evenly to {1} groups with requests of "
                           "their own; use a number that divides them."),
                   {spread.tensor, spread.replicas});
    if (const std::optional<Message> message = undivided(scenario, spread.heads))
        issues.push_back({Field::Tensor, *message});
}

std::int64_t headsOn(std::int64_t heads, std::int64_t ranks)
{
    return std::max<std::int64_t>(heads / ranks, heads > 0 ? 1 : 0);
}

CacheGroup onRank(const Scenario& scenario, const CacheGroup& group, std::int64_t ranks)
{
    CacheGroup part = group;
    part.queryHeads = headsOn(group.queryHeads, ranks);
    if (hasHeads(group.kind))
        part.kvHeads = headsOn(kvHeads(scenario, group), ranks);
    part.convElements = ceilDivided(group.convElements, ranks);
    part.recurrentElements = ceilDivided(group.recurrentElements, ranks);
    return part;
}

Bytes weightsOn(const Scenario& scenario, const Spread& spread, std::int64_t stage, Bytes weights)
{
    const std::int64_t layers = std::max<std::int64_t>(scenario.model.layers, 1);
    const auto inStage = [&](Bytes bytes) { return scaledUp(bytes, spread.layersOn(stage), layers); };
    const Weights& known = scenario.model.weights;
    if (scenario.weightBytes || !known.known())
        return scaledUp(inStage(weights), 1, spread.tensor);
    const bool tied = std::ranges::none_of(
        known.parts, [](WeightPart part) { return part == WeightPart::Head; }, &WeightCount::part);
    Bytes divided;
    Bytes whole;
    for (const WeightCount& count : known.parts) {
        const Bytes bytes = bytesOf(known, count, scenario.weightFormat);
        if (count.part == WeightPart::Other)
            whole += inStage(bytes);
        else if (count.part == WeightPart::Attention && spread.sharesWeights)
            whole += scaledUp(inStage(bytes), 1, spread.heads);
        else
            divided += isOfLayers(count.part)                  ? inStage(bytes)
                       : isOn(spread, stage, count.part, tied) ? bytes
                                                               : Bytes();
    }
    return scaledUp(divided, 1, spread.tensor) + whole;
}

} // namespace core::engines
