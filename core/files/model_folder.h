// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/model.h"
#include "core/readers/byte_source.h"
#include "core/scenario/scenario.h"
#include "core/text/result.h"

#include <string>
#include <string_view>

namespace core::readers {

/// What was read of a folder: a scenario, or the defaults with a model.
struct FolderContent {
    Scenario scenario;
    std::string file;        ///< the file that says what it is: "config.json", "model-Q4_K_M.gguf"
    bool needsSource = true; ///< a model that does not say where it comes from
    bool needsName = true;   ///< a model whose file has a better name for it than it has itself
};

/// The content of `files`, the files of a folder called `folder`, or of a repository: the config.json joined with the
/// weights beside it, else the GGUF file. Several GGUF models, or weights without config.json, are errors that name
/// them; a weight file that cannot be chosen or is only a Git LFS pointer is noted.
Result<FolderContent> readFolder(const FileSet& files, std::string_view folder);

/// The content of one file of `files`, told by its first bytes: a GGUF file, a safetensors file or index (joined with
/// the config.json beside it), or JSON: a scenario, a model description or a config.json, of which the weights beside
/// it are not looked at.
Result<FolderContent> readFileOf(const FileSet& files, std::string_view name);

} // namespace core::readers
