// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/model_text.h"

#include "core/readers/config/hf_config.h"
#include "core/readers/json/model_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace core::readers {

ModelText kindOf(const JsonObject& object)
{
    constexpr std::array<std::string_view, 5> kKeys{"model_type", "architectures", "text_config", "num_hidden_layers",
                                                    "ssm_cfg"};
    const Result<std::optional<std::string>> format = object.optionalText("format");
    const bool ours = format && *format && (*format)->starts_with("kvhorizon.");
    if (ours || (object.has("model") && object.has("provenance")))
        return ModelText::Description;
    const bool config = std::ranges::any_of(kKeys, [&](std::string_view key) { return object.has(key); });
    return config ? ModelText::Config : ModelText::Unknown;
}

Result<Model> modelIn(const JsonDocument& document, const JsonObject& object, std::string_view name)
{
    const ModelText kind = kindOf(object);
    if (kind == ModelText::Description)
        return modelFromJson(document.json(), name);
    if (kind == ModelText::Unknown)
        return fail(KV_TEXT("core", "{0} does not look like a model's config.json: it has neither model_type nor "
                                    "architectures; nothing was changed; choose a config.json, a weight file, a model "
                                    "description or a catalogue model."),
                    {std::string(name)});
    Result<Model> model = readHfConfig(document.json(), name);
    if (!model)
        return model;
    for (const std::string& key : document.repeated())
        model->notes.push_back(fmt::format("{} has the key {} twice in one object; the last one counts", name, key));
    return model;
}

} // namespace core::readers
