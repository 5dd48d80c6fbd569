// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/teaching/lesson_text.h"

#include "core/engines/engine.h"
#include "core/model/element_block.h"
#include "core/scenario/kv_cache.h"
#include "core/sizing/evaluate.h"
#include "core/teaching/asked.h"
#include "core/teaching/memory_share.h"
#include "core/text/text.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace core {

namespace {

constexpr std::array<std::string_view, 1> kFigures{"allocation-flow"};

using Read = std::optional<Value> (*)(const Scenario&);

struct Input {
    std::string_view id;
    Read read;
};

std::optional<Value> text(std::string_view value)
{
    return std::string(value);
}

/// "2 bytes for each element", "34 bytes for 32 elements"
std::string blockText(KvFormat format)
{
    const ElementBlock block = blockOf(format);
    if (block.elements == 1)
        return english({block.bytes == 1 ? KV_TEXT("core", "1 byte for each element")
                                         : KV_TEXT("core", "{0} bytes for each element"),
                        {block.bytes}});
    return english({KV_TEXT("core", "{0} bytes for {1} elements"), {block.bytes, block.elements}});
}

/// A count of the first group that has heads.
std::optional<Value> ofHeads(const Scenario& scenario, std::int64_t (*count)(const Scenario&, const CacheGroup&))
{
    const CacheGroup* group = headsOf(scenario.model);
    return group != nullptr ? std::optional<Value>(count(scenario, *group)) : std::nullopt;
}

std::int64_t layersOf(const Scenario& scenario, CacheKind kind)
{
    std::int64_t count = 0;
    for (const CacheGroup& group : scenario.model.groups)
        count += group.kind == kind ? group.layers.count() : 0;
    return count;
}

/// A field of the first group where it is not 0.
std::optional<Value> ofGroup(const Scenario& scenario, std::int64_t CacheGroup::*field)
{
    for (const CacheGroup& group : scenario.model.groups) {
        if (group.*field != 0)
            return group.*field;
    }
    return std::nullopt;
}

template <typename T> std::optional<Value> given(const std::optional<T>& value)
{
    return value ? std::optional<Value>(*value) : std::nullopt;
}

using engines::DeviceShare;
using engines::Pool;

/// Of the engine's pool, where it has one.
std::optional<Value> ofPool(const Scenario& scenario, Value (*read)(const Pool&))
{
    const engines::Reservation reservation = engines::reserve(scenario);
    return reservation.pool ? std::optional(read(*reservation.pool)) : std::nullopt;
}

/// Of the first device, where the engine tells what it does with one.
std::optional<Value> ofDevice(const Scenario& scenario, Bytes (*read)(const DeviceShare&))
{
    const DeviceShare share = engines::reserve(scenario).devices.front();
    const bool told = engines::engine(scenario.engine).ownsMemory && share.count > 0;
    return told ? std::optional<Value>(scaledUp(read(share), 1, share.count)) : std::nullopt;
}

constexpr std::array kInputs{
    Input{"model", [](const Scenario& s) { return text(s.model.name); }},
    Input{"layers", [](const Scenario& s) -> std::optional<Value> { return s.model.layers; }},
    Input{"full_layers", [](const Scenario& s) -> std::optional<Value> { return layersOf(s, CacheKind::Full); }},
    Input{"window_layers", [](const Scenario& s) -> std::optional<Value> { return layersOf(s, CacheKind::Window); }},
    Input{"state_layers", [](const Scenario& s) -> std::optional<Value> { return layersOf(s, CacheKind::State); }},
    Input{"window", [](const Scenario& s) { return ofGroup(s, &CacheGroup::window); }},
    Input{"latent_dim", [](const Scenario& s) { return ofGroup(s, &CacheGroup::latentDim); }},
    Input{"rotary_dim", [](const Scenario& s) { return ofGroup(s, &CacheGroup::ropeDim); }},
    Input{"conv_elements", [](const Scenario& s) { return ofGroup(s, &CacheGroup::convElements); }},
    Input{"recurrent_elements", [](const Scenario& s) { return ofGroup(s, &CacheGroup::recurrentElements); }},
    Input{"query_heads",
          [](const Scenario& s) {
              return ofHeads(s, [](const Scenario&, const CacheGroup& group) { return group.queryHeads; });
          }},
    Input{"kv_heads", [](const Scenario& s) { return ofHeads(s, kvHeads); }},
    Input{"width",
          [](const Scenario& s) {
              return ofHeads(s, [](const Scenario&, const CacheGroup& g) { return g.queryHeads * g.keyDim; });
          }},
    Input{"parameters",
          [](const Scenario& s) -> std::optional<Value> {
              return s.model.weights.known() ? std::optional<Value>(s.model.weights.parameters()) : std::nullopt;
          }},
    Input{"trained_context", [](const Scenario& s) { return given(s.model.maxContext); }},
    Input{"context", [](const Scenario& s) -> std::optional<Value> { return s.workload.context; }},
    Input{"reserved_context",
          [](const Scenario& s) -> std::optional<Value> { return s.workload.maxContext.value_or(s.workload.context); }},
    Input{"batch", [](const Scenario& s) -> std::optional<Value> { return s.workload.batch; }},
    Input{"format", [](const Scenario& s) { return text(info(s.kFormat).name); }},
    Input{"element_bytes", [](const Scenario& s) { return text(blockText(s.kFormat)); }},
    Input{"weights_format", [](const Scenario& s) { return text(info(s.weightFormat).name); }},
    Input{"block", [](const Scenario& s) -> std::optional<Value> { return blockTokensOf(s); }},
    Input{"block_bytes",
          [](const Scenario& s) { return ofPool(s, [](const Pool& pool) { return Value(pool.blockBytes); }); }},
    Input{"request_blocks",
          [](const Scenario& s) { return ofPool(s, [](const Pool& pool) { return Value(pool.requestBlocks); }); }},
    Input{"concurrency",
          [](const Scenario& s) -> std::optional<Value> {
              return given(engines::reserve(s).pool.value_or(Pool()).concurrency);
          }},
    Input{"cache_tokens", [](const Scenario& s) { return given(engines::reserve(s).cacheTokens); }},
    Input{"engine_version", [](const Scenario& s) { return text(s.engineVersion); }},
    Input{"share", [](const Scenario& s) { return given(memoryShareOf(s)); }},
    Input{"device_weights",
          [](const Scenario& s) { return ofDevice(s, [](const DeviceShare& share) { return share.weights; }); }},
    Input{"runtime",
          [](const Scenario& s) { return ofDevice(s, [](const DeviceShare& share) { return share.runtime; }); }},
    Input{"computing",
          [](const Scenario& s) { return ofDevice(s, [](const DeviceShare& share) { return share.buffers; }); }},
    Input{"own_work",
          [](const Scenario& s) { return ofDevice(s, [](const DeviceShare& share) { return share.overhead(); }); }},
    Input{"waste_percent", [](const Scenario& s) -> std::optional<Value> { return s.waste; }},
    Input{"reserve", [](const Scenario& s) -> std::optional<Value> { return s.reserve; }},
    Input{"overhead", [](const Scenario& s) -> std::optional<Value> { return s.overhead; }},
    Input{"gpu", [](const Scenario& s) { return s.hardware.gpu ? text(s.hardware.gpu->name) : std::nullopt; }},
    Input{"gpus", [](const Scenario& s) -> std::optional<Value> { return s.hardware.count; }},
    Input{"device", [](const Scenario& s) { return given(deviceMemory(s.hardware)); }},
    Input{"capacity",
          [](const Scenario& s) -> std::optional<Value> {
              const std::optional<Bytes> device = deviceMemory(s.hardware);
              return device ? std::optional<Value>(*device * s.hardware.count) : std::nullopt;
          }},
};

/// The scenario that "mha.cache" is about, and what remains of the place.
const Scenario* subjectOf(std::string_view& name, const Places& places)
{
    const std::size_t dot = name.find('.');
    if (dot == std::string_view::npos)
        return places.scenario;
    const auto found = std::ranges::find(places.others, name.substr(0, dot), &NamedScenario::name);
    name.remove_prefix(dot + 1);
    return found == places.others.end() ? nullptr : &found->scenario;
}

std::optional<Value> valueAt(std::string_view name, const Places& places)
{
    const Scenario* scenario = subjectOf(name, places);
    if (scenario == nullptr)
        return std::nullopt;
    if (const std::optional<Asked> number = asked(name)) {
        const std::optional<double> solved = solve({*number, *scenario, {}});
        return solved ? std::optional(shownNumber(measureOf(*number), *solved)) : std::nullopt;
    }
    const auto* const input = std::ranges::find(kInputs, name, &Input::id);
    return input == kInputs.end() ? std::nullopt : input->read(*scenario);
}

std::optional<double> numberOf(const std::optional<Value>& value)
{
    if (!value)
        return std::nullopt;
    if (const auto* bytes = std::get_if<Bytes>(&*value))
        return static_cast<double>(bytes->count());
    if (const auto* count = std::get_if<std::int64_t>(&*value))
        return static_cast<double>(*count);
    if (const auto* number = std::get_if<double>(&*value))
        return *number;
    return std::nullopt;
}

/// 4, 2.5, 15.33: at most two decimals.
std::string shortNumber(double number, const NumberStyle& style)
{
    int decimals = 2;
    for (double scaled = std::round(number * 100); decimals > 0 && std::fmod(scaled, 10) == 0; scaled /= 10)
        --decimals;
    return formatNumber(number, decimals, style);
}

constexpr double kMib = 1048576;

/// A name, which may come from a file of anybody's, so that Markdown takes none of its letters for a mark.
std::string escaped(std::string_view name)
{
    constexpr std::string_view kMarks = "\\`*_[]<>#!|~&";
    std::string result;
    for (const char letter : name) {
        if (kMarks.find(letter) != std::string_view::npos)
            result += '\\';
        result += static_cast<unsigned char>(letter) < ' ' ? ' ' : letter;
    }
    return result;
}

std::optional<std::string> sizeWritten(Bytes bytes, std::string_view form, const NumberStyle& style)
{
    if (form == "gib" || form == "gb")
        return formatBytes(bytes, form == "gib" ? Unit::Binary : Unit::Decimal, style);
    if (form == "bytes")
        return formatCount(bytes.count(), style);
    if (form == "mib")
        return shortNumber(static_cast<double>(bytes.count()) / kMib, style) + " MiB";
    if (!form.empty())
        return std::nullopt;
    return formatBytes(bytes, Unit::Binary, style) + " (" + formatBytes(bytes, Unit::Decimal, style) + ")";
}

std::optional<std::string> written(const Value& value, std::string_view form, const NumberStyle& style)
{
    if (const auto* bytes = std::get_if<Bytes>(&value))
        return sizeWritten(*bytes, form, style);
    if (const auto* count = std::get_if<std::int64_t>(&value); count != nullptr && form == "k")
        return formatTokens(*count, style);
    if (!form.empty())
        return std::nullopt;
    if (const auto* number = std::get_if<double>(&value))
        return shortNumber(*number, style);
    if (const auto* name = std::get_if<std::string>(&value))
        return escaped(*name);
    return formatValue(value, style);
}

std::optional<std::string> placeFilled(std::string_view place, const Places& places, const NumberStyle& style)
{
    const std::size_t slash = place.find('/');
    if (slash != std::string_view::npos) {
        const std::optional<double> a = numberOf(valueAt(trimmed(place.substr(0, slash)), places));
        const std::optional<double> b = numberOf(valueAt(trimmed(place.substr(slash + 1)), places));
        return a && b && *b != 0 ? std::optional(shortNumber(*a / *b, style)) : std::nullopt;
    }
    const std::size_t colon = place.find(':');
    const std::string_view form = colon == std::string_view::npos ? std::string_view() : place.substr(colon + 1);
    const std::optional<Value> value = valueAt(trimmed(place.substr(0, colon)), places);
    return value ? written(*value, trimmed(form), style) : std::nullopt;
}

/// Where a link that begins at `bracket` ("](") leads.
std::string_view targetAt(std::string_view markdown, std::size_t bracket)
{
    const std::size_t end = std::min(markdown.find(')', bracket), markdown.size());
    return trimmed(markdown.substr(bracket + 2, end - bracket - 2));
}

bool isPicture(std::string_view markdown, std::size_t bracket)
{
    const std::size_t open = markdown.rfind('[', bracket);
    return open != std::string_view::npos && open > 0 && markdown[open - 1] == '!';
}

bool isOwnFigure(std::string_view target)
{
    constexpr std::string_view kScheme = "figure:";
    return target.starts_with(kScheme) && std::ranges::count(kFigures, target.substr(kScheme.size())) > 0;
}

bool isLetter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

constexpr std::size_t kShown = 40;

/// "<img", "</p", "<!--", "<http://…>".
std::optional<std::string> html(std::string_view markdown)
{
    for (std::size_t place = markdown.find('<'); place != std::string_view::npos;
         place = markdown.find('<', place + 1)) {
        const std::string_view tag = markdown.substr(place, kShown);
        const char next = tag.size() > 1 ? tag[1] : ' ';
        if (isLetter(next) || next == '/' || next == '!' || next == '?')
            return std::string(tag.substr(0, tag.find('\n')));
    }
    return std::nullopt;
}

} // namespace

Result<std::string> filled(std::string_view text, const Places& places, const NumberStyle& style)
{
    std::string result;
    for (std::size_t place = 0; place < text.size();) {
        const std::size_t open = std::min(text.find('{', place), text.size());
        result += text.substr(place, open - place);
        if (open == text.size())
            break;
        const std::size_t close = std::min(text.find('}', open), text.size());
        const std::string_view name = text.substr(open + 1, close - open - 1);
        const std::optional<std::string> value =
            close < text.size() ? placeFilled(trimmed(name), places, style) : std::nullopt;
        if (!value)
            return fail(KV_TEXT("core", "{0}"), {"{" + std::string(name.substr(0, kShown)) + "}"});
        result += *value;
        place = close + 1;
    }
    return result;
}

std::optional<std::string> forbiddenIn(std::string_view markdown)
{
    if (std::optional<std::string> tag = html(markdown))
        return tag;
    for (std::size_t bracket = markdown.find("]("); bracket != std::string_view::npos;
         bracket = markdown.find("](", bracket + 2)) {
        const std::string_view target = targetAt(markdown, bracket);
        const bool isWeb = target.starts_with("https://") || target.starts_with("http://");
        if (isPicture(markdown, bracket) ? !isOwnFigure(target) : !isWeb)
            return std::string(target.substr(0, kShown));
    }
    // A link's target may stand elsewhere: "[name]: file:///…".
    const std::size_t definition = markdown.find("]:");
    if (definition != std::string_view::npos)
        return std::string(markdown.substr(definition, kShown));
    return std::nullopt;
}

std::span<const std::string_view> figureIds()
{
    return kFigures;
}

} // namespace core
