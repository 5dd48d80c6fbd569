// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/teaching/exercise_hints.h"

#include "core/engines/engine.h"
#include "core/model/element_block.h"
#include "core/scenario/kv_cache.h"
#include "core/teaching/scenario_facts.h"
#include "core/teaching/worked_solution.h"

#include <algorithm>
#include <array>
#include <concepts>
#include <string_view>

namespace core {

namespace {

// When a row of the table holds.

bool always(const Task& /*task*/)
{
    return true;
}

bool isMixed(const Task& task)
{
    return !isTextbookModel(task.scenario.model);
}

bool isPacked(const Task& task)
{
    return info(task.scenario.kFormat).blockElements > 1;
}

bool isTextbookEngine(const Task& task)
{
    return task.scenario.engine == EngineId::Ideal;
}

bool keepsSomeFree(const Task& task)
{
    return task.scenario.reserve != Percent{} || task.scenario.overhead != Bytes();
}

bool hasWasteOrMore(const Task& task)
{
    return keepsSomeFree(task) || task.scenario.waste != Percent{};
}

/// True for what an engine sets aside on several GPUs, as much on each.
bool isAlikeOnAllGpus(const Task& task)
{
    const std::int64_t count = task.scenario.hardware.count;
    if (count == 1 || !engines::engine(task.scenario.engine).ownsMemory)
        return false;
    const double one = solve(AskedQuantity::DeviceCache, task.scenario).value_or(0);
    return solve(task) == one * static_cast<double>(count);
}

/// True where the engine counts a block of which it has only a part.
bool roundsBlocksUp(const Task& task)
{
    const engines::Pool pool = poolOf(task.scenario);
    return pool.memory && pool.blockBytes * pool.blocks.value_or(0) > *pool.memory;
}

// The last hint: everything but the last step.

/// What each kind of layers keeps, as products that are left to be multiplied out and added up.
Hint lastOfLayers(const Task& task)
{
    const std::int64_t requests = task.quantity == AskedQuantity::Cache ? task.scenario.workload.batch : 1;
    Hint hint{{KV_TEXT("core", "Multiply out, and add up:"), {}}, layersInWords(task.scenario, false)};
    if (hint.lines.size() == 1)
        hint.message.text = KV_TEXT("core", "Multiply out:");
    if (requests > 1)
        hint.lines.push_back({KV_TEXT("core", "All of it for each of {0} requests."), {requests}});
    return hint;
}

Hint lastOfMixedLayers(const Task& task)
{
    if (task.quantity != AskedQuantity::PerToken)
        return lastOfLayers(task);
    std::int64_t growing = 0;
    for (const CacheGroup& group : task.scenario.model.groups)
        growing += groupCache(task.scenario, group).growth ? group.layers.count() : 0;
    return {{KV_TEXT("core", "Of {0} layers {1} still grow at {2} tokens; full windows and states add nothing. Add up "
                             "what one token leaves in each of them."),
             {task.scenario.model.layers, growing, task.scenario.workload.context}}};
}

/// The bytes that each token adds to the cache of one request, rounded up, as a number to multiply.
Bytes perToken(const Task& task)
{
    const Rate rate = kvSize(task.scenario).perToken;
    return scaledUp(rate.bytes, 1, rate.tokens);
}

Hint lastOfToken(const Task& task)
{
    const std::int64_t layers = task.scenario.model.layers;
    return {{KV_TEXT("core", "One layer keeps {0} of each token. Multiply by the layers, {1}."),
             {scaledUp(perToken(task), 1, layers), layers}}};
}

Hint lastOfCache(const Task& task)
{
    const Workload& workload = task.scenario.workload;
    return {{KV_TEXT("core", "One token takes {0}. Multiply by the tokens, {1}, and by the requests, {2}."),
             {perToken(task), workload.context, task.quantity == AskedQuantity::RequestCache ? 1 : workload.batch}}};
}

Hint lastOfWaste(const Task& task)
{
    const Scenario& scenario = task.scenario;
    const Workload& workload = scenario.workload;
    if (scenario.engine == EngineId::Ideal)
        return {{KV_TEXT("core", "{0} is in use, and {1} of what is reserved is empty. Divide by what remains."),
                 {solvedBytes(AskedQuantity::Cache, scenario), scenario.waste}}};
    if (scenario.engine == EngineId::Contiguous)
        return {{KV_TEXT("core", "{0} tokens are reserved for each request and {1} are used."),
                 {workload.maxContext.value_or(workload.context), workload.context}}};
    return {{KV_TEXT("core", "{0} tokens fill whole blocks of {1} and a rest; one token takes {2}, and the requests "
                             "are {3}."),
             {workload.context, blockTokensOf(scenario), perToken(task), workload.batch}}};
}

Hint lastOfWeights(const Task& task)
{
    return {
        {KV_TEXT("core", "That is {0} bytes. Divide by {1} for GB, or by {2} for GiB."),
         {solvedBytes(AskedQuantity::Weights, task.scenario).count(), std::int64_t{1'000'000'000}, gib(1).count()}}};
}

Hint lastOfTotal(const Task& task)
{
    return {
        {KV_TEXT("core", "The weights take {0} and the cache {1}."),
         {solvedBytes(AskedQuantity::Weights, task.scenario), solvedBytes(AskedQuantity::Reserved, task.scenario)}}};
}

Hint lastOfFactor(const Task& task)
{
    const Workload& workload = task.scenario.workload;
    const Workload& before = task.compared ? task.compared->workload : workload;
    if (before.context != workload.context)
        return {{KV_TEXT("core", "Divide {0} tokens by {1} tokens."), {workload.context, before.context}}};
    if (before.batch != workload.batch)
        return {{KV_TEXT("core", "Divide {0} requests by {1} requests."), {workload.batch, before.batch}}};
    return {{KV_TEXT("core", "Divide the larger cache of one token by the smaller, {0}."), {perToken(task)}}};
}

Hint lastOfHeads(const Task& task)
{
    const CacheGroup* heads = headsOf(task.scenario.model);
    if (heads == nullptr)
        return {};
    if (task.quantity == AskedQuantity::Sharing)
        return {{KV_TEXT("core", "Divide {0} by {1}."), {heads->queryHeads, kvHeads(task.scenario, *heads)}}};
    return {{KV_TEXT("core", "There are {0} query heads; {1} elements in all are shared out among them."),
             {heads->queryHeads, heads->queryHeads * heads->keyDim}}};
}

Hint lastOfMaxBatch(const Task& task)
{
    const Bytes reserved = solvedBytes(AskedQuantity::Reserved, task.scenario);
    return {{KV_TEXT("core", "{0} is left beside the weights, and one request takes {1}. Divide, and round down."),
             {MemoryForCache(task.scenario).left(), scaledUp(reserved, 1, task.scenario.workload.batch)}}};
}

Hint lastOfMaxContext(const Task& task)
{
    return {{KV_TEXT("core", "{0} is left beside the weights, and one more token takes {1}. Divide, and round down."),
             {MemoryForCache(task.scenario).left(), perToken(task) * task.scenario.workload.batch}}};
}

Hint lastOfCrossover(const Task& task)
{
    return {{KV_TEXT("core", "The weights take {0} bytes, and one token of all requests takes {1} bytes. Divide."),
             {solvedBytes(AskedQuantity::Weights, task.scenario).count(),
              (perToken(task) * task.scenario.workload.batch).count()}}};
}

Hint lastOfGpusNeeded(const Task& task)
{
    return {
        {KV_TEXT("core", "All of it takes {0}, and one GPU has {1}. Divide, and round up."),
         {solvedBytes(AskedQuantity::Total, task.scenario), deviceMemory(task.scenario.hardware).value_or(Bytes())}}};
}

Hint lastOfGpus(const Task& task)
{
    return {{KV_TEXT("core", "One GPU keeps {0}, and there are {1} of them. Multiply."),
             {solvedBytes(AskedQuantity::DeviceCache, task.scenario), task.scenario.hardware.count}}};
}

Hint lastOfPool(const Task& task)
{
    const engines::DeviceShare share = engines::reserve(task.scenario).devices.front();
    const std::int64_t count = std::max<std::int64_t>(share.count, 1);
    const auto onOne = [&](Bytes bytes) { return scaledUp(bytes, 1, count); };
    return {{KV_TEXT("core", "Of {0} the share leaves {1} free; the weights take {2} and the own work {3}. Take all "
                             "three off."),
             {deviceMemory(task.scenario.hardware).value_or(Bytes()), onOne(share.left), onOne(share.weights),
              onOne(share.overhead()) + task.scenario.overhead}}};
}

Hint lastOfBlocks(const Task& task)
{
    const engines::Pool pool = poolOf(task.scenario);
    return {{KV_TEXT("core", "There are {0} bytes for the cache, and a block takes {1} bytes. Divide."),
             {pool.memory.value_or(Bytes()).count(), pool.blockBytes.count()}}};
}

Hint lastOfDeviceCache(const Task& task)
{
    const std::int64_t tokens = std::max<std::int64_t>(task.scenario.workload.context, 1);
    const std::int64_t requests = std::max<std::int64_t>(task.scenario.workload.batch, 1);
    return {
        {KV_TEXT("core", "One GPU keeps {0} for each token, last blocks included. Multiply by the tokens, {1}, and "
                         "by the requests, {2}."),
         {scaledUp(solvedBytes(AskedQuantity::DeviceCache, task.scenario), 1, tokens * requests), tokens, requests}}};
}

/// The hints for some quantities in some scenarios.
struct HintRow {
    std::uint32_t quantities; ///< a bit for each of them
    bool (*holds)(const Task& task);
    Hint (*last)(const Task& task);
    std::string_view inputs;
    /// Placeholders: {0} layers, {1} context, {2} requests, {3} bytes of a block of the cache format, {4} its elements.
    std::string_view formula;
};

constexpr std::uint32_t anyOf(std::same_as<AskedQuantity> auto... quantities)
{
    return ((1U << static_cast<unsigned>(quantities)) | ...);
}

/// The first row that holds counts; each quantity has one that always does.
constexpr std::array kHints{
    HintRow{anyOf(AskedQuantity::Cache, AskedQuantity::RequestCache, AskedQuantity::PerToken), isMixed,
            lastOfMixedLayers,
            KV_TEXT("core", "The layers of this model are not alike. For each kind you need its layers, the bytes of "
                            "one entry and the number of entries."),
            KV_TEXT("core", "Add up, over the kinds of layers: layers · bytes of an entry · entries for {1} tokens; "
                            "then multiply by the requests, {2}.")},
    HintRow{anyOf(AskedQuantity::PerToken), isPacked, lastOfToken,
            KV_TEXT("core", "You need the layers, the KV heads, the head dimension, and the bytes of a block of "
                            "elements with its scale. Tokens and requests play no part."),
            KV_TEXT("core", "2 (K and V) · {0} (layers) · __ (KV heads) · __ (head dimension) · {3} / {4} (bytes of an "
                            "element, its part of the scale included). Fill in the blanks.")},
    HintRow{
        anyOf(AskedQuantity::PerToken), always, lastOfToken,
        KV_TEXT("core", "You need the layers, the KV heads, the head dimension and the bytes of one element. Tokens "
                        "and requests play no part."),
        KV_TEXT("core",
                "2 (K and V) · {0} (layers) · __ (KV heads) · __ (head dimension) · __ (bytes). Fill in the blanks.")},
    HintRow{
        anyOf(AskedQuantity::Cache, AskedQuantity::RequestCache), isPacked, lastOfCache,
        KV_TEXT("core", "You need the layers, the KV heads, the head dimension, the tokens of a request, the requests, "
                        "and the bytes of a block of elements with its scale."),
        KV_TEXT("core", "2 (K and V) · {0} (layers) · __ (KV heads) · __ (head dimension) · {1} (tokens) · {3} / {4} "
                        "(bytes of an element, its part of the scale included) · {2} (requests). Fill in the blanks.")},
    HintRow{anyOf(AskedQuantity::Cache, AskedQuantity::RequestCache), always, lastOfCache,
            KV_TEXT("core", "You need the layers, the KV heads, the head dimension, the tokens of a request, the bytes "
                            "of one element and the requests."),
            KV_TEXT("core", "2 (K and V) · {0} (layers) · __ (KV heads) · __ (head dimension) · {1} (tokens) · __ "
                            "(bytes) · {2} (requests). Fill in the blanks.")},
    HintRow{
        anyOf(AskedQuantity::FixedCache), always, lastOfLayers,
        KV_TEXT("core", "You need the layers that keep a state and the size of one state. The tokens play no part."),
        KV_TEXT("core",
                "Layers with a state · (convolution elements · their bytes + recurrent elements · their bytes).")},
    HintRow{
        anyOf(AskedQuantity::Reserved), isAlikeOnAllGpus, lastOfGpus,
        KV_TEXT("core",
                "You need what one GPU keeps, with whole KV heads and at least one of them, and the number of GPUs."),
        KV_TEXT("core", "cache of one GPU · GPUs. Fill in: __ · __.")},
    HintRow{anyOf(AskedQuantity::Reserved, AskedQuantity::Waste), isTextbookEngine, lastOfWaste,
            KV_TEXT("core", "You need the cache in use and what is lost beside it. Shares are of what is reserved."),
            KV_TEXT("core", "Reserved = used / (1 − share that is empty). Fill in: __ / (1 − __).")},
    HintRow{anyOf(AskedQuantity::Reserved, AskedQuantity::Waste), always, lastOfWaste,
            KV_TEXT("core", "You need what is reserved for each request and what it uses; the rest is empty."),
            KV_TEXT("core",
                    "Empty tokens of a request = reserved tokens − {1}. Then times the bytes of a token, times {2}.")},
    HintRow{anyOf(AskedQuantity::WasteShare), always, lastOfWaste,
            KV_TEXT("core", "You need the tokens that are reserved and the tokens that are used."),
            KV_TEXT("core", "Share = (reserved − used) / reserved. Fill in: (__ − {1}) / __.")},
    HintRow{anyOf(AskedQuantity::Weights), always, lastOfWeights,
            KV_TEXT("core", "You need the number of parameters, all of them, and the bytes of one."),
            KV_TEXT("core", "Parameters · bytes of one. Fill in: __ · __.")},
    HintRow{
        anyOf(AskedQuantity::Total, AskedQuantity::Free), hasWasteOrMore, lastOfTotal,
        KV_TEXT("core", "You need the weights, once, and the cache of all requests."),
        KV_TEXT("core",
                "Weights + cache of one request · {2} (requests) + what is wasted, taken as overhead or kept free.")},
    HintRow{anyOf(AskedQuantity::Total, AskedQuantity::Free), always, lastOfTotal,
            KV_TEXT("core", "You need the weights, once, and the cache of all requests."),
            KV_TEXT("core", "Weights + cache of one request · {2} (requests). Fill in: __ + __ · {2}.")},
    HintRow{anyOf(AskedQuantity::Factor), always, lastOfFactor,
            KV_TEXT("core", "Ask which input changed. Everything else stays the same and drops out."),
            KV_TEXT("core", "Factor = new value of that input / old value.")},
    HintRow{anyOf(AskedQuantity::Sharing), always, lastOfHeads,
            KV_TEXT("core", "You need the query heads and the KV heads."),
            KV_TEXT("core", "Query heads / KV heads. Fill in: __ / __.")},
    HintRow{anyOf(AskedQuantity::HeadDim), always, lastOfHeads,
            KV_TEXT("core", "Look for a head dimension in the configuration. If there is none, you need the width and "
                            "the query heads."),
            KV_TEXT("core", "Width / query heads, where the configuration does not say it. Fill in: __ / __.")},
    HintRow{
        anyOf(AskedQuantity::MaxBatch), keepsSomeFree, lastOfMaxBatch,
        KV_TEXT("core", "You need the memory that counts, the weights, and the cache of one request."),
        KV_TEXT("core",
                "(memory − kept free − weights) / cache of one request, rounded down. Fill in: (__ − __ − __) / __.")},
    HintRow{anyOf(AskedQuantity::MaxBatch), always, lastOfMaxBatch,
            KV_TEXT("core", "You need the memory that counts, the weights, and the cache of one request."),
            KV_TEXT("core", "(memory − weights) / cache of one request, rounded down. Fill in: (__ − __) / __.")},
    HintRow{
        anyOf(AskedQuantity::MaxContext), keepsSomeFree, lastOfMaxContext,
        KV_TEXT("core", "You need the memory that counts, the weights, and what one more token costs in all requests."),
        KV_TEXT("core", "(memory − kept free − weights) / (bytes per token · {2} (requests)), rounded down.")},
    HintRow{
        anyOf(AskedQuantity::MaxContext), always, lastOfMaxContext,
        KV_TEXT("core", "You need the memory that counts, the weights, and what one more token costs in all requests."),
        KV_TEXT("core", "(memory − weights) / (bytes per token · {2} (requests)), rounded down.")},
    HintRow{anyOf(AskedQuantity::Crossover), always, lastOfCrossover,
            KV_TEXT("core", "You need the weights in bytes and the cache of one token."),
            KV_TEXT("core", "Weights / (bytes per token · {2} (requests)). Fill in: __ / __.")},
    HintRow{anyOf(AskedQuantity::Gpus), always, lastOfGpusNeeded,
            KV_TEXT("core", "You need the weights, the whole cache, and the memory of one GPU."),
            KV_TEXT("core", "(weights + cache) / memory of one GPU, rounded up. Fill in: (__ + __) / __.")},
    HintRow{
        anyOf(AskedQuantity::Pool), always, lastOfPool,
        KV_TEXT("core", "You need the memory of one GPU, the share of it that the server may take, the weights on that "
                        "GPU, and what the server needs for its own work."),
        KV_TEXT(
            "core",
            "memory − what the share leaves free − weights − own work, all of one GPU. Fill in: __ − __ − __ − __.")},
    HintRow{
        anyOf(AskedQuantity::Blocks), roundsBlocksUp, lastOfBlocks,
        KV_TEXT("core",
                "You need the memory for the cache, the tokens of a block, and the bytes of one token in all layers."),
        KV_TEXT("core", "memory / (tokens of a block · bytes of one token), which this engine rounds up. Fill in: __ / "
                        "(__ · __).")},
    HintRow{
        anyOf(AskedQuantity::Blocks), always, lastOfBlocks,
        KV_TEXT("core",
                "You need the memory for the cache, the tokens of a block, and the bytes of one token in all layers."),
        KV_TEXT("core", "memory / (tokens of a block · bytes of one token), rounded down. Fill in: __ / (__ · __).")},
    HintRow{anyOf(AskedQuantity::DeviceCache), isMixed, lastOfDeviceCache,
            KV_TEXT("core", "The layers of this model are not alike. For each kind you need what one GPU keeps of an "
                            "entry, and the number of entries."),
            KV_TEXT("core", "Add up, over the kinds of layers: layers · bytes of an entry on one GPU · entries for {1} "
                            "tokens; then multiply by the requests, {2}.")},
    HintRow{anyOf(AskedQuantity::DeviceCache), always, lastOfDeviceCache,
            KV_TEXT("core", "You need what one GPU keeps of each token: its layers, its KV heads (whole ones, at least "
                            "one), the head dimension and the bytes of an element. Then the tokens and the requests."),
            KV_TEXT("core", "2 (K and V) · __ (layers) · __ (KV heads on one GPU) · __ (head dimension) · __ (bytes) · "
                            "{1} (tokens) · {2} (requests). Fill in the blanks.")},
};

const HintRow& hintRowFor(const Task& task)
{
    return *std::ranges::find_if(
        kHints, [&](const HintRow& row) { return (row.quantities & anyOf(task.quantity)) != 0 && row.holds(task); });
}

} // namespace

std::array<Hint, 3> hintsFor(const Exercise& exercise)
{
    const Scenario& scenario = exercise.task.scenario;
    const HintRow& row = hintRowFor(exercise.task);
    const ElementBlock block = blockOf(scenario.kFormat);
    const std::vector<Value> values{scenario.model.layers, scenario.workload.context, scenario.workload.batch,
                                    block.bytes, block.elements};
    return {Hint{{row.inputs, {}}, {}}, Hint{{row.formula, values}, {}}, row.last(exercise.task)};
}

} // namespace core
