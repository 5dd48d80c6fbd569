// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engines/engine.h"

#include <algorithm>
#include <cstdint>

namespace core::engines {

/// The steps from an ideal cache to what is reserved, each with the cause of the step that leads to it. They rise in
/// a share of a device, `times` times: where alike layers are many.
class WasteSteps {
public:
    /// From `used` bytes of the ideal cache to `top`. Where less is kept than the ideal cache, only that is in use.
    WasteSteps(DeviceShare& share, Bytes used, Bytes top, std::int64_t times = 1)
        : m_share(share), m_below(std::min(used, top)), m_top(top), m_times(times)
    {
        share.used += m_below * times;
    }

    /// Up to `level`, as far as it is between the level before and the top.
    void rise(WasteCause cause, Bytes level)
    {
        level = std::min(level, m_top);
        if (level <= m_below)
            return;
        m_share.waste.add(cause, (level - m_below) * m_times);
        m_below = level;
    }
    /// To the top.
    void finish(WasteCause cause) { rise(cause, m_top); }

private:
    DeviceShare& m_share;
    Bytes m_below;
    Bytes m_top;
    std::int64_t m_times;
};

} // namespace core::engines
