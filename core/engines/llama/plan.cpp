// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engines/llama/plan.h"

#include "core/engines/llama/llama.h"
#include "core/engines/waste_steps.h"
#include "core/numbers.h"

#include <algorithm>

namespace core::engines::llama {

namespace {

constexpr std::int64_t kWindowCells = 256; ///< multiple of a window cache's cells, since issue 17037
constexpr std::int64_t kCompressedCells = 256;
constexpr std::int64_t kLogitBytes = 4;
constexpr Bytes kUnknownBuffer = mib(256);
constexpr Bytes kSmallTensors = mib(16); ///< beside the logits

/// Up to a multiple that is a power of two. Source: ggml.h, GGML_PAD.
std::int64_t padded(std::int64_t value, std::int64_t multiple)
{
    return (value + multiple - 1) & -multiple;
}

std::int64_t printedCells(const CacheRow& row, const Cells& cells)
{
    switch (row.rule) {
    case EntryRule::WindowCells:
        return cells.window;
    case EntryRule::Compressed:
        return row.ratio == 1 ? cells.perStream
                              : padded((cells.perStream + row.ratio - 1) / row.ratio, kCompressedCells);
    case EntryRule::State:
        return cells.sequences;
    case EntryRule::Once:
        return cells.streams;
    case EntryRule::Cells:
        break;
    }
    return cells.perStream;
}

/// Adds the steps of `layers` layers of a row, each of which keeps `entries` entries.
void addLayers(const CacheRow& row, const Cells& cells, const Workload& workload, std::int64_t entries,
               bool wholeWindows, std::int64_t layers, DeviceShare& share)
{
    const Bytes kept = (row.k + row.v) * entries;
    if (row.group == nullptr)
        return share.waste.add(row.cache == Cache::Draft ? WasteCause::Speculation : row.cause, kept * layers);
    const CacheGroup& group = *row.group;
    const auto ideal = [&](std::int64_t tokens) {
        return row.ideal * core::entries(group, tokens, workload.encoderTokens) * workload.batch;
    };
    WasteSteps steps(share, ideal(workload.context), kept, layers);
    if (row.rule == EntryRule::State) {
        steps.rise(WasteCause::StateFormat, (row.k + row.v) * cells.sequences);
        return steps.finish(WasteCause::Speculation);
    }
    steps.rise(WasteCause::MaxContext, ideal(workload.maxContext.value_or(workload.context)));
    if (row.rule == EntryRule::WindowCells && !wholeWindows)
        steps.rise(WasteCause::WindowBatch, row.ideal * cells.windowAsked * cells.streams);
    else if (group.window > 0)
        steps.rise(WasteCause::WholeWindow, row.ideal * cells.asked);
    steps.rise(WasteCause::Padding, row.ideal * entries);
    steps.finish(row.cause);
}

} // namespace

LlamaPlan::LlamaPlan(const Scenario& given)
    : Plan(given),
      m_options(optionsOf(scenario())),
      m_rows(rowsOf(scenario(), m_options)),
      m_devices(static_cast<std::size_t>(
          std::clamp<std::int64_t>(given.hardware.count, 1, static_cast<std::int64_t>(kMaxDevices)))),
      m_oneMemory(given.hardware.gpu && given.hardware.gpu->unified)
{
    const Placement placement(m_options, scenario().model.layers + m_rows.draftLayers, m_devices);
    m_weights = weightsAt(scenario(), placement, weights().value_or(Bytes()));
    for (const CacheRow& row : m_rows.rows)
        place(row, placement);
    for (std::size_t i = 0; i < m_devices; ++i)
        m_inUse.at(i) = i == 0 || m_options.splitsLayers;
    makeParts();
}

/// The caches that are made, each with its rows' layers.
void LlamaPlan::makeParts()
{
    for (std::size_t i = 0; i < kCaches; ++i) {
        if (!m_rows.present.at(i))
            continue;
        const auto cache = static_cast<Cache>(i);
        CachePart& part = m_parts.emplace_back();
        part.kind = kindOf(cache);
        part.kFormat = m_rows.kFormats.at(i);
        part.vFormat = m_rows.vFormats.at(i);
        for (PlacedRow& placed : m_placed) {
            if (placed.row.cache != cache)
                continue;
            placed.part = m_parts.size() - 1;
            part.layers += placed.layers;
        }
        if (cache == Cache::State) {
            part.layers = scenario().model.layers + (m_options.rules.printsTrunk ? 0 : m_rows.draftLayers);
            part.rollback = m_rows.rollback;
        }
    }
}

void LlamaPlan::reserve(const Workload& workload, Reservation& reservation) const
{
    const Cells now = cells(workload);
    reservation.deviceCount = m_devices;
    reservation.cacheTokens = now.perStream * now.streams;
    reservation.requestTokens = now.perStream;
    startShares(now, reservation);
    startParts(now, reservation);
    for (const PlacedRow& placed : m_placed) {
        const CacheRow& row = placed.row;
        const std::int64_t entries = entriesOf(row, now);
        CachePart& part = reservation.parts.at(placed.part);
        part.k += row.k * placed.layers * entries;
        part.v += row.v * placed.layers * entries;
        part.cells = std::max(part.cells, printedCells(row, now));
        DeviceShare& share = placed.place == kHost ? *reservation.host : reservation.devices.at(placed.place);
        addLayers(row, now, workload, entries, m_options.wholeWindows, placed.layers, share);
    }
}

/// Adds the row at each place that has layers of it. Layers that have none of it are taken away where they are most.
void LlamaPlan::place(const CacheRow& row, const Placement& placement)
{
    std::array<std::int64_t, kPlaces> layersAt = placement.count(row.layers);
    const auto all = static_cast<std::int64_t>(row.layers.size());
    for (std::int64_t missing = all - row.counted; missing > 0; --missing)
        --*std::ranges::max_element(layersAt);
    if (!m_options.offloadsCache) {
        layersAt.fill(0);
        layersAt.at(kHost) = row.counted;
    }
    if (m_oneMemory) {
        layersAt.front() += layersAt.at(kHost);
        layersAt.at(kHost) = 0;
    }
    for (std::size_t at = 0; at < kPlaces; ++at) {
        if (layersAt.at(at) > 0 || (at == 0 && row.counted == 0))
            m_placed.push_back({row, at, layersAt.at(at)});
    }
}

/// Weights, runtime and buffers of each place.
void LlamaPlan::startShares(const Cells& cells, Reservation& reservation) const
{
    const Bytes buffer = m_options.buffers.value_or(computeBuffer(cells));
    for (std::size_t i = 0; i < m_devices; ++i) {
        DeviceShare& share = reservation.devices.at(i);
        share = {.weights = m_weights.at(i)};
        if (m_inUse.at(i)) {
            share.runtime = m_options.runtime;
            share.buffers = buffer;
        }
    }
    reservation.host.reset();
    if (m_oneMemory) {
        reservation.devices.front().buffers += outputBuffer(cells);
        return;
    }
    DeviceShare& host = reservation.host.emplace();
    host.weights = m_weights.at(kHost);
    host.runtime = kRuntimeHost;
    host.buffers = outputBuffer(cells);
}

Bytes LlamaPlan::outputBuffer(const Cells& cells) const
{
    return Bytes(kLogitBytes) * scenario().model.vocabulary.value_or(0) * cells.sequences;
}

/// An estimate: the logits of what is computed at once and, without flash attention, its scores against all cells.
Bytes LlamaPlan::computeBuffer(const Cells& cells) const
{
    const Bytes logits =
        scenario().model.vocabulary ? Bytes(kLogitBytes) * *scenario().model.vocabulary * cells.ubatch : kUnknownBuffer;
    const Bytes scores = Bytes(kLogitBytes) * m_rows.queryHeads * cells.ubatch * cells.perStream;
    return kSmallTensors + (m_options.flash ? logits : std::max(logits, scores));
}

/// Entries that one layer keeps, over all streams.
std::int64_t LlamaPlan::entriesOf(const CacheRow& row, const Cells& cells) const
{
    switch (row.rule) {
    case EntryRule::Cells:
        return cells.perStream * cells.streams;
    case EntryRule::WindowCells:
        return cells.window * cells.streams;
    case EntryRule::Compressed:
        return printedCells(row, cells) * cells.streams;
    case EntryRule::State:
        return cells.sequences * (1 + m_rows.rollback);
    case EntryRule::Once:
        return cells.streams * (1 + m_rows.rollback);
    }
    return 0;
}

Bytes LlamaPlan::bufferAt(Cache cache, std::size_t place, const Cells& cells) const
{
    Bytes sum;
    for (const PlacedRow& placed : m_placed) {
        if (placed.row.cache == cache && placed.place == place)
            sum += (placed.row.k + placed.row.v) * placed.layers * entriesOf(placed.row, cells);
    }
    return sum;
}

void LlamaPlan::startParts(const Cells& cells, Reservation& reservation) const
{
    reservation.partCount = m_parts.size();
    for (std::size_t i = 0; i < m_parts.size(); ++i) {
        CachePart& part = reservation.parts.at(i);
        part = m_parts[i];
        part.sequences = cells.sequences;
        part.streams = cells.streams;
        if (part.kind == kindOf(Cache::Full))
            part.cells = cells.perStream;
    }
}

Cells cellsOf(const Options& options, const Workload& workload, std::int64_t window)
{
    const Rules& rules = options.rules;
    const std::int64_t multiple = options.flash ? rules.cellsFlash : rules.cellsPlain;
    Cells cells;
    cells.sequences = std::max<std::int64_t>(workload.batch, 1);
    cells.asked =
        saturatingProduct(workload.maxContext.value_or(workload.context), workload.batch) + workload.spareTokens;
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
    cells.windowAsked = std::min(cells.perStream, saturatingProduct(window, shared ? cells.sequences : 1) + besides);
    cells.window =
        options.wholeWindows
            ? cells.perStream
            : std::min(cells.perStream, padded(cells.windowAsked, rules.padsFirst ? kWindowCells : multiple));
    return cells;
}

} // namespace core::engines::llama
