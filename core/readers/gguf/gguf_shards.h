// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/readers/byte_source.h"
#include "core/readers/gguf/gguf_header.h"

#include <string>
#include <string_view>
#include <vector>

namespace core::readers {

/// All headers of a model that may be split over several files.
struct GgufFiles {
    GgufHeader first;                ///< keys and values of the first file; its tensors are in `tensors`
    std::string firstName;           ///< the file that they come from
    std::vector<GgufTensor> tensors; ///< of all files
    std::int64_t count = 1;          ///< files
};

/// Reads the header of `source`, called `name`, and those of the other files where it is one of several. A missing
/// file, files of another number or split, and tensors that stand in two of them are errors.
GgufFiles readGgufFiles(ByteSource& source, std::string_view name, const FileSet& beside);

} // namespace core::readers
