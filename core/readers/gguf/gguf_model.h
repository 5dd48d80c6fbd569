// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/model.h"
#include "core/readers/byte_source.h"
#include "core/text/result.h"

#include <string_view>

namespace core::readers {

/// The model of the GGUF file called `name`, of which `source` gives the bytes, from its header alone: layout by its
/// keys, weights by its tensors, unknown where it has none. Where the file is one of several ("…-00001-of-00003.gguf"),
/// the others are opened from `beside`; a missing one is an error that names it.
Result<Model> readGgufModel(ByteSource& source, std::string_view name, const FileSet& beside);

} // namespace core::readers
