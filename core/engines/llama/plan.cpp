// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engines/llama/plan.h"

#include "core/engines/levels.h"
#include "core/engines/llama/llama.h"
#include "core/engines/whole.h"

#include <algorithm>

namespace core::engines::llama {

namespace {

constexpr std::int64_t kWindowCells = 256; ///< multiple of a window cache's cells, since issue 17037
constexpr std::int64_t kCompressedCells = 256;
constexpr std::int64_t kLogitBytes = 4;
constexpr Bytes kUnknownBuffer = mib(256);
constexpr Bytes kSmallTensors = mib(16); ///< beside the logits

std::int64_t padded(std::int64_t value, std::int64_t multiple)
{
    return (value + multiple - 1) / multiple * multiple;
}

std::int64_t printedCells(const Row& row, const Cells& cells)
{
    switch (row.law) {
    case Law::WindowCells:
        return cells.window;
    case Law::Compressed:
        return row.ratio == 1 ? cells.perStream
                              : padded((cells.perStream + row.ratio - 1) / row.ratio, kCompressedCells);
    case Law::State:
        return cells.sequences;
    case Law::Once:
        return cells.streams;
    case Law::Cells:
        break;
    }
    return cells.perStream;
}

/// The steps of one layer of a row that keeps `entries` entries.
Levels levelsOf(const Row& row, const Cells& cells, const Workload& workload, std::int64_t entries, bool wholeWindows)
{
    const Bytes kept = (row.k + row.v) * entries;
    if (row.group == nullptr) {
        Levels levels{Bytes()};
        levels.rise(row.cache == Cache::Draft ? WasteCause::Speculation : row.cause, kept);
        return levels;
    }
    const CacheGroup& group = *row.group;
    const auto ideal = [&](std::int64_t tokens) {
        return row.ideal * core::entries(group, tokens, workload.encoderTokens) * workload.batch;
    };
    Levels levels(ideal(workload.context));
    if (row.law == Law::State) {
        levels.rise(WasteCause::StateFormat, (row.k + row.v) * cells.sequences);
        levels.rise(WasteCause::Speculation, kept);
        return levels;
    }
    levels.rise(WasteCause::MaxContext, ideal(workload.maxContext.value_or(workload.context)));
    if (row.law == Law::WindowCells && !wholeWindows)
        levels.rise(WasteCause::WindowBatch, row.ideal * cells.windowAsked * cells.streams);
    else if (group.window > 0)
        levels.rise(WasteCause::WholeWindow, row.ideal * cells.asked);
    levels.rise(WasteCause::Padding, row.ideal * entries);
    levels.rise(row.cause, kept);
    return levels;
}

} // namespace

LlamaPlan::LlamaPlan(const Scenario& scenario, Bytes weights)
    : m_scenario(scenario),
      m_options(optionsOf(scenario)),
      m_rows(rowsOf(scenario, m_options)),
      m_devices(static_cast<std::size_t>(
          std::clamp<std::int64_t>(scenario.hardware.count, 1, static_cast<std::int64_t>(kMaxDevices)))),
      m_oneMemory(scenario.hardware.gpu && scenario.hardware.gpu->unified)
{
    const Placement placement(m_options, scenario.model.layers + m_rows.draftLayers, m_devices);
    m_weights = weightsAt(scenario, placement, weights);
    for (const Row& row : m_rows.rows)
        m_placed.push_back(place(row, placement));
    for (std::size_t i = 0; i < m_devices; ++i)
        m_inUse.at(i) = i == 0 || m_options.splitsLayers;
}

void LlamaPlan::reserve(const Workload& workload, Reservation& reservation) const
{
    const Cells now = cells(workload);
    reservation.deviceCount = m_devices;
    reservation.partCount = 0;
    reservation.cacheTokens = now.perStream * now.streams;
    reservation.requestTokens = now.perStream;
    std::array<DeviceShare*, kPlaces> shares{};
    startShares(now, reservation, shares);
    std::array<CachePart, kCaches> parts{};
    for (const PlacedRow& placed : m_placed) {
        const Row& row = placed.row;
        const std::int64_t entries = entriesOf(row, now);
        CachePart& part = parts.at(static_cast<std::size_t>(row.cache));
        part.k += row.k * placed.layers * entries;
        part.v += row.v * placed.layers * entries;
        part.layers += placed.layers;
        part.cells = std::max(part.cells, printedCells(row, now));
        const Levels levels = levelsOf(row, now, workload, entries, m_options.wholeWindows);
        for (std::size_t at = 0; at < kPlaces; ++at) {
            if (placed.layersAt.at(at) > 0)
                levels.addTo(*shares.at(at), placed.layersAt.at(at));
        }
    }
    addParts(now, parts, reservation);
}

/// Counts the row's layers at each place. Layers that have none of it are taken away where they are most.
LlamaPlan::PlacedRow LlamaPlan::place(const Row& row, const Placement& placement) const
{
    PlacedRow placed{.row = row, .layersAt = placement.count(row.layers), .layers = row.counted};
    const auto all = static_cast<std::int64_t>(row.layers.size());
    for (std::int64_t missing = all - row.counted; missing > 0; --missing)
        --*std::ranges::max_element(placed.layersAt);
    if (!m_options.offloadsCache) {
        placed.layersAt.fill(0);
        placed.layersAt.at(kHost) = placed.layers;
    }
    if (m_oneMemory) {
        placed.layersAt.front() += placed.layersAt.at(kHost);
        placed.layersAt.at(kHost) = 0;
    }
    return placed;
}

/// Weights, runtime and buffers of each place, and where its share is.
void LlamaPlan::startShares(const Cells& cells, Reservation& reservation,
                            std::array<DeviceShare*, kPlaces>& shares) const
{
    const Bytes buffer = m_options.buffers.value_or(computeBuffer(cells));
    for (std::size_t i = 0; i < m_devices; ++i) {
        DeviceShare& share = reservation.devices.at(i);
        share = {.weights = m_weights.at(i)};
        if (m_inUse.at(i)) {
            share.runtime = m_options.runtime;
            share.buffers = buffer;
        }
        shares.at(i) = &share;
    }
    reservation.host.reset();
    if (m_oneMemory) {
        reservation.devices.front().buffers += outputBuffer(cells);
        return;
    }
    reservation.host =
        DeviceShare{.weights = m_weights.at(kHost), .runtime = kRuntimeHost, .buffers = outputBuffer(cells)};
    shares.at(kHost) = &*reservation.host;
}

Bytes LlamaPlan::outputBuffer(const Cells& cells) const
{
    return Bytes(kLogitBytes) * m_scenario.model.vocabulary.value_or(0) * cells.sequences;
}

/// An estimate: the logits of what is computed at once and, without flash attention, its scores against all cells.
Bytes LlamaPlan::computeBuffer(const Cells& cells) const
{
    const Bytes logits =
        m_scenario.model.vocabulary ? Bytes(kLogitBytes) * *m_scenario.model.vocabulary * cells.ubatch : kUnknownBuffer;
    const Bytes scores = Bytes(kLogitBytes) * m_rows.queryHeads * cells.ubatch * cells.perStream;
    return kSmallTensors + (m_options.flash ? logits : std::max(logits, scores));
}

/// Entries that one layer keeps, over all streams.
std::int64_t LlamaPlan::entriesOf(const Row& row, const Cells& cells) const
{
    switch (row.law) {
    case Law::Cells:
        return cells.perStream * cells.streams;
    case Law::WindowCells:
        return cells.window * cells.streams;
    case Law::Compressed:
        return printedCells(row, cells) * cells.streams;
    case Law::State:
        return cells.sequences * (1 + m_rows.rollback);
    case Law::Once:
        return cells.streams * (1 + m_rows.rollback);
    }
    return 0;
}

Bytes LlamaPlan::bufferAt(Cache cache, std::size_t place, const Cells& cells) const
{
    Bytes sum;
    for (const PlacedRow& placed : m_placed) {
        if (placed.row.cache == cache)
            sum += (placed.row.k + placed.row.v) * placed.layersAt.at(place) * entriesOf(placed.row, cells);
    }
    return sum;
}

void LlamaPlan::addParts(const Cells& cells, const std::array<CachePart, kCaches>& parts,
                         Reservation& reservation) const
{
    for (std::size_t i = 0; i < kCaches; ++i) {
        if (!m_rows.present.at(i))
            continue;
        const auto cache = static_cast<Cache>(i);
        CachePart& part = reservation.parts.at(reservation.partCount++);
        part = parts.at(i);
        part.kind = kindOf(cache);
        part.sequences = cells.sequences;
        part.streams = cells.streams;
        part.kFormat = m_rows.kFormats.at(i);
        part.vFormat = m_rows.vFormats.at(i);
        if (cache == Cache::Full)
            part.cells = cells.perStream;
        if (cache == Cache::State) {
            part.layers = m_scenario.model.layers + (m_options.rules.printsTrunk ? 0 : m_rows.draftLayers);
            part.rollback = m_rows.rollback;
        }
    }
}

Cells cellsOf(const Options& options, const Workload& workload, std::int64_t window)
{
    const Rules& rules = options.rules;
    const std::int64_t multiple = options.flash ? rules.cellsFlash : rules.cellsPlain;
    Cells cells;
    cells.sequences = std::max<std::int64_t>(workload.batch, 1);
    cells.asked = times(workload.maxContext.value_or(workload.context), workload.batch) + workload.spareTokens;
    cells.batch = std::min(options.batch, cells.asked);
    cells.ubatch = std::min(options.ubatch, cells.batch);
    const bool shared = !rules.streams || options.unified || cells.sequences == 1;
    cells.streams = shared ? 1 : cells.sequences;
    if (shared)
        cells.perStream = padded(cells.asked, multiple);
    else if (rules.padsFirst)
        cells.perStream = padded(padded(cells.asked, multiple) / cells.streams, multiple);
    else
        cells.perStream = padded((cells.asked + cells.streams - 1) / cells.streams, multiple);
    cells.perStream = std::max(cells.perStream, multiple);
    const std::int64_t besides = rules.windowByBatch ? cells.batch : cells.ubatch;
    cells.windowAsked = std::min(cells.perStream, times(window, shared ? cells.sequences : 1) + besides);
    cells.window =
        options.wholeWindows
            ? cells.perStream
            : std::min(cells.perStream, padded(cells.windowAsked, rules.padsFirst ? kWindowCells : multiple));
    return cells;
}

std::unique_ptr<const Plan> plan(const Scenario& scenario, Bytes weights)
{
    return std::make_unique<LlamaPlan>(scenario, weights);
}

} // namespace core::engines::llama
