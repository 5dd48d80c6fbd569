// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/footprint.h"

#include <cstdint>

namespace ui {

/// The unit in which a chart's numbers stay short.
enum class ChartUnit { Mib, Gib, Tib };

/// "MiB", "GiB", "TiB".
const char* unitName(ChartUnit unit);

/// The ranges that growth and budget share. Both axes start at 0.
struct ChartScale {
    std::int64_t lastContext = 0; ///< tokens at the right end
    std::int64_t contextStep = 1; ///< tokens between two ticks
    double top = 0;               ///< upper end, in `unit`
    double step = 1;              ///< between two ticks, in `unit`
    ChartUnit unit = ChartUnit::Gib;

    double valueOf(core::Bytes bytes) const; ///< in `unit`

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
