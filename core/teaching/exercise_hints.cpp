// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/element_block.h"
#include "core/scenario/kv_cache.h"
#include "core/sizing/evaluate.h"
#include "core/teaching/device_hints.h"
#include "core/teaching/exercise.h"
#include "core/teaching/exercise_working.h"
#include "core/text/format.h"

#include <algorithm>

namespace core {

namespace {

using Words = HintWords;

constexpr Words kCacheWords{
    KV_TEXT("core", "You need the layers, the KV heads, the head dimension, the tokens of a request, the bytes of one "
                    "element and the requests."),
    KV_TEXT("core", "2 (K and V) · {0} (layers) · __ (KV heads) · __ (head dimension) · {1} (tokens) · __ (bytes) · "
                    "{2} (requests). Fill in the blanks.")};
constexpr Words kTokenWords{
    KV_TEXT("core", "You need the layers, the KV heads, the head dimension and the bytes of one element. Tokens and "
                    "requests play no part."),
    KV_TEXT("core", "2 (K and V) · {0} (layers) · __ (KV heads) · __ (head dimension) · __ (bytes). Fill in the "
                    "blanks.")};
constexpr Words kPackedWords{
    KV_TEXT("core", "You need the layers, the KV heads, the head dimension, the tokens of a request, the requests, and "
                    "the bytes of a block of elements with its scale."),
    KV_TEXT("core",
            "2 (K and V) · {0} (layers) · __ (KV heads) · __ (head dimension) · {1} (tokens) · {3} / {4} (bytes "
            "of an element, its part of the scale included) · {2} (requests). Fill in the blanks.")};
constexpr Words kPackedTokenWords{
    KV_TEXT("core", "You need the layers, the KV heads, the head dimension, and the bytes of a block of elements with "
                    "its scale. Tokens and requests play no part."),
    KV_TEXT("core",
            "2 (K and V) · {0} (layers) · __ (KV heads) · __ (head dimension) · {3} / {4} (bytes of an element, "
            "its part of the scale included). Fill in the blanks.")};
constexpr Words kGroupWords{
    KV_TEXT("core", "The layers of this model are not alike. For each kind you need its layers, the bytes of one entry "
                    "and the number of entries."),
    KV_TEXT("core", "Add up, over the kinds of layers: layers · bytes of an entry · entries for {1} tokens; then "
                    "multiply by the requests, {2}.")};
constexpr Words kFixedWords{
    KV_TEXT("core", "You need the layers that keep a state and the size of one state. The tokens play no part."),
    KV_TEXT("core", "Layers with a state · (convolution elements · their bytes + recurrent elements · their bytes).")};
constexpr Words kReservedWords{
    KV_TEXT("core", "You need the cache in use and what is lost beside it. Shares are of what is reserved."),
    KV_TEXT("core", "Reserved = used / (1 − share that is empty). Fill in: __ / (1 − __).")};
constexpr Words kWasteWords{
    KV_TEXT("core", "You need what is reserved for each request and what it uses; the rest is empty."),
    KV_TEXT("core", "Empty tokens of a request = reserved tokens − {1}. Then times the bytes of a token, times {2}.")};
constexpr Words kShareWords{KV_TEXT("core", "You need the tokens that are reserved and the tokens that are used."),
                            KV_TEXT("core", "Share = (reserved − used) / reserved. Fill in: (__ − {1}) / __.")};
constexpr Words kWeightWords{KV_TEXT("core", "You need the number of parameters, all of them, and the bytes of one."),
                             KV_TEXT("core", "Parameters · bytes of one. Fill in: __ · __.")};
constexpr Words kTotalWords{
    KV_TEXT("core", "You need the weights, once, and the cache of all requests."),
    KV_TEXT("core", "Weights + cache of one request · {2} (requests). Fill in: __ + __ · {2}.")};
constexpr Words kTotalWithMoreWords{
    kTotalWords.inputs,
    KV_TEXT("core", "Weights + cache of one request · {2} (requests) + what is wasted, taken as overhead or kept "
                    "free.")};
constexpr Words kFactorWords{KV_TEXT("core", "Ask which input changed. Everything else stays the same and drops out."),
                             KV_TEXT("core", "Factor = new value of that input / old value.")};
constexpr Words kSharingWords{KV_TEXT("core", "You need the query heads and the KV heads."),
                              KV_TEXT("core", "Query heads / KV heads. Fill in: __ / __.")};
constexpr Words kHeadWords{
    KV_TEXT("core", "Look for a head dimension in the configuration. If there is none, you need the width and the "
                    "query heads."),
    KV_TEXT("core", "Width / query heads, where the configuration does not say it. Fill in: __ / __.")};
constexpr Words kBatchWords{
    KV_TEXT("core", "You need the memory that counts, the weights, and the cache of one request."),
    KV_TEXT("core", "(memory − weights) / cache of one request, rounded down. Fill in: (__ − __) / __.")};
constexpr Words kBatchWithMoreWords{
    kBatchWords.inputs,
    KV_TEXT("core",
            "(memory − kept free − weights) / cache of one request, rounded down. Fill in: (__ − __ − __) / __.")};
constexpr Words kContextWords{
    KV_TEXT("core", "You need the memory that counts, the weights, and what one more token costs in all requests."),
    KV_TEXT("core", "(memory − weights) / (bytes per token · {2} (requests)), rounded down.")};
constexpr Words kContextWithMoreWords{
    kContextWords.inputs,
    KV_TEXT("core", "(memory − kept free − weights) / (bytes per token · {2} (requests)), rounded down.")};
constexpr Words kCrossWords{KV_TEXT("core", "You need the weights in bytes and the cache of one token."),
                            KV_TEXT("core", "Weights / (bytes per token · {2} (requests)). Fill in: __ / __.")};
constexpr Words kGpuWords{
    KV_TEXT("core", "You need the weights, the whole cache, and the memory of one GPU."),
    KV_TEXT("core", "(weights + cache) / memory of one GPU, rounded up. Fill in: (__ + __) / __.")};

/// True where the textbook product gives the whole cache.
bool isPlain(const Model& model)
{
    return model.groups.size() == 1 && model.groups.front().kind == CacheKind::Full;
}

/// True where memory goes to more than weights and cache.
bool takesMore(const Scenario& scenario)
{
    return scenario.reserve != Percent{} || scenario.overhead != Bytes();
}

const Words& wordsForCache(const Scenario& scenario, bool ofToken)
{
    if (!isPlain(scenario.model))
        return kGroupWords;
    if (info(scenario.kFormat).blockElements > 1)
        return ofToken ? kPackedTokenWords : kPackedWords;
    return ofToken ? kTokenWords : kCacheWords;
}

const Words& wordsFor(const Task& task)
{
    const bool more = takesMore(task.scenario);
    switch (task.asked) {
    case Asked::Cache:
    case Asked::RequestCache:
    case Asked::PerToken:
        return wordsForCache(task.scenario, task.asked == Asked::PerToken);
    case Asked::FixedCache:
        return kFixedWords;
    case Asked::Reserved:
    case Asked::Waste:
        return task.scenario.engine == EngineId::Ideal ? kReservedWords : kWasteWords;
    case Asked::WasteShare:
        return kShareWords;
    case Asked::Weights:
        return kWeightWords;
    case Asked::Total:
    case Asked::Free:
        return more || task.scenario.waste != Percent{} ? kTotalWithMoreWords : kTotalWords;
    case Asked::Factor:
        return kFactorWords;
    case Asked::Sharing:
        return kSharingWords;
    case Asked::HeadDim:
        return kHeadWords;
    case Asked::MaxBatch:
        return more ? kBatchWithMoreWords : kBatchWords;
    case Asked::MaxContext:
        return more ? kContextWithMoreWords : kContextWords;
    case Asked::Crossover:
        return kCrossWords;
    case Asked::Gpus:
        return kGpuWords;
    case Asked::Pool:
    case Asked::Blocks:
    case Asked::DeviceCache:
        break; // `deviceWords`
    }
    return kCacheWords;
}

/// What each kind of layers keeps, as products that are left to be multiplied out and added up.
Hint nearlyCache(const Task& task)
{
    const std::int64_t requests = task.asked == Asked::Cache ? task.scenario.workload.batch : 1;
    Hint hint{{KV_TEXT("core", "Multiply out, and add up:"), {}}, partsInWords(task.scenario, false)};
    if (hint.lines.size() == 1)
        hint.message.text = KV_TEXT("core", "Multiply out:");
    if (requests > 1)
        hint.lines.push_back({KV_TEXT("core", "All of it for each of {0} requests."), {requests}});
    return hint;
}

/// Bytes that one request grows by with each token, as a number to multiply.
Bytes perToken(const Scenario& scenario)
{
    const Rate rate = kvSize(scenario).perToken;
    return scaledUp(rate.bytes, 1, rate.tokens);
}

Bytes inBytes(const Task& task, Asked asked)
{
    return Bytes(static_cast<std::int64_t>(solve({asked, task.scenario, {}}).value_or(0)));
}

std::int64_t growingLayers(const Scenario& scenario)
{
    std::int64_t layers = 0;
    for (const CacheGroup& group : scenario.model.groups)
        layers += groupCache(scenario, group).growth ? group.layers.count() : 0;
    return layers;
}

Message lastFactor(const Task& task)
{
    const Workload& workload = task.scenario.workload;
    if (task.asked == Asked::PerToken && !isPlain(task.scenario.model))
        return {KV_TEXT("core",
                        "Of {0} layers {1} still grow at {2} tokens; full windows and states add nothing. Add up what "
                        "one token leaves in each of them."),
                {task.scenario.model.layers, growingLayers(task.scenario), workload.context}};
    if (task.asked == Asked::PerToken)
        return {KV_TEXT("core", "One layer keeps {0} of each token. Multiply by the layers, {1}."),
                {scaledUp(perToken(task.scenario), 1, task.scenario.model.layers), task.scenario.model.layers}};
    return {KV_TEXT("core", "One token takes {0}. Multiply by the tokens, {1}, and by the requests, {2}."),
            {perToken(task.scenario), workload.context, task.asked == Asked::RequestCache ? 1 : workload.batch}};
}

Message nearlyLimit(const Task& task)
{
    const Scenario& scenario = task.scenario;
    const Bytes device = deviceMemory(scenario.hardware).value_or(Bytes());
    const Bytes fixed = (scenario.overhead + scenario.reserve.of(device)) * scenario.hardware.count;
    const Bytes left = device * scenario.hardware.count - fixed - weightBytes(scenario).value_or(Bytes());
    if (task.asked == Asked::MaxBatch)
        return {KV_TEXT("core", "{0} is left beside the weights, and one request takes {1}. Divide, and round down."),
                {left, scaledUp(inBytes(task, Asked::Reserved), 1, scenario.workload.batch)}};
    if (task.asked == Asked::MaxContext)
        return {
            KV_TEXT("core", "{0} is left beside the weights, and one more token takes {1}. Divide, and round down."),
            {left, perToken(scenario) * scenario.workload.batch}};
    return {KV_TEXT("core", "All of it takes {0}, and one GPU has {1}. Divide, and round up."),
            {inBytes(task, Asked::Total), device}};
}

Message nearlyWaste(const Task& task)
{
    const Workload& workload = task.scenario.workload;
    if (task.scenario.engine == EngineId::Ideal)
        return {KV_TEXT("core", "{0} is in use, and {1} of what is reserved is empty. Divide by what remains."),
                {inBytes(task, Asked::Cache), task.scenario.waste}};
    if (task.scenario.engine == EngineId::Contiguous)
        return {KV_TEXT("core", "{0} tokens are reserved for each request and {1} are used."),
                {workload.maxContext.value_or(workload.context), workload.context}};
    return {KV_TEXT("core", "{0} tokens fill whole blocks of {1} and a rest; one token takes {2}, and the requests are "
                            "{3}."),
            {workload.context, blockTokensOf(task.scenario), perToken(task.scenario), workload.batch}};
}

Message nearlyFactor(const Task& task)
{
    const Workload& workload = task.scenario.workload;
    const Workload& before = task.compared ? task.compared->workload : workload;
    if (before.context != workload.context)
        return {KV_TEXT("core", "Divide {0} tokens by {1} tokens."), {workload.context, before.context}};
    if (before.batch != workload.batch)
        return {KV_TEXT("core", "Divide {0} requests by {1} requests."), {workload.batch, before.batch}};
    return {KV_TEXT("core", "Divide the larger cache of one token by the smaller, {0}."), {perToken(task.scenario)}};
}

Message nearlyShape(const Task& task)
{
    const CacheGroup* heads = headsOf(task.scenario.model);
    if (heads == nullptr)
        return {};
    if (task.asked == Asked::Sharing)
        return {KV_TEXT("core", "Divide {0} by {1}."), {heads->queryHeads, kvHeads(task.scenario, *heads)}};
    return {KV_TEXT("core", "There are {0} query heads; {1} elements in all are shared out among them."),
            {heads->queryHeads, heads->queryHeads * heads->keyDim}};
}

Hint nearlyAll(const Task& task)
{
    const Scenario& scenario = task.scenario;
    switch (task.asked) {
    case Asked::Cache:
    case Asked::RequestCache:
        return isPlain(scenario.model) ? Hint{lastFactor(task), {}} : nearlyCache(task);
    case Asked::PerToken:
        return {lastFactor(task), {}};
    case Asked::FixedCache:
        return nearlyCache(task);
    case Asked::Reserved:
    case Asked::Waste:
    case Asked::WasteShare:
        return {nearlyWaste(task), {}};
    case Asked::Weights:
        return {{KV_TEXT("core", "That is {0} bytes. Divide by {1} for GB, or by {2} for GiB."),
                 {inBytes(task, Asked::Weights).count(), std::int64_t{1'000'000'000}, gib(1).count()}},
                {}};
    case Asked::Total:
    case Asked::Free:
        return {{KV_TEXT("core", "The weights take {0} and the cache {1}."),
                 {inBytes(task, Asked::Weights), inBytes(task, Asked::Reserved)}},
                {}};
    case Asked::Factor:
        return {nearlyFactor(task), {}};
    case Asked::Sharing:
    case Asked::HeadDim:
        return {nearlyShape(task), {}};
    case Asked::MaxBatch:
    case Asked::MaxContext:
    case Asked::Gpus:
        return {nearlyLimit(task), {}};
    case Asked::Pool:
    case Asked::Blocks:
    case Asked::DeviceCache:
        break; // `nearlyDevice`
    case Asked::Crossover:
        return {{KV_TEXT("core", "The weights take {0} bytes, and one token of all requests takes {1} bytes. Divide."),
                 {inBytes(task, Asked::Weights).count(), (perToken(scenario) * scenario.workload.batch).count()}},
                {}};
    }
    return {};
}

} // namespace

std::array<Hint, 3> hintsFor(const Exercise& exercise)
{
    const Task& task = exercise.task;
    const Workload& workload = task.scenario.workload;
    const Words* ofDevice = deviceWords(task);
    const Words& words = ofDevice != nullptr ? *ofDevice : wordsFor(task);
    const ElementBlock block = blockOf(task.scenario.kFormat);
    const std::vector<Value> values{task.scenario.model.layers, workload.context, workload.batch, block.bytes,
                                    block.elements};
    const Hint last = ofDevice != nullptr ? Hint{nearlyDevice(task), {}} : nearlyAll(task);
    return {Hint{{words.inputs, {}}, {}}, Hint{{words.formula, values}, {}}, last};
}

} // namespace core
