// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/readers/json/model_json.h"
#include "core/scenario/scenario.h"
#include "core/sizing/evaluate.h"
#include "core/text/text.h"
#include "tests/core/reading.h"

#include <nlohmann/json.hpp>

#include <string>

/// The scenario of a row of tests/data/engines/serving.tsv, without the memory for its cache.
inline core::Scenario servingScenario(const TableRow& row)
{
    const std::string layout = row.at("model").toStdString();
    nlohmann::json document{{"format", "kvhorizon.model"}, {"version", 1}, {"model", nlohmann::json::parse(layout)}};
    core::Scenario scenario;
    if (core::Result<core::Model> model = core::readers::modelFromJson(document, "row"))
        scenario = core::scenarioOf(*std::move(model));
    scenario.engine = core::engineId(row.at("engine").toStdString()).value();
    scenario.engineVersion = row.at("version").toStdString();
    scenario.workload.context = row.at("length").toLongLong();
    scenario.kFormat = scenario.vFormat = core::kvFormat(row.at("format").toStdString()).value();
    scenario.hardware.parallel.tensor = row.at("tp").toLongLong();
    scenario.hardware.parallel.pipeline = row.at("pp").toLongLong();
    scenario.hardware.count = *scenario.hardware.parallel.tensor * *scenario.hardware.parallel.pipeline;
    for (const QString& flag : row.at("flags").split(' ', Qt::SkipEmptyParts))
        scenario.settings.set(flag.section('=', 0, 0).toStdString(), flag.section('=', 1).toStdString());
    return scenario;
}

/// The figures that were printed, by name.
inline std::map<QString, double> printedFigures(const TableRow& row)
{
    std::map<QString, double> figures;
    for (const QString& figure : row.at("printed").split(' ', Qt::SkipEmptyParts))
        figures[figure.section('=', 0, 0)] = figure.section('=', 1).toDouble();
    return figures;
}
