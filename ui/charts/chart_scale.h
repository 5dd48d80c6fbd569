// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sizing/evaluation.h"
#include "core/text/format.h"

#include <QString>

#include <cstdint>
#include <vector>

namespace ui {

/// A unit in which a chart's numbers stay short.
struct ChartUnit {
    core::Unit system = core::Unit::Binary;
    int power = 3; ///< of 1,024 or 1,000: 2 MiB or MB, 3 GiB or GB, 4 TiB or TB

    double bytes() const;
    const char* name() const; ///< "GiB"

    friend bool operator==(const ChartUnit&, const ChartUnit&) = default;
};

/// A tick of an axis: its place in plotted coordinates and what stands beside it.
struct Tick {
    double place = 0;
    QString label;
};

/// The ranges that growth and budget share. Linear axes start at 0; logarithmic ones plot powers of two at equal
/// distances, on both axes or on none.
struct ChartScale {
    bool logarithmic = false;
    std::int64_t lastContext = 0; ///< tokens at the right end
    std::int64_t contextStep = 1; ///< tokens between two ticks
    double top = 0;               ///< upper end, in `unit`
    double step = 1;              ///< between two ticks, in `unit`
    ChartUnit unit;

    double valueOf(core::Bytes bytes) const; ///< in `unit`

    /// Plotted coordinates: tokens and units, or their base-2 logarithms.
    double xOf(double context) const;
    double yOf(double value) const;
    double left() const;
    double right() const { return xOf(static_cast<double>(lastContext)); }
    double bottom() const;
    double upper() const { return yOf(top); }
    /// The inverse of xOf, in whole tokens, within the range.
    std::int64_t contextOf(double x) const;

    std::vector<Tick> contextTicks() const;
    /// Ticks of a linear axis of memory, whatever this scale is.
    std::vector<Tick> linearTicks() const;
    std::vector<Tick> valueTicks() const;
    /// Ticks of the value axis at round numbers of the other system's unit, GB beside GiB; the last one names it.
    std::vector<Tick> otherUnitTicks() const;

    friend bool operator==(const ChartScale&, const ChartScale&) = default;
};

/// Chooses the ranges and holds them: a range changes only when a value leaves it or would fill too little of it, so
/// that a drag moves the lines and not the axes.
class ScaleTracker {
public:
    /// The ranges to show `evaluation` with, in units of the chosen system.
    const ChartScale& follow(const core::Evaluation& evaluation, bool logarithmic = false);
    /// The range of bars of which the longest has `longest` bytes.
    const ChartScale& followBars(core::Bytes longest);

private:
    /// The smallest ranges that hold a context and an amount of memory.
    void holdContext(double context);
    void holdValue(double bytes);

    ChartScale m_scale;
};

} // namespace ui
