// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/teaching/lesson_text.h"

#include "core/teaching/asked_quantity.h"
#include "core/teaching/scenario_facts.h"
#include "core/text/text.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace core {

namespace {

constexpr std::array<std::string_view, 1> kFigureIds{"allocation-flow"};

/// The scenario that "mha.cache" is about; takes its name off `name`.
const Scenario* takeScenario(std::string_view& name, const PlaceholderScenarios& scenarios)
{
    const std::size_t dot = name.find('.');
    if (dot == std::string_view::npos)
        return scenarios.main;
    const std::string_view wanted = name.substr(0, dot);
    name.remove_prefix(dot + 1);
    const auto found = std::ranges::find(scenarios.named, wanted, &NamedScenario::name);
    if (found != scenarios.named.end())
        return &found->scenario;
    return wanted == "before" ? scenarios.before : nullptr;
}

std::optional<Value> valueNamed(std::string_view name, const PlaceholderScenarios& scenarios)
{
    const Scenario* scenario = takeScenario(name, scenarios);
    if (scenario == nullptr)
        return std::nullopt;
    const std::optional<AskedQuantity> quantity = askedQuantityNamed(name);
    if (!quantity)
        return factNamed(name, *scenario);
    const std::optional<double> solved = solve(*quantity, *scenario);
    return solved ? std::optional(shownNumber(measureOf(*quantity), *solved)) : std::nullopt;
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

/// The number with at most two decimals: 4, 2.5, 15.33.
std::string shortNumber(double number, const NumberStyle& style)
{
    int decimals = 2;
    for (double scaled = std::round(number * 100); decimals > 0 && std::fmod(scaled, 10) == 0; scaled /= 10)
        --decimals;
    return formatNumber(number, decimals, style);
}

constexpr double kMib = 1048576;

/// A name, which may come from anybody's file, with its letters escaped that Markdown would take for marks.
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

std::optional<std::string> valueOfPlaceholder(std::string_view placeholder, const PlaceholderScenarios& scenarios,
                                              const NumberStyle& style)
{
    const std::size_t slash = placeholder.find('/');
    if (slash != std::string_view::npos) {
        const std::optional<double> a = numberOf(valueNamed(trimmed(placeholder.substr(0, slash)), scenarios));
        const std::optional<double> b = numberOf(valueNamed(trimmed(placeholder.substr(slash + 1)), scenarios));
        return a && b && *b != 0 ? std::optional(shortNumber(*a / *b, style)) : std::nullopt;
    }
    const std::size_t colon = placeholder.find(':');
    const std::string_view form = colon == std::string_view::npos ? std::string_view() : placeholder.substr(colon + 1);
    const std::optional<Value> value = valueNamed(trimmed(placeholder.substr(0, colon)), scenarios);
    return value ? written(*value, trimmed(form), style) : std::nullopt;
}

/// The target of the link whose "](" stands at `bracket`.
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
    return target.starts_with(kScheme) && std::ranges::count(kFigureIds, target.substr(kScheme.size())) > 0;
}

bool isLetter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// The bytes of a faulty text that an error shows.
constexpr std::size_t kShown = 40;

/// The beginning of the first piece of HTML: "<img", "</p", "<!--", "<http://…>".
std::optional<std::string> htmlIn(std::string_view markdown)
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

Result<std::string> filled(std::string_view text, const PlaceholderScenarios& scenarios, const NumberStyle& style)
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
            close < text.size() ? valueOfPlaceholder(trimmed(name), scenarios, style) : std::nullopt;
        if (!value)
            return fail(KV_TEXT("core", "{0}"), {"{" + std::string(name.substr(0, kShown)) + "}"});
        result += *value;
        place = close + 1;
    }
    return result;
}

std::optional<std::string> forbiddenIn(std::string_view markdown)
{
    if (std::optional<std::string> tag = htmlIn(markdown))
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
    return kFigureIds;
}

} // namespace core
