// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engines/log.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace core::engines::llama {

/// The number in front of the first `words`: "4096" of "(  4096 cells". Nothing where there is none.
std::optional<std::int64_t> countBefore(std::string_view line, std::string_view words);

/// The size behind the first `words` and a "=" or ":": "1024.00" of "size = 1024,00 MiB". Empty where there is none.
std::string sizeBehind(std::string_view line, std::string_view words);

/// Type and size of "K (f16): 48.00 MiB" behind `words` = "K (". Both stay where there is none.
void readTyped(std::string_view line, std::string_view words, std::string& type, std::string& size);

/// The value of "key = value", "key: value" or "key   : value, …"; the key stands alone. Empty where there is none.
std::string valueOf(std::string_view line, std::string_view key);

/// The last word of `text`: "CUDA0".
std::string lastWord(std::string_view text);

} // namespace core::engines::llama
