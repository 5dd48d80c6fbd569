// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/teaching/scenario_facts.h"

#include "core/model/element_block.h"
#include "core/scenario/kv_cache.h"
#include "core/text/format.h"

#include <algorithm>
#include <array>
#include <functional>
#include <string>

namespace core {

namespace {

using engines::DeviceShare;
using engines::Pool;
using MaybeValue = std::optional<Value>;

template <typename T> MaybeValue value(const T& known)
{
    return Value(known);
}

template <typename T> MaybeValue value(const std::optional<T>& known)
{
    return known ? MaybeValue(*known) : std::nullopt;
}

MaybeValue name(std::string_view text)
{
    return std::string(text);
}

/// "2 bytes for each element", "34 bytes for 32 elements"
std::string blockText(KvFormat format)
{
    const ElementBlock block = blockOf(format);
    if (block.elements == 1)
        return english({block.bytes == 1 ? KV_TEXT("core", "1 byte for each element")
                                         : KV_TEXT("core", "{0} bytes for each element"),
                        {block.bytes}});
    return english({KV_TEXT("core", "{0} bytes for {1} elements"), {block.bytes, block.elements}});
}

MaybeValue layersThatAre(CacheKind kind, const Scenario& scenario)
{
    std::int64_t count = 0;
    for (const CacheGroup& group : scenario.model.groups)
        count += group.kind == kind ? group.layers.count() : 0;
    return count;
}

/// The field of the first group in which it is not 0.
MaybeValue fromGroup(std::int64_t CacheGroup::*field, const Scenario& scenario)
{
    const auto& groups = scenario.model.groups;
    const auto found = std::ranges::find_if(groups, [&](const CacheGroup& group) { return group.*field != 0; });
    return found == groups.end() ? std::nullopt : MaybeValue((*found).*field);
}

template <typename Read> MaybeValue fromHeads(const Scenario& scenario, Read read)
{
    const CacheGroup* heads = headsOf(scenario.model);
    return heads != nullptr ? MaybeValue(read(*heads)) : std::nullopt;
}

template <typename T> MaybeValue fromPool(T Pool::*field, const Scenario& scenario)
{
    const std::optional<Pool> pool = engines::reserve(scenario).pool;
    return pool ? value((*pool).*field) : std::nullopt;
}

/// What the first device spends on something, where the engine says what it does with one device.
template <typename Read> MaybeValue fromDevice(Read read, const Scenario& scenario)
{
    const DeviceShare share = engines::reserve(scenario).devices.front();
    const bool told = engines::engine(scenario.engine).ownsMemory && share.count > 0;
    return told ? MaybeValue(scaledUp(std::invoke(read, share), 1, share.count)) : std::nullopt;
}

MaybeValue capacity(const Scenario& scenario)
{
    const std::optional<Bytes> device = deviceMemory(scenario.hardware);
    return device ? MaybeValue(*device * scenario.hardware.count) : std::nullopt;
}

MaybeValue parameters(const Scenario& scenario)
{
    const Weights& weights = scenario.model.weights;
    return weights.known() ? MaybeValue(weights.parameters()) : std::nullopt;
}

struct Fact {
    std::string_view name;
    MaybeValue (*read)(const Scenario& scenario);
};

constexpr std::array kFacts{
    Fact{"model", [](const Scenario& s) { return name(s.model.name); }},
    Fact{"layers", [](const Scenario& s) { return value(s.model.layers); }},
    Fact{"full_layers", [](const Scenario& s) { return layersThatAre(CacheKind::Full, s); }},
    Fact{"window_layers", [](const Scenario& s) { return layersThatAre(CacheKind::Window, s); }},
    Fact{"state_layers", [](const Scenario& s) { return layersThatAre(CacheKind::State, s); }},
    Fact{"window", [](const Scenario& s) { return fromGroup(&CacheGroup::window, s); }},
    Fact{"latent_dim", [](const Scenario& s) { return fromGroup(&CacheGroup::latentDim, s); }},
    Fact{"rotary_dim", [](const Scenario& s) { return fromGroup(&CacheGroup::ropeDim, s); }},
    Fact{"conv_elements", [](const Scenario& s) { return fromGroup(&CacheGroup::convElements, s); }},
    Fact{"recurrent_elements", [](const Scenario& s) { return fromGroup(&CacheGroup::recurrentElements, s); }},
    Fact{"query_heads",
         [](const Scenario& s) { return fromHeads(s, [](const CacheGroup& heads) { return heads.queryHeads; }); }},
    Fact{"kv_heads",
         [](const Scenario& s) { return fromHeads(s, [&](const CacheGroup& heads) { return kvHeads(s, heads); }); }},
    Fact{"width",
         [](const Scenario& s) {
             return fromHeads(s, [](const CacheGroup& heads) { return heads.queryHeads * heads.keyDim; });
         }},
    Fact{"parameters", parameters},
    Fact{"trained_context", [](const Scenario& s) { return value(s.model.maxContext); }},
    Fact{"context", [](const Scenario& s) { return value(s.workload.context); }},
    Fact{"reserved_context",
         [](const Scenario& s) { return value(s.workload.maxContext.value_or(s.workload.context)); }},
    Fact{"batch", [](const Scenario& s) { return value(s.workload.batch); }},
    Fact{"format", [](const Scenario& s) { return name(info(s.kFormat).name); }},
    Fact{"element_bytes", [](const Scenario& s) { return name(blockText(s.kFormat)); }},
    Fact{"weights_format", [](const Scenario& s) { return name(info(s.weightFormat).name); }},
    Fact{"block", [](const Scenario& s) { return value(blockTokensOf(s)); }},
    Fact{"block_bytes", [](const Scenario& s) { return fromPool(&Pool::blockBytes, s); }},
    Fact{"request_blocks", [](const Scenario& s) { return fromPool(&Pool::requestBlocks, s); }},
    Fact{"concurrency", [](const Scenario& s) { return fromPool(&Pool::concurrency, s); }},
    Fact{"cache_tokens", [](const Scenario& s) { return value(engines::reserve(s).cacheTokens); }},
    Fact{"engine_version", [](const Scenario& s) { return name(s.engineVersion); }},
    Fact{"share", [](const Scenario& s) { return value(memoryShareOf(s)); }},
    Fact{"device_weights", [](const Scenario& s) { return fromDevice(&DeviceShare::weights, s); }},
    Fact{"runtime", [](const Scenario& s) { return fromDevice(&DeviceShare::runtime, s); }},
    Fact{"computing", [](const Scenario& s) { return fromDevice(&DeviceShare::buffers, s); }},
    Fact{"own_work", [](const Scenario& s) { return fromDevice(&DeviceShare::overhead, s); }},
    Fact{"waste_percent", [](const Scenario& s) { return value(s.waste); }},
    Fact{"reserve", [](const Scenario& s) { return value(s.reserve); }},
    Fact{"overhead", [](const Scenario& s) { return value(s.overhead); }},
    Fact{"gpu", [](const Scenario& s) { return s.hardware.gpu ? name(s.hardware.gpu->name) : std::nullopt; }},
    Fact{"gpus", [](const Scenario& s) { return value(s.hardware.count); }},
    Fact{"device", [](const Scenario& s) { return value(deviceMemory(s.hardware)); }},
    Fact{"capacity", capacity},
};

} // namespace

const CacheGroup* headsOf(const Model& model)
{
    const auto found = std::ranges::find_if(model.groups, [](const CacheGroup& group) { return hasHeads(group.kind); });
    return found == model.groups.end() ? nullptr : &*found;
}

bool isTextbookModel(const Model& model)
{
    return model.groups.size() == 1 && model.groups.front().kind == CacheKind::Full;
}

engines::Pool poolOf(const Scenario& scenario)
{
    return engines::reserve(scenario).pool.value_or(Pool());
}

std::int64_t blockTokensOf(const Scenario& scenario)
{
    return engines::engine(scenario.engine).hasPool ? poolOf(scenario).blockTokens : scenario.blockTokens;
}

const engines::Setting* memoryShareFlag(const Scenario& scenario)
{
    if (!engines::engine(scenario.engine).hasPool)
        return nullptr;
    const std::span<const engines::Setting> rows = engines::settings(scenario.engine);
    const auto found = std::ranges::find(rows, engines::SettingType::Fraction, &engines::Setting::type);
    return found == rows.end() ? nullptr : &*found;
}

std::optional<Percent> memoryShareOf(const Scenario& scenario)
{
    const engines::Setting* flag = memoryShareFlag(scenario);
    if (flag == nullptr)
        return std::nullopt;
    const engines::SettingValues values(engines::settings(scenario.engine), scenario.settings, scenario.engineVersion);
    const std::optional<std::int64_t> share = engines::parseFraction(values.text(flag->flag));
    return share ? std::optional(Percent{*share}) : std::nullopt; // ten-thousandths are hundredths of a percent
}

std::optional<Value> factNamed(std::string_view name, const Scenario& scenario)
{
    const auto* const found = std::ranges::find(kFacts, name, &Fact::name);
    return found == kFacts.end() ? std::nullopt : found->read(scenario);
}

} // namespace core
