// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engines/need.h"

#include <algorithm>

namespace core {

Need::Need(const Scenario& scenario)
    : m_scenario(scenario),
      m_weights(weightBytes(scenario)),
      m_device(deviceMemory(scenario.hardware)),
      m_plan(engines::plan(scenario, m_weights.value_or(Bytes())))
{
    m_limited = m_device || reserve(scenario.workload).devices.front().pool;
}

bool Need::isPooled() const
{
    return !engines::engine(m_scenario.engine).ownsMemory && !m_scenario.hardware.parallel.isTyped();
}

bool Need::isLimited() const
{
    return m_limited;
}

MemoryParts Need::parts(const engines::DeviceShare& share) const
{
    return {.weights = share.weights,
            .cache = share.used,
            .waste = share.waste.total(),
            .overhead = m_scenario.overhead * share.count + share.overhead(),
            .reserve = m_scenario.reserve.of(m_device.value_or(Bytes())) * share.count + share.left};
}

MemoryParts Need::parts(const Workload& workload) const
{
    const engines::Reservation reservation = reserve(workload);
    MemoryParts sum;
    for (const engines::DeviceShare& share : reservation.shares()) {
        const MemoryParts one = parts(share);
        sum.weights += one.weights;
        sum.cache += one.cache;
        sum.waste += one.waste;
        sum.overhead += one.overhead;
        sum.reserve += one.reserve;
    }
    return sum;
}

std::optional<Bytes> Need::capacity(const engines::DeviceShare& share) const
{
    return m_device ? std::optional(*m_device * share.count) : std::nullopt;
}

Bytes Need::keptWeights() const
{
    const engines::Reservation reservation = reserve(m_scenario.workload);
    Bytes sum = reservation.host ? reservation.host->weights : Bytes();
    for (const engines::DeviceShare& share : reservation.shares())
        sum += share.weights;
    return sum;
}

bool Need::fits(const Workload& workload) const
{
    const engines::Reservation reservation = reserve(workload);
    return m_limited && std::ranges::all_of(reservation.shares(), [&](const engines::DeviceShare& share) {
               const Bytes total = parts(share).total();
               const bool inPool = !share.pool || share.cache() <= *share.pool;
               return !total.isTooMany() && inPool && (!m_device || total <= *capacity(share));
           });
}

Bytes Need::cache(const Workload& workload) const
{
    return reserve(workload).used();
}

std::size_t Need::fullest(const engines::Reservation& reservation) const
{
    std::size_t fullest = 0;
    std::optional<Bytes> least;
    for (std::size_t i = 0; i < reservation.deviceCount; ++i) {
        const engines::DeviceShare& share = reservation.devices.at(i);
        Bytes free = capacity(share).value_or(Bytes()) - parts(share).total();
        if (share.pool)
            free = m_device ? std::min(free, *share.pool - share.cache()) : *share.pool - share.cache();
        if (!least || free < *least) {
            least = free;
            fullest = i;
        }
    }
    return fullest;
}

std::string Need::nameOf(const engines::Reservation& reservation, std::size_t device) const
{
    std::string name = m_scenario.hardware.gpu ? m_scenario.hardware.gpu->name : "GPU";
    const std::int64_t count = reservation.devices.at(device).count;
    if (reservation.deviceCount == 1 && (count == 1 || isPooled()))
        return name;
    std::int64_t first = 0;
    for (std::size_t i = 0; i < device; ++i)
        first += reservation.devices.at(i).count;
    name.append(" #").append(std::to_string(first));
    return count == 1 ? name : name.append("-").append(std::to_string(first + count - 1));
}

} // namespace core
