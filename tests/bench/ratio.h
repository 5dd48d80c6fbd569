// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>

#include <algorithm>
#include <cstdio>
#include <vector>

namespace bench {

/// What a benchmark may cost, as a ratio to a floor measured in the same run.
struct Result {
    bool good = true;

    /// Prints one line and remembers a miss.
    void report(const char* what, double value, double limit, const char* unit = "x")
    {
        const bool within = value <= limit;
        std::printf("%-56s %8.3f%s  at most %.2f%s  %s\n", what, value, unit, limit, unit, within ? "ok" : "TOO SLOW");
        good = good && within;
    }
};

template <typename Work> double milliseconds(Work work)
{
    QElapsedTimer timer;
    timer.start();
    work();
    return static_cast<double>(timer.nsecsElapsed()) / 1e6;
}

inline double median(std::vector<double> values)
{
    std::ranges::sort(values);
    return values[values.size() / 2];
}

} // namespace bench
