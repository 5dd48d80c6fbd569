// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lists.h"

#include "app/text_table.h"
#include "core/files/footprint_json.h"
#include "core/scenario/kv_cache.h"
#include "core/text/format.h"

#include <nlohmann/json.hpp>

namespace app {

namespace {

using core::formatCount;
using Json = nlohmann::ordered_json;

/// Growth of the 16-bit cache with the first tokens, while every window still grows.
core::Rate growthOf(const core::Model& model)
{
    core::Scenario scenario;
    scenario.model = model;
    scenario.workload.context = 1;
    return core::kvSize(scenario).perToken;
}

/// Whole bytes of each token, or two decimals where entries are compressed.
std::string rateText(const core::Rate& rate)
{
    if (rate.bytes.count() % rate.tokens == 0)
        return formatCount(rate.bytes.count() / rate.tokens);
    return core::formatNumber(static_cast<double>(rate.bytes.count()) / static_cast<double>(rate.tokens), 2);
}

std::string sizeText(std::optional<core::Bytes> bytes)
{
    return bytes ? core::formatBytes(*bytes) : "unknown";
}

std::string usableText(core::UsableSource source)
{
    switch (source) {
    case core::UsableSource::Runtime:
        return "a runtime";
    case core::UsableSource::Limit:
        return "the limit of the system";
    case core::UsableSource::Driver:
        return "the driver, as no other is known";
    case core::UsableSource::Label:
        break;
    }
    return "the label, as no other is known";
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
        table.add({model.id, model.name, formatCount(model.layers), rateText(growthOf(model)),
                   model.maxContext ? formatCount(*model.maxContext) : "unknown",
                   model.weights.known() ? formatCount(model.weights.parameters()) : "unknown"});
    return table.text();
}

std::string gpusText(const std::vector<core::Gpu>& gpus)
{
    TextTable table({Align::Left, Align::Left, Align::Right, Align::Right, Align::Right, Align::Left});
    table.add({"id", "name", "label", "driver", "usable", "usable according to"});
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
                        {"kv_bytes_per_token", core::rateToJson(growthOf(model))},
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
