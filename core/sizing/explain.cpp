// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sizing/explain.h"

#include "core/engines/engine.h"
#include "core/sizing/explain_cache.h"

#include <array>

namespace core {

namespace {

constexpr std::array<std::string_view, 8> kQuantityIds{"cache", "weights",   "waste",       "total",
                                                       "free",  "max-batch", "max-context", "crossover"};

Operand bytesOperand(std::string_view symbol, Message name, Bytes value, Message origin = {})
{
    return {symbol, std::move(name), value, "B", std::move(origin)};
}

Message chosen()
{
    return {KV_TEXT("core", "chosen"), {}};
}

Message computed()
{
    return {KV_TEXT("core", "computed"), {}};
}

Derivation weightsDerivation(const Evaluation& evaluation)
{
    const Scenario& scenario = evaluation.scenario;
    const Weights& weights = scenario.model.weights;
    Derivation derivation{.quantity = Quantity::Weights, .formula = "Σ parameters · bytes", .steps = {}, .sources = {}};
    if (!evaluation.footprint.weights)
        return derivation;
    Step sum{{KV_TEXT("core", "Weights"), {}}, Operation::Sum, {}, *evaluation.footprint.weights};
    if (scenario.weightBytes) {
        derivation.formula = "W";
        sum.operands.push_back(
            bytesOperand("W", {KV_TEXT("core", "weights"), {}}, *scenario.weightBytes, {KV_TEXT("core", "typed"), {}}));
        derivation.steps.push_back(std::move(sum));
        return derivation;
    }
    const bool stored = scenario.weightFormat == WeightFormat::Stored;
    if (stored)
        derivation.formula = "Σ bytes";
    for (const WeightCount& count : weights.parts) {
        if (stored) {
            sum.operands.push_back(bytesOperand("W", {KV_TEXT("core", "{0}"), {std::string(id(count.part))}},
                                                bytesOf(weights, count, scenario.weightFormat),
                                                {KV_TEXT("core", "{0}"), {weights.source}}));
            continue;
        }
        const WeightEncoding encoding = encodingOf(weights, count.part, scenario.weightFormat);
        const Bytes bytes = bytesOf(weights, count, scenario.weightFormat);
        const Message format{KV_TEXT("core", "format {0}"), {std::string(info(scenario.weightFormat).name)}};
        derivation.steps.push_back(
            {{KV_TEXT("core", "Weights: {0}"), {std::string(id(count.part))}},
             Operation::CeilProduct,
             {{"n",
               {KV_TEXT("core", "parameters"), {}},
               count.parameters,
               "",
               {KV_TEXT("core", "{0}"), {weights.source}}},
              {"b", {KV_TEXT("core", "bytes of a block"), {}}, encoding.blockBytes, "B", format},
              {"g", {KV_TEXT("core", "parameters of a block"), {}}, encoding.blockParameters, "", format}},
             bytes});
        sum.operands.push_back(
            bytesOperand("W", {KV_TEXT("core", "{0}"), {std::string(id(count.part))}}, bytes, computed()));
    }
    derivation.steps.push_back(std::move(sum));
    derivation.sources = {weights.source, std::string(info(scenario.weightFormat).source)};
    return derivation;
}

/// The caches that an engine makes: their cells, bytes for a cell, and what comes of it. Then the waste, cause by
/// cause.
Derivation stepsDerivation(const Evaluation& evaluation)
{
    Derivation derivation{.quantity = Quantity::Waste, .formula = "Σ causes", .steps = {}, .sources = {}};
    Step caches{{KV_TEXT("core", "Reserved caches"), {}}, Operation::Sum, {}, Bytes()};
    Bytes reserved;
    for (const engines::CachePart& part : evaluation.reservation.caches()) {
        const Message name{KV_TEXT("core", "{0}: {1} layers, {2} cells"),
                           {std::string(part.kind), part.layers, part.cells}};
        derivation.steps.push_back(
            {name,
             Operation::Sum,
             {bytesOperand("K", {KV_TEXT("core", "K, or convolution state"), {}}, part.k, computed()),
              bytesOperand("V", {KV_TEXT("core", "V, or recurrent state"), {}}, part.v, computed())},
             part.bytes()});
        caches.operands.push_back(
            bytesOperand("R", {KV_TEXT("core", "{0}"), {std::string(part.kind)}}, part.bytes(), computed()));
        reserved += part.bytes();
    }
    caches.result = reserved;
    if (!caches.operands.empty())
        derivation.steps.push_back(std::move(caches));
    Step sum{{KV_TEXT("core", "Reserved and not in use, on all devices and the host"), {}},
             Operation::Sum,
             {},
             evaluation.footprint.waste.total()};
    for (const engines::Description::Step& step : evaluation.plan->describe(evaluation.reservation).steps)
        sum.operands.push_back(bytesOperand("F", causeName(step.cause), step.bytes, step.sentence));
    derivation.steps.push_back(std::move(sum));
    return derivation;
}

Derivation wasteDerivation(const Evaluation& evaluation)
{
    const Scenario& scenario = evaluation.scenario;
    const MemoryParts& memory = evaluation.footprint.memory;
    const Operand used = bytesOperand("C", {KV_TEXT("core", "cache in use"), {}}, memory.cache, computed());
    Derivation derivation{.quantity = Quantity::Waste, .formula = {}, .steps = {}, .sources = {}};
    if (engines::engine(scenario.engine).ownsMemory || scenario.hardware.parallel.isTyped())
        return stepsDerivation(evaluation);
    if (scenario.engine == EngineId::Ideal) {
        derivation.formula = "ceil(C · p / (100 − p))";
        derivation.steps.push_back(
            {{KV_TEXT("core", "Waste as a share of the reserved cache"), {}},
             Operation::ShareOfReserved,
             {used, {"p", {KV_TEXT("core", "share of the reserved cache"), {}}, scenario.waste, "%", chosen()}},
             memory.waste});
        return derivation;
    }
    const bool paged = scenario.engine == EngineId::Paged;
    const Message title =
        paged ? Message{KV_TEXT("core", "Rest of each last block of {0} tokens"), {scenario.blockTokens}}
              : Message{KV_TEXT("core", "Reserved for tokens that have not come yet"), {}};
    derivation.formula = "R − C";
    derivation.steps.push_back(
        {title,
         Operation::Difference,
         {bytesOperand("R", {KV_TEXT("core", "reserved cache"), {}}, memory.cache + memory.waste, computed()), used},
         memory.waste});
    if (paged)
        derivation.sources = {"arXiv:2309.06180 (PagedAttention)"};
    return derivation;
}

std::vector<Operand> partOperands(const Evaluation& evaluation)
{
    const MemoryParts& parts = evaluation.footprint.memory;
    const bool adds = !evaluation.footprint.overhead.empty();
    const bool leaves = engines::engine(evaluation.scenario.engine).hasPool;
    const Message overhead{adds ? KV_TEXT("core", "chosen, with estimates of what the engine takes") : chosen().text,
                           {}};
    const Message reserve{leaves ? KV_TEXT("core", "left free by the engine's setting") : chosen().text, {}};
    return {bytesOperand("W", {KV_TEXT("core", "weights"), {}}, parts.weights, computed()),
            bytesOperand("C", {KV_TEXT("core", "cache in use"), {}}, parts.cache, computed()),
            bytesOperand("F", {KV_TEXT("core", "waste"), {}}, parts.waste, computed()),
            bytesOperand("O", {KV_TEXT("core", "overhead"), {}}, parts.overhead, overhead),
            bytesOperand("K", {KV_TEXT("core", "reserve"), {}}, parts.reserve, reserve)};
}

Step totalStep(const Evaluation& evaluation)
{
    return {{KV_TEXT("core", "Memory needed"), {}},
            Operation::Sum,
            partOperands(evaluation),
            evaluation.footprint.memory.total()};
}

Derivation freeDerivation(const Evaluation& evaluation)
{
    const Footprint& footprint = evaluation.footprint;
    Derivation derivation{.quantity = Quantity::Free, .formula = "M · N − total", .steps = {}, .sources = {}};
    if (!footprint.capacity)
        return derivation;
    const Hardware& hardware = evaluation.scenario.hardware;
    const std::string note = hardware.gpu ? hardware.gpu->memory.usableNote : std::string();
    const Message origin = hardware.basis == MemoryBasis::Usable ? Message{KV_TEXT("core", "{0}"), {note}} : chosen();
    derivation.steps = {
        {{KV_TEXT("core", "Capacity"), {}},
         Operation::Product,
         {bytesOperand("M", {KV_TEXT("core", "memory of one GPU"), {}}, *deviceMemory(hardware), origin),
          {"N", {KV_TEXT("core", "GPUs"), {}}, hardware.count, "", chosen()}},
         *footprint.capacity},
        totalStep(evaluation),
        {{KV_TEXT("core", "Free memory"), {}},
         Operation::Difference,
         {bytesOperand("A", {KV_TEXT("core", "capacity"), {}}, *footprint.capacity, computed()),
          bytesOperand("T", {KV_TEXT("core", "memory needed"), {}}, footprint.memory.total(), computed())},
         *footprint.free()}};
    return derivation;
}

/// The need of a workload on the device that binds, as an operand: of its memory, or of its pool where that is all that
/// is known.
Operand needOperand(const engines::Plan& plan, std::size_t device, const Workload& workload, std::int64_t n)
{
    const engines::Reservation reservation = plan.reserve(workload);
    const engines::DeviceShare& share = reservation.devices.at(device);
    if (!plan.capacity(share))
        return bytesOperand("need", {KV_TEXT("core", "cache reserved at {0}"), {n}}, share.cache(), computed());
    return bytesOperand("need", {KV_TEXT("core", "memory needed at {0}"), {n}}, plan.parts(share).total(), computed());
}

/// What the need is held against.
Operand capacityOperand(const engines::Plan& plan, const engines::DeviceShare& share)
{
    if (const std::optional<Bytes> capacity = plan.capacity(share))
        return bytesOperand("A", {KV_TEXT("core", "capacity"), {}}, *capacity, computed());
    return bytesOperand("A", {KV_TEXT("core", "memory for the cache"), {}}, share.pool.value_or(Bytes()), chosen());
}

template <typename WithN>
Derivation limitDerivation(const Evaluation& evaluation, Quantity quantity, const Limit& limit, Message title,
                           WithN withN)
{
    Derivation derivation{
        .quantity = quantity, .formula = "max { n : need(n) ≤ capacity }", .steps = {}, .sources = {}};
    if (!limit.value)
        return derivation;
    const std::int64_t n = *limit.value;
    const engines::Plan& plan = *evaluation.plan;
    const engines::Reservation over = plan.reserve(withN(n + 1));
    const std::size_t device = plan.fullest(over);
    derivation.steps.push_back({std::move(title),
                                Operation::LargestFitting,
                                {capacityOperand(plan, over.devices.at(device)), needOperand(plan, device, withN(n), n),
                                 needOperand(plan, device, withN(n + 1), n + 1)},
                                n});
    return derivation;
}

Derivation crossoverDerivation(const Evaluation& evaluation)
{
    const Footprint& footprint = evaluation.footprint;
    Derivation derivation{
        .quantity = Quantity::Crossover, .formula = "min { n : cache(n) ≥ weights }", .steps = {}, .sources = {}};
    if (!footprint.limits.crossover)
        return derivation;
    const std::int64_t n = *footprint.limits.crossover;
    const auto cache = [&](std::int64_t context) {
        return bytesOperand("C", {KV_TEXT("core", "cache at {0} tokens"), {context}},
                            evaluation.plan->reserve(withContext(evaluation.scenario.workload, context)).used(),
                            computed());
    };
    derivation.steps.push_back(
        {{KV_TEXT("core", "First context at which the cache is at least the weights"), {}},
         Operation::FirstReaching,
         {bytesOperand("W", {KV_TEXT("core", "weights"), {}}, footprint.keptWeights(), computed()), cache(n - 1),
          cache(n)},
         n});
    return derivation;
}

Workload withBatch(Workload workload, std::int64_t batch)
{
    workload.batch = batch;
    return workload;
}

} // namespace

std::string_view id(Quantity quantity)
{
    return kQuantityIds.at(static_cast<std::size_t>(quantity));
}

Derivation explain(const Evaluation& evaluation, Quantity quantity)
{
    const Workload& workload = evaluation.scenario.workload;
    const Limits& limits = evaluation.footprint.limits;
    switch (quantity) {
    case Quantity::Cache:
        return cacheDerivation(evaluation);
    case Quantity::Weights:
        return weightsDerivation(evaluation);
    case Quantity::Waste:
        return wasteDerivation(evaluation);
    case Quantity::Total:
        return {quantity, "W + C + F + O + K", {totalStep(evaluation)}, {}};
    case Quantity::Free:
        return freeDerivation(evaluation);
    case Quantity::MaxBatch:
        return limitDerivation(evaluation, quantity, limits.maxBatch, {KV_TEXT("core", "Largest batch that fits"), {}},
                               [&](std::int64_t n) { return withBatch(workload, n); });
    case Quantity::MaxContext:
        return limitDerivation(evaluation, quantity, limits.maxContext,
                               {KV_TEXT("core", "Largest context that fits"), {}},
                               [&](std::int64_t n) { return withContext(workload, n); });
    case Quantity::Crossover:
        return crossoverDerivation(evaluation);
    }
    return {};
}

} // namespace core
