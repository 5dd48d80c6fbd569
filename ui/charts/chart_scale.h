// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/footprint.h"

#include <cstdint>

namespace ui {

/// The ranges that growth and budget share. Both axes start at 0.
struct ChartScale {
    std::int64_t lastContext = 0; ///< tokens at the right end
    std::int64_t contextStep = 1; ///< tokens between two ticks
    double topGib = 1;            ///< GiB at the upper end
    double stepGib = 1;           ///< GiB between two ticks

    friend bool operator==(const ChartScale&, const ChartScale&) = default;
};

/// Chooses the ranges and holds them: a range changes only when a value leaves it or would fill too little of it, so
/// that a drag moves the lines and not the axes.
class ScaleTracker {
public:
    /// The ranges to show `evaluation` with.
    const ChartScale& follow(const core::Evaluation& evaluation);

private:
    ChartScale m_scale;
};

} // namespace ui
