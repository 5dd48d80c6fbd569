// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engines/llama/options.h"

#include <array>
#include <cstdint>
#include <span>

namespace core::engines::llama {

/// The place of the host among places: behind all devices.
inline constexpr std::size_t kHost = kMaxDevices;
inline constexpr std::size_t kPlaces = kMaxDevices + 1;

/// Which layer is where. Layers fill the devices in order, each device its share of the layers on GPUs; the first ones
/// stay on the host where not all are offloaded. Source: llama-model.cpp, load_tensors.
class Placement {
public:
    /// For `layers` layers, those that draft among them, on `devices` devices.
    Placement(const Options& options, std::int64_t layers, std::size_t devices);

    /// Where the weights of `layer` are; the output is the layer behind the last.
    std::size_t of(std::int64_t layer) const;
    std::size_t output() const { return of(m_layers); }
    /// How many of `layers` are at each place.
    std::array<std::int64_t, kPlaces> count(std::span<const std::int32_t> layers) const;

private:
    std::int64_t m_layers = 0;
    std::int64_t m_first = 0; ///< on a device
    std::int64_t m_on = 0;    ///< devices, layers in all
    std::size_t m_devices = 1;
    std::array<float, kMaxDevices> m_ends{}; ///< of each device's share
};

/// The weights at each place: layers in equal parts where they are, the output's where it is, the token embedding on
/// the host, and once more where it is the output too. All on the device where host and device have one memory.
std::array<Bytes, kPlaces> weightsAt(const Scenario& scenario, const Placement& placement, Bytes weights);

} // namespace core::engines::llama
