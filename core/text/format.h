// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/bytes.h"
#include "core/percent.h"
#include "core/text/message.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace core {

enum class Unit : std::uint8_t {
    Binary, ///< B, KiB, MiB, GiB, TiB: powers of 1,024
    Decimal ///< B, kB, MB, GB, TB: powers of 1,000
};

/// How numbers are written. The command line uses the defaults; the window takes point and grouping from the locale and
/// the unit of sizes from its menu.
struct NumberStyle {
    std::string decimalPoint = ".";
    std::string grouping = ",";
    Unit unit = Unit::Binary; ///< of the sizes in messages
};

/// "122,533"
std::string formatCount(std::int64_t count, const NumberStyle& style = {});

/// `value` with `decimals` decimals, rounded half away from zero: "23.64".
std::string formatNumber(double value, int decimals, const NumberStyle& style = {});

/// A size in GiB (or GB) with two decimals, smaller ones in the unit that leaves at least one whole: "14.96 GiB",
/// "3.69 GiB", "128 KiB", "512 B". KiB and MiB are written with as few decimals as are needed, at most two.
std::string formatBytes(Bytes bytes, Unit unit = Unit::Binary, const NumberStyle& style = {});

/// The same in three significant digits: "16.0 GiB", "4.00 GiB", "151 GiB".
std::string formatShort(Bytes bytes, Unit unit = Unit::Binary, const NumberStyle& style = {});

/// Both units, three digits each: "16.0 GiB (17.2 GB)".
std::string formatBoth(Bytes bytes, const NumberStyle& style = {});

/// "20", "2.5"
std::string formatPercent(Percent percent, const NumberStyle& style = {});

/// A token count as the axes write it: "8K", "128K", "1M", "1,000".
std::string formatTokens(std::int64_t tokens, const NumberStyle& style = {});

/// One value of a message: counts grouped, bytes by `formatBytes`, percentages with " %", texts as they are.
std::string formatValue(const Value& value, const NumberStyle& style = {});

/// The message's template (or a translation of it, in `text`) with its values in place.
std::string formatMessage(std::string_view text, const std::vector<Value>& args, const NumberStyle& style = {});

/// The message in English.
std::string english(const Message& message);

} // namespace core
