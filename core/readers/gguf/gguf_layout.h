// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/readers/config/hf_layout.h"
#include "core/readers/gguf/gguf_architectures.h"
#include "core/readers/gguf/gguf_values.h"

namespace core::readers {

/// Ranges that keys of GGUF files are read in.
inline constexpr Range kGgufDim{0, 1'048'576};
inline constexpr Range kGgufTokens{0, 1'000'000'000'000};

/// Reads what each layer keeps, by the row of the architecture. Layers for multi-token prediction, which stand behind
/// the others, are left out and noted.
Layout readGgufLayout(GgufValues& values, const GgufArchitecture& architecture);

/// The state of the recurrent layers, in fp32 as llama.cpp keeps it: elements by the table of its memory of recurrent
/// models; `layout` says which layers have one.
StateShape readGgufState(GgufValues& values, const GgufArchitecture& architecture, std::int64_t width,
                         std::int64_t heads);

/// The kinds of the layers, one letter each as in `hf_families.h`, with `kvHeads` KV heads in each.
std::string readGgufKinds(GgufValues& values, const GgufArchitecture& architecture,
                          const std::vector<std::int64_t>& kvHeads);

/// Turns letters of full layers into windows or chunks where the file and the architecture say so; returns the window
/// in tokens, 0 where no layer has one.
std::int64_t applyGgufWindows(GgufValues& values, const GgufArchitecture& architecture, std::string& letters);

} // namespace core::readers
