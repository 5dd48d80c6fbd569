// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sizing/verdict.h"

#include "core/engines/engine.h"
#include "core/sizing/limits.h"

#include <algorithm>

namespace core {

namespace {

/// What is needed and what there is: of memory, or of a pool for the cache where that is given and no memory is less.
struct Figures {
    Bytes needed;
    Bytes there;
    bool ofPool = false;
};

Figures figuresOf(const Evaluation& evaluation)
{
    const DeviceFootprint& device = *evaluation.footprint.fullest();
    const Bytes reserved = device.parts.cache + device.parts.waste;
    const bool binds = device.pool && *device.free() == *device.pool - reserved;
    if (!device.capacity || (binds && engines::isPoolGiven(evaluation.scenario)))
        return {reserved, *device.pool, true};
    return {device.parts.total(), *device.capacity};
}

Message fitsSentence(const Evaluation& evaluation)
{
    const Limits& limits = evaluation.footprint.limits;
    const Figures figures = figuresOf(evaluation);
    const Bytes total = figures.needed;
    const Bytes there = figures.there;
    const Bytes free = there - total;
    if (limits.maxBatch.value && limits.maxContext.value)
        return {KV_TEXT("core",
                        "{0} of {1} used, {2} free: batch up to {3} at this context, or context up to {4} with this "
                        "batch."),
                {total, there, free, *limits.maxBatch.value, *limits.maxContext.value}};
    if (limits.maxBatch.value)
        return {
            KV_TEXT("core", "{0} of {1} used, {2} free: batch up to {3}; the cache no longer grows with the context."),
            {total, there, free, *limits.maxBatch.value}};
    return {KV_TEXT("core", "{0} of {1} used, {2} free; this model keeps no cache."), {total, there, free}};
}

/// Of the fullest device, or of all where their memory is pooled.
Message overSentence(const Evaluation& evaluation)
{
    const Footprint& footprint = evaluation.footprint;
    const Figures figures = figuresOf(evaluation);
    const Bytes needed = figures.needed;
    const Bytes there = figures.there;
    const Limit& batch = footprint.limits.maxBatch;
    const Limit& context = footprint.limits.maxContext;
    const std::int64_t largestBatch = batch.value.value_or(0);
    const std::int64_t largestContext = context.value.value_or(0);
    if (largestBatch > 0 && largestContext > 0)
        return {KV_TEXT("core", "{0} needed, {1} there. Fits with batch up to {2}, or with context up to {3}."),
                {needed, there, largestBatch, largestContext}};
    if (largestBatch > 0)
        return {KV_TEXT("core", "{0} needed, {1} there. Fits with batch up to {2}; at this batch no context fits."),
                {needed, there, largestBatch}};
    if (largestContext > 0)
        return {KV_TEXT("core",
                        "{0} needed, {1} there. Fits with context up to {2}; at this context not one request fits."),
                {needed, there, largestContext}};
    if (batch.part == BoundPart::Weights && !figures.ofPool)
        return {KV_TEXT("core",
                        "{0} needed, {1} there. Before any cache the weights of {2}, with overhead and reserve, "
                        "leave no room."),
                {needed, there, footprint.fullest()->parts.weights}};
    return {KV_TEXT("core", "{0} needed, {1} there. Not one request fits at this context or batch."), {needed, there}};
}

std::string labelOf(const Hardware& hardware)
{
    return hardware.gpu ? hardware.gpu->memory.labelText : std::string();
}

/// Which figure for the memory counts: "24 GiB card, 23.6 GiB usable".
Message basisNote(const Hardware& hardware)
{
    const Bytes device = *deviceMemory(hardware);
    const MemoryBasis basis = effectiveBasis(hardware);
    if (basis == MemoryBasis::Typed)
        return {KV_TEXT("core", "{0} of memory typed for each GPU"), {device}};
    const bool isMachine = hardware.gpu->unified;
    if (basis == MemoryBasis::Label && hardware.basis == MemoryBasis::Driver)
        return {KV_TEXT("core", "{0} by label, as no driver total is known"), {labelOf(hardware)}};
    if (basis == MemoryBasis::Label)
        return {KV_TEXT("core", "{0} by label"), {labelOf(hardware)}};
    if (basis == MemoryBasis::Driver)
        return {KV_TEXT("core", "{0} card, {1} by its driver"), {labelOf(hardware), device}};
    switch (hardware.gpu->memory.usableSource) {
    case UsableSource::Driver:
        return {KV_TEXT("core", "{0} card, {1} by its driver, as no usable figure is known"),
                {labelOf(hardware), device}};
    case UsableSource::Label:
        return {KV_TEXT("core", "{0} by label, as no usable figure is known"), {labelOf(hardware)}};
    default:
        break;
    }
    if (isMachine)
        return {KV_TEXT("core", "{0} machine, {1} usable by its GPU"), {labelOf(hardware), device}};
    return {KV_TEXT("core", "{0} card, {1} usable"), {labelOf(hardware), device}};
}

/// Adds what the label's memory would give, where that differs.
void addLabelNote(const Evaluation& evaluation, std::vector<Message>& notes)
{
    const Hardware& hardware = evaluation.scenario.hardware;
    const std::optional<Bytes> label = deviceMemory(hardware, MemoryBasis::Label);
    const std::optional<std::int64_t> requests = evaluation.footprint.limits.maxBatch.value;
    if (hardware.basis == MemoryBasis::Typed || !label || label == deviceMemory(hardware) || !requests)
        return;
    Scenario byLabel = evaluation.scenario;
    byLabel.hardware.basis = MemoryBasis::Label;
    const std::optional<std::int64_t> labelRequests = maxBatchOf(*engines::plan(byLabel)).value;
    if (labelRequests && *labelRequests != *requests)
        notes.push_back({KV_TEXT("core", "{0} requests usable, {1} with label memory"), {*requests, *labelRequests}});
}

/// How several GPUs stand together.
Message devicesNote(const Footprint& footprint, std::int64_t used)
{
    const std::vector<DeviceFootprint>& devices = footprint.devices;
    if (!footprint.tellsDevicesApart())
        return {KV_TEXT("core", "memory of {0} GPUs pooled"), {used}};
    const DeviceFootprint& fullest = *footprint.fullest();
    if (std::ranges::all_of(devices, [&](const DeviceFootprint& device) { return device.free() == fullest.free(); }))
        return {KV_TEXT("core", "each of {0} GPUs holds as much; their memory is not pooled"), {used}};
    return {KV_TEXT("core", "{1} is the fullest of {0} GPUs; their memory is not pooled"), {used, fullest.name}};
}

std::vector<Message> notesOf(const Evaluation& evaluation)
{
    const Scenario& scenario = evaluation.scenario;
    std::vector<Message> notes;
    if (evaluation.footprint.capacity) {
        notes.push_back(basisNote(scenario.hardware));
        std::int64_t used = 0;
        for (const DeviceFootprint& device : evaluation.footprint.devices)
            used += device.count;
        if (used > 1)
            notes.push_back(devicesNote(evaluation.footprint, used));
        if (used < scenario.hardware.count)
            notes.push_back(
                {KV_TEXT("core", "{0} of {1} GPUs unused"), {scenario.hardware.count - used, scenario.hardware.count}});
        addLabelNote(evaluation, notes);
        if (const Figures figures = figuresOf(evaluation); figures.ofPool)
            notes.push_back({KV_TEXT("core", "of the {0} given for the cache of each GPU"), {figures.there}});
    } else if (const DeviceFootprint* device = evaluation.footprint.fullest()) {
        notes.push_back({KV_TEXT("core", "of the {0} given for the cache; without hardware, weights are not compared"),
                         {*device->pool}});
    }
    if (!evaluation.footprint.weights)
        notes.push_back({KV_TEXT("core", "weights unknown and not counted"), {}});
    const std::optional<std::int64_t> trained = scenario.model.maxContext;
    if (trained && scenario.workload.context > *trained)
        notes.push_back({KV_TEXT("core", "beyond the {0} tokens the model was trained for"), {*trained}});
    return notes;
}

} // namespace

Verdict verdictOf(const Evaluation& evaluation, bool mayChoose)
{
    if (!evaluation.issues.empty()) {
        const Issue& first = evaluation.issues.front();
        Message headline{KV_TEXT("core", "Cannot be sized"), {}};
        if (!first.setting.empty())
            headline = {KV_TEXT("core", "Cannot be sized: {0}"), {first.setting}};
        return {Outcome::Issues, std::move(headline), first.message, {}};
    }
    const Footprint& footprint = evaluation.footprint;
    std::vector<Message> notes = notesOf(evaluation);
    if (!footprint.fits())
        return {Outcome::NoCapacity,
                {KV_TEXT("core", "No capacity line"), {}},
                {mayChoose ? KV_TEXT("core", "{0} needed. Choose hardware or type a size to see whether it fits.")
                           : KV_TEXT("core", "{0} needed."),
                 {footprint.memory.total()}},
                std::move(notes)};
    if (*footprint.fits())
        return {Outcome::Fits, {KV_TEXT("core", "Fits"), {}}, fitsSentence(evaluation), std::move(notes)};
    return {Outcome::Over,
            {KV_TEXT("core", "Over by {0}"), {Bytes() - *footprint.fullest()->free()}},
            overSentence(evaluation),
            std::move(notes)};
}

} // namespace core
