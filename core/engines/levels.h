// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engines/engine.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace core::engines {

/// The levels from an ideal cache to what is reserved, each with the cause of the step that leads to it.
class Levels {
public:
    explicit Levels(Bytes used) : m_used(used) {}

    void rise(WasteCause cause, Bytes level) { m_steps.at(m_count++) = {cause, level}; }
    /// Adds `times` times the levels to a share. Where less is kept than the ideal cache, only that is in use.
    void addTo(DeviceShare& share, std::int64_t times) const
    {
        const Bytes top = m_steps.at(m_count - 1).level;
        Bytes below = std::min(m_used, top);
        share.used += below * times;
        for (std::size_t i = 0; i < m_count; ++i) {
            const Bytes level = std::min(m_steps.at(i).level, top);
            if (level <= below)
                continue;
            share.waste.add(m_steps.at(i).cause, (level - below) * times);
            below = level;
        }
    }

private:
    struct Step {
        WasteCause cause = WasteCause::None;
        Bytes level;
    };
    Bytes m_used;
    std::array<Step, 10> m_steps;
    std::size_t m_count = 0;
};

} // namespace core::engines
