// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engines/engine.h"
#include "tests/core/catalogue.h"

inline core::Scenario vllm(const char* model, std::int64_t context, std::int64_t batch = 1)
{
    core::Scenario scenario = tests::with(tests::scenarioOf(model), context, batch);
    scenario.engine = core::EngineId::Vllm;
    return scenario;
}

inline core::Scenario with(core::Scenario scenario, const char* flag, const char* value)
{
    scenario.settings.set(flag, value);
    return scenario;
}

inline core::Scenario version(core::Scenario scenario, const char* release)
{
    scenario.engineVersion = release;
    return scenario;
}

inline core::Scenario ranks(core::Scenario scenario, std::int64_t tensor, std::int64_t pipeline = 1,
                            std::int64_t data = 1)
{
    scenario.hardware.parallel = {tensor, pipeline, data};
    scenario.hardware.count = tensor * pipeline * data;
    return scenario;
}

inline core::Scenario pool(core::Scenario scenario, core::Bytes memory)
{
    scenario.cacheMemory = memory;
    return scenario;
}

inline core::engines::Pool poolOf(const core::Scenario& scenario)
{
    return core::engines::reserve(scenario).pool.value();
}
