// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/text/message.h"

#include <optional>
#include <string_view>

namespace core::readers {

/// What a file is that should have been JSON, by its first bytes: a sentence that names `file`; nothing when it may
/// be JSON. Knows weight files (GGUF, safetensors, zip and pickle), Git LFS pointers, web pages, answers of a hub
/// instead of a file, merge markers and other binaries.
std::optional<Message> notJson(std::string_view bytes, std::string_view file);

} // namespace core::readers
