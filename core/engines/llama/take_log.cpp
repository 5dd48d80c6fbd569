// SPDX-License-Identifier: GPL-3.0-or-later
// The settings that a log shows.
#include "core/engines/llama/llama.h"
#include "core/engines/llama/version.h"
#include "core/engines/llama/words.h"
#include "core/engines/log.h"

#include <algorithm>
#include <charconv>

namespace core::engines::llama {

namespace {

std::optional<std::int64_t> numberIn(const std::string* text)
{
    std::int64_t number = 0;
    if (text == nullptr)
        return std::nullopt;
    const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), number);
    return error == std::errc{} ? std::optional(number) : std::nullopt;
}

/// The build that prints so, where the scenario's own does not.
std::string buildOf(const Scenario& scenario, const EngineLog& log)
{
    const std::optional<Version> now = version(scenario.engineVersion);
    const bool ik = log.find("mla_attn") != nullptr ||
                    std::ranges::any_of(log.caches, [](const LogCache& cache) { return cache.isLatent; });
    const bool old =
        !log.caches.empty() && std::ranges::all_of(log.caches, [](const LogCache& cache) { return !cache.cells; });
    const bool streams =
        std::ranges::any_of(log.caches, [](const LogCache& cache) { return cache.streams.has_value(); });
    if (ik)
        return now && now->ik ? scenario.engineVersion : std::string("ik-2025-05");
    if (old)
        return now && (now->ik || !now->since(2025, 5)) ? scenario.engineVersion : std::string("2025-04");
    if (streams && now && (now->ik || !now->since(2025, 8)))
        return std::string(kNewest);
    return scenario.engineVersion;
}

void takeFormats(Scenario& scenario, const EngineLog& log)
{
    const auto cache = std::ranges::find_if(log.caches, [](const LogCache& each) { return !each.isState; });
    const std::string* k = log.find("type_k");
    const std::string* v = log.find("type_v");
    const bool printed = cache != log.caches.end();
    const std::optional<KvFormat> kFormat = k != nullptr ? typeOf(*k) : printed ? typeOf(cache->kType) : std::nullopt;
    const bool hasValues = printed && !cache->v.empty() && cache->v != "0.00";
    const std::optional<KvFormat> vFormat = v != nullptr ? typeOf(*v) : hasValues ? typeOf(cache->vType) : std::nullopt;
    scenario.kFormat = kFormat.value_or(scenario.kFormat);
    scenario.vFormat = vFormat.value_or(scenario.vFormat);
}

void takeWorkload(Scenario& scenario, const EngineLog& log)
{
    const auto cache = std::ranges::find_if(log.caches, [](const LogCache& each) { return each.cells.has_value(); });
    const bool printed = cache != log.caches.end();
    std::optional<std::int64_t> sequences = numberIn(log.find("n_seq_max"));
    if (!sequences && printed)
        sequences = cache->sequences;
    std::optional<std::int64_t> context = numberIn(log.find("n_ctx"));
    if (!context && printed && !cache->isState)
        context = *cache->cells * cache->streams.value_or(1);
    const std::int64_t batch = std::clamp<std::int64_t>(sequences.value_or(scenario.workload.batch), 1, kMostSequences);
    scenario.workload.batch = batch;
    if (!context || *context < batch)
        return;
    scenario.workload.context = std::min(*context / batch, kMaxContext);
    scenario.workload.spareTokens = *context % batch;
    scenario.workload.maxContext.reset();
    const auto split = std::ranges::find_if(log.caches, [](const LogCache& each) { return each.streams.has_value(); });
    if (split != log.caches.end() && split->sequences.value_or(1) > 1)
        scenario.settings.set("kv-unified", *split->streams == 1 ? "on" : "off");
}

/// "auto" is nobody's choice.
void takeFlash(Scenario& scenario, const std::string& printed)
{
    const bool off = printed == "0" || printed == "disabled" || printed == "off";
    if (printed == "auto")
        scenario.settings.erase("flash-attn");
    else
        scenario.settings.set("flash-attn", off ? "off" : "on");
}

void takeSwitches(Scenario& scenario, const EngineLog& log)
{
    const auto take = [&](std::string_view key, std::string_view flag) {
        if (const std::string* value = log.find(key))
            scenario.settings.set(flag, *value);
    };
    take("n_batch", "batch-size");
    take("n_ubatch", "ubatch-size");
    take("mla_attn", "mla");
    take("n_gpu_layers", "n-gpu-layers");
    if (const std::string* flash = log.find("flash_attn"))
        takeFlash(scenario, *flash);
    if (const std::string* unified = log.find("kv_unified"))
        scenario.settings.set("kv-unified", *unified == "true" || *unified == "1" ? "on" : "off");
    if (log.find("swa_full") != nullptr)
        scenario.settings.set("swa-full", "on");
    for (const LogCache& cache : log.caches) {
        if (cache.rollback.value_or(0) > 0)
            scenario.settings.set("num-speculative-tokens", std::to_string(*cache.rollback));
    }
}

} // namespace

Scenario withLog(Scenario scenario, const EngineLog& log)
{
    scenario.engineVersion = buildOf(scenario, log);
    takeFormats(scenario, log);
    takeWorkload(scenario, log);
    takeSwitches(scenario, log);
    return scenario;
}

} // namespace core::engines::llama
