// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engines/log.h"

#include "core/engines/engine.h"

namespace core::engines {

namespace {

/// The engine that prints such logs, if one does.
const Engine* printer(EngineId id)
{
    const Engine& row = engine(id);
    return row.readLog != nullptr ? &row : nullptr;
}

} // namespace

const std::string* EngineLog::find(std::string_view key) const
{
    const auto found =
        std::find_if(values.rbegin(), values.rend(), [&](const LogValue& value) { return value.key == key; });
    return found == values.rend() ? nullptr : &found->value;
}

EngineLog readLog(std::string_view text, EngineId likely)
{
    std::optional<EngineLog> best;
    for (std::size_t i = 0; i < engineIds().size(); ++i) {
        const auto id = static_cast<EngineId>(i);
        if (printer(id) == nullptr)
            continue;
        EngineLog log = printer(id)->readLog(text);
        log.engine = id;
        const bool asMuch = best && log.understood() == best->understood();
        if (!best || log.understood() > best->understood() || (asMuch && id == likely))
            best = std::move(log);
    }
    return *std::move(best);
}

Scenario withLog(Scenario scenario, const EngineLog& log)
{
    if (scenario.engine != log.engine)
        changeEngine(scenario, log.engine);
    return printer(log.engine) != nullptr ? printer(log.engine)->withLog(std::move(scenario), log) : scenario;
}

} // namespace core::engines
