// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engines/llama/llama.h"
#include "core/engines/llama/rows.h"

#include <algorithm>
#include <array>

namespace core::engines::llama {

namespace {

constexpr std::array kFormats{KvFormat::Fp32, KvFormat::Fp16, KvFormat::Bf16, KvFormat::Q8_0, KvFormat::Q5_1,
                              KvFormat::Q5_0, KvFormat::Q4_1, KvFormat::Q4_0, KvFormat::Iq4Nl};

bool knows(KvFormat format, bool ik)
{
    return std::ranges::find(kFormats, format) != kFormats.end() || (ik && format == KvFormat::Q8Kv);
}

bool isQuantized(KvFormat format)
{
    return info(format).blockElements > 1;
}

void add(std::vector<Issue>& issues, Field field, std::string_view text, std::vector<Value> args = {},
         std::string_view setting = {})
{
    issues.push_back({field, Message{text, std::move(args)}, std::string(setting)});
}

void checkKnown(const Scenario& scenario, const Options& options, std::vector<Issue>& issues)
{
    const auto check = [&](Field field, KvFormat format) {
        if (!knows(format, options.version.ik))
            add(issues, field,
                KV_TEXT("core", "llama.cpp keeps no cache in {0}; use fp32, fp16, bf16, q8_0, q5_1, q5_0, q4_1, q4_0 "
                                "or iq4_nl (ik_llama.cpp knows q8_kv besides)."),
                {std::string(info(format).name)});
    };
    check(Field::KFormat, scenario.kFormat);
    if (scenario.vFormat != scenario.kFormat)
        check(Field::VFormat, scenario.vFormat);
}

/// What a vector must be a whole number of blocks of: one head with flash attention, else all of them.
void checkBlocks(Field field, KvFormat format, std::int64_t elements, std::vector<Issue>& issues)
{
    const std::int64_t block = info(format).blockElements;
    const bool known = std::ranges::any_of(issues, [&](const Issue& issue) { return issue.field == field; });
    if (elements % block == 0 || known)
        return;
    add(issues, field,
        KV_TEXT("core", "{0} stores blocks of {1} elements, which do not divide the {2} elements of a vector of this "
                        "model; choose another format such as fp16."),
        {std::string(info(format).name), block, elements});
}

void checkGroup(const Scenario& scenario, const Options& options, const CacheGroup& group, std::vector<Issue>& issues)
{
    const LatentUse use = latentUse(scenario, group, options);
    const bool latents = use == LatentUse::Latents || use == LatentUse::WithValues;
    if (group.kind == CacheKind::Latent && !latents && (group.queryHeads == 0 || group.keyDim == 0))
        return add(issues, Field::Setting,
                   KV_TEXT("core", "The heads behind this model's latents are not known, so a cache without latents "
                                   "cannot be sized; use on."),
                   {}, "mla");
    if (latents)
        return checkBlocks(Field::KFormat, scenario.kFormat, group.latentDim + group.ropeDim, issues);
    if (!hasHeads(group.kind) && group.kind != CacheKind::Latent)
        return;
    const bool wholeHeads = options.flash || (!options.version.ik && !options.version.since(2025, 5));
    const std::int64_t stored = group.kind == CacheKind::Latent ? group.queryHeads : group.kvHeads;
    const std::int64_t heads = wholeHeads ? 1 : std::max<std::int64_t>(stored, 1);
    checkBlocks(Field::KFormat, scenario.kFormat, heads * group.keyDim, issues);
    checkBlocks(Field::VFormat, scenario.vFormat, heads * group.valueDim, issues);
}

/// Quantized values can be read by flash attention alone. llama.cpp asks for it even where a model keeps no values.
void checkValues(const Scenario& scenario, const Options& options, std::vector<Issue>& issues)
{
    if (options.flash || !isQuantized(scenario.vFormat))
        return;
    const CacheRows rows = rowsOf(scenario, options);
    const bool keepsValues = std::ranges::any_of(
        rows.rows, [](const CacheRow& row) { return row.cache != Cache::State && row.v > Bytes(); });
    if (keepsValues || !options.version.ik)
        add(issues, Field::VFormat,
            KV_TEXT("core", "V in {0} needs flash attention, which is off; switch it on or keep V in fp16."),
            {std::string(info(scenario.vFormat).name)});
}

/// What serves as key and value at once has one format.
void checkLatents(const Scenario& scenario, const Options& options, std::vector<Issue>& issues)
{
    if (!options.rules.oneLatentFormat || scenario.kFormat == scenario.vFormat)
        return;
    const bool shares = std::ranges::any_of(scenario.model.groups, [&](const CacheGroup& group) {
        return group.kind == CacheKind::Compressed || latentUse(scenario, group, options) == LatentUse::Latents;
    });
    if (shares)
        add(issues, Field::VFormat,
            KV_TEXT("core", "This model's entries are key and value at once, so llama.cpp refuses K in {0} with V in "
                            "{1}; choose one format for both."),
            {std::string(info(scenario.kFormat).name), std::string(info(scenario.vFormat).name)});
}

void checkDevices(const Scenario& scenario, const Options& options, std::vector<Issue>& issues)
{
    const std::int64_t count = scenario.hardware.count;
    const auto most = static_cast<std::int64_t>(kMaxDevices);
    if (count > most)
        add(issues, Field::GpuCount, KV_TEXT("core", "llama.cpp uses at most {1} GPUs, but there are {0}; use fewer."),
            {count, most});
    if (scenario.workload.batch > kMostSequences)
        add(issues, Field::Batch,
            KV_TEXT("core", "llama.cpp holds at most {1} sequences, but there are {0} requests; use fewer."),
            {scenario.workload.batch, kMostSequences});
    const auto last =
        std::find_if(options.shares.rbegin(), options.shares.rend(), [](float share) { return share > 0; });
    const auto shares = static_cast<std::int64_t>(options.shares.rend() - last);
    if (shares > count)
        add(issues, Field::Setting,
            KV_TEXT("core", "Shares are given for {0} GPUs, but there are {1}; give one for each."), {shares, count},
            "tensor-split");
}

} // namespace

void check(const Scenario& scenario, std::vector<Issue>& issues)
{
    if (!version(scenario.engineVersion))
        return add(issues, Field::EngineVersion,
                   KV_TEXT("core", "\"{0}\" is no version of llama.cpp; name a build by its month, as 2025-10, or "
                                   "ik-2025-05 for ik_llama.cpp."),
                   {scenario.engineVersion});
    const Options options = optionsOf(scenario);
    checkKnown(scenario, options, issues);
    for (const CacheGroup& group : scenario.model.groups)
        checkGroup(scenario, options, group, issues);
    checkValues(scenario, options, issues);
    checkLatents(scenario, options, issues);
    checkDevices(scenario, options, issues);
}

} // namespace core::engines::llama
