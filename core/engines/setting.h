// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/message.h"
#include "core/settings.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace core::engines {

/// What the value of a flag is.
enum class SettingType : std::uint8_t {
    Switch, ///< "on" or "off"; on the command line the bare flag
    Count,  ///< a whole number from `least` to `most`, or one of `words`
    Choice, ///< one of `words`
    Size,   ///< bytes, as "250MiB", or one of `words`
    Shares, ///< "3,1": a share for each device
};

/// A flag of an engine: one row of its table, from which panel, command line, scenario file and launch command are
/// built.
struct Setting {
    std::string_view flag; ///< under the engine's own name, without dashes: "ubatch-size"
    SettingType type = SettingType::Count;
    std::int64_t least = 0;
    std::int64_t most = 0;
    std::string_view words{}; ///< with blanks between: "on off auto"
    std::string_view help{};  ///< KV_TEXT
    /// The value where none is typed, by version ("" is the newest).
    std::string_view (*standard)(std::string_view version) = nullptr;
    bool estimate = false;          ///< a line of the budget that only we know, no flag of the engine
    std::string_view refusedWord{}; ///< a word that the engine knows and that cannot be sized
    std::string_view whyRefused{};  ///< KV_TEXT: the sentence that says so
};

/// The row of `flag`; nullptr where there is none.
const Setting* find(std::span<const Setting> settings, std::string_view flag);

/// What is wrong with `text` as the value of a setting; nothing when it is good.
std::optional<Message> wrong(const Setting& setting, std::string_view text);

/// The typed value of the setting, or its default in `version`.
std::string_view valueOf(const Setting& setting, const Settings& typed, std::string_view version);

/// "on" is true.
bool isOn(std::string_view text);

} // namespace core::engines
