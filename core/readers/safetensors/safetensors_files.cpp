// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/read_error.h"
#include "core/readers/safetensors/safetensors_index.h"
#include "core/readers/safetensors/safetensors_weights.h"
#include "core/readers/weight_names.h"

#include <fmt/format.h>

#include <unordered_set>

namespace core::readers {

namespace {

constexpr std::string_view kEnding = ".safetensors";
constexpr std::int64_t kMaxIndex = std::int64_t{256} << 20U;

std::string labelOf(const std::vector<std::string>& names)
{
    return names.size() == 1 ? names.front() : fmt::format("{} files, {} and on", names.size(), names.front());
}

/// The tensors of all `names`, which must all be there.
SafetensorsFiles readAll(const FileSet& files, const std::vector<std::string>& names)
{
    for (const std::string& name : names) {
        if (!files.has(name))
            refuse(KV_TEXT("core", "\"{0}\" is missing: it is one of the {1} files of this model; nothing was "
                                   "changed; put it beside the others."),
                   {name, static_cast<std::int64_t>(names.size())});
    }
    SafetensorsFiles result;
    result.label = labelOf(names);
    for (const std::string& name : names) {
        std::vector<SafeTensor> tensors = valueOf(readSafetensorsHeader(*valueOf(files.open(name)), name));
        result.tensors.insert(result.tensors.end(), std::make_move_iterator(tensors.begin()),
                              std::make_move_iterator(tensors.end()));
    }
    return result;
}

/// The tensors of the file `name`, with those of the others where it is one of several by its name.
SafetensorsFiles readNamed(const FileSet& files, std::string_view name)
{
    const std::optional<ShardName> shard = shardName(name, kEnding);
    if (!shard)
        return readAll(files, {std::string(name)});
    std::vector<std::string> names;
    for (std::int64_t number = 1; number <= shard->count; ++number)
        names.push_back(fmt::format("{}-{:05}-of-{:05}{}", shard->stem, number, shard->count, kEnding));
    return readAll(files, names);
}

SafetensorsFiles readIndexed(const FileSet& files, const SafetensorsIndex& index, std::string_view name)
{
    for (const std::string& file : index.files) {
        if (!file.ends_with(kEnding))
            refuse(KV_TEXT("core", "{0} names \"{1}\", which is no safetensors file; nothing was changed; choose "
                                   "the model's config.json or its safetensors files."),
                   {std::string(name), file});
    }
    SafetensorsFiles all = readAll(files, index.files);
    std::unordered_set<std::string_view> there;
    there.reserve(all.tensors.size());
    std::int64_t bytes = 0;
    for (const SafeTensor& tensor : all.tensors) {
        if (!there.insert(tensor.name).second)
            refuse(KV_TEXT("core", "Two of the files that {0} names have the tensor \"{1}\"; nothing was changed; "
                                   "download them again."),
                   {std::string(name), tensor.name});
        bytes += tensor.bytes();
    }
    for (const auto& [tensor, file] : index.tensors) {
        if (!there.contains(tensor))
            refuse(KV_TEXT("core", "{0} says that the tensor \"{1}\" is in \"{2}\", but it is not there; nothing "
                                   "was changed; download the files again."),
                   {std::string(name), tensor, index.files[file]});
    }
    if (index.totalBytes && *index.totalBytes != bytes)
        all.notes.push_back(fmt::format("{} states a size of {} bytes, but the tensors take {}; the tensors count",
                                        name, *index.totalBytes, bytes));
    return all;
}

SafetensorsFiles readFiles(const FileSet& files, std::string_view name)
{
    constexpr std::size_t kFirst = 16;
    const std::unique_ptr<ByteSource> source = valueOf(files.open(name));
    std::string first(kFirst, '\0');
    first.resize(valueOf(source->read(0, first)));
    if (isSafetensors(first))
        return readNamed(files, name);
    const std::string text = valueOf(readWhole(*source, name, kMaxIndex));
    const std::optional<SafetensorsIndex> index = valueOf(readSafetensorsIndex(text, name));
    if (!index)
        refuse(KV_TEXT("core", "{0} is neither a safetensors file nor the index of one; nothing was changed; download "
                               "it again."),
               {std::string(name)});
    return readIndexed(files, *index, name);
}

} // namespace

Result<SafetensorsFiles> readIndexedFiles(const FileSet& files, const SafetensorsIndex& index, std::string_view name)
{
    return asResult([&] { return readIndexed(files, index, name); });
}

Result<SafetensorsFiles> readSafetensorsFiles(const FileSet& files, std::string_view name)
{
    return asResult([&] { return readFiles(files, name); });
}

} // namespace core::readers
