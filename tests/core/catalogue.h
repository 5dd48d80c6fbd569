// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/files/catalog.h"
#include "core/sizing/evaluate.h"
#include "core/text/format.h"
#include "tests/core/reading.h"

#include <QTest>

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace core {

/// How QCOMPARE prints bytes.
inline char* toString(const Bytes& bytes)
{
    return QTest::toString(formatCount(bytes.count()).c_str());
}

} // namespace core

namespace tests {

/// What `result` holds; otherwise its sentence is thrown, which ends the test program.
template <typename T> T valueOf(core::Result<T> result)
{
    if (!result)
        throw std::runtime_error(core::english(result.error().message));
    return std::move(*result);
}

/// The published catalogues.
inline const std::vector<core::Model>& models()
{
    static const std::vector<core::Model> all = valueOf(core::parseModels(contentOf(RESOURCES_DIR "/models.json")));
    return all;
}

inline const std::vector<core::Gpu>& gpus()
{
    static const std::vector<core::Gpu> all = valueOf(core::parseGpus(contentOf(RESOURCES_DIR "/gpus.json")));
    return all;
}

inline core::Model model(std::string_view id)
{
    return valueOf(core::findModel(models(), id));
}

inline core::Gpu gpu(std::string_view id)
{
    return valueOf(core::findGpu(gpus(), id));
}

/// One request of 8,192 tokens to the model with its published weights, FP16 cache, no hardware.
using core::scenarioOf;

inline core::Scenario scenarioOf(std::string_view modelId)
{
    return scenarioOf(model(modelId));
}

/// The same with other tokens of each request and other requests.
inline core::Scenario with(core::Scenario scenario, std::int64_t context, std::int64_t batch)
{
    scenario.workload.context = context;
    scenario.workload.batch = batch;
    return scenario;
}

/// The scenario on `count` accelerators.
inline core::Scenario on(core::Scenario scenario, std::string_view gpuId, std::int64_t count = 1)
{
    scenario.hardware.gpu = gpu(gpuId);
    scenario.hardware.count = count;
    return scenario;
}

/// The scenario on `count` devices of a typed size.
inline core::Scenario onTyped(core::Scenario scenario, core::Bytes size, std::int64_t count = 1)
{
    scenario.hardware.basis = core::MemoryBasis::Typed;
    scenario.hardware.typed = size;
    scenario.hardware.count = count;
    return scenario;
}

/// The footprint of a scenario that has no issues; the first issue is thrown, which ends the test program.
inline core::Footprint footprintOf(const core::Scenario& scenario)
{
    core::Evaluation evaluation = core::assess(scenario);
    if (!evaluation.issues.empty())
        throw std::runtime_error(core::english(evaluation.issues.front().message));
    return std::move(evaluation.footprint);
}

/// Attention in layers 0 to `layers` - 1, the rest 0.
inline core::CacheGroup attention(core::CacheKind kind, std::int64_t layers, std::int64_t kvHeads, std::int64_t dim,
                                  std::int64_t window = 0)
{
    core::CacheGroup group;
    group.kind = kind;
    group.layers = core::LayerSet::range(0, layers - 1);
    group.kvHeads = kvHeads;
    group.keyDim = dim;
    group.valueDim = dim;
    group.window = window;
    return group;
}

/// A model of one kind of layer, without weights.
inline core::Model modelOf(core::CacheGroup group)
{
    core::Model model;
    model.name = "Made for a test";
    model.source = "a test";
    model.layers = group.layers.count();
    model.groups.push_back(std::move(group));
    return model;
}

} // namespace tests
