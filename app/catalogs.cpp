// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/catalogs.h"

#include "app/hub_models.h"
#include "core/files/model_file.h"
#include "core/readers/hub_name.h"
#include "core/text/text.h"

#include <QByteArray>
#include <QResource>

#include <filesystem>
#include <string_view>
#include <utility>

namespace app {

namespace {

QByteArray resource(const char* path)
{
    return QResource(QLatin1String(path)).uncompressedData();
}

std::string_view view(const QByteArray& bytes)
{
    return {bytes.constData(), static_cast<std::size_t>(bytes.size())};
}

bool looksLikePath(std::string_view model)
{
    const std::string lower = core::toLower(model);
    return model.find('/') != std::string_view::npos || lower.ends_with(".json") || lower.ends_with(".kvh") ||
           lower.ends_with(".gguf") || lower.ends_with(".safetensors");
}

} // namespace

core::Result<std::vector<core::Model>> models()
{
    return core::parseModels(view(resource(":/models.json")));
}

core::Result<std::vector<core::Gpu>> gpus()
{
    return core::parseGpus(view(resource(":/gpus.json")));
}

core::Result<core::Model> loadModel(const std::string& model)
{
    return loadScenario(model).map([](core::Scenario&& scenario) { return std::move(scenario.model); });
}

core::Result<core::Scenario> loadScenario(const std::string& model)
{
    std::error_code unreadable;
    if (core::readers::looksLikeHubName(model))
        return loadFromHub(model);
    if (looksLikePath(model) || std::filesystem::exists(model, unreadable))
        return core::readers::readScenarioFile(model);
    return core::findModel(view(resource(":/models.json")), model).map(core::scenarioOf);
}

core::Result<core::Gpu> loadGpu(const std::string& id)
{
    return core::findGpu(view(resource(":/gpus.json")), id);
}

} // namespace app
