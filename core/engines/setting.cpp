// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engines/setting.h"

#include "core/scenario/scenario.h"
#include "core/text/text.h"

#include <algorithm>
#include <initializer_list>

namespace core::engines {

namespace {

constexpr std::size_t kMostShares = 16;
constexpr std::int64_t kWhole = 10'000; ///< 1 in ten-thousandths

/// "3,1" or "0.6,0.4": numbers with commas between, not all of them 0.
bool areShares(std::string_view text)
{
    const std::vector<std::string_view> numbers = split(text, ',');
    const bool areNumbers = std::ranges::all_of(numbers, [](std::string_view number) {
        const bool digits = number.find_first_not_of("0123456789.") == std::string_view::npos;
        return digits && !number.empty() && std::ranges::count(number, '.') <= 1 && number != "." &&
               number.size() <= 12;
    });
    return areNumbers && numbers.size() <= kMostShares && text.find_first_of("123456789") != std::string_view::npos;
}

bool isCount(const Setting& setting, std::string_view text)
{
    const Result<std::int64_t> count = parseCount(text);
    return count && *count >= setting.least && *count <= setting.most;
}

std::optional<Message> wrongFraction(const Setting& setting, std::string_view text)
{
    const std::int64_t most = setting.most > 0 ? setting.most : kWhole;
    if (parseFraction(text).value_or(most + 1) <= most)
        return std::nullopt;
    return Message{
        KV_TEXT("core", "\"{0}\" is no fraction that can be used; use more than 0 and at most {1}, such as 0.9."),
        {std::string(text), most / kWhole}};
}

Message wrongWord(const Setting& setting, std::string_view text)
{
    if (!setting.refusedWord.empty() && text == setting.refusedWord)
        return {setting.whyRefused, {}};
    return {KV_TEXT("core", "\"{0}\" is none of its values; use one of: {1}."),
            {std::string(text), std::string(setting.words)}};
}

} // namespace

const Setting* find(std::span<const Setting> settings, std::string_view flag)
{
    const auto found = std::ranges::find(settings, flag, &Setting::flag);
    return found == settings.end() ? nullptr : &*found;
}

std::optional<Message> wrong(const Setting& setting, std::string_view text)
{
    if (hasWord(setting.words, text))
        return std::nullopt;
    switch (setting.type) {
    case SettingType::Switch:
        if (text == "on" || text == "off")
            return std::nullopt;
        return Message{KV_TEXT("core", "\"{0}\" is neither on nor off; use one of them."), {std::string(text)}};
    case SettingType::Count:
        if (isCount(setting, text))
            return std::nullopt;
        return Message{setting.words.empty()
                           ? KV_TEXT("core", "\"{0}\" is no number that can be used; use {1} to {2}.")
                           : KV_TEXT("core", "\"{0}\" is no number that can be used; use {1} to {2}, or {3}."),
                       {std::string(text), setting.least, setting.most, std::string(setting.words)}};
    case SettingType::Size:
        if (parseSize(text))
            return std::nullopt;
        return Message{KV_TEXT("core", "\"{0}\" is no size; write one such as 250MiB."), {std::string(text)}};
    case SettingType::Shares:
        if (areShares(text))
            return std::nullopt;
        return Message{KV_TEXT("core", "\"{0}\" is no list of shares; write one number for each GPU, such as 3,1."),
                       {std::string(text)}};
    case SettingType::Fraction:
        return wrongFraction(setting, text);
    case SettingType::Choice:
        break;
    }
    return wrongWord(setting, text);
}

std::string_view valueOf(const Setting& setting, const Settings& typed, std::string_view version)
{
    if (const std::string* value = typed.find(setting.flag))
        return *value;
    return setting.standard != nullptr ? setting.standard(version) : std::string_view();
}

bool hasStates(const Scenario& scenario)
{
    return keeps(scenario.model, CacheKind::State);
}

bool hasWindows(const Scenario& scenario)
{
    return keeps(scenario.model, CacheKind::Window) || keeps(scenario.model, CacheKind::Chunk);
}

bool hasLatents(const Scenario& scenario)
{
    return keeps(scenario.model, CacheKind::Latent) || keeps(scenario.model, CacheKind::Compressed);
}

bool hasIndexKeys(const Scenario& scenario)
{
    return keeps(scenario.model, CacheKind::Index);
}

bool hasPrefixes(const Scenario& scenario)
{
    return hasStates(scenario) || scenario.workload.sharedPrefix > 0;
}

bool hasSeveralDevices(const Scenario& scenario)
{
    return scenario.hardware.count > 1;
}

bool isOn(std::string_view text)
{
    return text == "on";
}

std::optional<std::int64_t> parseFraction(std::string_view text)
{
    constexpr std::size_t decimals = 4;
    const std::size_t point = std::min(text.find('.'), text.size());
    std::string digits(text.substr(0, point));
    const std::string_view behind = text.substr(std::min(point + 1, text.size()));
    if (behind.size() > decimals || digits.size() > 3 || (digits.empty() && behind.empty()))
        return std::nullopt;
    digits.append(behind).append(decimals - behind.size(), '0');
    if (digits.find_first_not_of("0123456789") != std::string::npos)
        return std::nullopt;
    const std::int64_t value = std::stoll(digits);
    return value > 0 ? std::optional(value) : std::nullopt;
}

std::string_view SettingValues::text(std::string_view flag) const
{
    const Setting* setting = find(m_rows, flag);
    if (setting == nullptr)
        return {};
    const std::string_view value = valueOf(*setting, m_typed, m_version);
    const bool bad = typed(flag) && wrong(*setting, value).has_value();
    return bad && setting->standard != nullptr ? setting->standard(m_version) : value;
}

std::optional<std::int64_t> SettingValues::count(std::string_view flag) const
{
    const Result<std::int64_t> count = parseCount(text(flag));
    return count ? std::optional(*count) : std::nullopt;
}

std::optional<Bytes> SettingValues::size(std::string_view flag) const
{
    const Result<Bytes> bytes = parseSize(text(flag));
    return bytes ? std::optional(*bytes) : std::nullopt;
}

} // namespace core::engines
