// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/model.h"
#include "core/scenario/scenario.h"
#include "core/text/result.h"

#include <filesystem>
#include <string_view>

namespace core::readers {

/// Reads the file or folder at `path` and tells by content what it is: a scenario file, a model description of ours, a
/// Hugging Face config.json, a GGUF file or safetensors weights, of which the scenario is the defaults with that model
/// (see `model_folder.h` for how files beside it count). A missing, empty, oversized (256 MiB of text or header),
/// binary or truncated file is an error of one sentence that names it.
Result<Scenario> readScenarioFile(const std::filesystem::path& path);

/// The model of that scenario.
Result<Model> readModelFile(const std::filesystem::path& path);

/// The same for text already read; `name` is the file's name in messages and provenance.
Result<Model> readModelText(std::string_view text, std::string_view name);

} // namespace core::readers
