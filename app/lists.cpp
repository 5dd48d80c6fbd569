// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lists.h"

#include "app/text_table.h"
#include "core/format.h"
#include "core/sizing/kv_cache.h"

#include <nlohmann/json.hpp>

namespace app {

namespace {

using core::formatCount;
using Json = nlohmann::ordered_json;

/// Growth of the 16-bit cache with the first tokens, while every window still grows.
core::Bytes bytesPerToken(const core::Model& model)
{
    core::Scenario scenario;
    scenario.model = model;
    return core::sizing::requestCache(scenario, 1, 0) - core::sizing::requestCache(scenario, 0, 0);
}

std::string sizeText(std::optional<core::Bytes> bytes)
{
    return bytes ? core::formatBytes(*bytes) : "unknown";
}

std::string usableText(core::UsableSource source)
{
    switch (source) {
    case core::UsableSource::Runtime:
        return "total of a runtime";
    case core::UsableSource::Limit:
        return "limit set by the system";
    case core::UsableSource::Driver:
        return "none known: driver total";
    case core::UsableSource::Label:
        break;
    }
    return "none known: label";
}

void addGpu(TextTable& table, const std::string& id, const core::Gpu& gpu, const core::DeviceMemory& memory)
{
    table.add({id, gpu.name, memory.labelText, sizeText(memory.driver), sizeText(memory.usable),
               usableText(memory.usableSource)});
}

Json memoryJson(const core::DeviceMemory& memory)
{
    return {{"label", memory.labelText},
            {"label_bytes", memory.label.count()},
            {"driver_bytes", memory.driver ? Json(memory.driver->count()) : Json()},
            {"usable_bytes", memory.usable.count()},
            {"usable_source", id(memory.usableSource)},
            {"usable_note", memory.usableNote}};
}

} // namespace

std::string modelsText(const std::vector<core::Model>& models)
{
    TextTable table({Align::Left, Align::Left, Align::Right, Align::Right, Align::Right, Align::Right});
    table.add({"id", "name", "layers", "KV B/token, 16 bit", "max context", "parameters"});
    for (const core::Model& model : models)
        table.add({model.id, model.name, formatCount(model.layers), formatCount(bytesPerToken(model).count()),
                   model.maxContext ? formatCount(*model.maxContext) : "unknown",
                   model.weights.known() ? formatCount(model.weights.parameters()) : "unknown"});
    return table.text();
}

std::string gpusText(const std::vector<core::Gpu>& gpus)
{
    TextTable table({Align::Left, Align::Left, Align::Right, Align::Right, Align::Right, Align::Left});
    table.add({"id", "name", "label", "driver", "usable", "usable figure"});
    for (const core::Gpu& gpu : gpus) {
        if (gpu.sizes.empty())
            addGpu(table, gpu.id, gpu, gpu.memory);
        for (const core::DeviceMemory& size : gpu.sizes)
            addGpu(table, gpu.id + ":" + std::to_string(size.label.count() / core::gib(1).count()), gpu, size);
    }
    return table.text();
}

Json modelsJson(const std::vector<core::Model>& models)
{
    Json rows = Json::array();
    for (const core::Model& model : models)
        rows.push_back({{"id", model.id},
                        {"name", model.name},
                        {"family", model.family},
                        {"source", model.source},
                        {"layers", model.layers},
                        {"kv_bytes_per_token", bytesPerToken(model).count()},
                        {"max_context", model.maxContext ? Json(*model.maxContext) : Json()},
                        {"parameters", model.weights.known() ? Json(model.weights.parameters()) : Json()},
                        {"weights_format", info(model.weights.published).id}});
    return rows;
}

Json gpusJson(const std::vector<core::Gpu>& gpus)
{
    Json rows = Json::array();
    for (const core::Gpu& gpu : gpus) {
        Json row{{"id", gpu.id}, {"name", gpu.name}, {"vendor", gpu.vendor}, {"unified", gpu.unified}};
        row.update(memoryJson(gpu.memory));
        row["sizes"] = Json::array();
        for (const core::DeviceMemory& size : gpu.sizes)
            row["sizes"].push_back(memoryJson(size));
        rows.push_back(std::move(row));
    }
    return rows;
}

} // namespace app
