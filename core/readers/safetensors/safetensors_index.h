// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/text/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace core::readers {

/// The index of a model whose tensors stand in several safetensors files (model.safetensors.index.json).
struct SafetensorsIndex {
    std::vector<std::string> files; ///< in the order in which the index names them first
    /// Each tensor and the number of its file.
    std::vector<std::pair<std::string, std::size_t>> tensors;
    std::optional<std::int64_t> totalBytes; ///< metadata.total_size
};

/// Reads the index in `text`, called `file`; nothing where `text` is an object without "weight_map" or no object.
/// Broken JSON, tensors without a file and file names that lead out of the folder are errors.
Result<std::optional<SafetensorsIndex>> readSafetensorsIndex(std::string_view text, std::string_view file);

} // namespace core::readers
