// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engines/llama/version.h"

#include <charconv>

namespace core::engines::llama {

namespace {

constexpr std::string_view kIk = "ik-";
constexpr std::string_view kIkAlone = "ik";

/// Exactly `digits` digits at the front of `text`, which it removes.
std::optional<int> takeDigits(std::string_view& text, std::size_t digits)
{
    int number = 0;
    if (text.size() < digits || text.substr(0, digits).find_first_not_of("0123456789") != std::string_view::npos)
        return std::nullopt;
    std::from_chars(text.data(), text.data() + digits, number);
    text.remove_prefix(digits);
    return number;
}

/// "-05" at the front of `text`, from 1 to `most`.
std::optional<int> takePart(std::string_view& text, int most)
{
    if (!text.starts_with('-'))
        return std::nullopt;
    text.remove_prefix(1);
    const std::optional<int> number = takeDigits(text, 2);
    return number && *number >= 1 && *number <= most ? number : std::nullopt;
}

Rules ikRules(const Version& build)
{
    Rules rules;
    rules.flashByDefault = build.since(2025, 10);
    rules.cellsPlain = 32;
    rules.padsFirst = false;
    rules.streams = false;
    rules.windows = false;
    rules.padsValues = false;
    rules.indexKeys = build.since(2026, 1);
    rules.rollsBackMore = false;
    rules.oneLatentFormat = false;
    rules.countsOutput = false;
    rules.printsStreams = false;
    rules.printsRollback = false;
    rules.printsHistory = false;
    rules.forcedLatents = !build.since(2025, 6);
    rules.latentsAsValues = build.since(2026, 8);
    return rules;
}

} // namespace

std::optional<Version> version(std::string_view text)
{
    if (text.empty())
        text = kNewest;
    if (text == kIkAlone)
        text = kNewestIk;
    Version build;
    build.ik = text.starts_with(kIk);
    if (build.ik)
        text.remove_prefix(kIk.size());
    const std::optional<int> year = takeDigits(text, 4);
    const std::optional<int> month = year ? takePart(text, 12) : std::nullopt;
    const std::optional<int> day = month && !text.empty() ? takePart(text, 31) : std::optional(1);
    if (!month || !day || !text.empty() || *year < 2023)
        return std::nullopt;
    build.year = *year;
    build.month = *month;
    build.day = *day;
    return build;
}

Rules rulesOf(const Version& build)
{
    if (build.ik)
        return ikRules(build);
    Rules rules;
    rules.flashByDefault = build.since(2025, 8, 30);
    rules.cellsPlain = build.since(2025, 11) ? 256 : 32;
    rules.padsFirst = build.since(2025, 11);
    rules.streams = build.since(2025, 7);
    rules.windows = build.since(2025, 5);
    rules.windowByBatch = !build.since(2025, 6);
    rules.latents = build.since(2025, 4);
    rules.latentValues = !build.since(2026, 1, 24);
    rules.padsValues = build.since(2025, 7);
    rules.indexKeys = build.since(2026, 1);
    rules.indexValues = !build.since(2026, 9);
    rules.rollsBackMore = build.since(2026, 9);
    rules.oneLatentFormat = build.since(2026, 7, 20);
    rules.countsOutput = build.since(2025, 12);
    rules.printsStreams = build.since(2025, 8);
    rules.printsRollback = build.since(2026, 5);
    rules.printsHistory = build.since(2026, 8);
    rules.printsTrunk = build.since(2026, 6);
    return rules;
}

} // namespace core::engines::llama
