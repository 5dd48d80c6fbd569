// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/footprint_json.h"

#include "core/engines/engine.h"
#include "core/readers/json/model_json.h"
#include "core/scenario/kv_cache.h"
#include "core/sizing/evaluate.h"
#include "core/text/format.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>

namespace core {

namespace {

using Json = nlohmann::ordered_json;

constexpr int kVersion = 1;

Json orNull(std::optional<Bytes> bytes)
{
    return bytes ? Json(bytes->count()) : Json();
}

Json orNull(std::optional<std::int64_t> count)
{
    return count ? Json(*count) : Json();
}

Json kvJson(const KvSize& kv, std::optional<std::int64_t> chosenHeads)
{
    Json json{{"bytes_per_token", rateToJson(kv.perToken)},
              {"fixed_bytes_per_request", kv.fixedPerRequest.count()},
              {"bytes_per_request", kv.perRequest.count()},
              {"bytes", kv.total.count()},
              {"shared_prefix_bytes", kv.sharedPrefix.count()}};
    if (chosenHeads)
        json["kv_heads"] = *chosenHeads;
    return json;
}

Json weightsJson(const Evaluation& evaluation)
{
    const Scenario& scenario = evaluation.scenario;
    const Weights& weights = scenario.model.weights;
    const bool typed = scenario.weightBytes.has_value();
    const Json source = weights.source.empty() ? Json() : Json(weights.source);
    return {{"bytes", orNull(evaluation.footprint.weights)},
            {"parameters", weights.known() ? Json(weights.parameters()) : Json()},
            {"format", typed || !weights.known() ? Json() : Json(info(scenario.weightFormat).id)},
            {"source", typed ? Json("typed") : source}};
}

/// The rows that the whole and each device have in common.
Json partsJson(const MemoryParts& parts, std::optional<Bytes> capacity)
{
    const Bytes total = parts.total();
    return {{"weights_bytes", parts.weights.count()},
            {"kv_bytes", parts.cache.count()},
            {"waste_bytes", parts.waste.count()},
            {"overhead_bytes", parts.overhead.count()},
            {"reserve_bytes", parts.reserve.count()},
            {"total_bytes", total.count()},
            {"capacity_bytes", orNull(capacity)},
            {"free_bytes", capacity ? Json((*capacity - total).count()) : Json()},
            {"fits", capacity ? Json(total <= *capacity) : Json()}};
}

Json causesJson(const Waste& waste)
{
    Json causes = Json::array();
    for (std::size_t i = 0; i < kWasteCauses; ++i) {
        const auto cause = static_cast<WasteCause>(i);
        if (waste.of(cause) > Bytes())
            causes.push_back({{"cause", id(cause)}, {"bytes", waste.of(cause).count()}});
    }
    return causes;
}

Json memoryJson(const Footprint& footprint)
{
    Json memory = partsJson(footprint.memory, footprint.capacity);
    Json& devices = memory["gpus"] = Json::array();
    for (const DeviceFootprint& device : footprint.devices) {
        Json row{{"name", device.name.empty() ? Json() : Json(device.name)},
                 {"count", device.count},
                 {"pooled", device.pooled && device.count > 1}};
        row.update(partsJson(device.parts, device.capacity));
        row["fits"] = device.free() ? Json(*device.free() >= Bytes()) : Json();
        if (device.pool)
            row["pool_bytes"] = device.pool->count();
        if (const Json causes = causesJson(device.waste); !causes.empty())
            row["waste"] = causes;
        devices.push_back(std::move(row));
    }
    if (const std::optional<bool> fits = footprint.fits())
        memory["fits"] = *fits;
    if (footprint.host)
        memory["host"] = partsJson(footprint.host->parts, std::nullopt);
    for (const OverheadLine& line : footprint.overhead)
        memory["overhead"].push_back(
            {{"name", english(line.name)}, {"bytes", line.bytes.count()}, {"estimate", line.estimate}});
    if (const Json causes = causesJson(footprint.waste); !causes.empty())
        memory["waste"] = causes;
    return memory;
}

Json boundBy(const Limit& limit)
{
    return limit.value ? Json{{"device", limit.device}, {"part", id(limit.part)}} : Json();
}

Json limitsJson(const Limits& limits)
{
    return {{"max_batch", orNull(limits.maxBatch.value)},
            {"max_context", orNull(limits.maxContext.value)},
            {"crossover_context", orNull(limits.crossover)},
            {"bound_by", {{"max_batch", boundBy(limits.maxBatch)}, {"max_context", boundBy(limits.maxContext)}}}};
}

/// True where every layer keeps one entry for each token, so that one count of blocks holds for all groups.
bool hasOneBlockCount(const Model& model)
{
    return std::ranges::all_of(model.groups, [](const CacheGroup& group) {
        return group.kind == CacheKind::Full || group.kind == CacheKind::Latent || group.kind == CacheKind::Index ||
               group.kind == CacheKind::Shared || group.kind == CacheKind::None;
    });
}

/// What an engine with rules of its own prints and how it is launched.
void addReservation(const Evaluation& evaluation, const engines::Engine& row, Json& engine)
{
    const Scenario& scenario = evaluation.scenario;
    const engines::Reservation& reservation = evaluation.reservation;
    const engines::Description description = evaluation.plan->describe(reservation);
    engine["version"] = scenario.engineVersion.empty() ? std::string(row.newest) : scenario.engineVersion;
    engine["cache_tokens"] = orNull(reservation.cacheTokens);
    engine["max_model_len"] = orNull(evaluation.plan->longestServed(reservation));
    Bytes needed;
    for (const engines::CachePart& part : reservation.caches()) {
        needed += part.bytes();
        engine["parts"].push_back({{"kind", part.kind},
                                   {"cells", part.cells},
                                   {"layers", part.layers},
                                   {"sequences", part.sequences},
                                   {"streams", part.streams},
                                   {"k_bytes", part.k.count()},
                                   {"v_bytes", part.v.count()},
                                   {"bytes", part.bytes().count()}});
    }
    engine["needed_bytes"] = needed.count();
    if (const std::optional<engines::Pool>& pool = reservation.pool) {
        engine["block_tokens"] = pool->blockTokens;
        engine["block_bytes"] = pool->blockBytes.count();
        engine["blocks"] = orNull(pool->blocks);
        engine["concurrency"] = pool->concurrency ? Json(*pool->concurrency) : Json();
        engine["needed_bytes"] = pool->needed.count();
        engine["request_blocks"] = pool->requestBlocks;
        engine["available_bytes"] = orNull(pool->memory);
    }
    engine["log"] = description.log;
    engine["command"] = description.command;
}

Json engineJson(const Evaluation& evaluation)
{
    const Scenario& scenario = evaluation.scenario;
    const Workload& workload = scenario.workload;
    Json engine{{"name", id(scenario.engine)}, {"version", nullptr},      {"block_tokens", nullptr},
                {"block_bytes", nullptr},      {"blocks", nullptr},       {"cache_tokens", nullptr},
                {"concurrency", nullptr},      {"needed_bytes", nullptr}, {"max_model_len", nullptr},
                {"parts", Json::array()},      {"log", Json::array()}};
    const engines::Engine& row = engines::engine(scenario.engine);
    if (row.usesMaxContext)
        engine["max_model_len"] = workload.maxContext.value_or(workload.context);
    if (row.ownsMemory)
        addReservation(evaluation, row, engine);
    if (scenario.engine != EngineId::Paged)
        return engine;
    engine["block_tokens"] = scenario.blockTokens;
    if (hasOneBlockCount(scenario.model)) {
        const std::int64_t perRequest = (workload.context + scenario.blockTokens - 1) / scenario.blockTokens;
        engine["block_bytes"] = (evaluation.footprint.kv.perToken.bytes * scenario.blockTokens).count();
        const std::int64_t shared = sharedTokens(workload, scenario.blockTokens) / scenario.blockTokens;
        engine["blocks"] = ofRequests(workload.batch, perRequest, shared);
    }
    return engine;
}

} // namespace

Json rateToJson(const Rate& rate)
{
    if (rate.bytes.count() % rate.tokens == 0)
        return rate.bytes.count() / rate.tokens;
    return static_cast<double>(rate.bytes.count()) / static_cast<double>(rate.tokens);
}

Json footprintToJson(const Evaluation& evaluation)
{
    const Footprint& footprint = evaluation.footprint;
    return {{"format", "kvhorizon.footprint"},
            {"version", kVersion},
            {"model", readers::layoutToJson(evaluation.scenario.model)},
            {"kv", kvJson(footprint.kv, evaluation.scenario.kvHeads)},
            {"weights", weightsJson(evaluation)},
            {"memory", memoryJson(footprint)},
            {"limits", limitsJson(footprint.limits)},
            {"engine", engineJson(evaluation)}};
}

Json adviceToJson(std::span<const Advice> advice)
{
    Json rows = Json::array();
    for (const Advice& one : advice) {
        const std::optional<Bytes> free = evaluate(one.scenario).free();
        rows.push_back({{"lever", id(one.lever)}, {"action", english(one.action)}, {"free_bytes", orNull(free)}});
    }
    return rows;
}

} // namespace core
