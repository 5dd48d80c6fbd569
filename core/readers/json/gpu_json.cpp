// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/json/gpu_json.h"

#include "core/readers/read_error.h"

#include <nlohmann/json.hpp>

#include <array>
#include <cstdint>

namespace core::readers {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::int64_t kMaxMemory = std::int64_t{1} << 53;

constexpr std::array<std::string_view, 19> kGpuKeys{
    "id",          "name",           "vendor",       "category",      "form",         "year",         "unified",
    "label_bytes", "label",          "driver_bytes", "driver_source", "usable_bytes", "usable_basis", "usable_source",
    "sizes",       "bandwidth_gb_s", "tdp_w",        "sources",       "note"};
constexpr std::array<std::string_view, 6> kSizeKeys{"label_bytes",  "label",        "driver_bytes",
                                                    "usable_bytes", "usable_basis", "usable_source"};

std::string labelText(Bytes label)
{
    return std::to_string(label.count() >> 30U) + " GiB";
}

DeviceMemory parseMemory(const JsonFields& json)
{
    const std::int64_t label = json.count("label_bytes", {1, kMaxMemory});
    const std::string text = json.text("label");
    const std::optional<std::int64_t> driver = json.optionalCount("driver_bytes", {1, kMaxMemory});
    const std::int64_t usable = json.count("usable_bytes", {1, kMaxMemory});
    const std::string basis = json.text("usable_basis");
    const std::optional<std::string> note = json.optionalText("usable_source");
    const std::optional<UsableSource> source = usableSource(basis);
    if (!source)
        json.wrong("usable_basis", KV_TEXT("core", "In {0}, \"{1}\" is {2}, but it must be runtime, limit, driver or "
                                                   "label; correct it there."));
    DeviceMemory memory{Bytes(label), text, std::nullopt, Bytes(usable), *source, note.value_or("")};
    if (driver)
        memory.driver = Bytes(*driver);
    return memory;
}

/// One of the sizes that a unified-memory machine is sold with; what is not given there is as in `base`.
DeviceMemory parseSize(const JsonFields& json, const DeviceMemory& base)
{
    json.onlyKeys(kSizeKeys);
    if (json.has("label"))
        return parseMemory(json);
    const std::int64_t label = json.count("label_bytes", {1, kMaxMemory});
    const std::int64_t usable = json.count("usable_bytes", {1, kMaxMemory});
    const std::optional<std::string> note = json.optionalText("usable_source");
    DeviceMemory memory = base;
    memory.label = Bytes(label);
    memory.labelText = labelText(memory.label);
    memory.usable = Bytes(usable);
    memory.usableNote = note.value_or("");
    return memory;
}

Json memoryToJson(const DeviceMemory& memory)
{
    return {{"label_bytes", memory.label.count()},
            {"label", memory.labelText},
            {"driver_bytes", memory.driver ? Json(memory.driver->count()) : Json()},
            {"usable_bytes", memory.usable.count()},
            {"usable_basis", id(memory.usableSource)},
            {"usable_source", memory.usableNote}};
}

Gpu readGpu(const JsonFields& json)
{
    json.onlyKeys(kGpuKeys);
    const std::string identity = json.text("id");
    const std::string name = json.text("name");
    const std::string vendor = json.text("vendor");
    const std::optional<bool> unified = json.optionalBool("unified");
    const DeviceMemory memory = parseMemory(json);
    const std::vector<JsonFields> sizes = json.objects("sizes");
    Gpu gpu{identity, name, vendor, unified.value_or(false), memory, {}};
    for (const JsonFields& object : sizes) {
        DeviceMemory size = parseSize(object, memory);
        gpu.sizes.push_back(std::move(size));
    }
    return gpu;
}

} // namespace

Result<Gpu> gpuFromJson(const JsonObject& json)
{
    return asResult([&] { return readGpu(json); });
}

Json gpuToJson(const Gpu& gpu)
{
    Json json{{"id", gpu.id}, {"name", gpu.name}, {"vendor", gpu.vendor}, {"unified", gpu.unified}};
    json.update(memoryToJson(gpu.memory));
    Json& sizes = json["sizes"] = Json::array();
    for (const DeviceMemory& size : gpu.sizes)
        sizes.push_back(memoryToJson(size));
    return json;
}

} // namespace core::readers
