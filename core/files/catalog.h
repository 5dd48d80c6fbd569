// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/model.h"
#include "core/scenario/hardware.h"
#include "core/text/result.h"

#include <string_view>
#include <vector>

namespace core {

/// Reads `resources/models.json`: an array of model descriptions (`readers/model_json.h`), each with an "id".
/// Errors name the entry and the key; two entries of one id are an error.
Result<std::vector<Model>> parseModels(std::string_view json);

/// Reads `resources/gpus.json`: an array of accelerators. Errors name the entry and the key.
Result<std::vector<Gpu>> parseGpus(std::string_view json);

/// The model of that id; the error names the closest ids.
Result<Model> findModel(const std::vector<Model>& models, std::string_view id);

/// The accelerator of that id, in its default memory size, or "id:128" for one of the sizes (GiB) that a
/// unified-memory machine is sold with. The error names the closest ids, or the sizes there are.
Result<Gpu> findGpu(const std::vector<Gpu>& gpus, std::string_view id);

/// The same straight from the catalogue's text: only the entry looked for is parsed, which a command that needs one
/// model and one accelerator notices.
Result<Model> findModel(std::string_view json, std::string_view id);
Result<Gpu> findGpu(std::string_view json, std::string_view id);

} // namespace core
