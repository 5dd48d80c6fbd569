// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/weight_names.h"

#include "core/text/text.h"

#include <fmt/format.h>

#include <charconv>

namespace core::readers {

std::optional<ShardName> shardName(std::string_view name, std::string_view ending)
{
    constexpr std::string_view kOf = "-of-";
    constexpr std::size_t kDigits = 5;
    constexpr std::size_t kTail = 1 + kDigits + kOf.size() + kDigits; // "-00001-of-00003"
    if (!name.ends_with(ending) || name.size() < ending.size() + kTail)
        return std::nullopt;
    name.remove_suffix(ending.size());
    const std::string_view tail = name.substr(name.size() - kTail);
    const auto number = [&](std::size_t place) {
        std::int64_t value = 0;
        const char* const begin = tail.data() + place;
        const auto [end, error] = std::from_chars(begin, begin + kDigits, value);
        return error == std::errc() && end == begin + kDigits ? value : 0;
    };
    const ShardName shard{name.substr(0, name.size() - kTail), number(1), number(1 + kDigits + kOf.size())};
    const bool right = tail.front() == '-' && tail.substr(1 + kDigits, kOf.size()) == kOf && shard.number >= 1 &&
                       shard.number <= shard.count;
    return right ? std::optional(shard) : std::nullopt;
}

std::vector<std::string> weightSets(const std::vector<std::string>& names, std::string_view ending)
{
    std::vector<std::string> sets;
    std::string lastStem;
    for (const std::string& name : names) {
        const std::string lower = toLower(name);
        if (!lower.ends_with(ending) || lower.starts_with("adapter_") || lower.find("mmproj") != std::string::npos ||
            lower.find("imatrix") != std::string::npos)
            continue;
        const std::optional<ShardName> shard = shardName(name, ending);
        const std::string stem = shard ? fmt::format("{}-of-{}", shard->stem, shard->count) : std::string();
        if (shard && stem == lastStem)
            continue;
        lastStem = stem;
        sets.push_back(name);
    }
    return sets;
}

std::string weightSetName(std::string_view file, std::string_view ending)
{
    const std::optional<ShardName> shard = shardName(file, ending);
    return std::string(shard ? shard->stem : file.substr(0, file.size() - ending.size()));
}

} // namespace core::readers
