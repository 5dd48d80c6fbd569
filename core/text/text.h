// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/text/result.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace core {

/// ASCII lower case.
std::string toLower(std::string_view text);

/// Without `blanks` at both ends: spaces, tabs and line ends.
std::string_view trimmed(std::string_view text, std::string_view blanks = " \t\r\n");

/// The parts of `text` between `separator`s, also those that are empty; none of an empty text.
std::vector<std::string_view> split(std::string_view text, char separator);

/// True where `word` is one of `words`, which are separated by blanks.
bool hasWord(std::string_view words, std::string_view word);

/// A count of tokens as people type it: "8192", "8,192", "8K" (K = 1,024), "1M" (1,048,576), "8000". Whole numbers
/// only; grouping commas must stand between groups of three digits.
Result<std::int64_t> parseCount(std::string_view text);

/// A size: "24GiB", "24 GB", "3.81GiB", "512MiB", "18000000000" (bytes). Decimal fractions are exact and rounded up to
/// whole bytes. KiB, MiB, GiB, TiB are powers of 1,024; KB, MB, GB, TB of 1,000.
Result<Bytes> parseSize(std::string_view text);

/// A number of parameters: "8030261248", "8B", "70.6B", "350M". K, M, B and T are powers of 1,000 here, as people
/// count parameters; fractions must give a whole number.
Result<std::int64_t> parseParameters(std::string_view text);

/// A percentage with up to two decimals: "20", "2.5", "20%".
Result<Percent> parsePercent(std::string_view text);

/// Up to `count` of `candidates`, those most like `text` first (edit distance, shared beginnings and parts); those
/// unlike it are left out.
std::vector<std::string> closest(std::string_view text, std::span<const std::string> candidates, std::size_t count = 3);

} // namespace core
