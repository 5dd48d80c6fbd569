// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/readers/byte_source.h"
#include "core/text/result.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace core::readers {

/// A number format of safetensors.
struct SafeType {
    std::string_view name;
    std::int64_t bits;
};

/// All formats. Source: docs of safetensors and its tensor.rs.
std::span<const SafeType> safeTypes();

/// What the header of a safetensors file says of one tensor.
struct SafeTensor {
    std::string name;
    const SafeType* type = nullptr;
    std::int64_t elements = 0;
    std::int64_t begin = 0; ///< from the beginning of the data
    std::int64_t end = 0;

    std::int64_t bytes() const { return end - begin; }
};

/// True where the first bytes are those of a safetensors file: the length of the header (8 bytes), then an object.
bool isSafetensors(std::string_view firstBytes);

/// Reads the header and nothing behind it; `file` is the file's name in messages. Formats that are not known, shapes
/// that do not fit their bytes, tensors that overlap, leave holes or leave the file, names that stand twice and headers
/// of more than 100 MB, all of which the format forbids, are errors of one sentence.
Result<std::vector<SafeTensor>> readSafetensorsHeader(ByteSource& source, std::string_view file);

} // namespace core::readers
