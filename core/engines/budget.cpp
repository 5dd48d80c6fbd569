// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engines/budget.h"

#include <algorithm>

namespace core::engines {

namespace {

/// 1.4 GiB.
constexpr Bytes kCommunication = Bytes(1'503'238'554);
constexpr std::int64_t kWhole = 10'000;

} // namespace

void Budget::addTo(DeviceShare& share, std::int64_t count) const
{
    share.runtime = runtime * count;
    share.communication = communication * count;
    share.buffers = buffers * count;
    share.graphs = graphs * count;
}

Bytes Budget::total(const Scenario& scenario) const
{
    return runtime + communication + buffers + graphs + scenario.overhead;
}

Budget budgetOf(const SettingValues& values, const Spread& spread)
{
    const bool several = spread.tensor * spread.pipeline > 1;
    return {.runtime = values.size(kRuntimeRow.flag).value_or(Bytes()),
            .communication = several ? values.size(kCommunicationRow.flag).value_or(kCommunication) : Bytes(),
            .buffers = values.size(kActivationRow.flag).value_or(Bytes()),
            .graphs = {}};
}

std::optional<Bytes> cacheMemory(const Scenario& scenario, std::optional<Bytes> usable, Bytes weights,
                                 const Budget& budget)
{
    if (scenario.cacheMemory)
        return scenario.cacheMemory;
    return usable ? std::optional(std::max(*usable - weights - budget.total(scenario), Bytes())) : std::nullopt;
}

Bytes roomBeside(const Scenario& scenario, Bytes weights, const Budget& budget)
{
    const std::optional<Bytes> device = deviceMemory(scenario.hardware);
    return device ? *device - weights - budget.total(scenario) : Bytes();
}

void checkFormats(const Scenario& scenario, std::span<const KvFormat> formats, std::vector<Issue>& issues)
{
    const auto add = [&](Field field, std::string_view text, std::vector<Value> args) {
        issues.push_back({field, Message{text, std::move(args)}});
    };
    const std::string engineName(id(scenario.engine));
    const std::string name(info(scenario.kFormat).name);
    if (std::ranges::find(formats, scenario.kFormat) == formats.end()) {
        std::string known;
        for (const KvFormat format : formats)
            known.append(known.empty() ? "" : ", ").append(info(format).id);
        return add(Field::KFormat, KV_TEXT("core", "The engine {0} keeps no cache in {1}; use one of {2}."),
                   {engineName, name, known});
    }
    if (scenario.vFormat != scenario.kFormat)
        add(Field::VFormat,
            KV_TEXT("core", "The engine {0} has one format for K and V, but V is to be in {1}; use {2} for both."),
            {engineName, std::string(info(scenario.vFormat).name), name});
    if (scenario.kFormat == KvFormat::Fp8Mla && keepsHeads(scenario.model))
        add(Field::KFormat,
            KV_TEXT("core", "{0} is for latents, but this model keeps heads; use another format such as fp8."), {name});
}

Bytes fractionOf(Bytes value, std::int64_t tenThousandths)
{
    return value - scaledUp(value, kWhole - tenThousandths, kWhole);
}

} // namespace core::engines
