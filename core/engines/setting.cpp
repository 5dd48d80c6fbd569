// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engines/setting.h"

#include "core/text.h"

#include <algorithm>

namespace core::engines {

namespace {

constexpr std::int64_t kMostShares = 16;

/// "3,1" or "0.6,0.4": numbers with commas between, not all of them 0.
bool areShares(std::string_view text)
{
    std::int64_t count = 0;
    bool some = false;
    if (text.ends_with(','))
        return false;
    while (!text.empty()) {
        const std::string_view number = text.substr(0, text.find(','));
        const bool digits = number.find_first_not_of("0123456789.") == std::string_view::npos;
        if (number.empty() || !digits || std::ranges::count(number, '.') > 1 || number == "." || number.size() > 12)
            return false;
        some = some || number.find_first_of("123456789") != std::string_view::npos;
        ++count;
        text.remove_prefix(std::min(number.size() + 1, text.size()));
    }
    return some && count <= kMostShares;
}

bool isCount(const Setting& setting, std::string_view text)
{
    const Result<std::int64_t> count = parseCount(text);
    return count && *count >= setting.least && *count <= setting.most;
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

bool isOn(std::string_view text)
{
    return text == "on";
}

} // namespace core::engines
