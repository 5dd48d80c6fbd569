// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/footprint.h"

#include <algorithm>

namespace core {

std::string_view id(BoundPart part)
{
    return part == BoundPart::Weights ? "weights" : "kv";
}

std::optional<Bytes> DeviceFootprint::free() const
{
    const std::optional<Bytes> ofCapacity = capacity ? std::optional(*capacity - parts.total()) : std::nullopt;
    const std::optional<Bytes> ofPool = pool ? std::optional(*pool - parts.cache - parts.waste) : std::nullopt;
    return ofCapacity && ofPool ? std::min(*ofCapacity, *ofPool) : ofCapacity ? ofCapacity : ofPool;
}

const DeviceFootprint* Footprint::fullest() const
{
    const DeviceFootprint* fullest = nullptr;
    for (const DeviceFootprint& device : devices) {
        if (device.free() && (fullest == nullptr || *device.free() < *fullest->free()))
            fullest = &device;
    }
    return fullest;
}

} // namespace core
