// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engines/engine.h"
#include "core/engines/log.h"
#include "core/engines/setting.h"

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace core::engines {

/// A figure in a line of a log.
struct LogPattern {
    std::string_view key;    ///< of its value
    std::string_view words;  ///< what stands directly before it, or behind it
    bool behind = false;     ///< the words stand behind it
    bool isWord = false;     ///< it is a word, no number
    std::string_view line{}; ///< what else must stand in the line
};

/// The line without colour codes, carriage returns, quote marks and blanks around it.
std::string cleaned(std::string_view line);

/// Reads the lines of a log by a table. Lines that speak of memory and are in no row are unknown.
EngineLog readByTable(std::string_view text, std::span<const LogPattern> table);

/// "10.40", with a decimal point whatever the locale; 0 where the text is no number.
double decimalOf(std::string_view text);

/// The last value of `key` as a number; nothing where it was not printed, and no count that no engine can have.
std::optional<double> numberOf(const EngineLog& log, std::string_view key);
std::optional<std::int64_t> countOf(const EngineLog& log, std::string_view key);

/// The least value of `key`: where each rank prints its own, that of the rank with least memory counts for all. Nothing
/// where it was not printed.
std::optional<std::int64_t> leastCountOf(const EngineLog& log, std::string_view key);

/// The least size that was printed under `key` in GiB: its two decimals stand for everything from `low` to `high`.
struct PrintedSize {
    Bytes low;
    Bytes high;
    Bytes size; ///< as printed
};
std::optional<PrintedSize> leastSizeOf(const EngineLog& log, std::string_view key);

/// A row of a comparison: agrees where the texts are equal, or `agrees` says so.
LogComparison compared(const LogValue& printed, std::string figure, std::string predicted, bool agrees,
                       const Message& cause);
/// The same with a size in GiB, printed with two decimals, or fewer where they are 0.
LogComparison comparedGib(const LogValue& printed, std::string figure, Bytes predicted, const Message& cause);
LogComparison comparedCount(const LogValue& printed, std::string figure, std::int64_t predicted, const Message& cause);
/// The weights of a device in GiB: of several stages, those that are nearest. They agree within 1 %, and the figure
/// says so: printed sizes of published models are up to 0.8 % larger than their tensors, by buffers of the engine.
LogComparison comparedWeights(const LogValue& printed, const Reservation& reservation);

/// Takes over what all engines print alike: tp_size, tensor_parallel_size, kv_cache_dtype, ….
void takeSpread(Scenario& scenario, const EngineLog& log);
/// Takes over the longest request.
void takeLength(Scenario& scenario, const EngineLog& log);

/// A value of a log that is one of a flag.
struct LogFlag {
    std::string_view key;
    std::string_view flag;   ///< a row of the engine's table
    std::string_view unit{}; ///< in which it is printed: "GiB"
};
/// Takes over values as flags, one after the other, as far as their rows allow them.
void takeFlags(Scenario& scenario, const EngineLog& log, std::span<const Setting> rows,
               std::initializer_list<LogFlag> flags);

} // namespace core::engines
