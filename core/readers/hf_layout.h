// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model.h"
#include "core/readers/hf_values.h"
#include "core/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace core::readers {

/// What the attention of a plain decoder is made of.
struct Layout {
    std::int64_t layers = 0;
    std::int64_t queryHeads = 0;
    std::int64_t kvHeads = 0;
    std::int64_t headDim = 0;
    std::optional<std::int64_t> maxContext;

    CacheGroup group() const;
};

/// Refuses, by the name `declared` of what the file says it is, a file in which a key shows that its cache is not
/// plain: the traps and layer kinds of the tables.
Result<void> checkPlain(const JsonObject& language, std::string_view declared);

/// Reads the layout by the family's rules. A window that is in force is refused.
Result<Layout> readLayout(ConfigValues& values, std::string_view declared);

} // namespace core::readers
