// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/json/model_json.h"

#include "core/readers/json/group_json.h"
#include "core/readers/json/json_reader.h"
#include "core/readers/read_error.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace core::readers {

namespace {

constexpr std::int64_t kVersion = 1;
constexpr std::int64_t kMaxLayers = 65'535;
constexpr std::int64_t kMaxParameters = 1'000'000'000'000'000;
constexpr std::int64_t kMaxTokens = 1'000'000'000'000;

constexpr std::array<std::string_view, 6> kDocumentKeys{"format", "version", "id", "model", "weights", "provenance"};
constexpr std::array<std::string_view, 11> kModelKeys{"name",           "source",    "family",       "layers",
                                                      "max_context",    "groups",    "draft_groups", "vocabulary",
                                                      "encoder_tokens", "kv_format", "notes"};
constexpr std::int64_t kMaxDraftLayers = 64;
constexpr std::int64_t kMaxVocabulary = 1'000'000'000;
constexpr std::int64_t kMaxBytes = 1'000'000'000'000'000'000;

constexpr std::array<std::string_view, 6> kWeightKeys{"parameters", "active_parameters", "format", "source", "parts",
                                                      "tensors"};
constexpr std::array<std::string_view, 3> kPartKeys{"kind", "parameters", "active"};
constexpr std::array<std::string_view, 5> kTensorKeys{"kind", "type", "tensors", "parameters", "bytes"};
constexpr std::array<std::string_view, 6> kProvenanceKeys{"field", "value", "how", "file", "key", "rule"};

void checkFormat(const JsonFields& document)
{
    const std::string format = document.text("format");
    if (format != "kvhorizon.model")
        document.wrong("format", KV_TEXT("core", "{0} is no model description: its \"{1}\" is {2} and not "
                                                 "\"kvhorizon.model\"; nothing was changed; choose what "
                                                 "\"inspect --json\" prints."));
    const std::int64_t version = document.count("version", {1, 1'000'000});
    if (version > kVersion)
        document.wrong("version",
                       KV_TEXT("core", "{0} is a model description of version {2}, but this program "
                                       "reads version {3} only; nothing was changed; use a newer "
                                       "KV Horizon."),
                       {kVersion});
}

void readGroups(const JsonFields& json, Model& model)
{
    const std::vector<JsonFields> groups = json.objects("groups");
    if (groups.empty())
        json.missing("groups");
    for (const JsonFields& object : groups) {
        CacheGroup group = groupFromJson(object, model.layers);
        model.groups.push_back(std::move(group));
    }
}

void readDraftGroups(const JsonFields& json, Model& model)
{
    const std::vector<JsonFields> groups = json.objects("draft_groups");
    for (const JsonFields& object : groups) {
        CacheGroup group = groupFromJson(object, model.layers + kMaxDraftLayers);
        model.draftGroups.push_back(std::move(group));
    }
}

/// What only some models have: draft layers, tokens of the encoder, a cache format of the published files.
void readOptions(const JsonFields& json, Model& model)
{
    readDraftGroups(json, model);
    const std::optional<std::int64_t> vocabulary = json.optionalCount("vocabulary", {1, kMaxVocabulary});
    const std::optional<std::int64_t> tokens = json.optionalCount("encoder_tokens", {1, kMaxTokens});
    const std::optional<std::string> format = json.optionalText("kv_format");
    model.vocabulary = vocabulary;
    model.encoderTokens = tokens;
    if (!format)
        return;
    model.statedKvFormat = kvFormat(*format);
    if (!model.statedKvFormat)
        json.wrong("kv_format", KV_TEXT("core", "In {0}, \"{1}\" is {2}, which is no cache format; nothing was "
                                                "changed; write one like fp8 or bf16."));
}

void readModel(const JsonFields& json, Model& model)
{
    json.onlyKeys(kModelKeys);
    const std::string name = json.text("name");
    const std::optional<std::string> source = json.optionalText("source");
    const std::optional<std::string> family = json.optionalText("family");
    const std::int64_t layers = json.count("layers", {1, kMaxLayers});
    const std::optional<std::int64_t> maxContext = json.optionalCount("max_context", {1, kMaxTokens});
    const std::vector<std::string> notes = json.texts("notes");
    model.name = name;
    model.source = source.value_or("");
    model.family = family.value_or("");
    model.layers = layers;
    model.maxContext = maxContext;
    model.notes = notes;
    readOptions(json, model);
    readGroups(json, model);
}

/// The part that "kind" names.
WeightPart readKind(const JsonFields& json)
{
    const std::string kind = json.text("kind");
    const std::optional<WeightPart> part = weightPart(kind);
    if (!part)
        json.wrong("kind", KV_TEXT("core", "In {0}, \"{1}\" is {2}, but the parts of a model are embedding, head, "
                                           "attention, mlp, experts, shared_experts and other; nothing was "
                                           "changed; correct it there."));
    return *part;
}

WeightCount readPart(const JsonFields& json)
{
    json.onlyKeys(kPartKeys);
    const WeightPart kind = readKind(json);
    const std::int64_t parameters = json.count("parameters", {1, kMaxParameters});
    const std::optional<std::int64_t> active = json.optionalCount("active", {0, parameters});
    return WeightCount{kind, parameters, active};
}

StoredTensors readTensors(const JsonFields& json)
{
    json.onlyKeys(kTensorKeys);
    const WeightPart kind = readKind(json);
    const std::string type = json.text("type");
    const std::int64_t tensors = json.count("tensors", {1, kMaxParameters});
    const std::int64_t parameters = json.count("parameters", {0, kMaxParameters});
    const std::int64_t bytes = json.count("bytes", {0, kMaxBytes});
    return StoredTensors{kind, type, tensors, parameters, Bytes(bytes)};
}

/// A total given must be the sum of the parts, and the sum must be one that can be counted.
void checkTotal(const JsonFields& json, const Weights& weights, std::optional<std::int64_t> given,
                std::optional<std::int64_t> givenActive)
{
    std::int64_t sum = 0;
    for (const WeightCount& count : weights.parts)
        sum = std::min(sum + count.parameters, kMaxParameters + 1);
    if (sum > kMaxParameters)
        json.wrong("parts",
                   KV_TEXT("core", "In {0}, the parts in \"{1}\" add up to more than {3} parameters; "
                                   "nothing was changed; correct them there."),
                   {kMaxParameters});
    if (given && *given != sum)
        json.wrong("parameters",
                   KV_TEXT("core", "In {0}, \"{1}\" is {2}, but the parts add up to {3}; nothing was "
                                   "changed; correct one of them or leave \"parameters\" out."),
                   {sum});
    if (givenActive && *givenActive != weights.activeParameters())
        json.wrong("active_parameters",
                   KV_TEXT("core", "In {0}, \"{1}\" is {2}, but what a token reads of the parts adds up to {3}; "
                                   "nothing was changed; correct one of them or leave \"active_parameters\" "
                                   "out."),
                   {weights.activeParameters()});
}

Weights readWeights(const JsonFields& json)
{
    json.onlyKeys(kWeightKeys);
    const std::optional<std::int64_t> total = json.optionalCount("parameters", {1, kMaxParameters});
    const std::optional<std::int64_t> active = json.optionalCount("active_parameters", {0, kMaxParameters});
    const std::optional<std::string> format = json.optionalText("format");
    const std::optional<std::string> source = json.optionalText("source");
    const std::vector<JsonFields> parts = json.objects("parts");
    const std::vector<JsonFields> tensors = json.objects("tensors");
    Weights weights;
    weights.source = source.value_or("");
    if (format) {
        const std::optional<WeightFormat> published = weightFormat(*format);
        if (!published)
            json.wrong("format", KV_TEXT("core", "In {0}, \"{1}\" is {2}, which is no weight format; nothing was "
                                                 "changed; write one like bf16, fp8 or awq-4bit."));
        weights.published = *published;
    }
    for (const JsonFields& object : parts) {
        const WeightCount part = readPart(object);
        weights.parts.push_back(part);
    }
    for (const JsonFields& object : tensors) {
        StoredTensors stored = readTensors(object);
        weights.stored.push_back(std::move(stored));
    }
    checkTotal(json, weights, total, active);
    return weights;
}

Provenance readProvenance(const JsonFields& json)
{
    json.onlyKeys(kProvenanceKeys);
    const std::string field = json.text("field");
    const std::string howText = json.text("how");
    const std::optional<std::string> file = json.optionalText("file");
    const std::optional<std::string> key = json.optionalText("key");
    const std::optional<std::string> rule = json.optionalText("rule");
    const std::optional<How> known = how(howText);
    if (!known)
        json.wrong("how", KV_TEXT("core", "In {0}, \"{1}\" is {2}, but it must be read, derived, default or typed; "
                                          "nothing was changed; correct it there."));
    const nlohmann::json* value = json.find("value");
    std::string text;
    if (value != nullptr)
        text = value->is_string() ? value->get<std::string>() : value->dump();
    return Provenance{field, text, *known, file.value_or(""), key.value_or(""), rule.value_or("")};
}

/// A provenance value in its natural JSON type where that reads back as the same text.
nlohmann::ordered_json typed(const std::string& text)
{
    if (text == "true" || text == "false")
        return text == "true";
    if (text.empty() || text.size() > 18)
        return text;
    const nlohmann::ordered_json number = nlohmann::ordered_json::parse(text, nullptr, false);
    return number.is_number_integer() && number.dump() == text ? number : nlohmann::ordered_json(text);
}

nlohmann::ordered_json toJson(const Provenance& provenance)
{
    nlohmann::ordered_json json{
        {"field", provenance.field}, {"value", typed(provenance.value)}, {"how", id(provenance.how)}};
    for (const auto& [key, text] : {std::pair("file", &provenance.file), std::pair("key", &provenance.key),
                                    std::pair("rule", &provenance.rule)}) {
        if (!text->empty())
            json[key] = *text;
    }
    return json;
}

nlohmann::ordered_json toJson(const Weights& weights)
{
    if (weights == Weights{})
        return nullptr;
    auto parts = nlohmann::ordered_json::array();
    for (const WeightCount& count : weights.parts) {
        nlohmann::ordered_json part{{"kind", id(count.part)}, {"parameters", count.parameters}};
        if (count.active)
            part["active"] = *count.active;
        parts.push_back(std::move(part));
    }
    nlohmann::ordered_json json;
    json["parameters"] = weights.known() ? nlohmann::ordered_json(weights.parameters()) : nlohmann::ordered_json();
    if (weights.activeParameters() != weights.parameters())
        json["active_parameters"] = weights.activeParameters();
    json["format"] = info(weights.published).id;
    json["source"] = weights.source;
    json["parts"] = std::move(parts);
    for (const StoredTensors& stored : weights.stored)
        json["tensors"].push_back({{"kind", id(stored.part)},
                                   {"type", stored.type},
                                   {"tensors", stored.tensors},
                                   {"parameters", stored.parameters},
                                   {"bytes", stored.bytes.count()}});
    return json;
}

Model readDocument(const JsonFields& document)
{
    Model model;
    checkFormat(document);
    document.onlyKeys(kDocumentKeys);
    const std::optional<std::string> identity = document.optionalText("id");
    const JsonFields layout = document.object("model");
    const std::optional<JsonFields> weights = document.optionalObject("weights");
    const std::vector<JsonFields> provenance = document.objects("provenance");
    model.id = identity.value_or("");
    readModel(layout, model);
    if (weights) {
        Weights read = readWeights(*weights);
        model.weights = std::move(read);
    }
    for (const JsonFields& object : provenance) {
        Provenance read = readProvenance(object);
        model.provenance.push_back(std::move(read));
    }
    return model;
}

} // namespace

Result<Model> modelFromJson(const nlohmann::json& json, std::string_view file)
{
    if (!json.is_object())
        return fail(KV_TEXT("core",
                            "{0} holds no JSON object, so it is no model description; nothing was changed; choose "
                            "what \"inspect --json\" prints."),
                    {std::string(file)});
    return modelFromJson(JsonObject(json, file));
}

Result<Model> modelFromJson(const JsonObject& document)
{
    return asResult([&] { return readDocument(document); });
}

nlohmann::ordered_json layoutToJson(const Model& model)
{
    auto groups = nlohmann::ordered_json::array();
    for (const CacheGroup& group : model.groups)
        groups.push_back(groupToJson(group));
    nlohmann::ordered_json maxContext;
    if (model.maxContext)
        maxContext = *model.maxContext;
    nlohmann::ordered_json json{{"name", model.name},     {"source", model.source},    {"family", model.family},
                                {"layers", model.layers}, {"max_context", maxContext}, {"groups", std::move(groups)}};
    for (const CacheGroup& group : model.draftGroups)
        json["draft_groups"].push_back(groupToJson(group));
    if (model.vocabulary)
        json["vocabulary"] = *model.vocabulary;
    if (model.encoderTokens)
        json["encoder_tokens"] = *model.encoderTokens;
    if (model.statedKvFormat)
        json["kv_format"] = info(*model.statedKvFormat).id;
    json["notes"] = model.notes;
    return json;
}

nlohmann::ordered_json modelToJson(const Model& model)
{
    nlohmann::ordered_json json{{"format", "kvhorizon.model"}, {"version", kVersion}};
    if (!model.id.empty())
        json["id"] = model.id;
    json["model"] = layoutToJson(model);
    json["weights"] = toJson(model.weights);
    auto& provenance = json["provenance"] = nlohmann::ordered_json::array();
    for (const Provenance& row : model.provenance)
        provenance.push_back(toJson(row));
    return json;
}

std::string modelToText(const Model& model)
{
    return modelToJson(model).dump(2, ' ', false, nlohmann::json::error_handler_t::replace);
}

} // namespace core::readers
