// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/bytes.h"
#include "core/model/element_format.h"
#include "core/scenario/waste.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace core::engines {

inline constexpr std::size_t kMaxDevices = 16; ///< An engine tells at most so many devices apart.
inline constexpr std::size_t kMaxParts = 10;   ///< An engine makes at most so many caches.

/// What one device holds, or what several devices hold together.
struct DeviceShare {
    std::int64_t count = 1; ///< The numbers below are those of so many devices together.
    Bytes weights{};
    Bytes used{};                ///< The part of the ideal cache that is kept here.
    Waste waste{};               ///< What is reserved for the cache beyond `used`.
    Bytes runtime{};             ///< An estimate of what a process takes before it loads anything.
    Bytes communication{};       ///< An estimate of the buffers through which devices talk to each other.
    Bytes buffers{};             ///< Memory to compute in and for outputs, estimated but for the host's output buffer.
    Bytes graphs{};              ///< An estimate of recorded kernels.
    Bytes left{};                ///< Memory that the engine leaves free.
    std::optional<Bytes> pool{}; ///< Memory for the cache, where it is not all that is free.

    Bytes cache() const { return used + waste.total(); }
    Bytes overhead() const { return runtime + communication + buffers + graphs; }
};

/// A cache whose size the engine prints in a line of its own.
struct CachePart {
    std::string_view kind;      ///< "kv", "kv_full", "recurrent", …
    std::int64_t cells = 0;     ///< Cells of a stream, as the engine prints them.
    std::int64_t layers = 0;    ///< Layers, as the engine prints them.
    std::int64_t sequences = 1; ///< Requests that the cache serves.
    std::int64_t streams = 1;   ///< The cache has so many stretches of `cells` cells.
    std::int64_t rollback = 0;  ///< Rows that are kept besides the present one.
    KvFormat kFormat = KvFormat::Fp16;
    KvFormat vFormat = KvFormat::Fp16;
    Bytes k; ///< Keys, or what stands in their place, in all layers and streams.
    Bytes v; ///< Values, likewise.

    Bytes bytes() const { return k + v; }
};

/// A pool that is divided into blocks, or into tokens where the engine has no blocks.
struct Pool {
    std::int64_t blockTokens = 1;   ///< Tokens of the smallest block.
    Bytes blockBytes{};             ///< Bytes of a block on the device that limits the pool.
    std::int64_t requestBlocks = 0; ///< Blocks that one request of the longest length takes.
    Bytes needed{};                 ///< What the workload needs of the pool on that device.
    std::optional<Bytes> memory{};  ///< Memory for the cache on that device; nothing where it is not known.
    std::optional<std::int64_t> blocks{};
    std::optional<double> concurrency{}; ///< Longest requests at once, as the engine prints it before rounding.
};

/// What an engine sets aside for a workload: a plain value of numbers without allocations. `Plan::describe` has the
/// words.
struct Reservation {
    std::array<DeviceShare, kMaxDevices> devices;
    std::size_t deviceCount = 1;
    std::optional<DeviceShare> host; ///< What stays in the memory of the host, where anything does.
    std::array<CachePart, kMaxParts> parts;
    std::size_t partCount = 0;
    std::optional<std::int64_t> cacheTokens;   ///< Tokens that the engine prints as the size of its cache.
    std::optional<std::int64_t> requestTokens; ///< Tokens of the longest request.
    std::optional<Pool> pool;

    std::span<const DeviceShare> shares() const { return std::span(devices).first(deviceCount); }
    std::span<const CachePart> caches() const { return std::span(parts).first(partCount); }
    /// The cache of this kind; nullptr where there is none.
    const CachePart* cache(std::string_view kind) const;
    Bytes weights() const; ///< The weights on all devices and the host: every replica has its own.
    Bytes used() const;    ///< The ideal cache, over all devices and the host.
    Waste waste() const;   ///< What is reserved beyond it, over all devices and the host.
};

} // namespace core::engines
