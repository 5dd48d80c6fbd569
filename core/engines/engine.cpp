// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engines/engine.h"

#include "core/engines/parallel.h"

namespace core::engines {

namespace {

/// A setting that the engine does not have, or whose value is wrong.
void checkSettings(const Scenario& scenario, std::vector<Issue>& issues)
{
    const std::span<const Setting> known = settings(scenario.engine);
    for (const auto& [flag, value] : scenario.settings) {
        const Setting* setting = find(known, flag);
        if (setting == nullptr)
            issues.push_back({Field::Setting,
                              {KV_TEXT("core", "The engine {0} has no such setting; leave it out or choose the engine "
                                               "it belongs to."),
                               {std::string(id(scenario.engine))}},
                              flag});
        else if (std::optional<Message> message = wrong(*setting, value))
            issues.push_back({Field::Setting, *std::move(message), flag});
    }
}

} // namespace

SettingValues valuesOf(const Scenario& scenario)
{
    return {engine(scenario.engine).settings, scenario.settings, scenario.engineVersion};
}

std::int64_t mostSequences(const Scenario& scenario)
{
    const Engine& row = engine(scenario.engine);
    return row.mostRequests != nullptr ? row.mostRequests(scenario) : row.mostSequences;
}

bool isPoolGiven(const Scenario& scenario)
{
    return scenario.cacheMemory || valuesOf(scenario).count(engine(scenario.engine).poolFlag);
}

KvFormat automaticFormat(const Scenario& scenario)
{
    const Engine& row = engine(scenario.engine);
    return row.automaticFormat != nullptr ? row.automaticFormat(scenario) : KvFormat::Fp16;
}

std::unique_ptr<const Plan> plan(const Scenario& scenario)
{
    return engine(scenario.engine).plan(scenario);
}

void changeEngine(Scenario& scenario, EngineId id)
{
    scenario.engine = id;
    scenario.engineVersion.clear();
    scenario.settings = {};
    scenario.waste = {};
    scenario.workload.spareTokens = 0;
    const Engine& row = engine(id);
    if (row.hasPool)
        scenario.reserve = {}; // it leaves free what its own setting says
    else
        scenario.cacheMemory.reset();
    if (!row.takesRanks())
        scenario.hardware.parallel = {};
    std::optional<std::int64_t>& reserved = scenario.workload.maxContext;
    if (reserved < scenario.workload.context || reserved > kMaxContext)
        reserved.reset(); // none, or one that is out of range and would no longer be seen
}

Reservation reserve(const Scenario& scenario)
{
    return plan(scenario)->reserve(scenario.workload);
}

void check(const Scenario& scenario, std::vector<Issue>& issues)
{
    const Engine& row = engine(scenario.engine);
    if (issues.empty() && (scenario.hardware.parallel.isTyped() || row.takesTensor))
        checkSpread(scenario, issues);
    const std::int64_t most = row.mostRequests != nullptr ? row.mostRequests(scenario) : 0;
    if (most > 0 && scenario.workload.batch > most)
        issues.push_back({Field::Batch,
                          {KV_TEXT("core", "{0} requests are to be served at once, but the settings of {1} allow {2}; "
                                           "use fewer, or change the setting."),
                           {scenario.workload.batch, std::string(id(row.id)), most}}});
    if (row.newest.empty() && !scenario.engineVersion.empty())
        issues.push_back({Field::EngineVersion,
                          {KV_TEXT("core", "The engine {0} has no versions; leave the version out."),
                           {std::string(id(scenario.engine))}}});
    checkSettings(scenario, issues);
    if (row.check != nullptr)
        return row.check(scenario, issues);
    const auto refuseOwn = [&](Field field, KvFormat format) {
        if (isOwn(format))
            issues.push_back({field,
                              {KV_TEXT("core", "{0} is a format of one engine's own, which the engine {1} does not "
                                               "know; choose another format."),
                               {std::string(info(format).name), std::string(id(scenario.engine))}}});
    };
    refuseOwn(Field::KFormat, scenario.kFormat);
    if (scenario.vFormat != scenario.kFormat)
        refuseOwn(Field::VFormat, scenario.vFormat);
}

} // namespace core::engines
