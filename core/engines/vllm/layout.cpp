// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engines/vllm/layout.h"

#include "core/numbers.h"
#include "core/scenario/kv_cache.h"
#include "core/text/text.h"

#include <algorithm>

namespace core::engines::vllm {

namespace {

constexpr std::int64_t kStateBlock = 16; ///< multiple of an attention block beside states
constexpr std::int64_t kUsualRows = 3;   ///< of a convolution with a kernel of 4

/// kernel − 1, where the model says so.
std::int64_t convolutionRows(const Model& model)
{
    const Provenance* kernel = provenanceOf(model, "conv_kernel");
    const std::int64_t rows = kernel != nullptr ? parseCount(kernel->value).value_or(0) - 1 : kUsualRows;
    return rows > 0 ? rows : kUsualRows;
}

/// The format of recurrent states that are not asked for otherwise: that of the model, but for classes that keep what
/// their file names, and for delta attention (KDA), whose states are always FP32. Sources: vLLM models/qwen3_5.py (the
/// class with images), models/nemotron_h.py, layers/mamba/mamba_utils.py (kda_state_dtype).
KvFormat stateFormat(const Model& model, const CacheGroup& group, const Rules& rules)
{
    const Provenance* layers = provenanceOf(model, "layers");
    const bool textOnly = layers != nullptr && layers->how == How::Read && !layers->key.starts_with("text_config");
    const Provenance* named = provenanceOf(model, "state_format");
    const bool given = named != nullptr && named->key == "mamba_ssm_cache_dtype";
    if (model.family == "kimi_linear" || (model.family.starts_with("qwen3_5") && !textOnly))
        return group.recurrentFormat;
    return model.family.starts_with("nemotron_h") && given && rules.givenStates ? group.recurrentFormat
                                                                                : group.convFormat;
}

class Builder {
public:
    Builder(const Scenario& scenario, const Options& options, const Spread& spread)
        : m_scenario(scenario), m_options(options), m_spread(spread)
    {
    }

    Layout build()
    {
        for (const CacheGroup& group : m_scenario.model.groups)
            add(group, &group);
        if (m_options.drafts > 0 || m_options.draftLayers.value_or(0) > 0) {
            for (const CacheGroup& group : draftsOf(m_scenario.model, m_options.draftLayers))
                add(group, nullptr);
        }
        for (LayerType& type : m_layout.types)
            std::ranges::sort(type.numbers);
        m_layout.isUniform = isUniform();
        if (m_layout.isUniform)
            makeOneGroup();
        else
            makeGroups();
        return std::move(m_layout);
    }

private:
    void add(const CacheGroup& group, const CacheGroup* ideal)
    {
        if (group.kind == CacheKind::Shared || group.kind == CacheKind::None)
            return;
        LayerType type = typeOf(onRank(m_scenario, group, m_spread.heads));
        ModelGroup modelGroup{.group = ideal, .ideal = {}, .idealOnRank = {}, .layers = {}};
        if (ideal != nullptr) {
            modelGroup.ideal = entryBytes(m_scenario, group);
            modelGroup.idealOnRank =
                entryBytes(onRank(m_scenario, group, m_spread.heads), m_scenario.kFormat, m_scenario.vFormat);
        }
        LayerType& place = placeOf(std::move(type));
        for (std::int64_t stage = 0; stage < m_spread.pipeline; ++stage) {
            const auto index = static_cast<std::size_t>(stage);
            modelGroup.layers.at(index) = m_spread.layersOn(stage, group.layers.layers());
            place.layers.at(index) += layersOn(stage, group.layers.layers());
        }
        for (const std::int32_t layer : group.layers.layers())
            place.numbers.push_back(layer);
        place.modelGroups.push_back(modelGroup);
    }

    /// All of them on each stage where the release holds the whole model against one of them.
    std::int64_t layersOn(std::int64_t stage, std::span<const std::int32_t> layers) const
    {
        return m_options.rules.wholeModel ? static_cast<std::int64_t>(layers.size()) : m_spread.layersOn(stage, layers);
    }

    LayerType& placeOf(LayerType type)
    {
        for (LayerType& known : m_layout.types) {
            if (known.rule == type.rule && known.heads == type.heads && known.keyDim == type.keyDim &&
                known.valueDim == type.valueDim && known.window == type.window && known.ratio == type.ratio &&
                known.k == type.k && known.v == type.v)
                return known;
        }
        return m_layout.types.emplace_back(std::move(type));
    }

    /// What one layer of `part`, a rank's part of a group, keeps.
    LayerType typeOf(const CacheGroup& part) const
    {
        LayerType type{.rule = ruleOf(part.kind), .kind = part.kind};
        type.ratio = tokensPerEntry(part);
        if (part.kind == CacheKind::State)
            return stateType(part, type);
        if (part.kind == CacheKind::Latent && !m_options.latents)
            return expandedType(part, type);
        const KvFormat k = part.kind == CacheKind::Index ? KvFormat::Fp8Mla : latentFormat(part.kind);
        const auto [first, second] = entryParts(part, k, m_scenario.vFormat);
        type.heads = part.kvHeads;
        type.keyDim = first.elements;
        type.valueDim = second.elements;
        type.window = type.rule == BlockRule::Window || type.rule == BlockRule::Chunk ? part.window : 0;
        type.k = bytesOf(first.format, first.elements, first.heads);
        type.v = bytesOf(second.format, second.elements, second.heads);
        return type;
    }

    /// Sparse attention takes FP8 with scales for any FP8. Source: vLLM models/config.py, DeepseekV32ForCausalLM.
    KvFormat latentFormat(CacheKind kind) const
    {
        const bool latent =
            kind == CacheKind::Latent && hasIndexKeys(m_scenario) && m_scenario.kFormat == KvFormat::Fp8;
        return latent ? KvFormat::Fp8Mla : m_scenario.kFormat;
    }

    LayerType expandedType(const CacheGroup& part, LayerType type) const
    {
        type.heads = part.queryHeads;
        type.keyDim = part.queryHeads * part.keyDim;
        type.valueDim = part.queryHeads * part.valueDim;
        type.k = bytesOf(m_scenario.kFormat, type.keyDim, part.queryHeads);
        type.v = bytesOf(m_scenario.vFormat, type.valueDim, part.queryHeads);
        type.cause = WasteCause::ExpandedLatent;
        return type;
    }

    LayerType stateType(const CacheGroup& part, LayerType type) const
    {
        const KvFormat format = m_options.stateFormat.value_or(stateFormat(m_scenario.model, part, m_options.rules));
        const std::int64_t rows = convolutionRows(m_scenario.model);
        const std::int64_t channels = part.convElements / rows;
        type.keyDim = part.convElements;
        type.valueDim = part.recurrentElements;
        type.k = bytesOf(part.convFormat, part.convElements + channels * m_options.drafts);
        type.v = bytesOf(format, part.recurrentElements);
        type.plain = bytesOf(part.convFormat, part.convElements) + type.v;
        type.cause = WasteCause::StateFormat;
        return type;
    }

    BlockRule ruleOf(CacheKind kind) const
    {
        switch (kind) {
        case CacheKind::Window:
            return m_options.groups ? BlockRule::Window : BlockRule::Full;
        case CacheKind::Chunk:
            return m_options.groups && m_options.rules.chunkGroups ? BlockRule::Chunk : BlockRule::Full;
        case CacheKind::Cross:
            return m_options.rules.groups ? BlockRule::Cross : BlockRule::Full;
        case CacheKind::State:
            return BlockRule::State;
        default:
            return BlockRule::Full;
        }
    }

    /// True where all layers are in one group: all full, or all windows of one length.
    bool isUniform() const
    {
        const std::vector<LayerType>& types = m_layout.types;
        return types.size() <= 1 || std::ranges::all_of(types, [&](const LayerType& type) {
                   const bool alike = type.rule == types.front().rule && type.window == types.front().window;
                   return alike && (type.rule == BlockRule::Full || type.rule == BlockRule::Window);
               });
    }

    void makeOneGroup()
    {
        std::int64_t tokens = m_options.blockTokens;
        for (LayerType& type : m_layout.types) {
            type.groups = 1;
            type.blockTokens = tokens;
            type.page = type.rule == BlockRule::State ? type.entry() : type.entry() * ceilDivided(tokens, type.ratio);
            m_layout.state = type.rule == BlockRule::State ? type.entry() : m_layout.state;
            m_layout.groupSize += type.count();
            for (std::size_t stage = 0; stage < type.layers.size(); ++stage)
                m_layout.block.at(stage) += type.page * type.layers.at(stage);
        }
        m_layout.blockTokens = tokens;
    }

    /// Pages of one size, groups of as many layers, all from one pool.
    void makeGroups()
    {
        std::int64_t tokens = m_options.blockTokens;
        raiseForStates(tokens);
        for (LayerType& type : m_layout.types) {
            type.blockTokens = tokens;
            type.page = type.rule == BlockRule::State ? type.entry() : type.entry() * ceilDivided(tokens, type.ratio);
            m_layout.page = std::max(m_layout.page, type.page);
        }
        m_layout.page = std::max(m_layout.page, m_statePage);
        for (LayerType& type : m_layout.types) {
            if (type.rule != BlockRule::State && type.page > Bytes())
                type.blockTokens *= m_layout.page.count() / type.page.count();
            type.page = m_layout.page;
        }
        m_layout.blockTokens = kMaxContext;
        for (const LayerType& type : m_layout.types) {
            if (type.rule != BlockRule::State)
                m_layout.blockTokens = std::min(m_layout.blockTokens, type.blockTokens);
        }
        cutIntoGroups();
    }

    /// The block of attention whose page holds a state; of the model's own attention, not of what drafts.
    void raiseForStates(std::int64_t& tokens)
    {
        const auto state = std::ranges::find(m_layout.types, BlockRule::State, &LayerType::rule);
        const auto attention = std::ranges::find_if(m_layout.types, [](const LayerType& type) {
            return type.rule != BlockRule::State && type.rule != BlockRule::Cross && type.entry() > Bytes();
        });
        if (state == m_layout.types.end() || attention == m_layout.types.end())
            return;
        const bool ascend = m_options.platform == Platform::Ascend;
        const std::int64_t multiple = ascend ? m_options.blockTokens : kStateBlock;
        const Bytes entry = ascend ? attention->k : attention->entry();
        const Bytes held = ascend ? state->v : state->entry();
        const std::int64_t raised =
            multiple * ceilDivided(held.count(), multiple * std::max<std::int64_t>(entry.count(), 1));
        tokens = std::max(tokens, raised);
        m_layout.attentionBlock = tokens;
        m_layout.state = state->entry();
        if (ascend)
            m_statePage = attention->entry() * tokens + state->k;
    }

    void cutIntoGroups()
    {
        std::int64_t least = m_layout.types.front().count();
        std::int64_t most = 0;
        for (const LayerType& type : m_layout.types) {
            least = std::min(least, type.count());
            most = std::max(most, type.count());
        }
        m_layout.groupSize = 2 * most < 3 * least ? most : least;
        m_layout.groups = 0;
        for (LayerType& type : m_layout.types) {
            type.groups = ceilDivided(type.count(), m_layout.groupSize);
            m_layout.groups += type.groups;
            countPages(type);
        }
        for (std::size_t stage = 0; stage < m_layout.block.size(); ++stage)
            m_layout.block.at(stage) = m_layout.page * m_layout.pages.at(stage);
    }

    /// Layers are dealt out to the groups of their type in turn; the largest group of a stage sets its block.
    void countPages(const LayerType& type)
    {
        for (std::int64_t stage = 0; stage < m_spread.pipeline; ++stage) {
            std::int64_t& pages = m_layout.pages.at(static_cast<std::size_t>(stage));
            if (m_spread.pipeline == 1 || m_options.rules.wholeModel) {
                pages = m_layout.groupSize;
                continue;
            }
            for (std::int64_t group = 0; group < type.groups; ++group) {
                std::int64_t held = 0;
                for (std::int64_t i = group; i < type.count(); i += type.groups)
                    held += m_spread.holds(stage, type.numbers[static_cast<std::size_t>(i)]) ? 1 : 0;
                pages = std::max(pages, held);
            }
        }
    }

    const Scenario& m_scenario;
    const Options& m_options;
    const Spread& m_spread;
    Layout m_layout;
    Bytes m_statePage{};
};

} // namespace

Layout layoutOf(const Scenario& scenario, const Options& options, const Spread& spread)
{
    return Builder(scenario, options, spread).build();
}

} // namespace core::engines::vllm
