// SPDX-License-Identifier: GPL-3.0-or-later
/// What parts of a step and of the start take in `core`: absolute times, for information.
#include "core/files/catalog.h"
#include "core/sizing/curves.h"
#include "core/sizing/evaluate.h"

#include <benchmark/benchmark.h>

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>

namespace {

constexpr double kSeconds = 0.25; ///< Each benchmark runs at least so long.

std::string resource(const char* name)
{
    std::ostringstream text;
    text << std::ifstream(std::string(RESOURCES_DIR "/") + name).rdbuf();
    return text.str();
}

template <typename T> T valueOrExit(core::Result<T> result)
{
    if (!result) {
        std::cerr << "The catalogue cannot be read.\n";
        std::exit(1);
    }
    return *std::move(result);
}

core::Scenario scenario(core::EngineId engine)
{
    core::Scenario result;
    result.model = valueOrExit(core::findModel(resource("models.json"), "llama-3.1-8b"));
    result.hardware.gpu = valueOrExit(core::findGpu(resource("gpus.json"), "rtx-4090"));
    result.workload.batch = 4;
    result.engine = engine;
    return result;
}

/// What a slider step costs in core: the checks, the parts and the limits.
void assess(benchmark::State& state, core::EngineId engine)
{
    const core::Scenario input = scenario(engine);
    for (auto _ : state)
        benchmark::DoNotOptimize(core::assess(input));
}
BENCHMARK_CAPTURE(assess, ideal, core::EngineId::Ideal)->MinTime(kSeconds);
BENCHMARK_CAPTURE(assess, paged, core::EngineId::Paged)->MinTime(kSeconds);

/// The curve under the slider, a sample per pixel column.
void growthCurve(benchmark::State& state)
{
    const core::Evaluation evaluation = core::assess(scenario(core::EngineId::Paged));
    for (auto _ : state)
        benchmark::DoNotOptimize(core::growthCurve(evaluation, 131'072, 1'000));
}
BENCHMARK(growthCurve)->MinTime(kSeconds);

/// What the window reads once, at its start.
void parseCatalogues(benchmark::State& state)
{
    const std::string models = resource("models.json");
    const std::string gpus = resource("gpus.json");
    for (auto _ : state) {
        benchmark::DoNotOptimize(core::parseModels(models));
        benchmark::DoNotOptimize(core::parseGpus(gpus));
    }
}
BENCHMARK(parseCatalogues)->MinTime(kSeconds);

} // namespace

BENCHMARK_MAIN();
