// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model.h"
#include "core/result.h"
#include "core/scenario.h"

#include <filesystem>
#include <string_view>

namespace core::readers {

/// Reads the file at `path` (or the config.json in a folder) and tells by content what it is: a scenario file, a model
/// description of ours or a Hugging Face config.json, of which the scenario is the defaults with that model. A missing,
/// empty, oversized (256 MiB), binary or truncated file is an error of one sentence that names it.
Result<Scenario> readScenarioFile(const std::filesystem::path& path);

/// The model of that scenario.
Result<Model> readModelFile(const std::filesystem::path& path);

/// The same for text already read; `name` is the file's name in messages and provenance.
Result<Model> readModelText(std::string_view text, std::string_view name);

} // namespace core::readers
