// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sizing/advice.h"

#include "core/engines/engine.h"
#include "core/largest_fitting.h"
#include "core/scenario/kv_cache.h"
#include "core/sizing/evaluate.h"

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <tuple>

namespace core {

namespace {

constexpr std::array<std::string_view, 6> kLeverIds{"batch", "context", "kv_format", "weights_format", "gpus", "gpu"};

/// Formats that engines offer, from the largest to the smallest: what is tried first loses least.
constexpr std::array kKvLadder{KvFormat::Fp16, KvFormat::Q8_0, KvFormat::Fp8, KvFormat::Q4_0};
constexpr std::array kWeightLadder{WeightFormat::Bf16, WeightFormat::Fp8, WeightFormat::Q6K, WeightFormat::Awq4};

class Adviser {
public:
    explicit Adviser(const Evaluation& evaluation) : m_now(evaluation) { start(); }

    void addBatch()
    {
        const std::int64_t batch = std::min(m_now.footprint.limits.maxBatch.value.value_or(0), kMaxBatch);
        if (batch == 0 || batch == m_trial.workload.batch)
            return;
        m_trial.workload.batch = batch;
        add(Lever::Batch, {KV_TEXT("core", "Batch {0}"), {batch}});
    }

    void addContext()
    {
        const std::int64_t context = std::min(m_now.footprint.limits.maxContext.value.value_or(0), kMaxContext);
        if (context == 0 || context == m_trial.workload.context)
            return;
        m_trial.workload = withContext(m_trial.workload, context);
        add(Lever::Context, {KV_TEXT("core", "Context {0}"), {context}});
    }

    /// The first format of the ladder below (or above) the present one with which it fits.
    void addKvFormat(bool smaller)
    {
        const Bytes now = m_now.footprint.kv.perRequest;
        for (const KvFormat format : kKvLadder) {
            m_trial.kFormat = m_trial.vFormat = format;
            const Bytes then = requestCache(m_trial, m_trial.workload.context);
            if ((smaller ? then < now : then > now) && fits())
                return add(Lever::KvFormat, {KV_TEXT("core", "{0} cache"), {std::string(info(format).name)}});
        }
        start();
    }

    void addWeightFormat(bool smaller)
    {
        if (m_trial.weightBytes || !m_now.footprint.weights)
            return;
        for (const WeightFormat format : kWeightLadder) {
            m_trial.weightFormat = format;
            const Bytes then = weightBytes(m_trial).value_or(Bytes());
            if ((smaller ? then < *m_now.footprint.weights : then > *m_now.footprint.weights) && fits())
                return add(Lever::WeightFormat, {KV_TEXT("core", "{0} weights"), {std::string(info(format).name)}});
        }
        start();
    }

    void addGpuCount()
    {
        const auto tooFew = [&](std::int64_t count) {
            m_trial.hardware.count = count;
            return !fits();
        };
        if (m_trial.hardware.parallel.isTyped())
            return;
        std::int64_t count = 0;
        if (engines::engine(m_trial.engine).ownsMemory) { // where heads decide, not every number will do
            const auto most = static_cast<std::int64_t>(engines::kMaxDevices);
            for (count = 1; count <= most && tooFew(count);)
                ++count;
            count = count <= most ? count : 0;
        } else if (!tooFew(kMaxGpus)) {
            count = largestFitting(tooFew, kMaxGpus).value_or(0) + 1;
        }
        start();
        if (count == 0)
            return;
        m_trial.hardware.count = count;
        m_plan = engines::plan(m_trial);
        add(Lever::GpuCount, {KV_TEXT("core", "{0} GPUs"), {count}});
    }

    /// The smallest larger device with which it fits; the same vendor's before others.
    void addGpu(std::span<const Gpu> gpus)
    {
        const Hardware& hardware = m_now.scenario.hardware;
        if (!hardware.gpu || hardware.basis == MemoryBasis::Typed)
            return;
        const auto rank = [&](const Gpu& gpu) {
            return std::tuple(gpu.vendor != hardware.gpu->vendor, gpu.unified != hardware.gpu->unified,
                              gpu.memory.usable);
        };
        const Gpu* best = nullptr;
        for (const Gpu& gpu : gpus) {
            DeviceMemory& memory = m_trial.hardware.gpu->memory;
            memory.label = gpu.memory.label;
            memory.driver = gpu.memory.driver;
            memory.usable = gpu.memory.usable;
            const bool larger = memory.usable > hardware.gpu->memory.usable;
            if (larger && (best == nullptr || rank(gpu) < rank(*best)) && fits())
                best = &gpu;
        }
        start();
        if (best == nullptr)
            return;
        m_trial.hardware.gpu = *best;
        m_plan = engines::plan(m_trial);
        add(Lever::Gpu, {KV_TEXT("core", "{0}"), {best->name}});
    }

    std::vector<Advice> take() { return std::move(m_advice); }

private:
    /// Goes back to the present scenario.
    void start()
    {
        m_trial = m_now.scenario;
        m_plan = m_now.plan;
    }

    /// True when the engine takes the trial, whose inputs are in range, and the trial fits. Its plan is kept.
    bool fits()
    {
        std::vector<Issue> refused;
        engines::check(m_trial, refused);
        if (!refused.empty())
            return false;
        m_plan = engines::plan(m_trial);
        return m_plan->fits(m_trial.workload);
    }

    /// Adds the trial to the list, with what its plan leaves free, and starts again.
    void add(Lever lever, Message action)
    {
        Footprint after;
        after.devices = devicesOf(*m_plan, m_plan->reserve(m_trial.workload));
        const DeviceFootprint* fullest = after.fullest();
        const Bytes free = fullest != nullptr ? *fullest->free() : Bytes();
        m_advice.push_back({lever, std::move(action), {KV_TEXT("core", "{0} free"), {free}}, std::move(m_trial)});
        start();
    }

    const Evaluation& m_now;
    Scenario m_trial;                            ///< The present scenario with the change that is tried.
    std::shared_ptr<const engines::Plan> m_plan; ///< Good for the trial's workload.
    std::vector<Advice> m_advice;
};

} // namespace

std::string_view id(Lever lever)
{
    return kLeverIds.at(static_cast<std::size_t>(lever));
}

std::vector<Advice> advise(const Evaluation& evaluation, std::span<const Gpu> gpus)
{
    if (!evaluation.issues.empty() || !evaluation.footprint.fits())
        return {};
    Adviser adviser(evaluation);
    const bool over = !*evaluation.footprint.fits();
    adviser.addBatch();
    adviser.addContext();
    adviser.addKvFormat(over);
    adviser.addWeightFormat(over);
    if (over) {
        adviser.addGpuCount();
        adviser.addGpu(gpus);
    }
    return adviser.take();
}

} // namespace core
