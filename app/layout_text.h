// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/model.h"

#include <string>

namespace app {

/// A group in words: "32 layers of full attention, 8 KV heads of 128 for 32 query heads (GQA)".
std::string groupInWords(const core::CacheGroup& group);

/// All groups in words, joined by semicolons.
std::string layoutInWords(const core::Model& model);

} // namespace app
