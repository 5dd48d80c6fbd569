// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/teaching/asked_quantity.h"
#include "core/text/format.h"
#include "core/text/result.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace core {

/// A unit that may follow the number of an answer: "GiB", "Go", "requests", "x", "K".
struct AnswerUnit {
    std::string_view name;          ///< in lower case
    std::optional<Measure> measure; ///< what it counts; nothing for K, M and G, which go with every measure
    double size = 1;                ///< what one of it stands for: bytes where it is a unit of memory
    bool decimal = false;           ///< True for a power of 1,000 bytes: kB, MB, GB, TB.
};

/// What a learner typed.
struct Answer {
    double number = 0;
    std::optional<AnswerUnit> unit;
};

/// Reads a number with or without a unit. The decimal point and the grouping are those of `style`; a text that is no
/// number by them but has one meaning by another habit ("2,5" in English) has that meaning. Sizes may be French (Gio,
/// Go). K, M and G alone are 1,024, 1,024² and 1,024³. Where `measure` is a percentage, a fraction of at most one whole
/// can be written too: "3/4" is 75 %. The error says what can be written.
Result<Answer> readAnswer(std::string_view text, const NumberStyle& style = {}, std::optional<Measure> measure = {});

/// False when the unit of the answer counts something else: "3 GiB" where the question is how many requests fit.
bool canMean(const Answer& answer, Measure measure);

/// How far an answer may be off: by 1.5 % for sizes, tokens and factors, by 1 % for sizes below 1 MiB, by nothing for
/// requests, GPUs and plain counts. GB and GiB differ by 7.4 %, kB and KiB by 2.4 %, 8,000 and 8,192 by 2.3 %.
double toleranceOf(Measure measure, double number);

/// True when the numbers are the same within the tolerance of `expected`.
bool isNear(Measure measure, double number, double expected);

/// The numbers that are accepted, both ends included.
struct AcceptedRange {
    double low = 0;
    double high = 0;

    bool holds(double number) const { return number >= low && number <= high; }
};

/// How an answer compares with a number.
enum class Fit : std::uint8_t {
    No,
    Yes,
    OtherUnit, ///< It fits in a unit that the program does not use now: in GB where it shows GiB.
};

/// Tells whether the answer is `expected`, within its tolerance or within `accepted`. A size without a unit is read in
/// the units in which `expected` is written, binary and decimal, in those of `scale` (the right answer, when `expected`
/// is a wrong one), and in bytes. A share below 1 without a unit is read as a part of one whole, too: 0.75 is 75 %; 1
/// is 1 %, as nobody writes it for all.
Fit fitOf(const Answer& answer, Measure measure, double expected, const NumberStyle& style = {},
          std::optional<AcceptedRange> accepted = {}, std::optional<double> scale = {});

/// The number that the answer stands for, in bytes where it is a size and in percent where it is a share. Without a
/// unit a size is in the one in which `like`, the right number, is written, or in bytes, and a share below 1 in percent
/// or as a part of one whole: whichever is closer to `like` by ratio. For guesses, which may be far off.
double meantBy(const Answer& answer, Measure measure, double like, const NumberStyle& style = {});

/// The size of the unit in which `bytes` is written: 2^30 for 2.5 GiB in `Unit::Binary`.
double unitSize(double bytes, Unit unit);

/// The name of that unit: "GiB".
std::string_view unitName(double bytes, Unit unit);

} // namespace core
