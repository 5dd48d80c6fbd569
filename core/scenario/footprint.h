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

/// How a cache grows: by `bytes` for every `tokens` tokens. There are several tokens only where entries are compressed.
struct Rate {
    Bytes bytes;
    std::int64_t tokens = 1;

    friend bool operator==(const Rate&, const Rate&) = default;
};

/// The ideal cache: what would be in use whatever the engine, but for `sharedPrefix`.
struct KvSize {
    Rate perToken;         ///< The growth at the chosen context; full windows do not grow.
    Bytes fixedPerRequest; ///< What does not grow: states and cross attention.
    Bytes perRequest;      ///< The growing part and the fixed part.
    Bytes total;           ///< perRequest · batch.
    /// What the engine saves of `total` because it keeps the shared prefix once and not with every request.
    Bytes sharedPrefix{};

    /// Bytes that are kept in fact, on all devices and the host.
    Bytes kept() const { return total - sharedPrefix; }

    friend bool operator==(const KvSize&, const KvSize&) = default;
};

/// The memory that is needed, by part: total() = weights + cache + waste + overhead + reserve.
struct MemoryParts {
    Bytes weights; ///< They are 0 where they are not known.
    Bytes cache;   ///< What is in use.
    Bytes waste;   ///< What is reserved for the cache and not in use.
    Bytes overhead;
    Bytes reserve;

    Bytes total() const { return weights + cache + waste + overhead + reserve; }
    friend bool operator==(const MemoryParts&, const MemoryParts&) = default;
};

/// The memory of one device, of several devices whose memory is pooled, or of each of several that are alike, where
/// there are too many to tell apart.
struct DeviceFootprint {
    std::string name;
    std::int64_t count = 1; ///< The devices that this row stands for.
    bool pooled = true;     ///< All numbers are those of `count` devices together; else each of them has as much.
    MemoryParts parts;
    std::optional<Bytes> capacity;
    std::optional<Bytes> pool{}; ///< The memory for the cache, where an engine limits it.
    Waste waste{};               ///< The causes of `parts.waste`.

    /// What is left of the capacity and of the pool; negative where they do not suffice, nothing where neither is
    /// known.
    std::optional<Bytes> free() const;
    friend bool operator==(const DeviceFootprint&, const DeviceFootprint&) = default;
};

/// One line of the budget that is neither weights nor cache.
struct OverheadLine {
    Message name; ///< "runtime"
    Bytes bytes;  ///< What it takes on all devices together.
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
    Limit maxBatch;   ///< The most requests at the chosen context.
    Limit maxContext; ///< The most tokens at the chosen batch; the trained length does not cap them.
    /// The first context at which the cache of the whole batch is at least the weights; nothing where it never is.
    std::optional<std::int64_t> crossover;

    friend bool operator==(const Limits&, const Limits&) = default;
};

/// What follows from a scenario without issues.
struct Footprint {
    KvSize kv;
    std::optional<Bytes> weights;             ///< Nothing where parameters are unknown and no bytes were given.
    WasteCause wasteCause = WasteCause::None; ///< The cause of most of the waste.
    Waste waste;                              ///< The waste on all devices and on the host, by cause.
    MemoryParts memory;                       ///< The need of all devices.
    std::optional<Bytes> capacity;            ///< The memory of all devices.
    std::vector<DeviceFootprint> devices;     ///< One row for each device, for a pool, or for many that are alike.
    /// What an engine keeps in the memory of the host, if anything; `memory` does not count it.
    std::optional<DeviceFootprint> host;
    std::vector<OverheadLine> overhead; ///< The lines of `memory.overhead`, where an engine adds to what was typed.
    Limits limits;

    /// The weights that all devices and the host keep together: every replica has its own. The cache is compared with
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
    std::string setting{}; ///< The flag of the engine, where `field` is Setting: "ubatch-size".

    friend bool operator==(const Issue&, const Issue&) = default;
};

} // namespace core
