// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engines/llama/devices.h"

#include <algorithm>

namespace core::engines::llama {

namespace {

/// weights · part / whole, rounded down: what the first `part` of `whole` layers take.
Bytes shareOf(Bytes weights, std::int64_t part, std::int64_t whole)
{
    return weights - scaledUp(weights, whole - part, whole);
}

/// The parts of the weights that are placed apart.
struct Parts {
    Bytes layers;
    Bytes embedding;
    Bytes layerEmbedding;
    Bytes output;
};

Parts partsOf(const Scenario& scenario, Bytes weights)
{
    Parts parts{.layers = weights, .embedding = {}, .layerEmbedding = {}, .output = {}};
    const Weights& known = scenario.model.weights;
    if (scenario.weightBytes || !known.known())
        return parts;
    bool tied = true;
    for (const WeightCount& count : known.parts) {
        const Bytes bytes = bytesOf(known, count, scenario.weightFormat);
        if (count.part == WeightPart::Embedding)
            parts.embedding += bytes;
        if (count.part == WeightPart::LayerEmbedding)
            parts.layerEmbedding += bytes;
        if (count.part == WeightPart::Head)
            parts.output += bytes;
        tied = tied && count.part != WeightPart::Head;
    }
    parts.layers = weights - parts.embedding - parts.layerEmbedding - parts.output;
    if (tied)
        parts.output = parts.embedding;
    return parts;
}

} // namespace

Placement::Placement(const Options& options, std::int64_t layers, std::size_t devices)
    : m_layers(layers), m_devices(options.splitsLayers ? devices : 1)
{
    const std::int64_t all = layers + 1;
    const std::int64_t asked = options.gpuLayers == kAllLayers ? all : options.gpuLayers;
    m_first = std::max<std::int64_t>((options.rules.countsOutput ? all : layers) - asked, 0);
    m_on = std::min(asked, all);
    const bool typed = std::ranges::any_of(options.shares, [](float share) { return share > 0; });
    float sum = 0;
    for (std::size_t i = 0; i < m_devices; ++i)
        m_ends.at(i) = sum += typed ? options.shares.at(i) : 1.0F;
    for (std::size_t i = 0; i < m_devices; ++i)
        m_ends.at(i) = sum > 0 ? m_ends.at(i) / sum : 1.0F;
}

std::size_t Placement::of(std::int64_t layer) const
{
    if (layer < m_first || layer - m_first >= m_on)
        return kHost;
    const float place = static_cast<float>(layer - m_first) / static_cast<float>(m_on);
    const auto* const end = m_ends.begin() + m_devices;
    const auto device = static_cast<std::size_t>(std::upper_bound(m_ends.begin(), end, place) - m_ends.begin());
    return std::min(device, m_devices - 1);
}

std::array<std::int64_t, kPlaces> Placement::count(std::span<const std::int32_t> layers) const
{
    std::array<std::int64_t, kPlaces> counts{};
    for (const std::int32_t layer : layers)
        ++counts.at(of(layer));
    return counts;
}

std::array<Bytes, kPlaces> weightsAt(const Scenario& scenario, const Placement& placement, Bytes weights)
{
    std::array<Bytes, kPlaces> places{};
    const std::int64_t layers = std::max<std::int64_t>(scenario.model.layers, 1);
    const bool oneMemory = scenario.hardware.gpu && scenario.hardware.gpu->unified;
    if (oneMemory) {
        places.front() = weights;
        return places;
    }
    const Parts parts = partsOf(scenario, weights);
    Bytes before;
    for (std::int64_t layer = 0; layer < layers; ++layer) {
        const Bytes end = shareOf(parts.layers, layer + 1, layers);
        places.at(placement.of(layer)) += end - before;
        before = end;
    }
    places.at(kHost) += parts.embedding + parts.layerEmbedding;
    const bool tiedOnHost = placement.output() == kHost && parts.output == parts.embedding;
    places.at(placement.output()) += tiedOnHost ? Bytes() : parts.output;
    return places;
}

} // namespace core::engines::llama
