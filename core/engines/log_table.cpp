// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engines/log_table.h"

#include "core/engines/budget.h"
#include "core/text/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace core::engines {

namespace {

constexpr char kEscape = '\x1B';
constexpr double kGib = 1'073'741'824.0;
constexpr double kWeightTolerance = 0.01;
constexpr double kMostGib = 1'048'576;                     ///< of one device: 1 PiB
constexpr std::int64_t kMostCount = std::int64_t{1} << 40; ///< tokens, blocks, bytes of one device
constexpr std::array<std::string_view, 9> kOfMemory{"memory", "cache", "block", "GiB",  " GB",
                                                    "mem",    "pool",  "token", "mamba"};

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

/// True for a character of a number with commas between its groups.
bool isNumber(std::string_view text, std::size_t place)
{
    const char c = text[place];
    const bool between = place > 0 && place + 1 < text.size() && isDigit(text[place - 1]) && isDigit(text[place + 1]);
    return isDigit(c) || ((c == '.' || c == ',') && between);
}

/// Where an escape sequence that begins at `place` ends: behind its first letter.
std::size_t behindEscape(std::string_view line, std::size_t place)
{
    std::size_t end = place + 1;
    while (end < line.size() && !(line[end] >= 'a' && line[end] <= 'z') && !(line[end] >= 'A' && line[end] <= 'Z'))
        ++end;
    return std::min(end + 1, line.size());
}

std::string withoutCommas(std::string_view text)
{
    std::string number(text);
    std::erase(number, ',');
    return number;
}

std::string numberAt(std::string_view line, std::size_t place)
{
    while (place < line.size() && line[place] == ' ')
        ++place;
    std::size_t end = place;
    while (end < line.size() && isNumber(line, end))
        ++end;
    return withoutCommas(line.substr(place, end - place));
}

std::string numberBefore(std::string_view line, std::size_t place)
{
    while (place > 0 && line[place - 1] == ' ')
        --place;
    std::size_t start = place;
    while (start > 0 && isNumber(line, start - 1))
        --start;
    return withoutCommas(line.substr(start, place - start));
}

std::string wordAt(std::string_view line, std::size_t place)
{
    line.remove_prefix(place);
    const std::size_t first = std::min(line.find_first_not_of(" '\":"), line.size());
    line.remove_prefix(first);
    return std::string(line.substr(0, line.find_first_of(" ,'\")}")));
}

std::string valueIn(std::string_view line, const LogPattern& row)
{
    const std::size_t place = line.find(row.words);
    if (place == std::string_view::npos || line.find(row.line) == std::string_view::npos)
        return {};
    if (row.behind)
        return numberBefore(line, place);
    const std::size_t end = place + row.words.size();
    return row.isWord ? wordAt(line, end) : numberAt(line, end);
}

std::optional<std::int64_t> countIn(std::string_view text)
{
    const Result<std::int64_t> count = parseCount(text);
    return count && *count <= kMostCount ? std::optional(*count) : std::nullopt;
}

/// The least of the values of `key` that `read` understands.
template <typename Read> auto leastOf(const EngineLog& log, std::string_view key, const Read& read)
{
    decltype(read(std::string_view())) least;
    for (const LogValue& value : log.values) {
        const auto number = value.key == key ? read(value.value) : std::nullopt;
        if (number && (!least || *number < *least))
            least = number;
    }
    return least;
}

/// A size in GiB that one device may have.
std::optional<double> gibIn(std::string_view text)
{
    const double size = decimalOf(text);
    return size >= 0 && size <= kMostGib ? std::optional(size) : std::nullopt;
}

} // namespace

std::string cleaned(std::string_view line)
{
    std::string text;
    for (std::size_t place = 0; place < line.size();) {
        if (line[place] == kEscape) {
            place = behindEscape(line, place);
            continue;
        }
        if (line[place] != '\r')
            text += line[place];
        ++place;
    }
    return std::string(trimmed(text, " \t>|`"));
}

EngineLog readByTable(std::string_view text, std::span<const LogPattern> table)
{
    EngineLog log;
    std::int64_t number = 0;
    for (const std::string_view printed : split(text, '\n')) {
        ++number;
        const std::string line = cleaned(printed);
        bool known = line.empty();
        for (const LogPattern& row : table) {
            std::string value = valueIn(line, row);
            if (value.empty() || value.size() > 40)
                continue;
            known = true;
            log.values.push_back({number, std::string(row.key), std::move(value)});
        }
        const bool ofMemory =
            std::ranges::any_of(kOfMemory, [&](std::string_view word) { return line.find(word) != std::string::npos; });
        if (!known && ofMemory)
            log.unknown.push_back({number, line});
        else if (!known)
            ++log.skipped;
    }
    return log;
}

double decimalOf(std::string_view text)
{
    double number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
}

std::optional<double> numberOf(const EngineLog& log, std::string_view key)
{
    const std::string* text = log.find(key);
    return text != nullptr ? std::optional(decimalOf(*text)) : std::nullopt;
}

std::optional<std::int64_t> countOf(const EngineLog& log, std::string_view key)
{
    const std::string* text = log.find(key);
    return text != nullptr ? countIn(*text) : std::nullopt;
}

std::optional<std::int64_t> leastCountOf(const EngineLog& log, std::string_view key)
{
    return leastOf(log, key, countIn);
}

std::optional<PrintedSize> leastSizeOf(const EngineLog& log, std::string_view key)
{
    const std::optional<double> gib = leastOf(log, key, gibIn);
    if (!gib)
        return std::nullopt;
    const auto bytes = [](double value) { return Bytes(static_cast<std::int64_t>(std::max(value, 0.0) * kGib)); };
    return PrintedSize{.low = bytes(*gib - 0.005), .high = bytes(*gib + 0.005), .size = bytes(*gib)};
}

LogComparison compared(const LogValue& printed, std::string figure, std::string predicted, bool agrees,
                       const Message& cause)
{
    LogComparison row{.line = printed.line,
                      .figure = std::move(figure),
                      .printed = printed.value,
                      .predicted = std::move(predicted),
                      .difference = {},
                      .agrees = agrees,
                      .cause = {}};
    if (agrees)
        return row;
    const double difference = decimalOf(row.predicted) - decimalOf(row.printed);
    row.difference = fmt::format("{:+.{}f}", difference, row.predicted.find('.') == std::string::npos ? 0 : 2);
    row.cause = cause;
    return row;
}

LogComparison comparedGib(const LogValue& printed, std::string figure, Bytes predicted, const Message& cause)
{
    const double gib = toGib(predicted);
    const bool agrees = std::abs(gib - decimalOf(printed.value)) <= 0.005 + 1e-9;
    return compared(printed, std::move(figure), fmt::format("{:.2f}", gib), agrees, cause);
}

LogComparison comparedCount(const LogValue& printed, std::string figure, std::int64_t predicted, const Message& cause)
{
    std::string text = std::to_string(predicted);
    const bool agrees = text == printed.value;
    return compared(printed, std::move(figure), std::move(text), agrees, cause);
}

LogComparison comparedWeights(const LogValue& printed, const Reservation& reservation)
{
    const double gib = decimalOf(printed.value);
    double nearest = 0;
    for (const DeviceShare& share : reservation.shares()) {
        const double own = toGib(share.weights) / static_cast<double>(share.count);
        nearest = std::abs(own - gib) < std::abs(nearest - gib) ? own : nearest;
    }
    const bool agrees = std::abs(nearest - gib) <= kWeightTolerance * gib + 0.005;
    return compared(printed, "weights GiB (±1 %)", fmt::format("{:.2f}", nearest), agrees,
                    {KV_TEXT("core", "The model or the format of its weights differs; choose the format, or type the "
                                     "size of the weights."),
                     {}});
}

void takeSpread(Scenario& scenario, const EngineLog& log)
{
    Parallelism& parallel = scenario.hardware.parallel;
    const auto ranksOf = [&](std::string_view key) {
        const std::optional<std::int64_t> count = countOf(log, key);
        return count && *count >= 1 && *count <= kMaxGpus ? count : std::nullopt;
    };
    const Parallelism printed{ranksOf("tp"), ranksOf("pp"), ranksOf("dp")};
    if (printed.isTyped())
        parallel = printed; // ranks that it does not name are 1
    const Bytes ranks = Bytes(parallel.tensor.value_or(1)) * parallel.pipeline.value_or(1) * parallel.data.value_or(1);
    if (parallel.isTyped())
        scenario.hardware.count = std::min(ranks.count(), kMaxGpus);
    const std::string* format = log.find("kv_dtype");
    if (format == nullptr)
        return;
    if (const std::optional<KvFormat> known = *format == "auto" ? automaticFormat(scenario) : kvFormat(*format))
        scenario.kFormat = scenario.vFormat = *known;
}

void takeLength(Scenario& scenario, const EngineLog& log)
{
    const std::optional<std::int64_t> length = countOf(log, "length");
    if (!length || *length < 1 || *length > kMaxContext)
        return;
    scenario.workload.context = *length;
    scenario.workload.maxContext.reset();
}

void takeFlags(Scenario& scenario, const EngineLog& log, std::span<const Setting> rows,
               std::initializer_list<LogFlag> flags)
{
    for (const LogFlag& each : flags) {
        const std::string* value = log.find(each.key);
        const Setting* setting = find(rows, each.flag);
        if (value == nullptr || setting == nullptr)
            continue;
        if (std::string text = *value + std::string(each.unit); !wrong(*setting, text))
            scenario.settings.set(each.flag, std::move(text));
    }
}

} // namespace core::engines
