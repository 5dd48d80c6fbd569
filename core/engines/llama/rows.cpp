// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engines/llama/rows.h"

#include "core/scenario/kv_cache.h"

#include <algorithm>

namespace core::engines::llama {

namespace {

constexpr std::array<std::string_view, kCaches> kKinds{"kv",  "kv_full", "kv_swa",  "mla",       "kv_mla_extra",
                                                       "csa", "hca",     "indexer", "recurrent", "kv_mtp"};

/// Families whose windows the engine does not use (the "llama" of converted Mistral files, phi3 and others).
constexpr std::array<std::string_view, 20> kWindowless{
    "mistral",    "mixtral",    "mistral3",  "llama",    "phi3",       "phi3small", "phimoe",
    "starcoder2", "qwen2",      "qwen2_moe", "qwen2moe", "qwen3",      "qwen3_moe", "qwen3moe",
    "gpt_neo",    "step3_text", "step3",     "cwm",      "vaultgemma", "internlm2"};
/// Families whose files give no sizes for latents alone.
constexpr std::array<std::string_view, 2> kHeadsOnly{"minicpm3", "plm"};
/// Families that can roll recurrent states back; an unknown family may.
constexpr std::array<std::string_view, 9> kRollsBack{
    "", "custom", "qwen35", "qwen35moe", "qwen3_5", "qwen3_5_text", "qwen3_5_moe", "qwen3_5_moe_text", "deepseek4"};
/// Those that newer builds can roll back besides.
constexpr std::array<std::string_view, 5> kRollsBackToo{"nemotron_h", "nemotron_h_moe", "lfm2", "lfm2moe", "lfm2_moe"};
constexpr std::string_view kCompressing = "deepseek_v4";
/// Families with index keys on the first two layers and every fourth from there, unless their file says otherwise or
/// their context is shorter (GLM 5 and 5.1).
constexpr std::array<std::string_view, 2> kSpacedIndex{"glm_moe_dsa", "glm-dsa"};
constexpr std::int64_t kSpacedContext = 1'048'576;
constexpr std::int64_t kFirstSpaced = 2;
constexpr std::int64_t kSpacing = 4;
constexpr std::int64_t kFinelyCompressed = 4;
constexpr std::int64_t kStateTokens = 8; ///< of the compressor where 4 tokens become one entry

template <typename Names> bool isOneOf(const Names& names, std::string_view name)
{
    return std::ranges::find(names, name) != names.end();
}

bool keepsCells(CacheKind kind)
{
    return kind == CacheKind::Full || kind == CacheKind::Latent || isWindow(kind);
}

/// Puts the rows of a model together.
class Builder {
public:
    Builder(const Scenario& scenario, const Options& options) : m_scenario(scenario), m_options(options)
    {
        m_rows.kFormats.fill(scenario.kFormat);
        m_rows.vFormats.fill(scenario.vFormat);
        m_windows = usesWindows(scenario.model, options);
        m_compresses = keeps(scenario.model, CacheKind::Compressed);
        m_hasStates = keeps(scenario.model, CacheKind::State);
    }

    CacheRows build()
    {
        const Model& model = m_scenario.model;
        readWidths();
        if (m_windows)
            m_rows.present[static_cast<std::size_t>(Cache::Full)] = true;
        for (const CacheGroup& group : model.groups)
            add(group);
        if (m_options.drafts > 0) {
            const bool known = isOneOf(kRollsBack, model.family) || model.family == kCompressing ||
                               (m_options.rules.rollsBackMore && isOneOf(kRollsBackToo, model.family));
            m_rows.rollback = known ? m_options.drafts : 0;
            for (const CacheGroup& group : model.draftGroups)
                addAttention(group, Cache::Draft, EntryRule::Cells, false);
        }
        for (const CacheGroup& group : model.draftGroups)
            m_rows.draftLayers += group.layers.count();
        return std::move(m_rows);
    }

private:
    /// The widest values and the window, over all layers.
    void readWidths()
    {
        for (const CacheGroup& group : m_scenario.model.groups) {
            if (!keepsCells(group.kind))
                continue;
            m_rows.queryHeads = std::max(m_rows.queryHeads, group.queryHeads);
            if (m_windows && isWindow(group.kind))
                m_rows.window = std::max(m_rows.window, group.window);
            if (hasHeads(group.kind))
                m_widest = std::max(m_widest, kvHeads(m_scenario, group) * group.valueDim);
        }
    }

    void add(const CacheGroup& group)
    {
        switch (group.kind) {
        case CacheKind::Full:
        case CacheKind::Latent:
            addAttention(group, m_windows ? Cache::Full : Cache::Main, EntryRule::Cells, true);
            break;
        case CacheKind::Window:
        case CacheKind::Chunk:
            addAttention(group, m_windows ? Cache::Windows : Cache::Main,
                         m_windows ? EntryRule::WindowCells : EntryRule::Cells, true);
            break;
        case CacheKind::Index:
            addIndex(group);
            break;
        case CacheKind::Compressed:
            addCompressed(group);
            break;
        case CacheKind::State:
            addRow({.cache = Cache::State,
                    .rule = EntryRule::State,
                    .group = &group,
                    .ideal = entryBytes(group, m_scenario.kFormat, m_scenario.vFormat),
                    .k = bytesOf(KvFormat::Fp32, group.convElements),
                    .v = bytesOf(KvFormat::Fp32, group.recurrentElements),
                    .cause = WasteCause::StateFormat},
                   group.layers);
            m_rows.kFormats[static_cast<std::size_t>(Cache::State)] = KvFormat::Fp32;
            m_rows.vFormats[static_cast<std::size_t>(Cache::State)] = KvFormat::Fp32;
            break;
        case CacheKind::None:
            addHeadless(group);
            break;
        case CacheKind::Cross:
        case CacheKind::Shared:
            break;
        }
    }

    void addRow(CacheRow row, const LayerSet& layers)
    {
        row.layers = layers.layers();
        row.counted = row.counted > 0 ? row.counted : layers.count();
        m_rows.present[static_cast<std::size_t>(row.cache)] = true;
        m_rows.rows.push_back(row);
    }

    /// Keys and values of heads, or what stands in their place.
    void addAttention(const CacheGroup& group, Cache cache, EntryRule rule, bool hasIdeal)
    {
        CacheRow row{.cache = cache, .rule = rule, .group = hasIdeal ? &group : nullptr};
        if (hasIdeal)
            row.ideal = entryBytes(m_scenario, group);
        switch (latentUse(m_scenario, group, m_options)) {
        case LatentUse::None:
            setHeads(row, kvHeads(m_scenario, group), group);
            break;
        case LatentUse::Heads:
            setHeads(row, expandedHeads(group), group);
            break;
        case LatentUse::Both:
            setHeads(row, expandedHeads(group), group);
            addRow({.cache = Cache::LatentsBeside,
                    .rule = rule,
                    .k = bytesOf(m_scenario.kFormat, group.ropeDim),
                    .v = bytesOf(m_scenario.vFormat, group.latentDim),
                    .cause = WasteCause::ExpandedLatent},
                   group.layers);
            break;
        case LatentUse::Latents:
        case LatentUse::WithValues:
        case LatentUse::Forced:
            setLatents(row, group);
            break;
        }
        addRow(row, group.layers);
    }

    /// Layers without heads have a cache of no elements, whose values are as wide as the widest without flash
    /// attention; in models with states they have none.
    void addHeadless(const CacheGroup& group)
    {
        if (m_hasStates || m_options.version.ik)
            return;
        const bool pads = m_options.rules.padsValues && !m_options.flash;
        addRow({.cache = m_windows ? Cache::Full : Cache::Main,
                .rule = EntryRule::Cells,
                .v = bytesOf(m_scenario.vFormat, pads ? m_widest : 0),
                .cause = WasteCause::PaddedValue},
               group.layers);
    }

    static std::int64_t expandedHeads(const CacheGroup& group)
    {
        return group.kind == CacheKind::Latent ? group.queryHeads : group.kvHeads;
    }

    void setHeads(CacheRow& row, std::int64_t heads, const CacheGroup& group) const
    {
        const std::int64_t values = heads * group.valueDim;
        const bool pads = m_options.rules.padsValues && !m_options.flash && group.kind != CacheKind::Latent;
        row.k = bytesOf(m_scenario.kFormat, heads * group.keyDim, heads);
        row.v = bytesOf(m_scenario.vFormat, pads && values > 0 ? std::max(values, m_widest) : values, heads);
        const bool expanded = group.kind == CacheKind::Latent;
        row.cause = expanded ? WasteCause::ExpandedLatent : WasteCause::PaddedValue;
    }

    void setLatents(CacheRow& row, const CacheGroup& group)
    {
        const LatentUse use = latentUse(m_scenario, group, m_options);
        const bool forced = use == LatentUse::Forced;
        const std::int64_t rope = forced && group.ropeDim == 0 ? group.keyDim : group.ropeDim;
        const bool only = m_options.latents == LatentMode::Only && group.kvHeads != 1;
        const bool asValues = m_options.rules.latentsAsValues && only && !m_options.flash && m_options.version.ik;
        const KvFormat format = asValues ? m_scenario.vFormat : m_scenario.kFormat;
        row.cache = row.cache == Cache::Main ? Cache::Latents : row.cache;
        row.k = bytesOf(format, group.latentDim + rope);
        row.v = use == LatentUse::WithValues ? bytesOf(m_scenario.vFormat, group.latentDim) : Bytes();
        row.cause = WasteCause::SecondValue;
        m_rows.kFormats[static_cast<std::size_t>(row.cache)] = format;
    }

    void addIndex(const CacheGroup& group)
    {
        if (!m_options.rules.indexKeys)
            return;
        const Model& model = m_scenario.model;
        const bool spaced = isOneOf(kSpacedIndex, model.family) && group.layers.count() == model.layers &&
                            model.maxContext.value_or(kSpacedContext) >= kSpacedContext;
        const auto numbers = group.layers.layers();
        const auto has = [](std::int32_t layer) {
            return layer < kFirstSpaced || (layer - kFirstSpaced) % kSpacing == 0;
        };
        CacheRow row{.cache = Cache::Index,
                     .rule = m_compresses ? EntryRule::Compressed : EntryRule::Cells,
                     .group = &group,
                     .ideal = entryBytes(m_scenario, group),
                     .k = bytesOf(m_scenario.kFormat, group.indexDim),
                     .v = bytesOf(m_scenario.vFormat, indexValues()),
                     .cause = WasteCause::SecondValue,
                     .ratio = tokensPerEntry(group),
                     .counted = spaced ? std::ranges::count_if(numbers, has) : 0};
        addRow(row, group.layers);
        if (m_compresses)
            addCompressor(group, kStateTokens * 2 * group.indexDim);
    }

    /// Values that index keys had where the attention beside them keeps heads; MiniMax's still have them.
    std::int64_t indexValues() const
    {
        const bool always = m_scenario.model.family.starts_with("minimax");
        for (const CacheGroup& group : m_scenario.model.groups) {
            if (group.kind == CacheKind::Full && (always || m_options.rules.indexValues))
                return group.valueDim;
        }
        return 0;
    }

    void addCompressed(const CacheGroup& group)
    {
        const bool fine = group.ratio <= kFinelyCompressed;
        addRow({.cache = fine ? Cache::Compressed : Cache::Compressed2,
                .rule = EntryRule::Compressed,
                .group = &group,
                .ideal = entryBytes(m_scenario, group),
                .k = bytesOf(m_scenario.kFormat, group.keyDim),
                .ratio = group.ratio},
               group.layers);
        addCompressor(group, fine ? kStateTokens * 2 * group.keyDim : group.ratio * group.keyDim);
    }

    /// The tokens that wait to be compressed, and their scores.
    void addCompressor(const CacheGroup& group, std::int64_t elements)
    {
        addRow({.cache = Cache::State,
                .rule = EntryRule::Once,
                .k = bytesOf(KvFormat::Fp32, elements),
                .v = bytesOf(KvFormat::Fp32, elements),
                .cause = WasteCause::Compressor},
               group.layers);
        m_rows.kFormats[static_cast<std::size_t>(Cache::State)] = KvFormat::Fp32;
        m_rows.vFormats[static_cast<std::size_t>(Cache::State)] = KvFormat::Fp32;
    }

    const Scenario& m_scenario;
    const Options& m_options;
    CacheRows m_rows;
    bool m_windows = false;
    bool m_compresses = false;
    bool m_hasStates = false;
    std::int64_t m_widest = 0; ///< elements of the widest values
};

/// ik_llama.cpp: a flag decides, but for files that can be run with latents only.
LatentUse ikUse(const CacheGroup& group, const Options& options)
{
    if (group.kind == CacheKind::Latent && group.kvHeads == 1)
        return options.flash ? LatentUse::Latents : LatentUse::WithValues;
    const bool off = options.latents == LatentMode::ByFile || options.latents == LatentMode::Off;
    if (group.latentDim == 0)
        return options.rules.forcedLatents && !off ? LatentUse::Forced : LatentUse::None;
    if (off)
        return LatentUse::Heads;
    return options.latents == LatentMode::Values && !options.flash ? LatentUse::WithValues : LatentUse::Latents;
}

} // namespace

std::string_view kindOf(Cache cache)
{
    return kKinds.at(static_cast<std::size_t>(cache));
}

LatentUse latentUse(const Scenario& scenario, const CacheGroup& group, const Options& options)
{
    if (group.kind != CacheKind::Latent && group.kind != CacheKind::Full)
        return LatentUse::None;
    if (options.version.ik)
        return ikUse(group, options);
    if (group.latentDim == 0)
        return LatentUse::None;
    const bool byFile = options.latents == LatentMode::ByFile;
    const bool on = !byFile && options.latents != LatentMode::Off;
    if (!options.rules.latents)
        return on ? LatentUse::Both : LatentUse::Heads;
    const bool absorbed = group.kind == CacheKind::Latent && !isOneOf(kHeadsOnly, scenario.model.family);
    const bool only = group.kind == CacheKind::Latent && group.kvHeads == 1;
    if (!only && (byFile ? !absorbed : !on))
        return LatentUse::Heads;
    return options.rules.latentValues ? LatentUse::WithValues : LatentUse::Latents;
}

bool usesWindows(const Model& model, const Options& options)
{
    return options.rules.windows && !isOneOf(kWindowless, model.family) &&
           (keeps(model, CacheKind::Window) || keeps(model, CacheKind::Chunk));
}

CacheRows rowsOf(const Scenario& scenario, const Options& options)
{
    return Builder(scenario, options).build();
}

} // namespace core::engines::llama
