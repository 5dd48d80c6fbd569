// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/catalog.h"

#include "core/readers/json/gpu_json.h"
#include "core/readers/json/json_array.h"
#include "core/readers/json/json_reader.h"
#include "core/readers/json/model_json.h"
#include "core/text/text.h"

#include <algorithm>

namespace core {

namespace {

using readers::ArrayEntry;
using readers::JsonObject;

constexpr std::string_view kModelsFile = "models.json";
constexpr std::string_view kGpusFile = "gpus.json";

/// The entries of a catalogue; two of one id are an error.
Result<std::vector<ArrayEntry>> entriesOf(std::string_view json, std::string_view file)
{
    Result<std::vector<ArrayEntry>> entries = readers::arrayEntries(json, file);
    if (!entries)
        return entries;
    std::vector<std::string_view> ids;
    for (const ArrayEntry& entry : *entries)
        ids.push_back(entry.id);
    std::ranges::sort(ids);
    const auto twice = std::ranges::adjacent_find(ids);
    if (twice != ids.end())
        return fail(KV_TEXT("core", "{0} has two entries with the id \"{1}\"; give one of them another id."),
                    {std::string(file), std::string(*twice)});
    return entries;
}

std::string placeOf(std::string_view file, std::string_view id)
{
    std::string place(file);
    place += " (";
    place += id;
    return place += ')';
}

Result<Model> parseModel(const ArrayEntry& entry)
{
    const std::string place = placeOf(kModelsFile, entry.id);
    const Result<readers::JsonDocument> document = readers::parseJson(entry.text, place);
    return document ? readers::modelFromJson(document->json(), place) : tl::unexpected<Error>(document.error());
}

Result<Gpu> parseGpu(const ArrayEntry& entry)
{
    const std::string place = placeOf(kGpusFile, entry.id);
    const Result<readers::JsonDocument> document = readers::parseJson(entry.text, place);
    if (!document)
        return tl::unexpected<Error>(document.error());
    const Result<JsonObject> object = document->root();
    return object ? readers::gpuFromJson(*object) : tl::unexpected<Error>(object.error());
}

/// All entries of a catalogue, parsed by `parse`.
template <typename T>
Result<std::vector<T>> parseAll(std::string_view json, std::string_view file, Result<T> (*parse)(const ArrayEntry&))
{
    const Result<std::vector<ArrayEntry>> entries = entriesOf(json, file);
    if (!entries)
        return tl::unexpected<Error>(entries.error());
    std::vector<T> all;
    for (const ArrayEntry& entry : *entries) {
        Result<T> one = parse(entry);
        if (!one)
            return tl::unexpected<Error>(std::move(one.error()));
        all.push_back(std::move(*one));
    }
    return all;
}

/// "rtx-4090, rtx-4080"
std::string joined(const std::vector<std::string>& texts)
{
    std::string result;
    for (const std::string& text : texts) {
        if (!result.empty())
            result += ", ";
        result += text;
    }
    return result;
}

template <typename T> std::vector<std::string> idsOf(const std::vector<T>& all)
{
    std::vector<std::string> ids;
    ids.reserve(all.size());
    for (const T& one : all)
        ids.emplace_back(one.id);
    return ids;
}

tl::unexpected<Error> noModel(std::string_view id, const std::vector<std::string>& ids)
{
    const std::vector<std::string> near = closest(id, ids);
    if (near.empty())
        return fail(KV_TEXT("core",
                            "There is no model \"{0}\", neither in the catalogue nor as a file; \"kvhorizon models\" "
                            "lists the catalogue."),
                    {std::string(id)});
    return fail(
        KV_TEXT("core", "There is no model \"{0}\", neither in the catalogue nor as a file; the closest are {1}."),
        {std::string(id), joined(near)});
}

tl::unexpected<Error> noGpu(std::string_view id, const std::vector<std::string>& ids)
{
    const std::vector<std::string> near = closest(id, ids);
    if (near.empty())
        return fail(KV_TEXT("core", "There is no GPU \"{0}\"; \"kvhorizon gpus\" lists those there are."),
                    {std::string(id)});
    return fail(KV_TEXT("core", "There is no GPU \"{0}\"; the closest are {1}."), {std::string(id), joined(near)});
}

/// The GPU in the memory size "128" (GiB); "" is the default size.
Result<Gpu> inSize(Gpu gpu, std::string_view size)
{
    if (size.empty())
        return gpu;
    std::vector<std::string> known;
    for (const DeviceMemory& memory : gpu.sizes) {
        known.push_back(std::to_string(memory.label.count() >> 30U));
        if (known.back() == size) {
            gpu.memory = memory;
            return gpu;
        }
    }
    if (known.empty())
        return fail(KV_TEXT("core", "The GPU \"{0}\" is sold with one memory size only ({1}); leave \":{2}\" out."),
                    {gpu.id, gpu.memory.labelText, std::string(size)});
    return fail(KV_TEXT("core", "The GPU \"{0}\" is not sold with {1} GiB; there are {2} GiB."),
                {gpu.id, std::string(size), joined(known)});
}

/// "apple-m2-ultra:128" as its two parts.
std::pair<std::string, std::string_view> splitSize(std::string_view id)
{
    const std::size_t colon = id.find(':');
    const bool sized = colon != std::string_view::npos;
    return {toLower(id.substr(0, colon)), sized ? id.substr(colon + 1) : std::string_view{}};
}

} // namespace

Result<std::vector<Model>> parseModels(std::string_view json)
{
    return parseAll<Model>(json, kModelsFile, parseModel);
}

Result<std::vector<Gpu>> parseGpus(std::string_view json)
{
    return parseAll<Gpu>(json, kGpusFile, parseGpu);
}

Result<Model> findModel(const std::vector<Model>& models, std::string_view id)
{
    const auto found = std::ranges::find(models, toLower(id), &Model::id);
    return found != models.end() ? Result<Model>(*found) : noModel(id, idsOf(models));
}

Result<Gpu> findGpu(const std::vector<Gpu>& gpus, std::string_view id)
{
    const auto [name, size] = splitSize(id);
    const auto found = std::ranges::find(gpus, name, &Gpu::id);
    return found != gpus.end() ? inSize(*found, size) : noGpu(name, idsOf(gpus));
}

Result<Model> findModel(std::string_view json, std::string_view id)
{
    if (const std::optional<ArrayEntry> found = readers::arrayEntry(json, toLower(id)))
        return parseModel(*found);
    const Result<std::vector<ArrayEntry>> entries = entriesOf(json, kModelsFile);
    return entries ? noModel(id, idsOf(*entries)) : tl::unexpected<Error>(entries.error());
}

Result<Gpu> findGpu(std::string_view json, std::string_view id)
{
    const auto [name, size] = splitSize(id);
    const std::optional<ArrayEntry> found = readers::arrayEntry(json, name);
    if (!found) {
        const Result<std::vector<ArrayEntry>> entries = entriesOf(json, kGpusFile);
        return entries ? noGpu(name, idsOf(*entries)) : tl::unexpected<Error>(entries.error());
    }
    Result<Gpu> gpu = parseGpu(*found);
    return gpu ? inSize(std::move(*gpu), size) : gpu;
}

} // namespace core
