// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/readers/byte_source.h"
#include "core/readers/gguf/ggml_types.h"
#include "core/text/result.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace core::readers {

/// The first bytes of every GGUF file.
inline constexpr std::string_view kGgufMagic = "GGUF";

/// What the table of a GGUF file says of one tensor.
struct GgufTensor {
    std::string name;
    const GgmlType* type = nullptr;
    std::int64_t elements = 0;
    std::int64_t bytes = 0;  ///< without padding
    std::int64_t offset = 0; ///< from the beginning of the data
};

/// The header of a GGUF file of version 2 or 3.
struct GgufHeader {
    std::int64_t version = 0;
    /// Key and value of numbers, texts and lists of numbers, as one flat JSON object ("llama.block_count": 32). Long
    /// texts, lists of texts and the tokenizer's lists are skipped.
    std::shared_ptr<const nlohmann::json> values;
    std::int64_t tokens = 0; ///< entries of tokenizer.ggml.tokens; 0: none
    std::vector<GgufTensor> tensors;
    std::int64_t dataStart = 0; ///< where the tensors' data begins
};

/// Reads the header and nothing behind it; `file` is the file's name in messages. Anything that the format does not
/// allow is an error of one sentence: another magic or version, big-endian files, counts and lengths beyond the file,
/// keys or tensors that stand twice, types that are not known, tensors that overlap or leave the file. At most 256 MiB
/// are read. Source: docs/gguf.md and gguf.cpp of ggml.
Result<GgufHeader> readGgufHeader(ByteSource& source, std::string_view file);

} // namespace core::readers
