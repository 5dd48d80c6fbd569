// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/model.h"
#include "core/readers/byte_source.h"
#include "core/readers/safetensors/safetensors_header.h"
#include "core/readers/safetensors/safetensors_index.h"
#include "core/text/result.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace core::readers {

/// The tensors of a model, of one file or several.
struct SafetensorsFiles {
    std::vector<SafeTensor> tensors;
    std::string label; ///< "model.safetensors", "4 files, model-00001-of-00004.safetensors and on"
    std::vector<std::string> notes;
};

/// Reads the header of `name` in `files`: a safetensors file, with the others where its name says that it is one of
/// several, or an index and the files that it names. A missing file is an error that names it.
Result<SafetensorsFiles> readSafetensorsFiles(const FileSet& files, std::string_view name);

/// The same for the files that the index `name` names; a tensor that its file does not have is an error.
Result<SafetensorsFiles> readIndexedFiles(const FileSet& files, const SafetensorsIndex& index, std::string_view name);

/// Puts the exact weights of `tensors` in the place of those that were counted from the shapes in `config`, from which
/// `model` was read, and says where the two disagree. Layers for multi-token prediction are stored but not counted.
Result<void> joinTensors(Model& model, const nlohmann::json& config, const SafetensorsFiles& tensors);

} // namespace core::readers
