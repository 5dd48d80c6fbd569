// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/config/hf_config.h"

#include "core/readers/config/hf_families.h"
#include "core/readers/config/hf_format.h"
#include "core/readers/config/hf_layout.h"
#include "core/readers/config/hf_values.h"
#include "core/readers/config/hf_weights.h"
#include "core/readers/read_error.h"
#include "core/text/text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
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

/// Files whose decoder is an object beside the encoder.
constexpr std::string_view kWithDecoderPart = "t5gemma";

/// The part that describes the language model: the file itself, or an object in it.
JsonFields languagePart(const JsonFields& whole)
{
    const std::optional<std::string> type = whole.optionalText("model_type");
    if (type && hasWord(kWithDecoderPart, *type) && whole.has("decoder"))
        return whole.object("decoder");
    for (const std::string_view key : kLanguageParts) {
        const std::optional<JsonFields> part = whole.optionalObject(key);
        if (part)
            return *part;
    }
    const std::optional<JsonFields> thinker = whole.optionalObject("thinker_config");
    return thinker ? languagePart(*thinker) : whole;
}

Identity identify(const JsonFields& language, const JsonFields& whole)
{
    Identity identity;
    for (const JsonFields* part : {&language, &whole}) {
        const std::optional<std::string> type = part->optionalText("model_type");
        const std::vector<std::string> names = part->texts("architectures");
        if (identity.architecture.empty() && !names.empty())
            identity.architecture = names.front();
        if (identity.type.empty() && type)
            identity.type = *type;
    }
    if (!identity.type.empty())
        return identity;
    identity.type = identity.architecture;
    identity.byArchitecture = true;
    return identity;
}

/// "num_hidden_layers = 32, num_attention_heads = 32": what can be read of a file that nobody knows.
std::string whatItSays(const JsonFields& language)
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

/// The refusal of a file whose family is not in the tables.
[[noreturn]] void refuseFamily(const JsonFields& language, const Identity& identity)
{
    const std::string file(language.file());
    if (const RefusedFamily* row = refusedFamily(identity.type, identity.byArchitecture))
        refuse(refusal(row->law), {file, identity.declared()});
    if (identity.type.empty())
        refuse(KV_TEXT("core", "{0} has neither model_type nor architectures, so its family is not known; it says {1}; "
                               "nothing was changed; add \"model_type\" there or choose a catalogue model."),
               {file, whatItSays(language)});
    refuse(KV_TEXT("core", "{0} has {1}, which is not known; it says {2}; nothing was changed; edit what \"inspect "
                           "--json\" prints of a similar model and choose that, or choose a catalogue model."),
           {file, identity.declared(), whatItSays(language)});
}

/// True where the two families keep caches of the same kinds.
bool keepAlike(const Family& a, const Family& b)
{
    return a.attention == b.attention && a.recurrent == b.recurrent && a.known == b.known && a.kinds == b.kinds &&
           a.pattern == b.pattern;
}

/// The family that a switch of the file turns this one into: DeepSeek 2 without its latent keeps K and V of heads, as
/// the first DeepSeek does (DeepSeek-VL2, DeepSeek-OCR).
const Family* switched(const Family* row, const JsonFields& language)
{
    const nlohmann::json* latent = language.find("use_mla");
    const bool off = latent != nullptr && latent->is_boolean() && !latent->get<bool>();
    return off && row != nullptr && row->attention == AttentionKind::Latent ? family("deepseek") : row;
}

/// A class name that belongs to another family than model_type: refused where that family keeps another cache.
void checkArchitecture(ConfigValues& values, const Identity& identity)
{
    if (identity.byArchitecture || identity.architecture.empty())
        return;
    if (const RefusedFamily* row = refusedFamily(identity.architecture, true))
        refuse(refusal(row->law),
               {values.file(), fmt::format("{}, architectures \"{}\"", identity.declared(), identity.architecture)});
    const Family* other = switched(family(identity.architecture, true), values.language());
    if (other == nullptr || other == &values.family())
        return;
    const bool recurrent = other->recurrent != RecurrentKind::None && values.family().recurrent != RecurrentKind::None;
    if (!keepAlike(*other, values.family()) && !recurrent)
        refuse(KV_TEXT("core", "{0} has {1}, but architectures \"{2}\" belongs to a family that keeps another cache; "
                               "nothing was changed; correct one of them there."),
               {values.file(), identity.declared(), identity.architecture});
    values.note(fmt::format("architectures says {}, but model_type says {}; model_type decides", identity.architecture,
                            identity.type));
}

/// The family of a file of mamba_ssm, which names itself by its state-space layer only.
const Family* mambaSsm(const JsonFields& language)
{
    const nlohmann::json* state = language.find("ssm_cfg");
    if (state == nullptr || !state->is_object())
        return nullptr;
    const auto layer = state->find("layer");
    const bool second = layer != state->end() && *layer == "Mamba2";
    return family(second ? "mamba_ssm:Mamba2" : "mamba_ssm:Mamba1");
}

/// Layers that only draft tokens: as many as a key says. A remark says that they are not counted.
std::vector<CacheGroup> readDrafts(ConfigValues& values, const Model& model)
{
    std::vector<CacheGroup> drafts;
    for (const std::string_view key : {"num_nextn_predict_layers", "num_mtp_modules", "mtp_num_hidden_layers"}) {
        const nlohmann::json* value = values.at(key);
        const std::optional<std::int64_t> layers = value == nullptr ? std::nullopt : wholeNumber(*value);
        if (layers.value_or(0) <= 0)
            continue;
        values.note(fmt::format("{} = {}: multi-token prediction is not counted", key, *layers));
        if (drafts.empty())
            drafts = draftGroups(model.groups, model.layers, *layers);
    }
    return drafts;
}

/// Remarks on parts of the file that are not counted.
void noteUncounted(ConfigValues& values, const JsonFields& whole)
{
    if (whole.has("vision_config") || whole.has("audio_config"))
        values.note("only the language model is counted, not the parts for images and sound");
}

/// "Qwen-72B" of "_name_or_path": "/models/Qwen-72B".
std::string lastName(const JsonFields& whole)
{
    const nlohmann::json* value = whole.find("_name_or_path");
    std::string path = value != nullptr && value->is_string() ? value->get<std::string>() : std::string();
    while (path.ends_with('/'))
        path.pop_back();
    return path.substr(path.rfind('/') + 1);
}

/// The model of a file whose family is known.
Model readFamily(ConfigValues& values, const Identity& identity, const JsonFields& whole)
{
    checkArchitecture(values, identity);
    checkTraps(values, identity.declared());
    const Layout layout = readLayout(values, identity.declared());
    Weights weights = countWeights(values, layout);
    const std::optional<std::int64_t> vocabulary = values.find(Quantity::Vocabulary);
    Model model;
    model.groups = layout.groups();
    for (Provenance& row : layersByKind(model.groups, values.file()))
        values.derived(row.field, row.value, row.rule);
    model.name = lastName(whole);
    if (model.name.empty())
        model.name = identity.type;
    model.family = identity.type;
    model.layers = layout.count();
    model.draftGroups = readDrafts(values, model);
    noteUncounted(values, whole);
    model.vocabulary = vocabulary;
    model.maxContext = layout.maxContext;
    model.encoderTokens = layout.encoderTokens;
    model.statedKvFormat = statedKvFormat(values);
    model.weights = std::move(weights);
    model.notes = std::move(values.notes());
    model.provenance = std::move(values.provenance());
    return model;
}

Model readConfig(const nlohmann::json& config, std::string_view file)
{
    const JsonFields whole(config, file);
    const JsonFields language = languagePart(whole);
    Identity identity = identify(language, whole);
    const Family* row = family(identity.type, identity.byArchitecture);
    if (row == nullptr && identity.type.empty()) {
        row = mambaSsm(language);
        identity.type = row == nullptr ? "" : "mamba_ssm";
    }
    if (row == nullptr)
        refuseFamily(language, identity);
    ConfigValues values(language, whole, *switched(row, language));
    return readFamily(values, identity, whole);
}

} // namespace

Result<Model> readHfConfig(const nlohmann::json& config, std::string_view file)
{
    return asResult([&] { return readConfig(config, file); });
}

} // namespace core::readers
