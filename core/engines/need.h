// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engines/engine.h"
#include "core/scenario/footprint.h"
#include "core/scenario/scenario.h"

#include <memory>
#include <optional>
#include <vector>

namespace core {

/// What a scenario needs for any workload: made once, asked often. The scenario must outlive it.
class Need {
public:
    explicit Need(const Scenario& scenario);

    /// Of the scenario; nothing where they are not known.
    const std::optional<Bytes>& weights() const { return m_weights; }
    /// They as they are kept: see Footprint::keptWeights.
    Bytes keptWeights() const;
    /// Over all devices.
    MemoryParts parts(const Workload& workload) const;
    /// True where something limits the need: a capacity, or a pool that is given.
    bool isLimited() const;
    /// True where every device can hold its share; false without a capacity or a pool.
    bool fits(const Workload& workload) const;
    /// The cache of all requests as the weights are compared with it: what is in use.
    Bytes cache(const Workload& workload) const;
    engines::Reservation reserve(const Workload& workload) const { return m_plan->reserve(workload); }

    MemoryParts parts(const engines::DeviceShare& share) const;
    /// Memory of the devices that share `count`; nothing without a capacity.
    std::optional<Bytes> capacity(const engines::DeviceShare& share) const;
    /// The device of `reservation` with the least free memory.
    std::size_t fullest(const engines::Reservation& reservation) const;
    /// True where the memory of all devices counts as one.
    bool isPooled() const;
    /// "GeForce RTX 4090"; where there are several that are told apart "GeForce RTX 4090 #1", or "GeForce RTX 4090
    /// #0-31" of several that are alike.
    std::string nameOf(const engines::Reservation& reservation, std::size_t device) const;

private:
    const Scenario& m_scenario;
    std::optional<Bytes> m_weights;
    std::optional<Bytes> m_device; ///< memory of one
    bool m_limited = false;
    std::unique_ptr<const engines::Plan> m_plan;
};

} // namespace core
