// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/teaching/device_hints.h"

#include "core/engines/engine.h"

#include <algorithm>

namespace core {

namespace {

constexpr HintWords kPoolWords{
    KV_TEXT("core",
            "You need the memory of one GPU, the share of it that the server may take, the weights on that GPU, "
            "and what the server needs for its own work."),
    KV_TEXT("core", "memory − what the share leaves free − weights − own work, all of one GPU. Fill in: __ − __ − __ − "
                    "__.")};
constexpr HintWords kBlockWords{
    KV_TEXT("core", "You need the memory for the cache, the tokens of a block, and the bytes of one token in all "
                    "layers."),
    KV_TEXT("core", "memory / (tokens of a block · bytes of one token), rounded down. Fill in: __ / (__ · __).")};
constexpr HintWords kBlockUpWords{
    kBlockWords.inputs,
    KV_TEXT("core", "memory / (tokens of a block · bytes of one token), which this engine rounds up. Fill in: __ / (__ "
                    "· __).")};
constexpr HintWords kDeviceWords{
    KV_TEXT("core", "You need what one GPU keeps of each token: its layers, its KV heads (whole ones, at least one), "
                    "the head dimension and the bytes of an element. Then the tokens and the requests."),
    KV_TEXT("core", "2 (K and V) · __ (layers) · __ (KV heads on one GPU) · __ (head dimension) · __ (bytes) · {1} "
                    "(tokens) · {2} (requests). Fill in the blanks.")};
constexpr HintWords kDevicesWords{
    KV_TEXT("core",
            "You need what one GPU keeps, with whole KV heads and at least one of them, and the number of GPUs."),
    KV_TEXT("core", "cache of one GPU · GPUs. Fill in: __ · __.")};
constexpr HintWords kDeviceGroupWords{
    KV_TEXT("core",
            "The layers of this model are not alike. For each kind you need what one GPU keeps of an entry, and "
            "the number of entries."),
    KV_TEXT("core", "Add up, over the kinds of layers: layers · bytes of an entry on one GPU · entries for {1} tokens; "
                    "then multiply by the requests, {2}.")};

Bytes inBytes(const Task& task, Asked asked)
{
    return Bytes(static_cast<std::int64_t>(solve({asked, task.scenario, {}}).value_or(0)));
}

/// True for what several GPUs set aside, each as much as the others.
bool isOfDevices(const Task& task)
{
    const std::int64_t count = task.scenario.hardware.count;
    if (task.asked != Asked::Reserved || count == 1 || !engines::engine(task.scenario.engine).ownsMemory)
        return false;
    const double one = solve({Asked::DeviceCache, task.scenario, {}}).value_or(0);
    return solve(task) == one * static_cast<double>(count);
}

/// True where the engine counts a block that is there in part only.
bool roundsUp(const Scenario& scenario)
{
    const engines::Pool pool = engines::reserve(scenario).pool.value_or(engines::Pool());
    return pool.memory && pool.blockBytes * pool.blocks.value_or(0) > *pool.memory;
}

} // namespace

const HintWords* deviceWords(const Task& task)
{
    const std::vector<CacheGroup>& groups = task.scenario.model.groups;
    const bool plain = groups.size() == 1 && groups.front().kind == CacheKind::Full;
    switch (task.asked) {
    case Asked::Pool:
        return &kPoolWords;
    case Asked::Blocks:
        return roundsUp(task.scenario) ? &kBlockUpWords : &kBlockWords;
    case Asked::DeviceCache:
        return plain ? &kDeviceWords : &kDeviceGroupWords;
    default:
        return isOfDevices(task) ? &kDevicesWords : nullptr;
    }
}

Message nearlyDevice(const Task& task)
{
    if (isOfDevices(task))
        return {KV_TEXT("core", "One GPU keeps {0}, and there are {1} of them. Multiply."),
                {inBytes(task, Asked::DeviceCache), task.scenario.hardware.count}};
    const engines::Reservation reservation = engines::reserve(task.scenario);
    const engines::Pool pool = reservation.pool.value_or(engines::Pool());
    const engines::DeviceShare& share = reservation.devices.front();
    const std::int64_t count = std::max<std::int64_t>(share.count, 1);
    const auto ofOne = [&](Bytes bytes) { return scaledUp(bytes, 1, count); };
    if (task.asked == Asked::Pool)
        return {KV_TEXT("core", "Of {0} the share leaves {1} free; the weights take {2} and the own work {3}. Take all "
                                "three off."),
                {deviceMemory(task.scenario.hardware).value_or(Bytes()), ofOne(share.left), ofOne(share.weights),
                 ofOne(share.overhead()) + task.scenario.overhead}};
    if (task.asked == Asked::Blocks)
        return {KV_TEXT("core", "There are {0} bytes for the cache, and a block takes {1} bytes. Divide."),
                {pool.memory.value_or(Bytes()).count(), pool.blockBytes.count()}};
    const std::int64_t tokens = std::max<std::int64_t>(task.scenario.workload.context, 1);
    const std::int64_t requests = std::max<std::int64_t>(task.scenario.workload.batch, 1);
    return {KV_TEXT("core",
                    "One GPU keeps {0} for each token, last blocks included. Multiply by the tokens, {1}, and by "
                    "the requests, {2}."),
            {scaledUp(inBytes(task, Asked::DeviceCache), 1, tokens * requests), tokens, requests}};
}

} // namespace core
