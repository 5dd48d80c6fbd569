// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engines/vllm/version.h"

#include "core/text/text.h"

#include <charconv>
#include <string>

namespace core::engines::vllm {

namespace {

constexpr std::string_view kDigits = "0123456789";
constexpr int kLastPatch = 99; ///< "0.9" is the last of its line
constexpr int kMostNumber = 999;
constexpr int kFirstV1 = 8; ///< 0.8 takes V1 where nothing is said

/// True where "v0" or "v1" stands alone, not as the front of "v0.8.3".
bool names(const std::string& text, const char* engine)
{
    const std::size_t place = text.find(engine);
    return place != std::string::npos && (place + 2 == text.size() || text[place + 2] != '.');
}

/// The number at the front of `text`, which it removes; nothing where it is none of a release.
std::optional<int> takeNumber(std::string_view& text)
{
    int number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return error == std::errc{} && number <= kMostNumber ? std::optional(number) : std::nullopt;
}

/// "0.20" or "0.8.3", wherever it stands.
std::optional<Version> numbersIn(std::string_view text)
{
    for (std::size_t place = text.find("0."); place != std::string_view::npos; place = text.find("0.", place + 1)) {
        const bool inside =
            place > 0 && (kDigits.find(text[place - 1]) != std::string_view::npos || text[place - 1] == '.');
        std::string_view rest = text.substr(place + 2);
        if (inside || rest.empty() || kDigits.find(rest.front()) == std::string_view::npos)
            continue;
        const std::optional<int> minor = takeNumber(rest);
        std::optional<int> patch = kLastPatch;
        if (rest.size() > 1 && rest[0] == '.' && kDigits.find(rest[1]) != std::string_view::npos) {
            rest.remove_prefix(1);
            patch = takeNumber(rest);
        }
        if (!minor || !patch)
            return std::nullopt;
        return Version{.minor = *minor, .patch = *patch};
    }
    return std::nullopt;
}

} // namespace

std::optional<Version> version(std::string_view text)
{
    const std::string lower = toLower(text.empty() ? kNewest : text);
    const bool first = names(lower, "v0");
    const bool second = names(lower, "v1");
    std::optional<Version> version = numbersIn(lower);
    const bool numbered = lower.find("0.") != std::string::npos;
    if (!version && (numbered || (!first && !second)))
        return std::nullopt;
    if (!version)
        version = numbersIn(first ? std::string_view("0.7.3") : kNewest);
    version->first = first || (!second && !version->since(kFirstV1));
    return version;
}

Rules rulesOf(const Version& release)
{
    Rules rules;
    rules.groups = !release.first && release.since(9, 1);
    rules.chunkGroups = rules.groups && (!release.since(10, 1) || release.since(13));
    rules.print = !rules.groups ? Print::Blocks : release.since(21) ? Print::Requests : Print::Groups;
    rules.utilization = release.since(21) ? 9'200 : 9'000;
    rules.countsGraphs = release.since(21) && !release.since(27);
    rules.latents = release.since(7);
    rules.wholeModel = release.since(15) && !release.since(16);
    rules.givenStates = release.since(13);
    return rules;
}

} // namespace core::engines::vllm
