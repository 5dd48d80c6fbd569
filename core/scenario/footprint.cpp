// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/footprint.h"

#include <algorithm>
#include <array>

namespace core {

namespace {

constexpr std::array<std::string_view, 24> kFieldIds{"model",
                                                     "context",
                                                     "max-context",
                                                     "batch",
                                                     "encoder-tokens",
                                                     "kv-heads",
                                                     "k-format",
                                                     "v-format",
                                                     "weights-format",
                                                     "weights-bytes",
                                                     "engine",
                                                     "engine-version",
                                                     "setting",
                                                     "waste",
                                                     "block-size",
                                                     "gpu",
                                                     "gpus",
                                                     "vram",
                                                     "reserve",
                                                     "overhead",
                                                     "kv-memory",
                                                     "tp",
                                                     "pp",
                                                     "dp"};

} // namespace

std::string_view id(BoundPart part)
{
    return part == BoundPart::Weights ? "weights" : "kv";
}

std::string_view id(Field field)
{
    return kFieldIds.at(static_cast<std::size_t>(field));
}

std::optional<Field> field(std::string_view id)
{
    const auto found = std::ranges::find(kFieldIds, id);
    return found == kFieldIds.end() ? std::nullopt : std::optional(static_cast<Field>(found - kFieldIds.begin()));
}

std::span<const std::string_view> fieldIds()
{
    return kFieldIds;
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
