// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <sys/resource.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string>

namespace bench {

/// How a benchmark program ends.
enum ExitCode { QuickEnough = 0, Broken = 1, TooSlow = 2 };

/// Ends the program as broken, and says what is wrong, unless `holds`.
inline void require(bool holds, const std::string& what)
{
    if (holds)
        return;
    std::printf("%s\n", what.c_str());
    std::exit(Broken);
}

/// The milliseconds of processor time that were used by this process (RUSAGE_SELF) or by the processes that it started
/// and that have ended (RUSAGE_CHILDREN). Time in which other programs have the processor does not count.
inline double processorMilliseconds(int who)
{
    rusage usage{};
    getrusage(who, &usage);
    const auto milliseconds = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_usec) / 1e3;
    };
    return milliseconds(usage.ru_utime) + milliseconds(usage.ru_stime);
}

/// The milliseconds of processor time that `work` takes in this process.
template <typename Work> double milliseconds(Work work)
{
    const double before = processorMilliseconds(RUSAGE_SELF);
    work();
    return processorMilliseconds(RUSAGE_SELF) - before;
}

/// Compares what our code costs with a floor that is measured beside it, and remembers whether all of it was quick
/// enough. Where the environment has BENCH_BRIEF, little is measured, which is enough to print but not to judge.
class Ratios {
public:
    /// `ours` and `floor` each return the milliseconds of one run. They run in turns, `runs` times, and the least of
    /// each counts, because more than that is what else the machine did. Before it is called too slow it is measured
    /// three times as often.
    template <typename Ours, typename Floor>
    void compare(const std::string& what, double limit, int runs, Ours ours, Floor floor)
    {
        double leastOurs = std::numeric_limits<double>::max();
        double leastFloor = leastOurs;
        const int roundsAtMost = m_isBrief ? 1 : 3;
        int round = 0;
        do {
            for (int run = 0; run < (m_isBrief ? (runs + 4) / 5 : runs); ++run) {
                leastOurs = std::min(leastOurs, ours());
                leastFloor = std::min(leastFloor, floor());
            }
        } while (leastOurs > limit * leastFloor && ++round < roundsAtMost);
        const bool within = leastOurs <= limit * leastFloor;
        std::printf("%-56s %9.3f ms /%9.3f ms = %7.4f, at most %.2f  %s\n", what.c_str(), leastOurs, leastFloor,
                    leastOurs / leastFloor, limit, within ? "ok" : "TOO SLOW");
        std::fflush(stdout);
        m_areQuickEnough = m_areQuickEnough && within;
    }

    /// The same for `ours` and `floor` that work in this process and need not measure themselves.
    template <typename Ours, typename Floor>
    void compareWork(const std::string& what, double limit, int runs, Ours ours, Floor floor)
    {
        compare(
            what, limit, runs, [&] { return milliseconds(ours); }, [&] { return milliseconds(floor); });
    }

    ExitCode exitCode() const { return m_areQuickEnough ? QuickEnough : TooSlow; }

private:
    const bool m_isBrief = std::getenv("BENCH_BRIEF") != nullptr;
    bool m_areQuickEnough = true;
};

} // namespace bench
