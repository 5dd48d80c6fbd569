// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/gguf/gguf_shards.h"

#include "core/readers/json/json_reader.h"
#include "core/readers/read_error.h"
#include "core/readers/weight_names.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <unordered_set>

namespace core::readers {

namespace {

constexpr std::string_view kEnding = ".gguf";

/// What a file says of the split it belongs to.
struct Split {
    std::int64_t number = 0; ///< from 0
    std::int64_t count = 1;
    std::optional<std::int64_t> tensors;
};

Split splitOf(const GgufHeader& header, std::string_view name)
{
    const JsonFields values(*header.values, name, {}, UnknownKeys::Ignore);
    const auto number = values.optionalCount("split.no", {0, 65'535});
    const auto count = values.optionalCount("split.count", {0, 65'535});
    const auto tensors = values.optionalCount("split.tensors.count", {0, 1'000'000});
    return Split{number.value_or(0), std::max<std::int64_t>(count.value_or(1), 1), tensors};
}

/// Adds the tensors of one more file.
void addTensors(GgufFiles& files, std::vector<GgufTensor>&& tensors, std::string_view name)
{
    std::unordered_set<std::string_view> names;
    for (const GgufTensor& tensor : files.tensors)
        names.insert(tensor.name);
    for (const GgufTensor& tensor : tensors) {
        if (names.contains(tensor.name))
            refuse(KV_TEXT("core", "{0} has the tensor \"{1}\", which another part of the model has too; nothing "
                                   "was changed; download the parts again."),
                   {std::string(name), tensor.name});
    }
    files.tensors.insert(files.tensors.end(), std::make_move_iterator(tensors.begin()),
                         std::make_move_iterator(tensors.end()));
}

/// The header of part `number` of `count`.
GgufHeader readPart(const FileSet& beside, const std::string& name, std::int64_t number, std::int64_t count)
{
    const std::unique_ptr<ByteSource> source = valueOf(beside.open(name));
    GgufHeader header = valueOf(readGgufHeader(*source, name));
    const Split split = splitOf(header, name);
    if (split.number != number || split.count != count)
        refuse(KV_TEXT("core", "{0} says that it is part {1} of {2}, but by its name it is part {3} of {4}; "
                               "nothing was changed; download the parts again."),
               {name, split.number + 1, split.count, number + 1, count});
    return header;
}

GgufFiles readParts(const FileSet& beside, const ShardName& shard)
{
    std::vector<std::string> names;
    for (std::int64_t number = 1; number <= shard.count; ++number) {
        names.push_back(fmt::format("{}-{:05}-of-{:05}{}", shard.stem, number, shard.count, kEnding));
        if (!beside.has(names.back()))
            refuse(KV_TEXT("core", "\"{0}\" is missing: it is part {1} of the {2} files of this model; nothing was "
                                   "changed; put it beside the others."),
                   {names.back(), number, shard.count});
    }
    GgufFiles files;
    files.count = shard.count;
    for (std::int64_t number = 0; number < shard.count; ++number) {
        const std::string& name = names[static_cast<std::size_t>(number)];
        GgufHeader header = readPart(beside, name, number, shard.count);
        addTensors(files, std::move(header.tensors), name);
        if (number == 0) {
            files.first = std::move(header);
            files.firstName = name;
        }
    }
    return files;
}

} // namespace

GgufFiles readGgufFiles(ByteSource& source, std::string_view name, const FileSet& beside)
{
    GgufHeader header = valueOf(readGgufHeader(source, name));
    const Split split = splitOf(header, name);
    GgufFiles files;
    if (split.count == 1) {
        files.tensors = std::move(header.tensors);
        files.first = std::move(header);
        files.firstName = name;
        return files;
    }
    const std::optional<ShardName> shard = shardName(name, kEnding);
    if (!shard || shard->count != split.count)
        refuse(KV_TEXT("core", "{0} is part {1} of {2} files, but its name does not end in \"-{3}-of-{4}.gguf\", "
                               "so the others cannot be found; nothing was changed; give the files the names they "
                               "were published with."),
               {std::string(name), split.number + 1, split.count, fmt::format("{:05}", split.number + 1),
                fmt::format("{:05}", split.count)});
    GgufFiles parts = readParts(beside, *shard);
    const Split whole = splitOf(parts.first, parts.firstName);
    const auto counted = static_cast<std::int64_t>(parts.tensors.size());
    if (whole.tensors && *whole.tensors != counted)
        refuse(KV_TEXT("core", "{0} says that the {1} files have {2} tensors, but they have {3}; nothing was "
                               "changed; download the parts again."),
               {parts.firstName, parts.count, *whole.tensors, counted});
    return parts;
}

} // namespace core::readers
