// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/scenario/settings.h"
#include "core/text/message.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace core {
struct Scenario;
}

namespace core::engines {

/// What the value of a flag is.
enum class SettingType : std::uint8_t {
    Switch,   ///< "on" or "off"; on the command line the bare flag
    Count,    ///< a whole number from `least` to `most`, or one of `words`
    Choice,   ///< one of `words`
    Size,     ///< bytes, as "250MiB", or one of `words`
    Shares,   ///< "3,1": a share for each device
    Fraction, ///< "0.92": more than 0 and at most `most` ten-thousandths (0: 1 in all), with up to four decimals
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
    /// False where the setting makes no difference, so that nobody needs to see it; without: it always may.
    bool (*matters)(const Scenario& scenario) = nullptr;
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

// For `Setting::matters`: models that keep states, windows, latents or index keys, and more than one device.
bool hasStates(const Scenario& scenario);
bool hasWindows(const Scenario& scenario);
bool hasLatents(const Scenario& scenario);
bool hasIndexKeys(const Scenario& scenario);
/// Prefixes that are kept make a difference: to states, or to requests that share one.
bool hasPrefixes(const Scenario& scenario);
bool hasSeveralDevices(const Scenario& scenario);

/// "on" is true.
bool isOn(std::string_view text);

/// "0.92" in ten-thousandths: 9,200. Nothing where the text is no such fraction.
std::optional<std::int64_t> parseFraction(std::string_view text);

/// The values of a scenario's settings by the rows of a table; one that is wrong is as if it were not typed, one
/// without a row is empty.
class SettingValues {
public:
    SettingValues(std::span<const Setting> rows, const Settings& typed, std::string_view version)
        : m_rows(rows), m_typed(typed), m_version(version)
    {
    }

    std::string_view text(std::string_view flag) const;
    bool typed(std::string_view flag) const { return m_typed.find(flag) != nullptr; }
    bool on(std::string_view flag) const { return isOn(text(flag)); }
    /// Nothing where the value is a word.
    std::optional<std::int64_t> count(std::string_view flag) const;
    std::int64_t fraction(std::string_view flag) const { return parseFraction(text(flag)).value_or(0); }
    std::optional<Bytes> size(std::string_view flag) const;

private:
    std::span<const Setting> m_rows;
    const Settings& m_typed;
    std::string_view m_version;
};

/// A `standard` that is the same in all versions.
template <std::size_t size> struct Text {
    constexpr Text(const char (&text)[size]) { std::copy_n(text, size, characters); } // NOLINT: a literal is the input
    char characters[size]{};
};
template <Text text> std::string_view always(std::string_view /*version*/)
{
    return text.characters;
}

} // namespace core::engines
