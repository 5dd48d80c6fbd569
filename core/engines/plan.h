// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engines/log.h"
#include "core/engines/reservation.h"
#include "core/scenario/footprint.h"
#include "core/scenario/scenario.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace core::engines {

/// What is said about a reservation.
struct Description {
    std::vector<std::string> log; ///< Lines that this version of the engine would print, in their order.
    std::string command;          ///< The command that launches the engine so; empty where there is none.
    struct Step {
        WasteCause cause = WasteCause::None;
        Bytes bytes;
        Message sentence;
    };
    std::vector<Step> steps; ///< From the ideal cache to the reserved one.
};

/// A scenario made ready for any workload by the rules of its engine: what does not depend on the workload is computed
/// once. A plan keeps a copy of its scenario, so that it outlives it, and never changes.
class Plan {
public:
    explicit Plan(const Scenario& scenario);
    Plan(const Plan&) = delete;
    Plan& operator=(const Plan&) = delete;
    virtual ~Plan() = default;

    const Scenario& scenario() const { return m_scenario; }
    /// Bytes of the weights; nothing where they are not known.
    const std::optional<Bytes>& weights() const { return m_weights; }

    /// What the engine sets aside for `workload`. The first form fills a reservation that is used again.
    virtual void reserve(const Workload& workload, Reservation& reservation) const = 0;
    Reservation reserve(const Workload& workload) const;

    /// The lines, the command and a sentence for each cause of waste, of a reservation for the scenario's own workload.
    Description describe(const Reservation& reservation) const;
    /// Every figure of the log that can be predicted by that reservation, in the log's order. None where another engine
    /// printed the log.
    std::vector<LogComparison> compareLog(const Reservation& reservation, const EngineLog& log) const;

    /// Memory by part, of one share or for `workload` over all devices.
    MemoryParts parts(const DeviceShare& share) const;
    MemoryParts parts(const Reservation& reservation) const;
    MemoryParts parts(const Workload& workload) const { return parts(reserve(workload)); }
    /// Memory of the devices of a share; nothing without a capacity.
    std::optional<Bytes> capacity(const DeviceShare& share) const;
    /// True where something limits the need: a capacity, or a pool that is given.
    bool isLimited() const;
    /// True where every device can hold its share; false without a capacity or a pool.
    bool fits(const Workload& workload) const;
    /// Place of the device of `reservation` that has the least free memory.
    std::size_t fullest(const Reservation& reservation) const;
    /// True where the memory of all devices counts as one.
    bool isPooled() const;
    /// The name of a device: "GeForce RTX 4090", or "GeForce RTX 4090 #1" where devices are told apart. Several devices
    /// that are alike share the name "GeForce RTX 4090 #0-31".
    std::string nameOf(const Reservation& reservation, std::size_t device) const;
    /// Tokens of the longest request that is served: as asked for or, where the pool is too small for it, the most that
    /// fit, which vLLM calls the estimated maximum model length. Nothing where the engine has no longest request.
    std::optional<std::int64_t> longestServed(const Reservation& reservation) const;

protected:
    /// Adds the lines of the log and the command of an engine that has them.
    virtual void print(const Reservation& /*reservation*/, Description& /*description*/) const {}
    /// Compares with a log that the same engine printed.
    virtual std::vector<LogComparison> compare(const Reservation& /*reservation*/, const EngineLog& /*log*/) const
    {
        return {};
    }

private:
    const Scenario m_scenario;
    std::optional<Bytes> m_weights;
    std::optional<Bytes> m_device; ///< Memory of one device.
};

/// Makes a plan of an engine's own class.
template <typename EnginePlan> std::unique_ptr<const Plan> makePlan(const Scenario& scenario)
{
    return std::make_unique<EnginePlan>(scenario);
}

/// How many plans this process has made, for benchmarks and tests.
std::int64_t plansMade();

} // namespace core::engines
