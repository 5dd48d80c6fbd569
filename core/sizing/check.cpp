// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engines/engine.h"
#include "core/sizing/evaluate.h"
#include "core/text/message.h"

#include <numeric>

namespace core {

namespace {

/// Collects the issues of the inputs, one place for each kind of test.
class Issues {
public:
    void range(Field field, std::string_view text, std::int64_t value, std::int64_t low, std::int64_t high)
    {
        if (value < low || value > high)
            add(field, text, {value, low, high});
    }
    void add(Field field, std::string_view text, std::vector<Value> args = {})
    {
        m_issues.push_back({field, Message{text, std::move(args)}});
    }
    std::vector<Issue>& list() { return m_issues; }
    std::vector<Issue> take() { return std::move(m_issues); }

private:
    std::vector<Issue> m_issues;
};

void checkWorkload(const Workload& workload, Issues& issues)
{
    issues.range(Field::Context, KV_TEXT("core", "Context is {0} tokens; use {1} to {2}."), workload.context, 1,
                 kMaxContext);
    issues.range(Field::Batch, KV_TEXT("core", "Batch is {0} requests; use {1} to {2}."), workload.batch, 1, kMaxBatch);
    issues.range(Field::EncoderTokens, KV_TEXT("core", "Encoder tokens are {0}; use {1} to {2}."),
                 workload.encoderTokens, 0, kMaxContext);
    if (!workload.maxContext)
        return;
    issues.range(Field::MaxContext, KV_TEXT("core", "The longest request is {0} tokens; use {1} to {2}."),
                 *workload.maxContext, 1, kMaxContext);
    if (*workload.maxContext < workload.context)
        issues.add(Field::MaxContext,
                   KV_TEXT("core",
                           "The longest request, {0} tokens, is shorter than the context of {1} tokens; raise it "
                           "or shorten the context."),
                   {*workload.maxContext, workload.context});
}

/// Chosen KV heads must be shared evenly by the query heads of every layer that has them.
void checkKvHeads(const Scenario& scenario, Issues& issues)
{
    if (!scenario.kvHeads)
        return;
    std::int64_t queryHeads = 0;
    for (const CacheGroup& group : scenario.model.groups) {
        if (hasHeads(group.kind))
            queryHeads = std::gcd(queryHeads, group.queryHeads);
    }
    if (queryHeads == 0)
        issues.add(Field::KvHeads,
                   KV_TEXT("core", "KV heads are chosen, but this model caches no heads or its query heads "
                                   "are not known; leave the choice out."));
    else if (*scenario.kvHeads < 1 || queryHeads % *scenario.kvHeads != 0)
        issues.add(Field::KvHeads,
                   KV_TEXT("core",
                           "{0} KV heads are chosen, but {1} query heads cannot share them evenly; use a divisor of "
                           "{1}."),
                   {*scenario.kvHeads, queryHeads});
}

void checkSharesAndSizes(const Scenario& scenario, Issues& issues)
{
    if (scenario.waste < Percent{} || scenario.waste > kMaxWaste)
        issues.add(Field::Waste, KV_TEXT("core", "Waste is {0} of the reserved cache; use 0 to 95 %."),
                   {scenario.waste});
    if (scenario.engine != EngineId::Ideal && scenario.waste != Percent{})
        issues.add(Field::Waste,
                   KV_TEXT("core", "A share of waste is typed, but the engine {0} has its own; set the waste to 0 or "
                                   "the engine to ideal."),
                   {std::string(id(scenario.engine))});
    if (scenario.reserve < Percent{} || scenario.reserve >= Percent::whole(100))
        issues.add(Field::Reserve, KV_TEXT("core", "The reserve is {0} of each device; use 0 to 99 %."),
                   {scenario.reserve});
    const engines::Engine& engine = engines::engine(scenario.engine);
    if (engine.hasPool && scenario.reserve != Percent{})
        issues.add(Field::Reserve,
                   KV_TEXT("core", "A reserve is typed, but {0} leaves free what its share of the memory leaves; leave "
                                   "the reserve out, or lower that share."),
                   {std::string(id(engine.id))});
    if (!engine.hasPool && scenario.cacheMemory)
        issues.add(Field::CacheMemory,
                   KV_TEXT("core", "The engine {0} has no pool whose memory could be given; leave it out or choose "
                                   "another engine."),
                   {std::string(id(engine.id))});
    if (scenario.cacheMemory && *scenario.cacheMemory < Bytes())
        issues.add(Field::CacheMemory, KV_TEXT("core", "The memory for the cache is negative; use 0 bytes or more."));
    if (scenario.overhead < Bytes())
        issues.add(Field::Overhead, KV_TEXT("core", "The overhead is negative; use 0 bytes or more."));
    if (scenario.weightBytes && *scenario.weightBytes < Bytes())
        issues.add(Field::WeightBytes, KV_TEXT("core", "The weights' size is negative; use 0 bytes or more."));
    issues.range(Field::BlockTokens, KV_TEXT("core", "The block size is {0} tokens; use {1} to {2}."),
                 scenario.blockTokens, 1, kMaxBlockTokens);
}

/// Weights can be counted as stored only where a weight file was read.
void checkWeights(const Scenario& scenario, Issues& issues)
{
    const Weights& weights = scenario.model.weights;
    if (scenario.weightFormat == WeightFormat::Stored && !scenario.weightBytes && weights.known() &&
        weights.stored.empty())
        issues.add(Field::WeightFormat,
                   KV_TEXT("core", "The weights are to be counted as a weight file stores them, but this model was "
                                   "read from none; choose a format such as bf16."));
}

void checkHardware(const Hardware& hardware, Issues& issues)
{
    issues.range(Field::GpuCount, KV_TEXT("core", "There are {0} GPUs; use {1} to {2}."), hardware.count, 1, kMaxGpus);
    if (hardware.basis == MemoryBasis::Typed && !hardware.typed)
        issues.add(Field::Memory,
                   KV_TEXT("core", "The memory of a GPU is to be typed, but no size is given; type one such "
                                   "as 24GiB."));
    if (hardware.typed && *hardware.typed <= Bytes())
        issues.add(Field::Memory, KV_TEXT("core", "The memory of a GPU must be more than 0 bytes."));
}

void checkRanks(const Parallelism& typed, Issues& issues)
{
    const auto inRange = [&](Field field, const std::optional<std::int64_t>& ranks) {
        issues.range(field, KV_TEXT("core", "There are {0} ranks; use {1} to {2}."), ranks.value_or(1), 1, kMaxGpus);
    };
    inRange(Field::Tensor, typed.tensor);
    inRange(Field::Pipeline, typed.pipeline);
    inRange(Field::Data, typed.data);
}

} // namespace

std::vector<Issue> checkInputs(const Scenario& scenario)
{
    Issues issues;
    if (scenario.model.layers < 1)
        issues.add(Field::Model, KV_TEXT("core", "No model is chosen; choose one or open a config.json."));
    checkWorkload(scenario.workload, issues);
    checkKvHeads(scenario, issues);
    checkSharesAndSizes(scenario, issues);
    checkWeights(scenario, issues);
    checkHardware(scenario.hardware, issues);
    checkRanks(scenario.hardware.parallel, issues);
    engines::check(scenario, issues.list());
    return issues.take();
}

} // namespace core
