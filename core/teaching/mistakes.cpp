// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/teaching/mistakes.h"

#include "core/model/element_block.h"
#include "core/scenario/kv_cache.h"
#include "core/teaching/mistake_library.h"
#include "core/teaching/scenario_facts.h"

#include <algorithm>

namespace core {

namespace {

/// The ids of the usual mistakes, separated by blanks.
std::string_view usualIds(AskedQuantity quantity)
{
    switch (quantity) {
    case AskedQuantity::Cache:
    case AskedQuantity::RequestCache:
    case AskedQuantity::PerToken:
    case AskedQuantity::FixedCache:
        return "query-heads keys-only two-bytes one-byte four-bytes no-scales one-request one-layer thousands bits "
               "window-ignored window-layers-forgotten every-layer latent-twice rotary-forgotten states-forgotten "
               "state-per-token";
    case AskedQuantity::Reserved:
    case AskedQuantity::Waste:
        return "no-waste mark-up taken-off whole-block one-request";
    case AskedQuantity::WasteShare:
        return "share-of-used used-share thousands";
    case AskedQuantity::Weights:
        return "weights-two-bytes weights-one-byte weights-four-bytes active-only";
    case AskedQuantity::Total:
        return "weights-each weights-forgotten cache-forgotten query-heads keys-only one-request reserve-forgotten "
               "overhead-forgotten no-waste active-only";
    case AskedQuantity::Factor:
        return "attention-work nothing-grows upside-down";
    case AskedQuantity::Sharing:
        return "kv-heads query-head-count upside-down";
    case AskedQuantity::HeadDim:
        return "width-over-kv-heads width-over-layers";
    case AskedQuantity::Free:
    case AskedQuantity::MaxBatch:
    case AskedQuantity::MaxContext:
        return "weights-forgotten query-heads keys-only two-bytes one-byte four-bytes one-gpu reserve-forgotten "
               "decimal-memory label-memory rounded-up one-request window-ignored active-only";
    case AskedQuantity::Crossover:
        return "query-heads keys-only two-bytes one-byte four-bytes decimal-weights window-ignored one-request";
    case AskedQuantity::Gpus:
        return "rounded-down weights-forgotten cache-forgotten reserve-forgotten";
    case AskedQuantity::Pool:
        return "weights-forgotten own-work-forgotten weights-on-each one-large-gpu all-gpus label-memory";
    case AskedQuantity::Blocks:
        return "keys-only one-byte query-heads one-layer rounded-up token-for-block blocks-as-tokens";
    case AskedQuantity::DeviceCache:
        return "heads-cut heads-undivided all-gpus keys-only one-byte query-heads one-layer";
    }
    return {};
}

void change(Scenario& scenario, const MistakeUse& use)
{
    if (const auto* plainly = std::get_if<ChangeScenario>(&use.mistake->effect))
        (*plainly)(scenario);
    else
        std::get<ChangeScenarioTo>(use.mistake->effect)(scenario, use.number);
}

} // namespace

std::span<const Mistake> mistakes()
{
    static const std::vector<Mistake> all = [] {
        std::vector<Mistake> joined;
        for (const auto table : {cacheMistakes(), memoryMistakes(), engineMistakes(), arithmeticMistakes()})
            joined.insert(joined.end(), table.begin(), table.end());
        return joined;
    }();
    return all;
}

const Mistake* mistake(std::string_view id)
{
    const auto found = std::ranges::find(mistakes(), id, &Mistake::id);
    return found == mistakes().end() ? nullptr : &*found;
}

std::optional<double> wrongAnswer(const Task& task, const MistakeUse& use)
{
    const std::optional<double> right = solve(task);
    return right ? wrongAnswer(task, use, *right) : std::nullopt;
}

std::optional<double> wrongAnswer(const Task& task, const MistakeUse& use, double right)
{
    std::optional<double> wrong;
    if (const auto* miscalculate = std::get_if<Miscalculate>(&use.mistake->effect)) {
        wrong = (*miscalculate)({task, right, use.number});
    } else {
        Task changed = task;
        change(changed.scenario, use);
        if (changed.compared)
            change(*changed.compared, use);
        wrong = changed == task ? std::nullopt : solve(changed);
    }
    return wrong && *wrong != right ? wrong : std::nullopt;
}

Message diagnosisOf(const Task& task, const MistakeUse& use)
{
    const Scenario& scenario = task.scenario;
    const CacheGroup* found = headsOf(scenario.model);
    const CacheGroup heads = found != nullptr ? *found : CacheGroup();
    const std::int64_t cachedHeads = found != nullptr ? kvHeads(scenario, heads) : 0;
    const ElementBlock block = blockOf(scenario.kFormat);
    const bool packed = block.elements > 1 && !use.mistake->packedText.empty();
    return {packed ? use.mistake->packedText : use.mistake->text,
            {heads.queryHeads, cachedHeads, use.number, scenario.workload.context, scenario.workload.batch,
             scenario.model.layers, heads.keyDim, scenario.hardware.count, scenario.waste, blockTokensOf(scenario),
             block.bytes, block.elements}};
}

std::vector<MistakeUse> usualMistakes(AskedQuantity quantity)
{
    std::vector<MistakeUse> uses;
    for (std::string_view ids = usualIds(quantity); !ids.empty();) {
        const std::size_t end = std::min(ids.find(' '), ids.size());
        uses.push_back({mistake(ids.substr(0, end)), 0, false});
        ids.remove_prefix(std::min(end + 1, ids.size()));
    }
    return uses;
}

} // namespace core
