// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engines/plan.h"

#include "core/engines/engine.h"
#include "core/largest_fitting.h"

#include <algorithm>
#include <atomic>

namespace core::engines {

namespace {

std::atomic<std::int64_t> made = 0;

} // namespace

std::int64_t plansMade()
{
    return made;
}

Plan::Plan(const Scenario& scenario)
    : m_scenario(scenario), m_weights(weightBytes(scenario)), m_device(deviceMemory(scenario.hardware))
{
    ++made;
}

Reservation Plan::reserve(const Workload& workload) const
{
    Reservation reservation;
    reserve(workload, reservation);
    return reservation;
}

Description Plan::describe(const Reservation& reservation) const
{
    Description description;
    const Waste waste = reservation.waste();
    for (std::size_t i = 0; i < kWasteCauses; ++i) {
        const auto cause = static_cast<WasteCause>(i);
        if (waste.of(cause) > Bytes())
            description.steps.push_back({cause, waste.of(cause), causeSentence(cause)});
    }
    print(reservation, description);
    return description;
}

std::vector<LogComparison> Plan::compareLog(const Reservation& reservation, const EngineLog& log) const
{
    return log.engine == m_scenario.engine ? compare(reservation, log) : std::vector<LogComparison>();
}

MemoryParts Plan::parts(const DeviceShare& share) const
{
    return {.weights = share.weights,
            .cache = share.used,
            .waste = share.waste.total(),
            .overhead = m_scenario.overhead * share.count + share.overhead(),
            .reserve = m_scenario.reserve.of(m_device.value_or(Bytes())) * share.count + share.left};
}

MemoryParts Plan::parts(const Reservation& reservation) const
{
    MemoryParts sum;
    for (const DeviceShare& share : reservation.shares()) {
        const MemoryParts one = parts(share);
        sum.weights += one.weights;
        sum.cache += one.cache;
        sum.waste += one.waste;
        sum.overhead += one.overhead;
        sum.reserve += one.reserve;
    }
    return sum;
}

std::optional<Bytes> Plan::capacity(const DeviceShare& share) const
{
    return m_device ? std::optional(*m_device * share.count) : std::nullopt;
}

bool Plan::isLimited() const
{
    return m_device || reserve(m_scenario.workload).devices.front().pool;
}

bool Plan::fits(const Workload& workload) const
{
    const Reservation reservation = reserve(workload);
    return std::ranges::all_of(reservation.shares(), [&](const DeviceShare& share) {
        const Bytes total = parts(share).total();
        const bool isLimited = m_device || share.pool;
        const bool inPool = !share.pool || share.cache() <= *share.pool;
        return isLimited && !total.isTooMany() && inPool && (!m_device || total <= *capacity(share));
    });
}

std::size_t Plan::fullest(const Reservation& reservation) const
{
    std::size_t fullest = 0;
    std::optional<Bytes> least;
    for (std::size_t i = 0; i < reservation.deviceCount; ++i) {
        const DeviceShare& share = reservation.devices.at(i);
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

bool Plan::isPooled() const
{
    return !engine(m_scenario.engine).ownsMemory && !m_scenario.hardware.parallel.isTyped();
}

std::string Plan::nameOf(const Reservation& reservation, std::size_t device) const
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

std::optional<std::int64_t> Plan::longestServed(const Reservation& reservation) const
{
    const std::optional<std::int64_t> asked = reservation.requestTokens;
    const std::optional<Pool>& pool = reservation.pool;
    if (!asked || !pool || !pool->blocks || pool->requestBlocks <= *pool->blocks)
        return asked;
    const auto fitsAlone = [&](std::int64_t context) {
        return fits({.context = context,
                     .maxContext = std::nullopt,
                     .batch = 1,
                     .encoderTokens = m_scenario.workload.encoderTokens,
                     .spareTokens = 0});
    };
    return std::min(largestFitting(fitsAlone).value_or(*asked), *asked);
}

} // namespace core::engines
