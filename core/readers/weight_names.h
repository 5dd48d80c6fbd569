// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace core::readers {

/// A name that splitting gives to a part: "model-00002-of-00003.gguf".
struct ShardName {
    std::string_view stem; ///< "model"
    std::int64_t number;   ///< from 1
    std::int64_t count;
};

/// The parts of such a name; nothing where it is another. `ending` is ".gguf" or ".safetensors".
std::optional<ShardName> shardName(std::string_view name, std::string_view ending);

/// Of the files of a folder, sorted, those that stand for one set of weights each: of the parts of a split one the
/// first that is there. Projectors, adapters and importance matrices are none.
std::vector<std::string> weightSets(const std::vector<std::string>& names, std::string_view ending);

/// What a set is called: its file without the ending and the number of the part.
std::string weightSetName(std::string_view file, std::string_view ending);

} // namespace core::readers
