// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engines/log.h"
#include "core/engines/setting.h"
#include "core/scenario/footprint.h"
#include "core/scenario/scenario.h"
#include "core/scenario/waste.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace core::engines {

inline constexpr std::size_t kMaxDevices = 16; ///< that an engine tells apart
inline constexpr std::size_t kMaxParts = 10;

/// What one device holds, or several that are pooled.
struct DeviceShare {
    std::int64_t count = 1; ///< devices pooled here
    Bytes weights{};
    Bytes used{};                ///< of the ideal cache
    Waste waste{};               ///< reserved for the cache beyond that
    Bytes runtime{};             ///< estimate: what a process takes before it loads anything
    Bytes communication{};       ///< estimate: buffers between several devices
    Bytes buffers{};             ///< to compute in and for outputs; an estimate but for the host's output buffer
    Bytes graphs{};              ///< estimate: recorded kernels
    Bytes left{};                ///< that the engine leaves free
    std::optional<Bytes> pool{}; ///< memory for the cache, where it is not all that is free

    Bytes cache() const { return used + waste.total(); }
    Bytes overhead() const { return runtime + communication + buffers + graphs; }
};

/// A cache that the engine prints as one line.
struct CachePart {
    std::string_view kind;      ///< "kv", "kv_full", "recurrent", …
    std::int64_t cells = 0;     ///< as printed
    std::int64_t layers = 0;    ///< as printed
    std::int64_t sequences = 1; ///< that it serves
    std::int64_t streams = 1;   ///< stretches of `cells` cells
    std::int64_t rollback = 0;  ///< rows kept besides the present one
    KvFormat kFormat = KvFormat::Fp16;
    KvFormat vFormat = KvFormat::Fp16;
    Bytes k; ///< over all layers and streams
    Bytes v;

    Bytes bytes() const { return k + v; }
};

/// A pool that is divided into blocks, or into tokens where it has none.
struct Pool {
    std::int64_t blockTokens = 1;   ///< of the smallest block
    Bytes blockBytes{};             ///< on the device that binds
    std::int64_t requestBlocks = 0; ///< that one request of the longest length takes
    Bytes needed{};                 ///< on that device, by the workload
    std::optional<Bytes> memory{};  ///< for the cache on that device; nothing where it is not known
    std::optional<std::int64_t> blocks{};
    std::optional<double> concurrency{}; ///< longest requests at once, as printed but for the rounding
};

/// What an engine sets aside for a workload: numbers only. A plain value without allocations; `describe` has the words.
struct Reservation {
    std::array<DeviceShare, kMaxDevices> devices;
    std::size_t deviceCount = 1;
    std::optional<DeviceShare> host; ///< where some of it stays in the memory of the host
    std::array<CachePart, kMaxParts> parts;
    std::size_t partCount = 0;
    std::optional<std::int64_t> cacheTokens;   ///< tokens that the engine prints as the size of its cache
    std::optional<std::int64_t> requestTokens; ///< longest request
    std::optional<Pool> pool;

    std::span<const DeviceShare> shares() const { return std::span(devices).first(deviceCount); }
    std::span<const CachePart> caches() const { return std::span(parts).first(partCount); }
    Bytes used() const;  ///< over all devices and the host
    Waste waste() const; ///< likewise
};

/// A scenario made ready for many workloads: what does not depend on the workload is computed once.
class Plan {
public:
    Plan() = default;
    Plan(const Plan&) = delete;
    Plan& operator=(const Plan&) = delete;
    virtual ~Plan() = default;

    virtual void reserve(const Workload& workload, Reservation& reservation) const = 0;
    Reservation reserve(const Workload& workload) const
    {
        Reservation reservation;
        reserve(workload, reservation);
        return reservation;
    }
};

/// What is said about a reservation, made only for what is on screen.
struct Description {
    std::vector<std::string> log; ///< lines that this version would print, in their order
    std::string command;          ///< that launches the engine so; empty where there is none
    struct Step {
        WasteCause cause = WasteCause::None;
        Bytes bytes;
        Message sentence;
    };
    std::vector<Step> steps; ///< from the ideal cache to the reserved one
};

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
    std::span<const Setting> (*settings)() = nullptr;
    std::unique_ptr<const Plan> (*plan)(const Scenario& scenario, Bytes weights) = nullptr;
    void (*check)(const Scenario& scenario, std::vector<Issue>& issues) = nullptr;
    void (*describe)(const Scenario& scenario, const Reservation& reservation, Description& description) = nullptr;
    EngineLog (*readLog)(std::string_view text) = nullptr; ///< see core/engines/log.h
    Scenario (*withLog)(Scenario scenario, const EngineLog& log) = nullptr;
    std::vector<LogComparison> (*compareLog)(const Scenario& scenario, const EngineLog& log) = nullptr;

    /// True where ranks can be typed; else devices are filled by rules of the engine's own.
    bool takesRanks() const { return takesTensor || !ownsMemory; }
};
const Engine& engine(EngineId id);

/// The flags of an engine; empty where it has none.
std::span<const Setting> settings(EngineId id);

/// Most requests at once, by the engine or by what is typed; 0: as many as fit.
std::int64_t mostSequences(const Scenario& scenario);

/// True where the size of the pool is given, by its memory or by a setting; else it follows from the memory there is.
bool isPoolGiven(const Scenario& scenario);

/// The format that "auto" stands for: that of the model in 16 bits, where the engine has no other rule.
KvFormat automaticFormat(const Scenario& scenario);

/// The plan of the scenario's engine, whose weights take `weights`. The scenario must outlive it.
std::unique_ptr<const Plan> plan(const Scenario& scenario, Bytes weights);

/// Gives the scenario another engine, whose version and settings are its defaults. What is typed for the one before
/// and unknown to this one is dropped: a share of waste, a pool, a reserve, ranks, a reserved length that is too short.
void changeEngine(Scenario& scenario, EngineId id);

/// What the scenario's engine reserves for a workload, or for its own.
Reservation reserve(const Scenario& scenario, const Workload& workload);
Reservation reserve(const Scenario& scenario);

/// Log lines, launch command and a sentence for each cause.
Description describe(const Scenario& scenario, const Reservation& reservation);

/// What the engine refuses: a spread over devices, a version, a setting, a format, a number of sequences.
void check(const Scenario& scenario, std::vector<Issue>& issues);

} // namespace core::engines
