// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/hf_layout.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace core::readers {

namespace {

tl::unexpected<Error> refuse(CacheLaw law, std::string_view file, std::string what)
{
    return fail(refusal(law), {std::string(file), std::move(what)});
}

bool springs(const nlohmann::json* value, TrapWhen when)
{
    if (value == nullptr)
        return false;
    switch (when) {
    case TrapWhen::Present:
        return true;
    case TrapWhen::Positive:
        return value->is_array() || (value->is_number() && value->get<double>() > 0);
    case TrapWhen::True:
        return value->is_boolean() && value->get<bool>();
    case TrapWhen::NonEmpty:
        return value->is_structured() && !value->empty();
    }
    return false;
}

/// The lists that name the kind of each layer.
constexpr std::array<std::string_view, 4> kKindLists{"layer_types", "layers_block_type", "block_types", "_block_types"};

Result<void> checkLayerKinds(const JsonObject& language, std::string_view declared)
{
    for (const std::string_view key : kKindLists) {
        const Result<std::vector<std::string>> kinds = language.texts(key);
        if (!kinds)
            return tl::unexpected<Error>(kinds.error());
        for (const std::string& kind : *kinds) {
            const std::optional<CacheLaw> law = layerKind(kind);
            if (!law)
                return fail(KV_TEXT("core",
                                    "In {0}, \"{1}\" has a layer of the kind \"{2}\", which is not known; nothing was "
                                    "changed; choose another file or a catalogue model."),
                            {std::string(language.file()), language.place(key), kind});
            if (*law != CacheLaw::Plain)
                return refuse(*law, language.file(), fmt::format("{}, {} \"{}\"", declared, key, kind));
        }
    }
    return {};
}

/// MiniMax: 1 = attention, 0 = lightning attention.
Result<void> checkAttentionList(const JsonObject& language, std::string_view declared)
{
    const nlohmann::json* list = language.find("attn_type_list");
    if (list == nullptr || !list->is_array())
        return {};
    const bool plain = std::ranges::all_of(*list, [](const nlohmann::json& item) { return wholeNumber(item) == 1; });
    if (!plain)
        return refuse(CacheLaw::Hybrid, language.file(), fmt::format("{}, attn_type_list 0", declared));
    return {};
}

/// The KV heads where no key counts: one, or as many as query heads.
std::int64_t withoutKey(ConfigValues& values, std::int64_t queryHeads, const KvHeadRule& rule, bool one)
{
    const std::int64_t heads = one ? 1 : queryHeads;
    const bool ignored = std::ranges::any_of(split(info(Quantity::KvHeads).keys),
                                             [&](std::string_view key) { return values.at(key) != nullptr; });
    if (one)
        values.derived("kv_heads", "1", fmt::format("{} is true: one KV head for all query heads", rule.oneIf.key));
    else
        values.derived("kv_heads", std::to_string(heads), "as many as query heads (multi-head attention)");
    if (!one && !ignored)
        values.note("KV heads missing: multi-head attention assumed, one KV head for each query head");
    if (ignored)
        values.note(fmt::format("the number of KV heads in {} is ignored: the class takes {}", values.file(), heads));
    return heads;
}

Result<std::int64_t> kvHeadsOf(ConfigValues& values, std::int64_t queryHeads)
{
    const KvHeadRule& rule = values.family().kvHeads;
    const Result<bool> counts = values.flag(rule.keyIf);
    const Result<bool> one = values.flag(rule.oneIf);
    if (const std::optional<Error> error = firstError(counts, one))
        return tl::unexpected<Error>(*error);
    if (*counts) {
        const Result<std::optional<std::int64_t>> read = values.find(Quantity::KvHeads);
        if (!read)
            return tl::unexpected<Error>(read.error());
        if (*read)
            return **read;
    }
    return withoutKey(values, queryHeads, rule, *one && !*counts);
}

/// The explicit head size, else width / query heads, which must be whole.
Result<std::int64_t> headDimOf(ConfigValues& values, std::int64_t queryHeads)
{
    const Result<std::optional<std::int64_t>> read = values.find(Quantity::HeadDim);
    if (!read)
        return tl::unexpected<Error>(read.error());
    if (*read)
        return **read;
    const Result<std::int64_t> width = values.need(Quantity::Width);
    if (!width)
        return tl::unexpected<Error>(width.error());
    if (*width % queryHeads != 0)
        return fail(KV_TEXT("core",
                            "{0} gives no head size, and its width {1} is not divisible by its {2} query heads; "
                            "nothing was changed; add \"head_dim\" there."),
                    {values.file(), *width, queryHeads});
    values.derived("head_dim", std::to_string(*width / queryHeads),
                   fmt::format("width {} / query heads {}", *width, queryHeads));
    return *width / queryHeads;
}

/// True where the class lets the declared window take effect in some layer.
Result<bool> isSwitchedOn(ConfigValues& values, std::int64_t layers)
{
    if (values.family().window == WindowRule::WhenDeclared)
        return true;
    const Result<bool> on = values.flag(Flag{"use_sliding_window", false});
    const Result<std::optional<std::int64_t>> first = values.find(Quantity::WindowedFrom);
    if (const std::optional<Error> error = firstError(on, first))
        return tl::unexpected<Error>(*error);
    return *on && first->value_or(0) < layers;
}

/// Refuses a window that is in force; notes one that is declared without effect.
Result<void> checkWindow(ConfigValues& values, const Layout& layout, std::string_view declared)
{
    const Result<std::optional<std::int64_t>> window = values.find(Quantity::Window);
    const Result<bool> on = isSwitchedOn(values, layout.layers);
    if (const std::optional<Error> error = firstError(window, on))
        return tl::unexpected<Error>(*error);
    if (!*window)
        return {};
    const Provenance row = *std::ranges::find(values.provenance(), "window", &Provenance::field);
    const std::string key = row.key.empty() ? "sliding_window" : row.key;
    const bool reachesEnd = layout.maxContext && **window >= *layout.maxContext;
    if (*on && !reachesEnd)
        return refuse(CacheLaw::Window, values.file(), fmt::format("{}, {} {}", declared, key, **window));
    std::erase_if(values.provenance(), [](const Provenance& other) {
        return other.how == How::Default && (other.field == "window" || other.field == "first_windowed_layer");
    });
    if (row.how == How::Read)
        values.note(fmt::format("{} = {} has no effect: {}", key, **window,
                                *on ? "it is not below the maximum length" : "the window is switched off"));
    return {};
}

} // namespace

CacheGroup Layout::group() const
{
    CacheGroup group;
    group.layers = LayerSet::range(0, layers - 1);
    group.queryHeads = queryHeads;
    group.kvHeads = kvHeads;
    group.keyDim = headDim;
    group.valueDim = headDim;
    return group;
}

Result<void> checkPlain(const JsonObject& language, std::string_view declared)
{
    for (const Trap& trap : traps()) {
        const nlohmann::json* value = language.find(trap.key);
        if (springs(value, trap.when))
            return refuse(trap.law, language.file(), fmt::format("{}, {} {}", declared, trap.key, shown(*value)));
    }
    const Result<void> kinds = checkLayerKinds(language, declared);
    return kinds ? checkAttentionList(language, declared) : kinds;
}

Result<Layout> readLayout(ConfigValues& values, std::string_view declared)
{
    if (values.family().needsLayerTypes && !values.language().has("layer_types"))
        return refuse(CacheLaw::Hybrid, values.file(), fmt::format("{}, layer_types null", declared));
    Layout layout;
    const Result<std::int64_t> layers = values.need(Quantity::Layers);
    const Result<std::int64_t> queryHeads = values.need(Quantity::QueryHeads);
    if (const std::optional<Error> error = firstError(layers, queryHeads))
        return tl::unexpected<Error>(*error);
    layout.layers = *layers;
    layout.queryHeads = *queryHeads;
    const Result<std::int64_t> kvHeads = kvHeadsOf(values, *queryHeads);
    const Result<std::int64_t> headDim = headDimOf(values, *queryHeads);
    const Result<std::optional<std::int64_t>> maxContext = values.find(Quantity::MaxContext);
    if (const std::optional<Error> error = firstError(kvHeads, headDim, maxContext))
        return tl::unexpected<Error>(*error);
    if (*kvHeads > *queryHeads)
        return fail(KV_TEXT("core",
                            "{0} says {1} KV heads but only {2} query heads, which cannot be right; nothing was "
                            "changed; correct it there."),
                    {values.file(), *kvHeads, *queryHeads});
    layout.kvHeads = *kvHeads;
    layout.headDim = *headDim;
    layout.maxContext = *maxContext;
    const Result<void> window = checkWindow(values, layout, declared);
    return window ? Result<Layout>(layout) : tl::unexpected<Error>(window.error());
}

} // namespace core::readers
