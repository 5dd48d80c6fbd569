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

constexpr AnswerUnit size(std::string_view name, double bytes, bool decimal = false)
{
    return {name, Measure::Bytes, bytes, decimal};
}

constexpr AnswerUnit count(std::string_view name, Measure measure)
{
    return {name, measure, 1, false};
}

constexpr AnswerUnit magnitude(std::string_view name, double size)
{
    return {name, std::nullopt, size, false};
}

constexpr std::array kUnits{
    size("b", 1),
    size("byte", 1),
    size("bytes", 1),
    size("o", 1),
    size("octet", 1),
    size("octets", 1),
    size("kib", kKi),
    size("kio", kKi),
    size("mib", kMi),
    size("mio", kMi),
    size("gib", kGi),
    size("gio", kGi),
    size("tib", kTi),
    size("tio", kTi),
    size("kb", 1e3, true),
    size("ko", 1e3, true),
    size("mb", 1e6, true),
    size("mo", 1e6, true),
    size("gb", 1e9, true),
    size("go", 1e9, true),
    size("tb", 1e12, true),
    size("to", 1e12, true),
    magnitude("k", kKi),
    magnitude("m", kMi),
    magnitude("g", kGi),
    count("token", Measure::Tokens),
    count("tokens", Measure::Tokens),
    count("tok", Measure::Tokens),
    count("jetons", Measure::Tokens),
    count("request", Measure::Requests),
    count("requests", Measure::Requests),
    count("users", Measure::Requests),
    count("user", Measure::Requests),
    count("requêtes", Measure::Requests),
    count("anfragen", Measure::Requests),
    count("gpu", Measure::Gpus),
    count("gpus", Measure::Gpus),
    count("card", Measure::Gpus),
    count("cards", Measure::Gpus),
    count("karten", Measure::Gpus),
    count("cartes", Measure::Gpus),
    count("%", Measure::Percent),
    count("percent", Measure::Percent),
    count("prozent", Measure::Percent),
    count("x", Measure::Times),
    count("×", Measure::Times),
    count("times", Measure::Times),
    count("fold", Measure::Times),
    count("mal", Measure::Times),
    count("fach", Measure::Times),
    count("fois", Measure::Times),
    count("heads", Measure::Plain),
    count("block", Measure::Blocks),
    count("blocks", Measure::Blocks),
    count("blocs", Measure::Blocks),
    count("blöcke", Measure::Blocks),
    count("elements", Measure::Plain),
};

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

/// Blanks, among them those that group digits (no-break, thin, narrow no-break), and what may stand before a number,
/// each as one ASCII letter: the text can then be read byte by byte.
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

/// What remains behind "=", "~" and a factor's "x" in front of a number.
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

/// A number with both separators: the last one is the decimal point. False when that makes no sense.
bool takeGroupsOut(std::string& number)
{
    const char point = number[number.find_last_of(".,")];
    const char group = point == '.' ? ',' : '.';
    if (std::ranges::count(number, point) > 1 || !isGrouping(number.substr(0, number.find(point)), group))
        return false;
    std::erase(number, group);
    return true;
}

/// A number with one kind of separator, once or often: it groups where `style` says so or where it cannot be the
/// decimal point. False when it can be neither.
bool takeGroupsOut(std::string& number, char separator, const NumberStyle& style)
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

/// The number with "." for a decimal point and nothing else beside digits; nothing when it has no meaning.
std::optional<std::string> plainNumber(std::string number, const NumberStyle& style)
{
    std::erase_if(number, [](char c) { return c == ' ' || c == '\''; });
    const bool hasPoint = number.find('.') != std::string::npos;
    const bool hasComma = number.find(',') != std::string::npos;
    bool readable = true;
    if (hasPoint && hasComma)
        readable = takeGroupsOut(number);
    else if (hasPoint || hasComma)
        readable = takeGroupsOut(number, hasPoint ? '.' : ',', style);
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

const AnswerUnit* unitNamed(std::string_view name)
{
    const auto* const found = std::ranges::find(kUnits, name, &AnswerUnit::name);
    return found == kUnits.end() ? nullptr : &*found;
}

tl::unexpected<Error> unreadable(std::string_view text, std::optional<Measure> asked)
{
    constexpr std::size_t kShown = 40;
    const std::string shown(text.size() > kShown ? "…" : text);
    if (asked == Measure::Percent)
        return fail(KV_TEXT("core", "\"{0}\" cannot be read as a share; write a percentage such as 75 %, or a part "
                                    "such as 0.75 or 3/4."),
                    {shown});
    return fail(KV_TEXT("core",
                        "\"{0}\" cannot be read as an answer; write a number and, if you like, a unit: 2.5, 2.5 "
                        "GiB, 128 KiB, 8K or 15 requests."),
                {shown});
}

/// "3/4" as 75 %; nothing where it is no fraction, or more than one whole.
std::optional<Answer> fractionIn(std::string_view text)
{
    const std::size_t slash = text.find('/');
    if (slash == std::string_view::npos)
        return std::nullopt;
    const std::optional<double> part = numberOf(std::string(trimmed(text.substr(0, slash))));
    const std::optional<double> whole = numberOf(std::string(trimmed(text.substr(slash + 1))));
    if (!part || !whole || *part < 0 || *part > *whole || *whole <= 0)
        return std::nullopt;
    return Answer{kPercent * *part / *whole, *unitNamed("%")};
}

/// Reads the unit words of an answer into it: "gib", "k tokens", "kib/token", "gib per request".
bool readUnit(std::string_view words, Answer& answer)
{
    const std::string_view first = words.substr(0, words.find_first_of(" /"));
    const AnswerUnit* unit = unitNamed(first);
    if (unit == nullptr)
        return false;
    answer.unit = *unit;
    const std::string_view rest = trimmed(words.substr(first.size()));
    if (rest.empty() || rest.starts_with('/') || rest.starts_with("per ") || rest.starts_with("par "))
        return true;
    const AnswerUnit* counted = unitNamed(rest);
    if (unit->measure || counted == nullptr || !counted->measure)
        return false;
    answer.number *= unit->size;
    answer.unit = *counted;
    return true;
}

/// One value that an answer may stand for.
struct Reading {
    double value = 0;
    bool hasSystem = false; ///< in a unit that is binary or decimal
    bool decimal = false;
};

/// All of them; at most five.
struct Readings {
    std::array<Reading, 5> list;
    std::size_t count = 0;

    void add(Reading reading) { list.at(count++) = reading; }
    std::span<const Reading> all() const { return std::span(list).first(count); }
};

/// True for a share that may be written as a part of one whole.
bool isPart(const Answer& answer, Measure measure)
{
    return measure == Measure::Percent && !answer.unit && answer.number < 1;
}

/// The one of two numbers that is fewer times as large as `like`, or as small.
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

Result<Answer> readAnswer(std::string_view text, const NumberStyle& style, std::optional<Measure> asked)
{
    constexpr std::size_t kLongest = 80;
    if (text.size() > kLongest)
        return unreadable(text, asked);
    const std::string simple = simplified(text);
    const std::string_view lead = withoutLead(trimmed(simple));
    if (const std::optional<Answer> fraction = asked == Measure::Percent ? fractionIn(lead) : std::nullopt)
        return *fraction;
    const std::size_t length = numberLength(lead);
    const std::optional<std::string> plain = plainNumber(std::string(lead.substr(0, length)), style);
    const std::optional<double> number = plain ? numberOf(*plain) : std::nullopt;
    if (!number)
        return unreadable(text, asked);
    Answer answer{*number, std::nullopt};
    const std::string words = toLower(trimmed(lead.substr(length)));
    const std::string_view unit = words.starts_with('-') ? std::string_view(words).substr(1) : words;
    if (!unit.empty() && !readUnit(unit, answer))
        return unreadable(text, asked);
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
