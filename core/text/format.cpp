// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/format.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>

namespace core {

namespace {

__extension__ using Wide = __int128;

constexpr const char* kMinus = "\u2212";
constexpr std::int64_t kGrain = 1'024;
constexpr std::array<std::string_view, 4> kBinaryNames{"B", "KiB", "MiB", "GiB"};
constexpr std::array<std::string_view, 4> kDecimalNames{"B", "kB", "MB", "GB"};

struct UnitSize {
    std::string_view name;
    std::int64_t bytes;
};

constexpr std::array<std::int64_t, 4> kPowers{1, 10, 100, 1'000};

/// bytes / unit in units of 10^-decimals, rounded half away from zero.
std::int64_t scaled(Bytes bytes, std::int64_t unit, int decimals)
{
    const Wide count = bytes.count();
    const Wide product = (count < 0 ? -count : count) * kPowers.at(static_cast<std::size_t>(decimals));
    const Wide quotient = (product + unit / 2) / unit;
    const auto rounded =
        quotient > Bytes::tooMany().count() ? Bytes::tooMany().count() : static_cast<std::int64_t>(quotient);
    return count < 0 ? -rounded : rounded;
}

/// The smallest unit in which `bytes`, rounded to `decimals`, stays below the next unit; GiB or GB for all that is
/// larger.
UnitSize unitFor(Bytes bytes, Unit unit, int decimals)
{
    const std::int64_t step = unit == Unit::Binary ? kGrain : 1'000;
    const std::int64_t next = step * kPowers.at(static_cast<std::size_t>(decimals));
    const auto& names = unit == Unit::Binary ? kBinaryNames : kDecimalNames;
    UnitSize size{names[0], 1};
    for (std::size_t i = 1; i < names.size() && std::abs(scaled(bytes, size.bytes, decimals)) >= next; ++i)
        size = {names.at(i), size.bytes * step};
    return size;
}

/// A fixed-point number with `decimals` decimals.
std::string fixedPoint(std::int64_t value, int decimals, const NumberStyle& style)
{
    const std::int64_t power = kPowers.at(static_cast<std::size_t>(decimals));
    const std::int64_t magnitude = std::abs(value);
    const std::string_view sign = value < 0 ? kMinus : "";
    const std::string whole = formatCount(magnitude / power, style);
    if (decimals == 0)
        return fmt::format("{}{}", sign, whole);
    return fmt::format("{}{}{}{:0{}}", sign, whole, style.decimalPoint, magnitude % power, decimals);
}

} // namespace

std::string formatCount(std::int64_t count, const NumberStyle& style)
{
    std::string digits = std::to_string(count);
    if (count < 0)
        digits.erase(0, 1);
    for (std::size_t place = digits.size(); place > 3;) {
        place -= 3;
        digits.insert(place, style.grouping);
    }
    return count < 0 ? digits.insert(0, kMinus) : digits;
}

std::string formatNumber(double value, int decimals, const NumberStyle& style)
{
    const double power = static_cast<double>(kPowers.at(static_cast<std::size_t>(decimals)));
    return fixedPoint(std::llround(value * power), decimals, style);
}

std::string formatBytes(Bytes bytes, Unit unit, const NumberStyle& style)
{
    int decimals = 2;
    const UnitSize size = unitFor(bytes, unit, decimals);
    const bool exactly = size.name != kBinaryNames[3] && size.name != kDecimalNames[3];
    while (exactly && decimals > 0 && scaled(bytes, size.bytes, decimals) % 10 == 0)
        --decimals;
    return fixedPoint(scaled(bytes, size.bytes, decimals), decimals, style).append(" ").append(size.name);
}

std::string formatShort(Bytes bytes, Unit unit, const NumberStyle& style)
{
    const UnitSize size = unitFor(bytes, unit, 0);
    int decimals = size.bytes == 1 ? 0 : 2;
    while (decimals > 0 && std::abs(scaled(bytes, size.bytes, decimals)) >= 1'000)
        --decimals;
    return fixedPoint(scaled(bytes, size.bytes, decimals), decimals, style).append(" ").append(size.name);
}

std::string formatBoth(Bytes bytes, const NumberStyle& style)
{
    return fmt::format("{} ({})", formatShort(bytes, Unit::Binary, style), formatShort(bytes, Unit::Decimal, style));
}

std::string formatPercent(Percent percent, const NumberStyle& style)
{
    int decimals = 2;
    std::int64_t value = percent.hundredths;
    for (; decimals > 0 && value % 10 == 0; --decimals)
        value /= 10;
    return fixedPoint(value, decimals, style);
}

std::string formatTokens(std::int64_t tokens, const NumberStyle& style)
{
    constexpr std::int64_t kMega = kGrain * kGrain;
    if (tokens >= kMega && tokens % kMega == 0)
        return formatCount(tokens / kMega, style) + "M";
    if (tokens >= kGrain && tokens % kGrain == 0)
        return formatCount(tokens / kGrain, style) + "K";
    return formatCount(tokens, style);
}

std::string formatValue(const Value& value, const NumberStyle& style)
{
    struct Visitor {
        const NumberStyle& style;
        std::string operator()(std::int64_t count) const { return formatCount(count, style); }
        std::string operator()(double number) const { return formatNumber(number, 2, style); }
        std::string operator()(Bytes bytes) const { return formatBytes(bytes, style.unit, style); }
        std::string operator()(Percent percent) const { return formatPercent(percent, style) + " %"; }
        std::string operator()(const std::string& text) const { return text; }
    };
    return std::visit(Visitor{style}, value);
}

std::string formatMessage(std::string_view text, const std::vector<Value>& args, const NumberStyle& style)
{
    std::string result;
    for (std::size_t place = 0; place < text.size();) {
        const std::size_t open = text.find('{', place);
        const std::size_t close = open == std::string_view::npos ? open : text.find('}', open);
        std::size_t index = 0;
        const bool isPlace =
            close != std::string_view::npos &&
            std::from_chars(text.data() + open + 1, text.data() + close, index).ptr == text.data() + close;
        if (!isPlace || index >= args.size()) {
            const std::size_t end = open == std::string_view::npos ? text.size() : open + 1;
            result += text.substr(place, end - place);
            place = end;
            continue;
        }
        result += text.substr(place, open - place);
        result += formatValue(args[index], style);
        place = close + 1;
    }
    return result;
}

std::string english(const Message& message)
{
    return formatMessage(message.text, message.args);
}

} // namespace core
