// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engines/llama/devices.h"
#include "core/engines/llama/rows.h"

#include <array>
#include <vector>

namespace core::engines::llama {

/// The cells of a workload.
struct Cells {
    std::int64_t asked = 0;     ///< tokens asked for, of all sequences (-c)
    std::int64_t perStream = 0; ///< n_ctx_seq
    std::int64_t streams = 1;
    std::int64_t window = 0;      ///< cells of a stream of the window cache
    std::int64_t windowAsked = 0; ///< of them, before rounding up
    std::int64_t sequences = 1;
    std::int64_t batch = 0;  ///< n_batch
    std::int64_t ubatch = 0; ///< n_ubatch
};
Cells cellsOf(const Options& options, const Workload& workload, std::int64_t window);

/// CacheRows with the places of their layers.
class LlamaPlan : public Plan {
public:
    explicit LlamaPlan(const Scenario& given);
    using Plan::reserve;
    void reserve(const Workload& workload, Reservation& reservation) const override;

    const Options& options() const { return m_options; }
    Cells cells(const Workload& workload) const { return cellsOf(m_options, workload, m_rows.window); }
    /// Bytes of a cache at one place.
    Bytes bufferAt(Cache cache, std::size_t place, const Cells& cells) const;
    /// The output buffer, exactly.
    Bytes outputBuffer(const Cells& cells) const;
    bool makes(Cache cache) const { return m_rows.present.at(static_cast<std::size_t>(cache)); }
    std::size_t devices() const { return m_devices; }
    bool hasOneMemory() const { return m_oneMemory; }

protected:
    void print(const Reservation& reservation, Description& description) const override;
    std::vector<LogComparison> compare(const Reservation& reservation, const EngineLog& log) const override;

private:
    /// The layers of a row at one place.
    struct PlacedRow {
        CacheRow row;
        std::size_t place = 0;
        std::int64_t layers = 0;
        std::size_t part = 0; ///< of the caches that are made
    };
    void place(const CacheRow& row, const Placement& placement);
    void makeParts();
    void startShares(const Cells& cells, Reservation& reservation) const;
    Bytes computeBuffer(const Cells& cells) const;
    std::int64_t entriesOf(const CacheRow& row, const Cells& cells) const;
    void startParts(const Cells& cells, Reservation& reservation) const;

    Options m_options;
    CacheRows m_rows;
    std::size_t m_devices;
    bool m_oneMemory; ///< of the host and the device
    std::array<Bytes, kPlaces> m_weights{};
    std::array<bool, kMaxDevices> m_inUse{};
    std::vector<PlacedRow> m_placed;
    std::vector<CachePart> m_parts; ///< what does not depend on the workload
};

} // namespace core::engines::llama
