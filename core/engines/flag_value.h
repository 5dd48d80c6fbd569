// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engines/setting.h"
#include "core/text/text.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace core::engines {

/// The typed value of a flag as a launch command takes it: counts in digits, so that "100K" is "102400". Nothing where
/// none is typed, where it is "auto", and where the row of `rows` does not allow it.
inline std::optional<std::string> flagValue(std::span<const Setting> rows, const Settings& typed, std::string_view flag)
{
    const Setting* row = find(rows, flag);
    const std::string* text = typed.find(flag);
    if (row == nullptr || text == nullptr || *text == "auto" || wrong(*row, *text))
        return std::nullopt;
    const Result<std::int64_t> count = row->type == SettingType::Count ? parseCount(*text) : fail("");
    return count ? std::to_string(*count) : *text;
}

} // namespace core::engines
