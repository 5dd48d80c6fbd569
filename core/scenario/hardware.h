// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/bytes.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace core {

/// Which figure for a device's memory counts.
enum class MemoryBasis : std::uint8_t {
    Label,  ///< what the box says: 24 GiB
    Driver, ///< what the driver reports (nvidia-smi): 24,564 MiB
    Usable, ///< what a runtime can allocate (cudaMemGetInfo): 24,210 MiB
    Typed,  ///< a size the user typed
};

/// "label", "driver", "usable", "typed".
std::string_view id(MemoryBasis basis);
std::optional<MemoryBasis> memoryBasis(std::string_view id);

/// Where a device's usable figure comes from.
enum class UsableSource : std::uint8_t {
    Runtime, ///< total that a runtime reported
    Limit,   ///< limit that the system sets for the GPU of a unified-memory machine
    Driver,  ///< no usable figure known; the driver's total stands in
    Label,   ///< neither known; the label stands in
};

/// "runtime", "limit", "driver", "label".
std::string_view id(UsableSource source);
std::optional<UsableSource> usableSource(std::string_view id);

/// The memory of one device, or of a unified-memory machine in one of the sizes it is sold with.
struct DeviceMemory {
    Bytes label;
    std::string labelText; ///< "24 GiB", "288 GB"
    std::optional<Bytes> driver;
    Bytes usable;
    UsableSource usableSource = UsableSource::Label;
    std::string usableNote; ///< What was seen, or which rule stands behind `usable`.

    friend bool operator==(const DeviceMemory&, const DeviceMemory&) = default;
};

/// An accelerator.
struct Gpu {
    std::string id;   ///< "rtx-4090"
    std::string name; ///< "GeForce RTX 4090"
    std::string vendor;
    bool unified = false;            ///< The GPU shares its memory with the CPU.
    DeviceMemory memory;             ///< The size that is chosen.
    std::vector<DeviceMemory> sizes; ///< All sizes it is sold with; empty where there is only one.

    friend bool operator==(const Gpu&, const Gpu&) = default;
};

/// How a model is spread over devices, as typed; what is not given follows from the engine and the number of devices.
struct Parallelism {
    std::optional<std::int64_t> tensor;   ///< Ranks that divide the heads of every layer.
    std::optional<std::int64_t> pipeline; ///< Stages that divide the layers.
    std::optional<std::int64_t> data;     ///< Copies of the model that divide the requests.

    bool isTyped() const { return tensor || pipeline || data; }
    friend bool operator==(const Parallelism&, const Parallelism&) = default;
};

/// What the scenario runs on. There is no capacity where neither a GPU nor a size is given.
struct Hardware {
    std::optional<Gpu> gpu;
    std::int64_t count = 1;                  ///< How many devices there are.
    MemoryBasis basis = MemoryBasis::Usable; ///< Which figure counts; Typed needs `typed`.
    std::optional<Bytes> typed;              ///< The typed memory of one device.
    Parallelism parallel;                    ///< Nothing typed: the engine's way, or the memory is pooled.

    friend bool operator==(const Hardware&, const Hardware&) = default;
};

/// The basis that really counts: Driver falls back to Label where no driver total is known.
MemoryBasis effectiveBasis(const Hardware& hardware);

/// Memory of one device on the given basis; nothing where the hardware has none of that kind.
std::optional<Bytes> deviceMemory(const Hardware& hardware, MemoryBasis basis);

/// Memory of one device on the scenario's own basis.
std::optional<Bytes> deviceMemory(const Hardware& hardware);

} // namespace core
