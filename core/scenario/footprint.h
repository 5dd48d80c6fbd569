// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/bytes.h"
#include "core/scenario/inputs.h"
#include "core/scenario/scenario.h"
#include "core/scenario/waste.h"
#include "core/text/message.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace core {

/// Growth per token: `bytes` for every `tokens` tokens (tokens > 1 only where entries are compressed).
struct Rate {
    Bytes bytes;
    std::int64_t tokens = 1;

    friend bool operator==(const Rate&, const Rate&) = default;
};

/// The ideal cache, whatever the engine.
struct KvSize {
    Rate perToken;         ///< growth at the chosen context; full windows do not grow
    Bytes fixedPerRequest; ///< states and cross attention
    Bytes perRequest;      ///< growing part + fixed part
    Bytes total;           ///< perRequest · batch

    friend bool operator==(const KvSize&, const KvSize&) = default;
};

/// Memory by part. total() = weights + cache + waste + overhead + reserve.
struct MemoryParts {
    Bytes weights; ///< 0 where unknown
    Bytes cache;   ///< in use
    Bytes waste;   ///< reserved for the cache, not in use
    Bytes overhead;
    Bytes reserve;

    Bytes total() const { return weights + cache + waste + overhead + reserve; }
    friend bool operator==(const MemoryParts&, const MemoryParts&) = default;
};

/// Memory of a device; of several whose memory is pooled; or of one of several that are alike, where there are too many
/// to tell apart.
struct DeviceFootprint {
    std::string name;
    std::int64_t count = 1; ///< devices of this row
    bool pooled = true;     ///< all numbers are those of `count` devices together; else of each of them
    MemoryParts parts;
    std::optional<Bytes> capacity;
    std::optional<Bytes> pool{}; ///< memory for the cache, where an engine limits it
    Waste waste{};               ///< of `parts.waste`, by cause

    /// What is left of capacity and pool, negative when over; nothing without either.
    std::optional<Bytes> free() const;
    friend bool operator==(const DeviceFootprint&, const DeviceFootprint&) = default;
};

/// A line of the budget that is neither weights nor cache.
struct OverheadLine {
    Message name; ///< "runtime"
    Bytes bytes;  ///< over all devices
    bool estimate = false;

    friend bool operator==(const OverheadLine&, const OverheadLine&) = default;
};

/// The part that keeps a limit from being larger.
enum class BoundPart : std::uint8_t { Weights, Kv };

/// "weights", "kv".
std::string_view id(BoundPart part);

/// A largest number that fits. `value` is nothing where no limit exists (no capacity, or the need never grows beyond
/// it), 0 where nothing fits.
struct Limit {
    std::optional<std::int64_t> value;
    std::string device; ///< the device that binds; empty without a limit
    BoundPart part = BoundPart::Kv;

    friend bool operator==(const Limit&, const Limit&) = default;
};

struct Limits {
    Limit maxBatch;   ///< requests at the chosen context
    Limit maxContext; ///< tokens at the chosen batch; not capped by the trained length
    /// First context at which the cache of the whole batch is at least the weights; nothing where it never is.
    std::optional<std::int64_t> crossover;

    friend bool operator==(const Limits&, const Limits&) = default;
};

/// What follows from a valid scenario.
struct Footprint {
    KvSize kv;
    std::optional<Bytes> weights;             ///< nothing where parameters are unknown and no bytes were given
    WasteCause wasteCause = WasteCause::None; ///< of most of the waste
    Waste waste;                              ///< of the cache on all devices and on the host, by cause
    MemoryParts memory;                       ///< over all devices
    std::optional<Bytes> capacity;            ///< over all devices
    std::vector<DeviceFootprint> devices;     ///< per device, or one row for a pool or for many that are alike
    /// What stays in the memory of the host, where an engine keeps something there; not in `memory`.
    std::optional<DeviceFootprint> host;
    std::vector<OverheadLine> overhead; ///< of `memory.overhead`, where an engine adds to what was typed
    Limits limits;

    /// The weights as they are kept, by all devices and the host: every replica has its own. The cache is compared with
    /// them.
    Bytes keptWeights() const { return memory.weights + (host ? host->parts.weights : Bytes()); }
    std::optional<Bytes> free() const { return capacity ? std::optional(*capacity - memory.total()) : std::nullopt; }
    /// The device with the least free memory; nullptr without a capacity or a pool that is given.
    const DeviceFootprint* fullest() const;
    /// True where the memory of several devices is not one.
    bool tellsDevicesApart() const
    {
        return devices.size() > 1 || (!devices.empty() && devices.front().count > 1 && !devices.front().pooled);
    }
    /// True when no device is over; nothing without a capacity or a pool that is given.
    std::optional<bool> fits() const
    {
        const DeviceFootprint* device = fullest();
        return device != nullptr ? std::optional(*device->free() >= Bytes()) : std::nullopt;
    }
    friend bool operator==(const Footprint&, const Footprint&) = default;
};

/// Something about a scenario that keeps it from being evaluated.
struct Issue {
    Field field = Field::Model;
    Message message;
    std::string setting{}; ///< flag of the engine, where `field` is Setting: "ubatch-size"

    friend bool operator==(const Issue&, const Issue&) = default;
};

/// A scenario and what follows from it. With issues, `footprint` is empty.
struct Evaluation {
    Scenario scenario;
    std::vector<Issue> issues;
    Footprint footprint;
};

} // namespace core
