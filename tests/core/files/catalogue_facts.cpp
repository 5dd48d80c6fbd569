// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/files/catalogue_facts.h"

#include "core/files/model_file.h"
#include "core/readers/json/model_json.h"
#include "core/text/format.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>

namespace tests {

namespace {

using core::Model;
using core::Result;

/// The configs kept as facts, by repository.
std::map<std::string, std::string> configs()
{
    std::map<std::string, std::string> texts;
    for (const char* file : {"plain.json", "mixed.json"}) {
        std::ifstream stream(std::string(TESTS_DATA_DIR "/configs/") + file);
        for (nlohmann::ordered_json config : nlohmann::ordered_json::parse(stream)) {
            const std::string id = config.at("id");
            config.erase("id");
            texts.emplace(id, config.dump());
        }
    }
    return texts;
}

/// Puts in the weights' format of a line, with its reason.
void addFormat(const std::string& text, Model& model)
{
    const std::size_t colon = text.find(':');
    const std::string id = text.substr(0, colon);
    model.weights.published = core::weightFormat(id).value();
    const auto row = std::ranges::find(model.provenance, "weights_format", &core::Provenance::field);
    row->value = id;
    row->rule = text.substr(colon + 2);
}

Result<Model> entryOf(const CatalogueFact& fact, const std::string& config)
{
    Result<Model> model = core::readers::readModelText(config, "config.json");
    if (!model)
        return model;
    model->id = fact.id;
    model->name = fact.name;
    model->source = fact.config + " config.json" + (fact.copy.empty() ? "" : " (" + fact.copy + ")");
    if (!fact.confirmed.empty())
        model->weights.source += "; " + fact.confirmed;
    if (!fact.format.empty())
        addFormat(fact.format, *model);
    return model;
}

} // namespace

std::vector<CatalogueFact> catalogueFacts()
{
    std::vector<CatalogueFact> facts;
    std::ifstream stream(TESTS_DATA_DIR "/catalogue.tsv");
    for (std::string line; std::getline(stream, line);) {
        if (line.starts_with('#'))
            continue;
        std::istringstream cells(line);
        CatalogueFact fact;
        for (std::string* cell : {&fact.id, &fact.name, &fact.config, &fact.copy, &fact.confirmed, &fact.format})
            std::getline(cells, *cell, '\t');
        facts.push_back(std::move(fact));
    }
    return facts;
}

Result<std::string> catalogueFromFacts()
{
    const std::map<std::string, std::string> known = configs();
    std::string text;
    for (const CatalogueFact& fact : catalogueFacts()) {
        const auto config = known.find(fact.config);
        if (config == known.end())
            return core::fail(KV_TEXT("core", "{0}: there is no config \"{1}\"."), {fact.id, fact.config});
        const Result<Model> model = entryOf(fact, config->second);
        if (!model)
            return core::fail(KV_TEXT("core", "{0}: {1}"), {fact.id, core::english(model.error().message)});
        std::string entry = core::readers::modelToText(*model);
        while (entry.ends_with('\n'))
            entry.pop_back();
        text += (text.empty() ? "[\n" : ",\n") + entry;
    }
    return text + "\n]\n";
}

} // namespace tests
