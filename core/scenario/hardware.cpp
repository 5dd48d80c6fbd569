// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/hardware.h"

#include <algorithm>
#include <array>

namespace core {

namespace {

constexpr std::array<std::string_view, 4> kBasisIds{"label", "driver", "usable", "typed"};
constexpr std::array<std::string_view, 4> kSourceIds{"runtime", "limit", "driver", "label"};

} // namespace

std::string_view id(MemoryBasis basis)
{
    return kBasisIds.at(static_cast<std::size_t>(basis));
}

std::optional<MemoryBasis> memoryBasis(std::string_view id)
{
    const auto found = std::ranges::find(kBasisIds, id);
    if (found == kBasisIds.end())
        return std::nullopt;
    return static_cast<MemoryBasis>(found - kBasisIds.begin());
}

std::string_view id(UsableSource source)
{
    return kSourceIds.at(static_cast<std::size_t>(source));
}

std::optional<UsableSource> usableSource(std::string_view id)
{
    const auto found = std::ranges::find(kSourceIds, id);
    if (found == kSourceIds.end())
        return std::nullopt;
    return static_cast<UsableSource>(found - kSourceIds.begin());
}

MemoryBasis effectiveBasis(const Hardware& hardware)
{
    const bool noDriver = hardware.gpu && !hardware.gpu->memory.driver;
    return hardware.basis == MemoryBasis::Driver && noDriver ? MemoryBasis::Label : hardware.basis;
}

std::optional<Bytes> deviceMemory(const Hardware& hardware, MemoryBasis basis)
{
    if (basis == MemoryBasis::Typed)
        return hardware.typed;
    if (!hardware.gpu)
        return std::nullopt;
    const DeviceMemory& memory = hardware.gpu->memory;
    switch (basis) {
    case MemoryBasis::Label:
        return memory.label;
    case MemoryBasis::Driver:
        return memory.driver;
    default:
        return memory.usable;
    }
}

std::optional<Bytes> deviceMemory(const Hardware& hardware)
{
    return deviceMemory(hardware, effectiveBasis(hardware));
}

} // namespace core
