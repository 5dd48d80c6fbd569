// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/json/model_json.h"

#include "core/readers/json/group_json.h"
#include "core/readers/json/json_reader.h"

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

Result<void> checkFormat(const JsonObject& document)
{
    const Result<std::string> format = document.text("format");
    if (!format)
        return tl::unexpected<Error>(format.error());
    if (*format != "kvhorizon.model")
        return document.wrong("format", KV_TEXT("core", "{0} is no model description: its \"{1}\" is {2} and not "
                                                        "\"kvhorizon.model\"; nothing was changed; choose what "
                                                        "\"inspect --json\" prints."));
    const Result<std::int64_t> version = document.count("version", {1, 1'000'000});
    if (!version)
        return tl::unexpected<Error>(version.error());
    if (*version > kVersion)
        return document.wrong("version",
                              KV_TEXT("core", "{0} is a model description of version {2}, but this program "
                                              "reads version {3} only; nothing was changed; use a newer "
                                              "KV Horizon."),
                              {kVersion});
    return {};
}

Result<void> readGroups(const JsonObject& json, Model& model)
{
    const Result<std::vector<JsonObject>> groups = json.objects("groups");
    if (!groups)
        return tl::unexpected<Error>(groups.error());
    if (groups->empty())
        return json.missing("groups");
    for (const JsonObject& object : *groups) {
        Result<CacheGroup> group = groupFromJson(object, model.layers);
        if (!group)
            return tl::unexpected<Error>(std::move(group.error()));
        model.groups.push_back(std::move(*group));
    }
    return {};
}

Result<void> readDraftGroups(const JsonObject& json, Model& model)
{
    const Result<std::vector<JsonObject>> groups = json.objects("draft_groups");
    if (!groups)
        return tl::unexpected<Error>(groups.error());
    for (const JsonObject& object : *groups) {
        Result<CacheGroup> group = groupFromJson(object, model.layers + kMaxDraftLayers);
        if (!group)
            return tl::unexpected<Error>(std::move(group.error()));
        model.draftGroups.push_back(std::move(*group));
    }
    return {};
}

/// What only some models have: draft layers, tokens of the encoder, a cache format of the published files.
Result<void> readOptions(const JsonObject& json, Model& model)
{
    const Result<void> drafts = readDraftGroups(json, model);
    const Result<std::optional<std::int64_t>> vocabulary = json.optionalCount("vocabulary", {1, kMaxVocabulary});
    const Result<std::optional<std::int64_t>> tokens = json.optionalCount("encoder_tokens", {1, kMaxTokens});
    const Result<std::optional<std::string>> format = json.optionalText("kv_format");
    if (const std::optional<Error> error = firstError(drafts, vocabulary, tokens, format))
        return tl::unexpected<Error>(*error);
    model.vocabulary = *vocabulary;
    model.encoderTokens = *tokens;
    if (!*format)
        return {};
    model.statedKvFormat = kvFormat(**format);
    if (!model.statedKvFormat)
        return json.wrong("kv_format", KV_TEXT("core", "In {0}, \"{1}\" is {2}, which is no cache format; nothing was "
                                                       "changed; write one like fp8 or bf16."));
    return {};
}

Result<void> readModel(const JsonObject& json, Model& model)
{
    const Result<void> keys = json.onlyKeys(kModelKeys);
    const Result<std::string> name = json.text("name");
    const Result<std::optional<std::string>> source = json.optionalText("source");
    const Result<std::optional<std::string>> family = json.optionalText("family");
    const Result<std::int64_t> layers = json.count("layers", {1, kMaxLayers});
    const Result<std::optional<std::int64_t>> maxContext = json.optionalCount("max_context", {1, kMaxTokens});
    const Result<std::vector<std::string>> notes = json.texts("notes");
    if (const std::optional<Error> error = firstError(keys, name, source, family, layers, maxContext, notes))
        return tl::unexpected<Error>(*error);
    model.name = *name;
    model.source = source->value_or("");
    model.family = family->value_or("");
    model.layers = *layers;
    model.maxContext = *maxContext;
    model.notes = *notes;
    if (Result<void> more = readOptions(json, model); !more)
        return more;
    return readGroups(json, model);
}

/// The part that "kind" names.
Result<WeightPart> readKind(const JsonObject& json)
{
    const Result<std::string> kind = json.text("kind");
    if (!kind)
        return tl::unexpected<Error>(kind.error());
    const std::optional<WeightPart> part = weightPart(*kind);
    if (!part)
        return json.wrong("kind",
                          KV_TEXT("core", "In {0}, \"{1}\" is {2}, but the parts of a model are embedding, head, "
                                          "attention, mlp, experts, shared_experts and other; nothing was "
                                          "changed; correct it there."));
    return *part;
}

Result<WeightCount> readPart(const JsonObject& json)
{
    const Result<void> keys = json.onlyKeys(kPartKeys);
    const Result<WeightPart> kind = readKind(json);
    const Result<std::int64_t> parameters = json.count("parameters", {1, kMaxParameters});
    const Result<std::optional<std::int64_t>> active =
        json.optionalCount("active", {0, parameters ? *parameters : kMaxParameters});
    if (const std::optional<Error> error = firstError(keys, kind, parameters, active))
        return tl::unexpected<Error>(*error);
    return WeightCount{*kind, *parameters, *active};
}

Result<StoredTensors> readTensors(const JsonObject& json)
{
    const Result<void> keys = json.onlyKeys(kTensorKeys);
    const Result<WeightPart> kind = readKind(json);
    const Result<std::string> type = json.text("type");
    const Result<std::int64_t> tensors = json.count("tensors", {1, kMaxParameters});
    const Result<std::int64_t> parameters = json.count("parameters", {0, kMaxParameters});
    const Result<std::int64_t> bytes = json.count("bytes", {0, kMaxBytes});
    if (const std::optional<Error> error = firstError(keys, kind, type, tensors, parameters, bytes))
        return tl::unexpected<Error>(*error);
    return StoredTensors{*kind, *type, *tensors, *parameters, Bytes(*bytes)};
}

/// A total given must be the sum of the parts, and the sum must be one that can be counted.
Result<void> checkTotal(const JsonObject& json, const Weights& weights, std::optional<std::int64_t> given,
                        std::optional<std::int64_t> givenActive)
{
    std::int64_t sum = 0;
    for (const WeightCount& count : weights.parts)
        sum = std::min(sum + count.parameters, kMaxParameters + 1);
    if (sum > kMaxParameters)
        return json.wrong("parts",
                          KV_TEXT("core", "In {0}, the parts in \"{1}\" add up to more than {3} parameters; "
                                          "nothing was changed; correct them there."),
                          {kMaxParameters});
    if (given && *given != sum)
        return json.wrong("parameters",
                          KV_TEXT("core", "In {0}, \"{1}\" is {2}, but the parts add up to {3}; nothing was "
                                          "changed; correct one of them or leave \"parameters\" out."),
                          {sum});
    if (givenActive && *givenActive != weights.activeParameters())
        return json.wrong("active_parameters",
                          KV_TEXT("core", "In {0}, \"{1}\" is {2}, but what a token reads of the parts adds up to {3}; "
                                          "nothing was changed; correct one of them or leave \"active_parameters\" "
                                          "out."),
                          {weights.activeParameters()});
    return {};
}

Result<Weights> readWeights(const JsonObject& json)
{
    const Result<void> keys = json.onlyKeys(kWeightKeys);
    const Result<std::optional<std::int64_t>> total = json.optionalCount("parameters", {1, kMaxParameters});
    const Result<std::optional<std::int64_t>> active = json.optionalCount("active_parameters", {0, kMaxParameters});
    const Result<std::optional<std::string>> format = json.optionalText("format");
    const Result<std::optional<std::string>> source = json.optionalText("source");
    const Result<std::vector<JsonObject>> parts = json.objects("parts");
    const Result<std::vector<JsonObject>> tensors = json.objects("tensors");
    if (const std::optional<Error> error = firstError(keys, total, active, format, source, parts, tensors))
        return tl::unexpected<Error>(*error);
    Weights weights;
    weights.source = source->value_or("");
    if (*format) {
        const std::optional<WeightFormat> published = weightFormat(**format);
        if (!published)
            return json.wrong("format",
                              KV_TEXT("core", "In {0}, \"{1}\" is {2}, which is no weight format; nothing was "
                                              "changed; write one like bf16, fp8 or awq-4bit."));
        weights.published = *published;
    }
    for (const JsonObject& object : *parts) {
        const Result<WeightCount> part = readPart(object);
        if (!part)
            return tl::unexpected<Error>(part.error());
        weights.parts.push_back(*part);
    }
    for (const JsonObject& object : *tensors) {
        Result<StoredTensors> stored = readTensors(object);
        if (!stored)
            return tl::unexpected<Error>(std::move(stored.error()));
        weights.stored.push_back(std::move(*stored));
    }
    const Result<void> sum = checkTotal(json, weights, *total, *active);
    return sum ? Result<Weights>(std::move(weights)) : tl::unexpected<Error>(sum.error());
}

Result<Provenance> readProvenance(const JsonObject& json)
{
    const Result<void> keys = json.onlyKeys(kProvenanceKeys);
    const Result<std::string> field = json.text("field");
    const Result<std::string> howText = json.text("how");
    const Result<std::optional<std::string>> file = json.optionalText("file");
    const Result<std::optional<std::string>> key = json.optionalText("key");
    const Result<std::optional<std::string>> rule = json.optionalText("rule");
    if (const std::optional<Error> error = firstError(keys, field, howText, file, key, rule))
        return tl::unexpected<Error>(*error);
    const std::optional<How> known = how(*howText);
    if (!known)
        return json.wrong("how",
                          KV_TEXT("core", "In {0}, \"{1}\" is {2}, but it must be read, derived, default or typed; "
                                          "nothing was changed; correct it there."));
    const nlohmann::json* value = json.find("value");
    std::string text;
    if (value != nullptr)
        text = value->is_string() ? value->get<std::string>() : value->dump();
    return Provenance{*field, text, *known, file->value_or(""), key->value_or(""), rule->value_or("")};
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
    Model model;
    const Result<void> format = checkFormat(document);
    if (!format)
        return tl::unexpected<Error>(format.error());
    const Result<void> keys = document.onlyKeys(kDocumentKeys);
    const Result<std::optional<std::string>> identity = document.optionalText("id");
    const Result<JsonObject> layout = document.object("model");
    const Result<std::optional<JsonObject>> weights = document.optionalObject("weights");
    const Result<std::vector<JsonObject>> provenance = document.objects("provenance");
    if (const std::optional<Error> error = firstError(keys, identity, layout, weights, provenance))
        return tl::unexpected<Error>(*error);
    model.id = identity->value_or("");
    if (const Result<void> read = readModel(*layout, model); !read)
        return tl::unexpected<Error>(read.error());
    if (*weights) {
        Result<Weights> read = readWeights(**weights);
        if (!read)
            return tl::unexpected<Error>(std::move(read.error()));
        model.weights = std::move(*read);
    }
    for (const JsonObject& object : *provenance) {
        Result<Provenance> read = readProvenance(object);
        if (!read)
            return tl::unexpected<Error>(std::move(read.error()));
        model.provenance.push_back(std::move(*read));
    }
    return model;
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
