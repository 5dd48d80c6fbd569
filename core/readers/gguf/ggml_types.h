// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace core::readers {

/// A tensor type of ggml: `blockElements` elements take `blockBytes` bytes, and each row `rowBytes` more.
struct GgmlType {
    std::int64_t id; ///< in GGUF files
    std::string_view name;
    std::int64_t blockElements; ///< 0: a type that was removed and cannot be read
    std::int64_t blockBytes;
    std::int64_t rowBytes = 0;
};

/// All types, removed ones included. Source: ggml.h and ggml-common.h of llama.cpp; ids from 133 on are ik_llama.cpp's.
std::span<const GgmlType> ggmlTypes();

/// The type of that id; nullptr where it is not known.
const GgmlType* ggmlType(std::int64_t id);

/// What general.file_type means ("Q4_K_M"): the mixture that the converter was asked for, a label only. Empty where it
/// is not known. 1,024 more stands for "guessed".
std::string_view ggmlFileType(std::int64_t id);

} // namespace core::readers
