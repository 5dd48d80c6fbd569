// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/teaching/memory_share.h"

#include "core/engines/engine.h"

#include <algorithm>

namespace core {

const engines::Setting* memoryShareFlag(const Scenario& scenario)
{
    if (!engines::engine(scenario.engine).hasPool)
        return nullptr;
    const std::span<const engines::Setting> rows = engines::settings(scenario.engine);
    const auto found = std::ranges::find(rows, engines::SettingType::Fraction, &engines::Setting::type);
    return found == rows.end() ? nullptr : &*found;
}

std::optional<Percent> memoryShareOf(const Scenario& scenario)
{
    const engines::Setting* flag = memoryShareFlag(scenario);
    if (flag == nullptr)
        return std::nullopt;
    const std::optional<std::int64_t> share = engines::parseFraction(
        engines::SettingValues(engines::settings(scenario.engine), scenario.settings, scenario.engineVersion)
            .text(flag->flag));
    return share ? std::optional(Percent{*share}) : std::nullopt; // ten-thousandths are hundredths of a percent
}

} // namespace core
