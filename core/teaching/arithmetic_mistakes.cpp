// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/kv_cache.h"
#include "core/teaching/mistake_library.h"
#include "core/teaching/scenario_facts.h"

#include <array>
#include <bit>

namespace core {

namespace {

/// One more than the right number. An engine that rounds its blocks up gives no occasion for it.
std::optional<double> roundedUp(const SolvedTask& solved)
{
    const auto& [task, right, number] = solved;
    const engines::Pool pool = task.quantity == AskedQuantity::Blocks ? poolOf(task.scenario) : engines::Pool();
    const double filled = right * static_cast<double>(pool.blockBytes.count());
    if (filled > static_cast<double>(pool.memory.value_or(Bytes()).count()))
        return std::nullopt;
    return right + 1;
}

double nextPowerOfTwo(double number)
{
    return static_cast<double>(std::bit_ceil(static_cast<std::uint64_t>(number)));
}

std::optional<double> widthOverLayers(const SolvedTask& solved)
{
    const Model& model = solved.task.scenario.model;
    const CacheGroup* heads = headsOf(model);
    if (heads == nullptr || model.layers == 0)
        return std::nullopt;
    return solved.right * static_cast<double>(heads->queryHeads) / static_cast<double>(model.layers);
}

std::optional<double> cachedHeadCount(const SolvedTask& solved)
{
    const CacheGroup* heads = headsOf(solved.task.scenario.model);
    return heads != nullptr ? std::optional(static_cast<double>(kvHeads(solved.task.scenario, *heads))) : std::nullopt;
}

std::optional<double> queryHeadCount(const SolvedTask& solved)
{
    const CacheGroup* heads = headsOf(solved.task.scenario.model);
    return heads != nullptr ? std::optional(static_cast<double>(heads->queryHeads)) : std::nullopt;
}

constexpr std::array kMistakes{
    Mistake{"rounded-up", roundedUp,
            KV_TEXT("core", "This fits if you rounded up. What fits in part only does not fit, so round down.")},
    Mistake{"rounded-down", [](const SolvedTask& solved) { return std::optional(solved.right - 1); },
            KV_TEXT("core", "This fits if you rounded down. The rest needs a GPU too, so round up.")},
    Mistake{"width-over-kv-heads",
            [](const SolvedTask& solved) {
                return times(solved.right, solve(AskedQuantity::Sharing, solved.task.scenario));
            },
            KV_TEXT("core", "This fits if you divided the width by the {1} KV heads. It is shared out among the {0} "
                            "query heads.")},
    Mistake{"width-over-layers", widthOverLayers,
            KV_TEXT("core",
                    "This fits if you divided the width by the {5} layers. It is shared out among the {0} query "
                    "heads.")},
    Mistake{"kv-heads", cachedHeadCount,
            KV_TEXT("core", "{1} is the number of KV heads. Ask how many query heads share one of them.")},
    Mistake{"query-head-count", queryHeadCount,
            KV_TEXT("core",
                    "{0} is the number of query heads. The question is how many of them share one of the {1} KV "
                    "heads.")},
    Mistake{
        .id = "times",
        .effect =
            [](const SolvedTask& solved) { return std::optional(solved.right * static_cast<double>(solved.number)); },
        .text = KV_TEXT("core", "This fits if you multiplied by {2} experts. Experts replace the part of a layer "
                                "that works on each token alone; attention, and so the cache, is there once."),
        .needsNumber = true},
    Mistake{.id = "other-model",
            .effect = [](const SolvedTask& solved) { return std::optional(static_cast<double>(solved.number)); },
            .text = KV_TEXT("core", "{2} is the value of another model. Look at the numbers of this one."),
            .needsNumber = true},
    Mistake{"upside-down",
            [](const SolvedTask& solved) { return solved.right > 0 ? std::optional(1 / solved.right) : std::nullopt; },
            KV_TEXT("core", "This is the factor upside down. Divide the larger by the smaller.")},
    Mistake{"attention-work", [](const SolvedTask& solved) { return std::optional(solved.right * solved.right); },
            KV_TEXT("core", "This fits the work of attention in a prompt, where every token looks at every other. What "
                            "is stored is one key and one value for each token.")},
    Mistake{"nothing-grows", [](const SolvedTask&) { return std::optional(1.0); },
            KV_TEXT("core", "This would be true of the weights: they stay as they are. The cache grows with every "
                            "token.")},
    Mistake{"next-doubling", [](const SolvedTask& solved) { return std::optional(nextPowerOfTwo(solved.right)); },
            KV_TEXT("core", "Close: that is the next power of two, where the cache is already larger. They meet "
                            "shortly before.")},
    Mistake{"next-doubling-in-thousands",
            [](const SolvedTask& solved) { return std::optional(nextPowerOfTwo(solved.right) / 1024 * 1000); },
            KV_TEXT("core", "Close: that is the next doubling in thousands, where the cache is already larger. They "
                            "meet shortly before.")},
};

} // namespace

std::span<const Mistake> arithmeticMistakes()
{
    return kMistakes;
}

std::optional<double> times(double number, std::optional<double> factor)
{
    return factor ? std::optional(number * *factor) : std::nullopt;
}

} // namespace core
