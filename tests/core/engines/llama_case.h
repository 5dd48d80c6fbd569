// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/readers/json/model_json.h"
#include "core/scenario/scenario.h"
#include "tests/core/reading.h"

#include <nlohmann/json.hpp>

#include <string>

/// The scenario of a row of tests/data/engines/llama_logs.tsv.
inline core::Scenario llamaScenario(const TableRow& row)
{
    const std::string layout = row.at("model").toStdString();
    nlohmann::json document{{"format", "kvhorizon.model"}, {"version", 1}, {"model", nlohmann::json::parse(layout)}};
    core::Scenario scenario;
    if (core::Result<core::Model> model = core::readers::modelFromJson(document, "row"))
        scenario = core::scenarioOf(*std::move(model));
    scenario.engine = core::EngineId::LlamaCpp;
    scenario.engineVersion = row.at("version").toStdString();
    const std::int64_t context = row.at("context").toLongLong();
    const std::int64_t sequences = row.at("parallel").toLongLong();
    scenario.workload = {.context = context / sequences,
                         .maxContext = std::nullopt,
                         .batch = sequences,
                         .encoderTokens = 0,
                         .spareTokens = context % sequences};
    scenario.kFormat = core::kvFormat(row.at("k").toStdString()).value();
    scenario.vFormat = core::kvFormat(row.at("v").toStdString()).value();
    for (const auto& [column, flag] :
         {std::pair("flash", "flash-attn"), std::pair("unified", "kv-unified"), std::pair("swa_full", "swa-full"),
          std::pair("batch", "batch-size"), std::pair("ubatch", "ubatch-size"), std::pair("mla", "mla"),
          std::pair("drafts", "num-speculative-tokens")}) {
        if (!row.at(column).isEmpty())
            scenario.settings.set(flag, row.at(column).toStdString());
    }
    return scenario;
}
