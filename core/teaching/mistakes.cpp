// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/teaching/mistakes.h"

#include "core/model/element_block.h"
#include "core/scenario/kv_cache.h"
#include "core/teaching/mistake_changes.h"
#include "core/teaching/mistake_turns.h"

#include <algorithm>
#include <array>

namespace core {

namespace {

constexpr Mistake changed(std::string_view id, bool (*change)(Scenario&, std::int64_t), std::string_view text)
{
    return {id, text, false, change, nullptr};
}

constexpr Mistake changedTo(std::string_view id, bool (*change)(Scenario&, std::int64_t), std::string_view text)
{
    return {id, text, true, change, nullptr};
}

/// A mistake about the bytes of an element, of which a format in blocks has no whole number.
constexpr Mistake changedBytes(std::string_view id, bool (*change)(Scenario&, std::int64_t), std::string_view text,
                               std::string_view packedText)
{
    return {id, text, false, change, nullptr, packedText};
}

using Turn = std::optional<double> (*)(const Task&, double, std::int64_t);

constexpr Mistake turned(std::string_view id, Turn turn, std::string_view text)
{
    return {id, text, false, nullptr, turn};
}

constexpr Mistake turnedTo(std::string_view id, Turn turn, std::string_view text)
{
    return {id, text, true, nullptr, turn};
}

constexpr std::array kMistakes{
    // The equation's factors.
    changed("query-heads", changes::queryHeads,
            KV_TEXT("core", "This fits if you counted the {0} query heads, or the width. Only the {1} KV heads are "
                            "cached: queries are used once and dropped.")),
    changed("keys-only", changes::keysOnly,
            KV_TEXT("core", "This fits if you counted keys or values, but not both. Every token leaves a key and a "
                            "value: that is the 2 in the equation.")),
    changed("head-count-for-dim", changes::headCountForDim,
            KV_TEXT("core", "This fits if you took {0}, the number of heads, for the length of one. A head of this "
                            "model has {6} elements.")),
    changed("bits", changes::bits,
            KV_TEXT("core", "This fits if you counted bits. A byte has 8 bits, so divide by 8.")),
    changed("one-layer", changes::oneLayer,
            KV_TEXT("core", "This fits if you stopped at one layer. Each layer keeps keys and values of its own, so "
                            "multiply by the layers.")),
    changedTo("other-layers", changes::otherLayers,
              KV_TEXT("core", "This fits if you took {2} layers, which another model has. This one has {5}.")),
    changedBytes("one-byte", changes::oneByte,
                 KV_TEXT("core", "This fits if you counted one byte for each element. In this cache format it is "
                                 "{10}."),
                 KV_TEXT("core", "This fits if you counted one byte for each element. In this cache format {11} "
                                 "elements take {10} bytes.")),
    changedBytes("two-bytes", changes::twoBytes,
                 KV_TEXT("core", "This fits if you counted two bytes for each element, as a 16-bit cache has. In this "
                                 "cache format it is {10}."),
                 KV_TEXT("core", "This fits if you counted two bytes for each element, as a 16-bit cache has. In this "
                                 "cache format {11} elements take {10} bytes.")),
    changedBytes("four-bytes", changes::fourBytes,
                 KV_TEXT("core", "This fits if you counted four bytes for each element, as FP32 has. In this cache "
                                 "format it is {10}."),
                 KV_TEXT("core", "This fits if you counted four bytes for each element, as FP32 has. In this cache "
                                 "format {11} elements take {10} bytes.")),
    changed("no-scales", changes::noScales,
            KV_TEXT("core", "This fits if you left the scales out. Each small block of elements carries a scale, and "
                            "those bytes are cached too.")),
    turned("sixteenth", turns::sixteenth,
           KV_TEXT("core", "This fits if you took 4 bits for a sixteenth of 16 bits. It is a quarter.")),
    changed("thousands", changes::thousands,
            KV_TEXT("core", "This fits if you took K for 1,000. In token counts K is 1,024, so the context is {3} "
                            "tokens.")),
    changed("one-request", changes::oneRequest,
            KV_TEXT("core", "This fits for a single request. There are {4} at once, and each one has its own cache.")),
    // Layers that are not alike.
    changed("every-layer", changes::everyLayer,
            KV_TEXT("core", "This fits if every layer kept keys and values. In this model only some layers do; the "
                            "others have a state of fixed size, or nothing.")),
    changed("window-ignored", changes::noWindow,
            KV_TEXT("core", "This fits if every layer kept the whole context. Layers with a window keep only their "
                            "last tokens.")),
    changed("window-layers-forgotten", changes::noWindowLayers,
            KV_TEXT("core", "This fits if you counted only the layers that keep the whole context. Layers with a "
                            "window keep something too: their last tokens.")),
    changed("states-forgotten", changes::noStates,
            KV_TEXT("core", "This fits if you left the states out. They do not grow, but each request has its "
                            "own.")),
    turned("state-per-token", turns::statePerToken,
           KV_TEXT("core", "This fits if you multiplied the states by the tokens. A state is overwritten at each "
                           "token: a request keeps one, whatever its length.")),
    changed("latent-twice", changes::latentTwice,
            KV_TEXT("core", "This fits if you stored the latent twice, once for K and once for V. It is stored once, "
                            "and both are computed from it.")),
    changed("rotary-forgotten", changes::noRotaryPart,
            KV_TEXT("core", "This fits if you left out the short part that carries the position. It is stored beside "
                            "the latent.")),
    changedTo("latent-as-heads", changes::latentAsHeads,
              KV_TEXT("core", "This fits if every head kept its own key and value, {2} elements in all. This model "
                              "keeps one small latent for all heads.")),
    turnedTo("times", turns::timesNumber,
             KV_TEXT("core",
                     "This fits if you multiplied by {2} experts. Experts replace the part of a layer that works on "
                     "each token alone; attention, and so the cache, is there once.")),
    // Weights.
    changed("weights-one-byte", changes::oneByteWeights,
            KV_TEXT("core", "This fits if you counted one byte for each weight. Look at the weights format.")),
    changed("weights-two-bytes", changes::twoByteWeights,
            KV_TEXT("core", "This fits if you counted two bytes for each weight. Look at the weights format.")),
    changed("weights-four-bytes", changes::fourByteWeights,
            KV_TEXT("core", "This fits if you counted four bytes for each weight. Look at the weights format.")),
    changed("weights-each", changes::weightsEach,
            KV_TEXT("core", "This fits if you counted the weights {4} times, once for each request. All requests share "
                            "one copy; only the cache is multiplied.")),
    changed("weights-forgotten", changes::noWeights,
            KV_TEXT("core", "This fits if you left the weights out. They are in memory before the first token comes.")),
    changed("cache-forgotten", changes::noCache,
            KV_TEXT("core", "This fits if you left the cache out. The weights are only the part that does not grow.")),
    changed("active-only", changes::activeOnly,
            KV_TEXT("core", "This fits if you counted only the weights that one token reads. The next token may need "
                            "other experts, so all of them stay in memory.")),
    changed("decimal-weights", changes::decimalWeights,
            KV_TEXT("core", "This fits if you took the weights' GiB for GB. A GiB is 2³⁰ bytes, 7.4 % more than a "
                            "GB.")),
    // Memory.
    changed("no-waste", changes::noWaste,
            KV_TEXT("core", "This fits if nothing were wasted. Some of what is reserved stays empty.")),
    turned("mark-up", turns::markUp,
           KV_TEXT("core", "This fits if you put {8} on top of what is used. The share is of what is reserved, so "
                           "divide by what remains of it.")),
    turned("taken-off", turns::takenOff,
           KV_TEXT("core", "This fits if you took {8} off. Waste comes on top of what is used: more is reserved than "
                           "used.")),
    turned("share-of-used", turns::shareOfUsed,
           KV_TEXT("core", "This fits if you divided by what is used. The share is of what is reserved, so it never "
                           "exceeds 100 %.")),
    turned("used-share", turns::usedShare,
           KV_TEXT("core", "This fits for the share that is used. The question is what stays empty.")),
    turned("whole-block", turns::wholeBlock,
           KV_TEXT("core", "This fits if a whole block of {9} tokens were lost. Only the rest of each request's last "
                           "block is empty.")),
    changed("one-gpu", changes::oneGpu,
            KV_TEXT("core", "This fits for one GPU. There are {7}, and the cache may use what the weights leave on all "
                            "of them.")),
    changed("reserve-forgotten", changes::noReserve,
            KV_TEXT("core", "This fits if you left out what is kept free. That share of each GPU is not to be "
                            "used.")),
    changed("overhead-forgotten", changes::noOverhead,
            KV_TEXT("core", "This fits if you left the overhead out. A program needs some memory of its own on each "
                            "GPU.")),
    changed("label-memory", changes::labelMemory,
            KV_TEXT("core", "This fits if the whole memory on the label could be used. The GPU's own software takes "
                            "some of it before a program starts.")),
    changed("decimal-memory", changes::decimalMemory,
            KV_TEXT("core", "This fits if you took the memory's GiB for GB. A GiB is 7.4 % more.")),
    changed("binary-memory", changes::binaryMemory,
            KV_TEXT("core", "This fits if you took the memory's GB for GiB. A GB is 10⁹ bytes, 7 % less than a GiB.")),
    turned("rounded-up", turns::oneMore,
           KV_TEXT("core", "This fits if you rounded up. What fits in part only does not fit, so round down.")),
    turned("rounded-down", turns::oneLess,
           KV_TEXT("core", "This fits if you rounded down. The rest needs a GPU too, so round up.")),
    // Pools, blocks and several GPUs.
    changed("whole-card", changes::wholeCard,
            KV_TEXT("core", "This fits if the server took the whole GPU. It takes its share only, and leaves the rest "
                            "alone.")),
    changed("share-of-rest", changes::shareOfRest,
            KV_TEXT("core", "This fits if the share were of what the weights leave. It is of the whole memory: first "
                            "the share, then the weights.")),
    changed("computing-forgotten", changes::noComputing,
            KV_TEXT("core", "This fits if you left out the room to compute in. The server sets it aside before it "
                            "sizes the pool.")),
    changed("own-work-forgotten", changes::noOwnWork,
            KV_TEXT("core", "This fits if you took off nothing but the weights. The server needs memory for its own "
                            "work too.")),
    changed("weights-on-each", changes::weightsOnEach,
            KV_TEXT("core", "This fits if each GPU held all the weights. Here the {7} GPUs divide them.")),
    changed("one-large-gpu", changes::oneLargeGpu,
            KV_TEXT("core", "This fits for one GPU of {7} times the size. Each of the {7} needs memory for its own "
                            "work, and they need some to talk to each other.")),
    turned("all-gpus", turns::onAllGpus,
           KV_TEXT("core", "This fits for the {7} GPUs together. The question is about one of them.")),
    turned("one-of-gpus", turns::onOneGpu,
           KV_TEXT("core", "This fits for one GPU. The question is about the {7} of them together.")),
    changed("heads-cut", changes::cutHeads,
            KV_TEXT("core", "This fits if {1} KV heads could be cut into {7} parts. A head is kept whole, so GPUs that "
                            "have none of their own keep a copy.")),
    changed("heads-undivided", changes::undividedHeads,
            KV_TEXT("core", "This fits if each GPU kept all of the {1} KV heads. It keeps those that its own query "
                            "heads look at.")),
    changed("no-copies", changes::noCopies,
            KV_TEXT("core", "This fits if each KV head were stored once. {7} GPUs share {1} of them, so that some keep "
                            "copies.")),
    turned("token-for-block", turns::perTokenBlocks,
           KV_TEXT("core", "This fits if you divided by the bytes of one token. A block holds {9} of them.")),
    turned("blocks-as-tokens", turns::inTokens,
           KV_TEXT("core", "This fits for tokens. The question is about blocks, each of which holds {9}.")),
    // Shapes and factors.
    turned("width-over-kv-heads", turns::widthOverKvHeads,
           KV_TEXT("core", "This fits if you divided the width by the {1} KV heads. It is shared out among the {0} "
                           "query heads.")),
    turned("width-over-layers", turns::widthOverLayers,
           KV_TEXT("core", "This fits if you divided the width by the {5} layers. It is shared out among the {0} query "
                           "heads.")),
    changedTo("width-over-heads", changes::widthOverHeads,
              KV_TEXT("core", "This fits if you divided the width of {2} by {0} heads. This configuration says "
                              "its head dimension itself, so read it.")),
    turned("kv-heads", turns::kvHeadCount,
           KV_TEXT("core", "{1} is the number of KV heads. Ask how many query heads share one of them.")),
    turned("query-head-count", turns::queryHeadCount,
           KV_TEXT("core", "{0} is the number of query heads. The question is how many of them share one of the {1} KV "
                           "heads.")),
    turned("upside-down", turns::upsideDown,
           KV_TEXT("core", "This is the factor upside down. Divide the larger by the smaller.")),
    turnedTo("other-model", turns::theNumber,
             KV_TEXT("core", "{2} is the value of another model. Look at the numbers of this one.")),
    turned("attention-work", turns::squared,
           KV_TEXT("core", "This fits the work of attention in a prompt, where every token looks at every other. What "
                           "is stored is one key and one value for each token.")),
    turned("nothing-grows", turns::one,
           KV_TEXT("core", "This would be true of the weights: they stay as they are. The cache grows with every "
                           "token.")),
    turned("next-doubling", turns::nextDoubling,
           KV_TEXT("core", "Close: that is the next power of two, where the cache is already larger. They meet "
                           "shortly before.")),
    turned("next-doubling-in-thousands", turns::nextDoublingInThousands,
           KV_TEXT("core", "Close: that is the next doubling in thousands, where the cache is already larger. They "
                           "meet shortly before.")),
};

constexpr std::array<std::string_view, 17> kOfCache{
    "query-heads",    "keys-only",    "two-bytes",        "one-byte",
    "four-bytes",     "no-scales",    "one-request",      "one-layer",
    "thousands",      "bits",         "window-ignored",   "window-layers-forgotten",
    "every-layer",    "latent-twice", "rotary-forgotten", "states-forgotten",
    "state-per-token"};
constexpr std::array<std::string_view, 4> kOfWeights{"weights-two-bytes", "weights-one-byte", "weights-four-bytes",
                                                     "active-only"};
constexpr std::array<std::string_view, 5> kOfWaste{"no-waste", "mark-up", "taken-off", "whole-block", "one-request"};
constexpr std::array<std::string_view, 3> kOfShare{"share-of-used", "used-share", "thousands"};
constexpr std::array<std::string_view, 10> kOfTotal{
    "weights-each", "weights-forgotten", "cache-forgotten",    "query-heads", "keys-only",
    "one-request",  "reserve-forgotten", "overhead-forgotten", "no-waste",    "active-only"};
constexpr std::array<std::string_view, 14> kOfLimits{
    "weights-forgotten", "query-heads", "keys-only",         "two-bytes",      "one-byte",
    "four-bytes",        "one-gpu",     "reserve-forgotten", "decimal-memory", "label-memory",
    "rounded-up",        "one-request", "window-ignored",    "active-only"};
constexpr std::array<std::string_view, 8> kOfCrossover{"query-heads",    "keys-only",  "two-bytes",
                                                       "one-byte",       "four-bytes", "decimal-weights",
                                                       "window-ignored", "one-request"};
constexpr std::array<std::string_view, 3> kOfFactor{"attention-work", "nothing-grows", "upside-down"};
constexpr std::array<std::string_view, 3> kOfSharing{"kv-heads", "query-head-count", "upside-down"};
constexpr std::array<std::string_view, 2> kOfHeadDim{"width-over-kv-heads", "width-over-layers"};
constexpr std::array<std::string_view, 6> kOfPool{"weights-forgotten", "own-work-forgotten", "weights-on-each",
                                                  "one-large-gpu",     "all-gpus",           "label-memory"};
constexpr std::array<std::string_view, 7> kOfBlocks{"keys-only",  "one-byte",        "query-heads",     "one-layer",
                                                    "rounded-up", "token-for-block", "blocks-as-tokens"};
constexpr std::array<std::string_view, 7> kOfDevice{"heads-cut", "heads-undivided", "all-gpus", "keys-only",
                                                    "one-byte",  "query-heads",     "one-layer"};
constexpr std::array<std::string_view, 4> kOfGpus{"rounded-down", "weights-forgotten", "cache-forgotten",
                                                  "reserve-forgotten"};

std::span<const std::string_view> usualIds(Asked asked)
{
    switch (asked) {
    case Asked::Cache:
    case Asked::RequestCache:
    case Asked::PerToken:
    case Asked::FixedCache:
        return kOfCache;
    case Asked::Reserved:
    case Asked::Waste:
        return kOfWaste;
    case Asked::WasteShare:
        return kOfShare;
    case Asked::Weights:
        return kOfWeights;
    case Asked::Total:
        return kOfTotal;
    case Asked::Factor:
        return kOfFactor;
    case Asked::Sharing:
        return kOfSharing;
    case Asked::HeadDim:
        return kOfHeadDim;
    case Asked::Free:
    case Asked::MaxBatch:
    case Asked::MaxContext:
        return kOfLimits;
    case Asked::Crossover:
        return kOfCrossover;
    case Asked::Gpus:
        return kOfGpus;
    case Asked::Pool:
        return kOfPool;
    case Asked::Blocks:
        return kOfBlocks;
    case Asked::DeviceCache:
        return kOfDevice;
    }
    return {};
}

} // namespace

std::span<const Mistake> mistakes()
{
    return kMistakes;
}

const Mistake* mistake(std::string_view id)
{
    const auto* const found = std::ranges::find(kMistakes, id, &Mistake::id);
    return found == kMistakes.end() ? nullptr : &*found;
}

std::optional<double> wrongAnswer(const Task& task, const MistakeUse& use)
{
    const std::optional<double> right = solve(task);
    return right ? wrongAnswer(task, use, *right) : std::nullopt;
}

std::optional<double> wrongAnswer(const Task& task, const MistakeUse& use, double right)
{
    std::optional<double> wrong;
    if (use.mistake->turn != nullptr) {
        wrong = use.mistake->turn(task, right, use.number);
    } else {
        Task other = task;
        const bool changed = use.mistake->change(other.scenario, use.number);
        const bool changedOther = other.compared && use.mistake->change(*other.compared, use.number);
        wrong = changed || changedOther ? solve(other) : std::nullopt;
    }
    return wrong && *wrong != right ? wrong : std::nullopt;
}

Message diagnosisOf(const Task& task, const MistakeUse& use)
{
    const Scenario& scenario = task.scenario;
    const CacheGroup* heads = headsOf(scenario.model);
    const ElementBlock block = blockOf(scenario.kFormat);
    const bool packed = block.elements > 1 && !use.mistake->packedText.empty();
    return {packed ? use.mistake->packedText : use.mistake->text,
            {heads != nullptr ? heads->queryHeads : 0, heads != nullptr ? kvHeads(scenario, *heads) : 0, use.number,
             scenario.workload.context, scenario.workload.batch, scenario.model.layers,
             heads != nullptr ? heads->keyDim : 0, scenario.hardware.count, scenario.waste, blockTokensOf(scenario),
             block.bytes, block.elements}};
}

std::vector<MistakeUse> usualMistakes(Asked asked)
{
    std::vector<MistakeUse> uses;
    for (const std::string_view id : usualIds(asked))
        uses.push_back({mistake(id), 0, false});
    return uses;
}

} // namespace core
