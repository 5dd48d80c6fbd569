// SPDX-License-Identifier: GPL-3.0-or-later
// libFuzzer target: any bytes as a model file. What is read must size, and print and read back as the same model.
#include "core/cache_group.h"
#include "core/format.h"
#include "core/readers/model_file.h"
#include "core/readers/model_json.h"

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

namespace {

/// Stops the fuzzer with a finding where `holds` is false.
void require(bool holds)
{
    if (!holds)
        std::abort();
}

void checkModel(const core::Model& model)
{
    require(model.layers > 0 && !model.groups.empty());
    for (const core::CacheGroup& group : model.groups) {
        require(group.layers.count() > 0 && group.layers.layers().back() < model.layers);
        require(core::entryBytes(group, core::KvFormat::Fp16, core::KvFormat::Q8_0).count() >= 0);
        require(core::entries(group, 100'000, 100) >= 0);
    }
    const core::Weights& weights = model.weights;
    require(weights.activeParameters() >= 0 && weights.activeParameters() <= weights.parameters());
    const core::Result<core::Model> again =
        core::readers::readModelText(core::readers::modelToText(model), "model.json");
    require(again && again->groups == model.groups && again->weights == model.weights);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string text(data, data + size);
    const core::Result<core::Model> model = core::readers::readModelText(text, "config.json");
    if (model)
        checkModel(*model);
    else
        require(!core::english(model.error().message).empty());
    return 0;
}
