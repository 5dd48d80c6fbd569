// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/hf_config.h"

#include "core/readers/hf_families.h"
#include "core/readers/hf_layout.h"
#include "core/readers/hf_values.h"
#include "core/readers/hf_weights.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>

namespace core::readers {

namespace {

/// Where the language model of a multimodal file stands. A vision part is never looked into.
constexpr std::array<std::string_view, 3> kLanguageParts{"text_config", "llm_config", "language_config"};

/// What a file says that it is.
struct Identity {
    std::string type; ///< model_type, or the class name where there is none
    bool byArchitecture = false;
    std::string architecture; ///< the first of `architectures`; may be empty

    std::string declared() const
    {
        return fmt::format("{} \"{}\"", byArchitecture ? "architectures" : "model_type", type);
    }
};

/// The part that describes the language model: the file itself, or an object in it.
Result<JsonObject> languagePart(const JsonObject& whole)
{
    for (const std::string_view key : kLanguageParts) {
        const Result<std::optional<JsonObject>> part = whole.optionalObject(key);
        if (!part)
            return tl::unexpected<Error>(part.error());
        if (*part)
            return **part;
    }
    const Result<std::optional<JsonObject>> thinker = whole.optionalObject("thinker_config");
    if (!thinker)
        return tl::unexpected<Error>(thinker.error());
    return *thinker ? languagePart(**thinker) : whole;
}

Result<Identity> identify(const JsonObject& language, const JsonObject& whole)
{
    Identity identity;
    for (const JsonObject* part : {&language, &whole}) {
        const Result<std::optional<std::string>> type = part->optionalText("model_type");
        const Result<std::vector<std::string>> names = part->texts("architectures");
        if (const std::optional<Error> error = firstError(type, names))
            return tl::unexpected<Error>(*error);
        if (identity.architecture.empty() && !names->empty())
            identity.architecture = names->front();
        if (identity.type.empty() && *type)
            identity.type = **type;
    }
    if (!identity.type.empty())
        return identity;
    identity.type = identity.architecture;
    identity.byArchitecture = true;
    return identity;
}

/// "num_hidden_layers = 32, num_attention_heads = 32": what can be read of a file that nobody knows.
std::string whatItSays(const JsonObject& language)
{
    std::string result;
    for (const Quantity quantity : {Quantity::Layers, Quantity::Width, Quantity::QueryHeads, Quantity::KvHeads,
                                    Quantity::HeadDim, Quantity::MaxContext, Quantity::Window}) {
        for (const std::string_view key : split(info(quantity).keys)) {
            const nlohmann::json* value = language.find(key);
            if (value == nullptr)
                continue;
            if (!result.empty())
                result += ", ";
            result += fmt::format("{} = {}", key, shown(*value));
            break;
        }
    }
    return result.empty() ? "{}" : result;
}

/// The refusal of a file whose family is not in the table of plain decoders.
tl::unexpected<Error> refuseFamily(const JsonObject& language, const Identity& identity)
{
    const std::string file(language.file());
    if (const RefusedFamily* row = refusedFamily(identity.type, identity.byArchitecture))
        return fail(refusal(row->law), {file, identity.declared()});
    if (const nlohmann::json* state = language.find("ssm_cfg")) {
        const nlohmann::json* attention = language.find("attn_layer_idx");
        const bool hybrid = attention != nullptr && !attention->empty();
        return fail(refusal(hybrid ? CacheLaw::Hybrid : CacheLaw::Recurrent),
                    {file, fmt::format("ssm_cfg {}", shown(*state))});
    }
    if (identity.type.empty())
        return fail(KV_TEXT("core",
                            "{0} has neither model_type nor architectures, so its family is not known; it says {1}; "
                            "nothing was changed; add \"model_type\" there or choose a catalogue model."),
                    {file, whatItSays(language)});
    return fail(KV_TEXT("core",
                        "{0} has {1}, which is not known; it says {2}; nothing was changed; edit what \"inspect "
                        "--json\" prints of a similar model and choose that, or choose a catalogue model."),
                {file, identity.declared(), whatItSays(language)});
}

/// A class name that belongs to another family than model_type: refused where that family's cache is not plain.
Result<void> checkArchitecture(ConfigValues& values, const Identity& identity)
{
    if (identity.byArchitecture || identity.architecture.empty())
        return {};
    if (const RefusedFamily* row = refusedFamily(identity.architecture, true))
        return fail(refusal(row->law), {values.file(), fmt::format("{}, architectures \"{}\"", identity.declared(),
                                                                   identity.architecture)});
    const Family* other = family(identity.architecture, true);
    if (other != nullptr && other != &values.family())
        values.note(fmt::format("architectures says {}, but model_type says {}; model_type decides",
                                identity.architecture, identity.type));
    return {};
}

/// Remarks on parts of the file that are not counted.
void noteUncounted(ConfigValues& values, const JsonObject& whole)
{
    for (const std::string_view key : {"num_nextn_predict_layers", "num_mtp_modules"}) {
        const nlohmann::json* value = values.at(key);
        const std::optional<std::int64_t> layers = value == nullptr ? std::nullopt : wholeNumber(*value);
        if (layers.value_or(0) > 0)
            values.note(fmt::format("{} = {}: multi-token prediction is not counted", key, *layers));
    }
    if (whole.has("vision_config") || whole.has("audio_config"))
        values.note("only the language model is counted, not the parts for images and sound");
}

/// "Qwen-72B" of "_name_or_path": "/models/Qwen-72B".
std::string lastName(const JsonObject& whole)
{
    const nlohmann::json* value = whole.find("_name_or_path");
    std::string path = value != nullptr && value->is_string() ? value->get<std::string>() : std::string();
    while (path.ends_with('/'))
        path.pop_back();
    return path.substr(path.rfind('/') + 1);
}

} // namespace

Result<Model> readHfConfig(const nlohmann::json& config, std::string_view file)
{
    const JsonObject whole(config, file);
    const Result<JsonObject> language = languagePart(whole);
    if (!language)
        return tl::unexpected<Error>(language.error());
    const Result<Identity> identity = identify(*language, whole);
    if (!identity)
        return tl::unexpected<Error>(identity.error());
    const Family* row = family(identity->type, identity->byArchitecture);
    if (row == nullptr)
        return refuseFamily(*language, *identity);
    ConfigValues values(*language, whole, *row);
    const Result<void> architecture = checkArchitecture(values, *identity);
    const Result<void> plain = checkPlain(*language, identity->declared());
    if (const std::optional<Error> error = firstError(architecture, plain))
        return tl::unexpected<Error>(*error);
    const Result<Layout> layout = readLayout(values, identity->declared());
    if (!layout)
        return tl::unexpected<Error>(layout.error());
    Result<Weights> weights = countWeights(values, *layout);
    if (!weights)
        return tl::unexpected<Error>(std::move(weights.error()));
    noteUncounted(values, whole);
    Model model;
    model.name = lastName(whole);
    if (model.name.empty())
        model.name = identity->type;
    model.family = identity->type;
    model.layers = layout->layers;
    model.maxContext = layout->maxContext;
    model.groups = {layout->group()};
    model.weights = std::move(*weights);
    model.notes = std::move(values.notes());
    model.provenance = std::move(values.provenance());
    return model;
}

} // namespace core::readers
