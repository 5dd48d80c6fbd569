// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/log_text.h"

#include "app/text_table.h"
#include "core/text/format.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace app {

namespace {

constexpr std::size_t kMostUnknown = 40; ///< lines that are shown of those not understood
constexpr std::size_t kMostWidth = 100;

} // namespace

std::string comparisonText(core::EngineId engine, const core::engines::EngineLog& log,
                           std::span<const core::engines::LogComparison> comparison)
{
    const bool isOther = log.engine != engine && log.understood() > 0;
    TextTable table({Align::Right, Align::Left, Align::Right, Align::Right, Align::Right, Align::Left});
    table.add({"line", "figure", "printed", "predicted", "difference", ""});
    for (const core::engines::LogComparison& row : comparison)
        table.add({std::to_string(row.line), row.figure, row.printed, row.predicted, row.difference,
                   row.agrees ? "agrees" : core::english(row.cause)});
    std::string text =
        isOther
            ? fmt::format("This is a log of {0}, but the cache is reserved by {1}: add --engine {0} or --use-log.\n",
                          id(log.engine), id(engine))
        : comparison.empty()
            ? "The log has no figures that can be compared.\n"
            : "Compared with the log (sizes in MiB where no unit is named, weights in GiB)\n" + table.text(2);
    if (log.unknown.empty())
        return text;
    text += fmt::format("Lines that were not understood: {}\n", log.unknown.size());
    for (std::size_t i = 0; i < std::min(log.unknown.size(), kMostUnknown); ++i)
        text += fmt::format("  {:>5}  {}\n", log.unknown[i].line, log.unknown[i].text.substr(0, kMostWidth));
    if (log.unknown.size() > kMostUnknown)
        text += fmt::format("         and {} more (--json lists all of them)\n", log.unknown.size() - kMostUnknown);
    return text;
}

nlohmann::ordered_json comparisonJson(const core::engines::EngineLog& log,
                                      std::span<const core::engines::LogComparison> comparison)
{
    nlohmann::ordered_json json{{"engine", id(log.engine)},
                                {"figures", nlohmann::ordered_json::array()},
                                {"unknown", nlohmann::ordered_json::array()}};
    for (const core::engines::LogComparison& row : comparison)
        json["figures"].push_back({{"line", row.line},
                                   {"figure", row.figure},
                                   {"printed", row.printed},
                                   {"predicted", row.predicted},
                                   {"difference", row.difference},
                                   {"agrees", row.agrees},
                                   {"cause", row.agrees ? "" : core::english(row.cause)}});
    for (const core::engines::LogRest& rest : log.unknown)
        json["unknown"].push_back({{"line", rest.line}, {"text", rest.text}});
    return json;
}

} // namespace app
