// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/teaching/answer.h"

#include "core/text/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <span>
#include <string>

namespace core {

namespace {

constexpr double kKi = 1024.0;
constexpr double kMi = kKi * kKi;
constexpr double kGi = kMi * kKi;
constexpr double kTi = kGi * kKi;
constexpr double kPercent = 100;

/// Names of a unit that mean the same, in lower case and separated by blanks: English, French and German ones.
struct UnitNames {
    std::string_view names;
    std::optional<Measure> measure;
    double size = 1;
    bool decimal = false;
};

constexpr std::array kUnits{
    UnitNames{"b byte bytes o octet octets", Measure::Bytes},
    UnitNames{"kib kio", Measure::Bytes, kKi},
    UnitNames{"mib mio", Measure::Bytes, kMi},
    UnitNames{"gib gio", Measure::Bytes, kGi},
    UnitNames{"tib tio", Measure::Bytes, kTi},
    UnitNames{"kb ko", Measure::Bytes, 1e3, true},
    UnitNames{"mb mo", Measure::Bytes, 1e6, true},
    UnitNames{"gb go", Measure::Bytes, 1e9, true},
    UnitNames{"tb to", Measure::Bytes, 1e12, true},
    UnitNames{"k", std::nullopt, kKi},
    UnitNames{"m", std::nullopt, kMi},
    UnitNames{"g", std::nullopt, kGi},
    UnitNames{"token tokens tok jetons", Measure::Tokens},
    UnitNames{"request requests user users requêtes anfragen", Measure::Requests},
    UnitNames{"gpu gpus card cards karten cartes", Measure::Gpus},
    UnitNames{"% percent prozent", Measure::Percent},
    UnitNames{"x × times fold mal fach fois", Measure::Times},
    UnitNames{"heads elements", Measure::Plain},
    UnitNames{"block blocks blocs blöcke", Measure::Blocks},
};

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

/// The text with its blanks (among them those that group digits: no-break, thin, narrow no-break), apostrophes and
/// signs for "about" as ASCII letters, so that it can be read byte by byte.
std::string simplified(std::string_view text)
{
    struct Replaced {
        std::string_view from;
        std::string_view to;
    };
    static constexpr std::array kReplaced{Replaced{"\u00A0", " "}, Replaced{"\u202F", " "}, Replaced{"\u2009", " "},
                                          Replaced{"\u2019", "'"}, Replaced{"\u2248", " "}, Replaced{"\t", " "}};
    std::string result(text);
    for (const Replaced& pair : kReplaced) {
        for (std::size_t place = result.find(pair.from); place != std::string::npos; place = result.find(pair.from))
            result.replace(place, pair.from.size(), pair.to);
    }
    return result;
}

/// What remains when "=", "~" and the "x" of a factor are taken off the front.
std::string_view withoutLead(std::string_view text)
{
    for (const std::string_view lead : {"=", "~", "x", "X", "×"}) {
        if (text.starts_with(lead))
            text = trimmed(text.substr(lead.size()));
    }
    return text;
}

/// The length of the number that `text` begins with. A blank or an apostrophe belongs to it before a digit.
std::size_t numberLength(std::string_view text)
{
    std::size_t length = 0;
    while (length < text.size()) {
        const char c = text[length];
        const bool groups = (c == ' ' || c == '\'') && length > 0 && length + 1 < text.size() &&
                            isDigit(text[length - 1]) && isDigit(text[length + 1]);
        if (!isDigit(c) && c != '.' && c != ',' && !groups)
            break;
        ++length;
    }
    return length;
}

/// True when `separator` stands before groups of three digits only.
bool isGrouping(std::string_view number, char separator)
{
    const std::size_t first = number.find(separator);
    if (first == 0 || first > 3)
        return false;
    for (std::size_t place = first; place < number.size(); place += 4) {
        const std::string_view group = number.substr(place, 4);
        if (group.size() != 4 || group[0] != separator || !std::ranges::all_of(group.substr(1), isDigit))
            return false;
    }
    return true;
}

/// Removes the grouping of a number that has both separators, the last of which is the decimal point. False when that
/// makes no sense.
bool removeGrouping(std::string& number)
{
    const char point = number[number.find_last_of(".,")];
    const char group = point == '.' ? ',' : '.';
    if (std::ranges::count(number, point) > 1 || !isGrouping(number.substr(0, number.find(point)), group))
        return false;
    std::erase(number, group);
    return true;
}

/// Removes the grouping of a number that has one kind of separator, once or often: it groups where `style` says so or
/// where it cannot be the decimal point. False when it can be neither.
bool removeGrouping(std::string& number, char separator, const NumberStyle& style)
{
    const std::string text(1, separator);
    const bool once = std::ranges::count(number, separator) == 1;
    const bool mayGroup = once ? style.grouping == text && style.decimalPoint != text : true;
    if (mayGroup && isGrouping(number, separator)) {
        std::erase(number, separator);
        return true;
    }
    return once;
}

/// The number with "." as its decimal point and no other sign beside the digits; nothing when it has no meaning.
std::optional<std::string> plainNumber(std::string number, const NumberStyle& style)
{
    std::erase_if(number, [](char c) { return c == ' ' || c == '\''; });
    const bool hasPoint = number.find('.') != std::string::npos;
    const bool hasComma = number.find(',') != std::string::npos;
    bool readable = true;
    if (hasPoint && hasComma)
        readable = removeGrouping(number);
    else if (hasPoint || hasComma)
        readable = removeGrouping(number, hasPoint ? '.' : ',', style);
    std::ranges::replace(number, ',', '.');
    return readable ? std::optional(number) : std::nullopt;
}

std::optional<double> numberOf(const std::string& plain)
{
    double number = 0;
    const auto [end, error] = std::from_chars(plain.data(), plain.data() + plain.size(), number);
    const bool whole = error == std::errc{} && end == plain.data() + plain.size() && std::isfinite(number);
    return whole && number < 1e30 ? std::optional(number) : std::nullopt;
}

std::optional<AnswerUnit> unitNamed(std::string_view name)
{
    const auto isThat = [&](const UnitNames& unit) { return hasWord(unit.names, name); };
    const auto* const found = std::ranges::find_if(kUnits, isThat);
    if (name.empty() || found == kUnits.end())
        return std::nullopt;
    return AnswerUnit{found->names.substr(found->names.find(name), name.size()), found->measure, found->size,
                      found->decimal};
}

tl::unexpected<Error> unreadable(std::string_view text, std::optional<Measure> measure)
{
    constexpr std::size_t kShown = 40;
    const std::string shown(text.size() > kShown ? "…" : text);
    if (measure == Measure::Percent)
        return fail(KV_TEXT("core", "\"{0}\" cannot be read as a share; write a percentage such as 75 %, or a part "
                                    "such as 0.75 or 3/4."),
                    {shown});
    return fail(KV_TEXT("core",
                        "\"{0}\" cannot be read as an answer; write a number and, if you like, a unit: 2.5, 2.5 "
                        "GiB, 128 KiB, 8K or 15 requests."),
                {shown});
}

/// Reads "3/4" as 75 %; nothing where it is no fraction or more than one whole.
std::optional<Answer> fractionIn(std::string_view text)
{
    const std::size_t slash = text.find('/');
    if (slash == std::string_view::npos)
        return std::nullopt;
    const std::optional<double> part = numberOf(std::string(trimmed(text.substr(0, slash))));
    const std::optional<double> whole = numberOf(std::string(trimmed(text.substr(slash + 1))));
    if (!part || !whole || *part < 0 || *part > *whole || *whole <= 0)
        return std::nullopt;
    return Answer{kPercent * *part / *whole, unitNamed("%")};
}

/// Reads the unit words of an answer into it: "gib", "k tokens", "kib/token", "gib per request".
bool readUnit(std::string_view words, Answer& answer)
{
    const std::string_view first = words.substr(0, words.find_first_of(" /"));
    const std::optional<AnswerUnit> unit = unitNamed(first);
    if (!unit)
        return false;
    answer.unit = unit;
    const std::string_view rest = trimmed(words.substr(first.size()));
    if (rest.empty() || rest.starts_with('/') || rest.starts_with("per ") || rest.starts_with("par "))
        return true;
    const std::optional<AnswerUnit> counted = unitNamed(rest);
    if (unit->measure || !counted || !counted->measure)
        return false;
    answer.number *= unit->size;
    answer.unit = counted;
    return true;
}

/// One value that an answer may stand for.
struct Reading {
    double value = 0;
    bool hasSystem = false; ///< True where its unit is either binary or decimal.
    bool decimal = false;
};

/// All values that an answer may stand for; at most five.
struct Readings {
    std::array<Reading, 5> list;
    std::size_t count = 0;

    void add(Reading reading) { list.at(count++) = reading; }
    std::span<const Reading> all() const { return std::span(list).first(count); }
};

/// True where the number may be a share that was written as a part of one whole: 0.75.
bool isPart(const Answer& answer, Measure measure)
{
    return measure == Measure::Percent && !answer.unit && answer.number < 1;
}

/// The one of two numbers that is closer to `like` by ratio.
double closer(double a, double b, double like)
{
    const auto factor = [&](double number) { return std::max(number, like) / std::min(number, like); };
    return a > 0 && b > 0 && like > 0 && factor(b) < factor(a) ? b : a;
}

Readings readingsOf(const Answer& answer, Measure measure, std::array<double, 2> scales)
{
    Readings readings;
    if (answer.unit) {
        readings.add({answer.number * answer.unit->size, measure == Measure::Bytes && answer.unit->size > 1,
                      answer.unit->decimal});
        return readings;
    }
    readings.add({answer.number, false, false});
    if (isPart(answer, measure))
        readings.add({answer.number * kPercent, false, false});
    if (measure != Measure::Bytes)
        return readings;
    for (const double scale : scales) {
        readings.add({answer.number * unitSize(scale, Unit::Binary), true, false});
        readings.add({answer.number * unitSize(scale, Unit::Decimal), true, true});
    }
    return readings;
}

} // namespace

Result<Answer> readAnswer(std::string_view text, const NumberStyle& style, std::optional<Measure> measure)
{
    constexpr std::size_t kLongest = 80;
    if (text.size() > kLongest)
        return unreadable(text, measure);
    const std::string simple = simplified(text);
    const std::string_view lead = withoutLead(trimmed(simple));
    if (const std::optional<Answer> fraction = measure == Measure::Percent ? fractionIn(lead) : std::nullopt)
        return *fraction;
    const std::size_t length = numberLength(lead);
    const std::optional<std::string> plain = plainNumber(std::string(lead.substr(0, length)), style);
    const std::optional<double> number = plain ? numberOf(*plain) : std::nullopt;
    if (!number)
        return unreadable(text, measure);
    Answer answer{*number, std::nullopt};
    const std::string words = toLower(trimmed(lead.substr(length)));
    const std::string_view unit = words.starts_with('-') ? std::string_view(words).substr(1) : words;
    if (!unit.empty() && !readUnit(unit, answer))
        return unreadable(text, measure);
    return answer;
}

bool canMean(const Answer& answer, Measure measure)
{
    return !answer.unit || !answer.unit->measure || *answer.unit->measure == measure;
}

double toleranceOf(Measure measure, double number)
{
    switch (measure) {
    case Measure::Bytes:
        return number < kMi ? 0.01 : 0.015;
    case Measure::Tokens:
    case Measure::Times:
    case Measure::Percent:
        return 0.015;
    default:
        return 0;
    }
}

bool isNear(Measure measure, double number, double expected)
{
    constexpr double kRounding = 1e-9;
    return std::abs(number - expected) <= (toleranceOf(measure, expected) + kRounding) * std::abs(expected);
}

double meantBy(const Answer& answer, Measure measure, double like, const NumberStyle& style)
{
    if (answer.unit)
        return answer.number * answer.unit->size;
    if (measure == Measure::Bytes)
        return closer(answer.number * unitSize(like, style.unit), answer.number, like);
    return isPart(answer, measure) ? closer(answer.number * kPercent, answer.number, like) : answer.number;
}

double unitSize(double bytes, Unit unit)
{
    const double step = unit == Unit::Binary ? kKi : 1e3;
    double size = 1;
    while (size < step * step * step && bytes / size >= step)
        size *= step;
    return size;
}

std::string_view unitName(double bytes, Unit unit)
{
    static constexpr std::array<std::string_view, 4> kBinary{"B", "KiB", "MiB", "GiB"};
    static constexpr std::array<std::string_view, 4> kDecimal{"B", "kB", "MB", "GB"};
    const double step = unit == Unit::Binary ? kKi : 1e3;
    const double power = std::round(std::log(unitSize(bytes, unit)) / std::log(step));
    return (unit == Unit::Binary ? kBinary : kDecimal).at(static_cast<std::size_t>(power));
}

Fit fitOf(const Answer& answer, Measure measure, double expected, const NumberStyle& style,
          std::optional<AcceptedRange> accepted, std::optional<double> scale)
{
    const auto isRight = [&](const Reading& reading) {
        return accepted ? accepted->holds(reading.value) : isNear(measure, reading.value, expected);
    };
    Fit best = Fit::No;
    if (!canMean(answer, measure))
        return Fit::No;
    const Readings readings = readingsOf(answer, measure, {expected, scale.value_or(expected)});
    for (const Reading& reading : readings.all()) {
        if (!isRight(reading))
            continue;
        if (!reading.hasSystem || reading.decimal == (style.unit == Unit::Decimal))
            return Fit::Yes;
        best = Fit::OtherUnit;
    }
    return best;
}

} // namespace core
