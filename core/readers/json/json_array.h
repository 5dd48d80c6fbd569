// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/text/result.h"

#include <optional>
#include <string_view>
#include <vector>

namespace core::readers {

/// One object of a list, not yet parsed.
struct ArrayEntry {
    std::string_view id;   ///< the text at its key "id"
    std::string_view text; ///< the whole object
};

/// Splits a JSON list of objects with an "id" each into its entries without parsing them, so that one of many can be
/// found quickly. The error names `file`.
Result<std::vector<ArrayEntry>> arrayEntries(std::string_view json, std::string_view file);

/// The entry of that id, without a look at what follows it; nothing where the list ends or breaks off before.
std::optional<ArrayEntry> arrayEntry(std::string_view json, std::string_view id);

} // namespace core::readers
