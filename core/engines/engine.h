// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engines/log.h"
#include "core/engines/plan.h"
#include "core/engines/setting.h"
#include "core/scenario/footprint.h"
#include "core/scenario/scenario.h"
#include "core/scenario/waste.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace core::engines {

/// What an engine can do, behind one interface.
struct Engine {
    EngineId id;
    std::string_view newest{};           ///< version; empty where it has none
    WasteCause cause = WasteCause::None; ///< of its waste, where there is none of another
    bool usesMaxContext = false;         ///< reserves for `Workload::maxContext`
    bool isStaircase = false;            ///< its need steps, between straight stretches
    bool ownsMemory = false;             ///< it tells devices apart and fills them by its own rules
    bool hasPool = false;           ///< its cache is a pool of a share of the memory; the rest of it is the reserve
    bool takesTensor = false;       ///< without a typed spread it divides the heads over all devices
    std::int64_t mostSequences = 0; ///< 0: as many as fit
    /// Flag for their number, with which a context is that of all of them; may be empty.
    std::string_view sequencesFlag{};
    /// Switch with which the replicas of data parallel are ranks of one model; may be empty.
    std::string_view sharedRanksFlag{};
    /// Requests at once that typed settings allow, over all replicas; 0: as many as fit.
    std::int64_t (*mostRequests)(const Scenario& scenario) = nullptr;
    std::string_view poolFlag{}; ///< setting that gives the size of the pool; may be empty
    KvFormat (*automaticFormat)(const Scenario& scenario) = nullptr; ///< where it is not FP16
    std::span<const Setting> settings{}; ///< The flags of the engine; empty where it has none.
    std::unique_ptr<const Plan> (*plan)(const Scenario& scenario) = nullptr;
    void (*check)(const Scenario& scenario, std::vector<Issue>& issues) = nullptr;
    EngineLog (*readLog)(std::string_view text) = nullptr; ///< see core/engines/log.h
    Scenario (*withLog)(Scenario scenario, const EngineLog& log) = nullptr;

    /// True where ranks can be typed; else devices are filled by rules of the engine's own.
    bool takesRanks() const { return takesTensor || !ownsMemory; }
};
const Engine& engine(EngineId id);

/// The flags of an engine; empty where it has none.
inline std::span<const Setting> settings(EngineId id)
{
    return engine(id).settings;
}

/// The values of the settings of the scenario's engine.
SettingValues valuesOf(const Scenario& scenario);

/// Most requests at once, by the engine or by what is typed; 0: as many as fit.
std::int64_t mostSequences(const Scenario& scenario);

/// True where the size of the pool is given, by its memory or by a setting; else it follows from the memory there is.
bool isPoolGiven(const Scenario& scenario);

/// The format that "auto" stands for: that of the model in 16 bits, where the engine has no other rule.
KvFormat automaticFormat(const Scenario& scenario);

/// A plan by the rules of the scenario's engine.
std::unique_ptr<const Plan> plan(const Scenario& scenario);

/// Gives the scenario another engine, whose version and settings are its defaults. What is typed for the one before
/// and unknown to this one is dropped: a share of waste, a pool, a reserve, ranks, a reserved length that is too short.
void changeEngine(Scenario& scenario, EngineId id);

/// What the scenario's engine reserves for its workload, where nothing else is asked of its plan.
Reservation reserve(const Scenario& scenario);

/// What the engine refuses: a spread over devices, a version, a setting, a format, a number of sequences.
void check(const Scenario& scenario, std::vector<Issue>& issues);

} // namespace core::engines
