// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engines/setting.h"
#include "core/footprint.h"
#include "core/scenario.h"
#include "core/waste.h"

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
    Bytes used{};    ///< of the ideal cache
    Waste waste{};   ///< reserved for the cache beyond that
    Bytes runtime{}; ///< estimate: what a process takes before it loads anything
    Bytes buffers{}; ///< to compute in and for outputs; an estimate but for the host's output buffer

    Bytes cache() const { return used + waste.total(); }
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

/// What an engine sets aside for a workload: numbers only. A plain value without allocations; `describe` has the words.
struct Reservation {
    std::array<DeviceShare, kMaxDevices> devices;
    std::size_t deviceCount = 1;
    std::optional<DeviceShare> host; ///< where some of it stays in the memory of the host
    std::array<CachePart, kMaxParts> parts;
    std::size_t partCount = 0;
    std::optional<std::int64_t> cacheTokens;   ///< tokens that the engine prints as the size of its cache
    std::optional<std::int64_t> requestTokens; ///< longest request

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
    std::int64_t mostSequences = 0;      ///< 0: as many as fit
    std::string_view
        sequencesFlag{}; ///< flag for their number, with which a context is that of all of them; may be empty
    std::span<const Setting> (*settings)() = nullptr;
    std::unique_ptr<const Plan> (*plan)(const Scenario& scenario, Bytes weights) = nullptr;
    void (*check)(const Scenario& scenario, std::vector<Issue>& issues) = nullptr;
    void (*describe)(const Scenario& scenario, const Reservation& reservation, Description& description) = nullptr;
};
const Engine& engine(EngineId id);

/// The flags of an engine; empty where it has none.
std::span<const Setting> settings(EngineId id);

/// The plan of the scenario's engine, whose weights take `weights`. The scenario must outlive it.
std::unique_ptr<const Plan> plan(const Scenario& scenario, Bytes weights);

/// What the scenario's engine reserves for a workload, or for its own.
Reservation reserve(const Scenario& scenario, const Workload& workload);
Reservation reserve(const Scenario& scenario);

/// Log lines, launch command and a sentence for each cause.
Description describe(const Scenario& scenario, const Reservation& reservation);

/// What the engine refuses: a version, a setting, a format, a number of sequences.
void check(const Scenario& scenario, std::vector<Issue>& issues);

} // namespace core::engines
