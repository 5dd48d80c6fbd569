// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/files/model_file.h"
#include "core/model/cache_group.h"
#include "core/readers/json/model_json.h"
#include "core/text/format.h"

#include <cstdlib>

namespace fuzz {

/// Stops the fuzzer with a finding where `holds` is false.
inline void require(bool holds)
{
    if (!holds)
        std::abort();
}

/// What is read must size, and print and read back as the same model.
inline void checkModel(const core::Model& model)
{
    require(model.layers > 0 && !model.groups.empty());
    for (const core::CacheGroup& group : model.groups) {
        require(group.layers.count() > 0 && group.layers.layers().back() < model.layers);
        require(core::entryBytes(group, core::KvFormat::Fp16, core::KvFormat::Q8_0).count() >= 0);
        require(core::entries(group, 100'000, 100) >= 0);
    }
    const core::Weights& weights = model.weights;
    require(weights.activeParameters() >= 0 && weights.activeParameters() <= weights.parameters());
    require(core::bytesOf(weights, weights.published).count() >= 0);
    const core::Result<core::Model> again =
        core::readers::readModelText(core::readers::modelToText(model), "model.json");
    require(again && again->groups == model.groups && again->weights == model.weights);
}

/// A model that is right, or an error that says something.
inline void checkResult(const core::Result<core::Model>& model)
{
    if (model)
        checkModel(*model);
    else
        require(!core::english(model.error().message).empty());
}

} // namespace fuzz
