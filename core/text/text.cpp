// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <optional>

namespace core {

namespace {

constexpr std::size_t kMaxDecimals = 18;

struct SizeUnit {
    std::string_view id;
    std::int64_t bytes;
};

/// "K" to "T" of parameters, and what each is worth.
constexpr std::array<SizeUnit, 5> kParameterUnits{
    {{"", 1}, {"k", 1'000}, {"m", 1'000'000}, {"b", 1'000'000'000}, {"t", 1'000'000'000'000}}};

constexpr std::array<SizeUnit, 10> kSizeUnits{{{"", 1},
                                               {"b", 1},
                                               {"kib", std::int64_t{1} << 10},
                                               {"mib", std::int64_t{1} << 20},
                                               {"gib", std::int64_t{1} << 30},
                                               {"tib", std::int64_t{1} << 40},
                                               {"kb", 1'000},
                                               {"mb", 1'000'000},
                                               {"gb", 1'000'000'000},
                                               {"tb", 1'000'000'000'000}}};

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

/// "8,192" and "8192" as "8192"; nothing where there is something else than digits, or a comma that does not stand
/// before a group of three.
std::optional<std::string> plainDigits(std::string_view text)
{
    const std::size_t firstComma = text.find(',');
    const bool grouped = firstComma != std::string_view::npos;
    if (text.empty() || (grouped && (firstComma == 0 || firstComma > 3)))
        return std::nullopt;
    std::string digits;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool commaPlace = grouped && i >= firstComma && (i - firstComma) % 4 == 0;
        if (commaPlace ? text[i] != ',' : !isDigit(text[i]))
            return std::nullopt;
        if (!commaPlace)
            digits += text[i];
    }
    const bool wholeGroups = !grouped || (text.size() - firstComma) % 4 == 0;
    return wholeGroups ? std::optional(digits) : std::nullopt;
}

/// `digits` times `unit`; nothing when that is above the largest countable number.
std::optional<std::int64_t> scaled(const std::string& digits, std::int64_t unit)
{
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    std::int64_t product = 0;
    if (error != std::errc{} || __builtin_mul_overflow(number, unit, &product) || Bytes(product).isTooMany())
        return std::nullopt;
    return product;
}

/// The digits after the point as a share of `unit`, rounded up.
std::int64_t scaledFraction(std::string_view decimals, std::int64_t unit)
{
    std::int64_t numerator = 0;
    std::int64_t denominator = 1;
    for (const char digit : decimals) {
        numerator = numerator * 10 + (digit - '0');
        denominator *= 10;
    }
    return scaledUp(Bytes(unit), numerator, denominator).count();
}

/// Splits "3.81GiB" into "3.81" and "gib".
std::pair<std::string_view, std::string> splitUnit(std::string_view text)
{
    const std::size_t letters = std::min(text.find_first_not_of("0123456789.,"), text.size());
    return {trimmed(text.substr(0, letters)), toLower(trimmed(text.substr(letters)))};
}

int substitution(char a, char b)
{
    if (a == b)
        return 0;
    return isDigit(a) && isDigit(b) ? 10 + std::abs(a - b) : 20; // close numbers are more alike than others
}

/// Weighted edit distance, 20 for one letter more, less or other.
int editCost(std::string_view a, std::string_view b)
{
    constexpr int kEdit = 20;
    std::vector<int> row(b.size() + 1);
    for (std::size_t j = 0; j < row.size(); ++j)
        row[j] = kEdit * static_cast<int>(j);
    for (const char letter : a) {
        int diagonal = row[0];
        row[0] += kEdit;
        for (std::size_t j = 1; j < row.size(); ++j) {
            const int replaced = diagonal + substitution(letter, b[j - 1]);
            diagonal = row[j];
            row[j] = std::min({row[j] + kEdit, row[j - 1] + kEdit, replaced});
        }
    }
    return row.back();
}

/// Letters and digits in lower case: "Llama-3.1 8B" as "llama318b".
std::string squeezed(std::string_view text)
{
    std::string result = toLower(text);
    std::erase_if(result, [](char c) { return !isDigit(c) && (c < 'a' || c > 'z'); });
    return result;
}

/// Letters that both begin with.
int commonBeginning(std::string_view a, std::string_view b)
{
    return static_cast<int>(std::ranges::mismatch(a, b).in1 - a.begin());
}

/// Cost of taking `b` for `a`: edits, or, where one is a part of the other, little for each letter beyond it.
int unlikeness(std::string_view a, std::string_view b)
{
    const std::string_view shorter = a.size() < b.size() ? a : b;
    const std::string_view longer = a.size() < b.size() ? b : a;
    const int edits = editCost(a, b);
    const std::size_t place = longer.find(shorter);
    if (shorter.size() < 2 || place == std::string_view::npos)
        return edits;
    const int beyond = static_cast<int>(longer.size() - shorter.size());
    return std::min(edits, beyond + (place == 0 ? 0 : 10));
}

} // namespace

std::string toLower(std::string_view text)
{
    std::string lower(text);
    std::ranges::transform(lower, lower.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return lower;
}

std::vector<std::string_view> split(std::string_view text, char separator)
{
    std::vector<std::string_view> parts;
    for (std::size_t place = 0; place <= text.size() && !text.empty();) {
        const std::size_t end = std::min(text.find(separator, place), text.size());
        parts.push_back(text.substr(place, end - place));
        place = end + 1;
    }
    return parts;
}

bool hasWord(std::string_view words, std::string_view word)
{
    return !word.empty() && std::ranges::count(split(words, ' '), word) > 0;
}

std::string_view trimmed(std::string_view text, std::string_view blanks)
{
    const std::size_t first = text.find_first_not_of(blanks);
    return first == std::string_view::npos ? std::string_view()
                                           : text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

Result<std::int64_t> parseCount(std::string_view text)
{
    std::string_view number = trimmed(text);
    std::int64_t unit = 1;
    if (!number.empty() && !isDigit(number.back())) {
        const char letter = toLower(number.substr(number.size() - 1)).front();
        unit = letter == 'k' ? 1'024 : letter == 'm' ? 1'048'576 : 1;
        if (unit > 1)
            number.remove_suffix(1);
    }
    const std::optional<std::string> digits = plainDigits(number);
    if (!digits)
        return fail(KV_TEXT("core", "\"{0}\" is not a whole number; write it like 8192, 8,192, 8K (K = 1,024) or 1M."),
                    {std::string(text)});
    const std::optional<std::int64_t> count = scaled(*digits, unit);
    if (!count)
        return fail(KV_TEXT("core", "\"{0}\" is more than can be counted (19 digits); write a smaller number."),
                    {std::string(text)});
    return *count;
}

Result<Bytes> parseSize(std::string_view text)
{
    const auto [number, unitId] = splitUnit(trimmed(text));
    const auto* const unit = std::ranges::find(kSizeUnits, unitId, &SizeUnit::id);
    const std::size_t point = number.find('.');
    const std::optional<std::string> digits = plainDigits(number.substr(0, point));
    std::string_view decimals = point == std::string_view::npos ? "0" : number.substr(point + 1);
    const bool isDecimal = !decimals.empty() && std::ranges::all_of(decimals, isDigit);
    if (unit == kSizeUnits.end() || !digits || !isDecimal)
        return fail(KV_TEXT("core", "\"{0}\" is not a size; write it like 24GiB, 24GB, 3.81GiB, 512MiB or a number of "
                                    "bytes (GiB = 1,024 MiB, GB = 1,000 MB)."),
                    {std::string(text)});
    while (decimals.ends_with('0'))
        decimals.remove_suffix(1);
    const std::optional<std::int64_t> whole = scaled(*digits, unit->bytes);
    if (!whole || decimals.size() > kMaxDecimals)
        return fail(KV_TEXT("core", "\"{0}\" cannot be counted in bytes exactly; write a size below 8 EiB with at most "
                                    "18 decimals."),
                    {std::string(text)});
    return Bytes(*whole) + Bytes(scaledFraction(decimals, unit->bytes));
}

Result<std::int64_t> parseParameters(std::string_view text)
{
    const auto [number, unitId] = splitUnit(trimmed(text));
    const auto* const unit = std::ranges::find(kParameterUnits, unitId, &SizeUnit::id);
    const std::size_t point = number.find('.');
    const std::optional<std::string> digits = plainDigits(number.substr(0, point));
    std::string_view decimals = point == std::string_view::npos ? "0" : number.substr(point + 1);
    const bool isDecimal = !decimals.empty() && std::ranges::all_of(decimals, isDigit);
    while (decimals.ends_with('0'))
        decimals.remove_suffix(1);
    std::int64_t smallest = unit == kParameterUnits.end() ? 0 : unit->bytes; // what the last decimal is worth
    for (std::size_t i = 0; i < decimals.size(); ++i)
        smallest = smallest % 10 == 0 ? smallest / 10 : 0;
    const std::optional<std::int64_t> count =
        digits && isDecimal && smallest > 0 ? scaled(*digits + std::string(decimals), smallest) : std::nullopt;
    if (!count)
        return fail(KV_TEXT("core", "\"{0}\" is not a number of parameters; write it like 8030261248, 8B (8 billion), "
                                    "70.6B or 350M."),
                    {std::string(text)});
    return *count;
}

Result<Percent> parsePercent(std::string_view text)
{
    std::string_view number = trimmed(text);
    if (number.ends_with('%'))
        number = trimmed(number.substr(0, number.size() - 1));
    const std::size_t point = number.find('.');
    const std::string_view whole = number.substr(0, point);
    std::string decimals(point == std::string_view::npos ? "0" : number.substr(point + 1));
    const bool valid = !whole.empty() && whole.size() <= 9 && std::ranges::all_of(whole, isDigit) &&
                       !decimals.empty() && decimals.size() <= 2 && std::ranges::all_of(decimals, isDigit);
    if (!valid)
        return fail(
            KV_TEXT("core", "\"{0}\" is not a percentage; write it like 20, 2.5 or 20% (at most two decimals)."),
            {std::string(text)});
    decimals.resize(2, '0');
    return Percent{*scaled(std::string(whole) + decimals, 1)};
}

std::vector<std::string> closest(std::string_view text, std::span<const std::string> candidates, std::size_t count)
{
    struct Scored {
        int cost;
        const std::string* candidate;
    };
    const std::string wanted = squeezed(text);
    const int limit = 20 * std::max(wanted.size() < 3 ? 1 : 2, static_cast<int>(wanted.size()) / 3);
    std::vector<Scored> scored;
    for (const std::string& candidate : candidates) {
        const std::string letters = squeezed(candidate);
        const int cost = unlikeness(wanted, letters);
        if (cost <= limit)
            scored.push_back({cost - commonBeginning(wanted, letters), &candidate});
    }
    std::ranges::stable_sort(scored, {}, &Scored::cost);
    std::vector<std::string> result;
    for (std::size_t i = 0; i < std::min(count, scored.size()); ++i)
        result.push_back(*scored[i].candidate);
    return result;
}

} // namespace core
