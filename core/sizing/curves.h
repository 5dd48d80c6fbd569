// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/bytes.h"
#include "core/sizing/evaluation.h"

#include <cstdint>
#include <vector>

namespace core {

/// One point of a growth curve.
struct CurvePoint {
    std::int64_t context = 0; ///< tokens of each request
    Bytes cache;              ///< in use, all requests
    Bytes waste;
    Bytes total; ///< weights + cache + waste + overhead + reserve

    friend bool operator==(const CurvePoint&, const CurvePoint&) = default;
};

/// How the columns of a curve are spaced. On logarithmic axes straight laws bend, so every curve is sampled.
enum class Spacing : std::uint8_t { Linear, Logarithmic };

/// Memory against context from 0 to `lastContext`, everything else as in an evaluation without issues: the corners
/// where the law is straight between them (a window that fills), one sample for each of `columns` pixel columns where
/// it is a staircase (paged blocks, compressed entries). Points are ascending and include both ends.
std::vector<CurvePoint> growthCurve(const Evaluation& evaluation, std::int64_t lastContext, int columns,
                                    Spacing spacing = Spacing::Linear);

/// The point of the curve at exactly `context` tokens.
CurvePoint growthAt(const Evaluation& evaluation, std::int64_t context);

/// The same for `batch` requests.
CurvePoint growthAt(const Evaluation& evaluation, std::int64_t context, std::int64_t batch);

/// One thin line beside the chosen batch: the cache of `batch` requests against context.
struct BatchCurve {
    std::int64_t batch = 1;
    std::vector<CurvePoint> points;
};

/// Batches 1, 2, 4, 8, … up to the first that does not fit at the scenario's context (at most 65,536), without the
/// chosen one. Without a capacity: up to four times the chosen batch.
std::vector<std::int64_t> companionBatches(const Evaluation& evaluation);

/// The growth curve of each companion batch.
std::vector<BatchCurve> batchCurves(const Evaluation& evaluation, std::int64_t lastContext, int columns,
                                    Spacing spacing = Spacing::Linear);

} // namespace core
