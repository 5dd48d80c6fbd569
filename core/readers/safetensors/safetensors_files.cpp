// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/safetensors/safetensors_index.h"
#include "core/readers/safetensors/safetensors_weights.h"
#include "core/readers/weight_names.h"

#include <fmt/format.h>

#include <unordered_set>

namespace core::readers {

namespace {

constexpr std::string_view kEnding = ".safetensors";
constexpr std::int64_t kMaxIndex = std::int64_t{256} << 20U;

Result<std::vector<SafeTensor>> readOne(const FileSet& files, const std::string& name)
{
    const auto source = files.open(name);
    if (!source)
        return tl::unexpected<Error>(source.error());
    return readSafetensorsHeader(**source, name);
}

std::string labelOf(const std::vector<std::string>& names)
{
    return names.size() == 1 ? names.front() : fmt::format("{} files, {} and on", names.size(), names.front());
}

/// The tensors of all `names`, which must all be there.
Result<SafetensorsFiles> readAll(const FileSet& files, const std::vector<std::string>& names)
{
    for (const std::string& name : names) {
        if (!files.has(name))
            return fail(KV_TEXT("core", "\"{0}\" is missing: it is one of the {1} files of this model; nothing was "
                                        "changed; put it beside the others."),
                        {name, static_cast<std::int64_t>(names.size())});
    }
    SafetensorsFiles result;
    result.label = labelOf(names);
    for (const std::string& name : names) {
        Result<std::vector<SafeTensor>> tensors = readOne(files, name);
        if (!tensors)
            return tl::unexpected<Error>(tensors.error());
        result.tensors.insert(result.tensors.end(), std::make_move_iterator(tensors->begin()),
                              std::make_move_iterator(tensors->end()));
    }
    return result;
}

/// The tensors of the file `name`, with those of the others where it is one of several by its name.
Result<SafetensorsFiles> readNamed(const FileSet& files, std::string_view name)
{
    const std::optional<ShardName> shard = shardName(name, kEnding);
    if (!shard)
        return readAll(files, {std::string(name)});
    std::vector<std::string> names;
    for (std::int64_t number = 1; number <= shard->count; ++number)
        names.push_back(fmt::format("{}-{:05}-of-{:05}{}", shard->stem, number, shard->count, kEnding));
    return readAll(files, names);
}

} // namespace

Result<SafetensorsFiles> readIndexedFiles(const FileSet& files, const SafetensorsIndex& index, std::string_view name)
{
    for (const std::string& file : index.files) {
        if (!file.ends_with(kEnding))
            return fail(KV_TEXT("core", "{0} names \"{1}\", which is no safetensors file; nothing was changed; choose "
                                        "the model's config.json or its safetensors files."),
                        {std::string(name), file});
    }
    Result<SafetensorsFiles> all = readAll(files, index.files);
    if (!all)
        return all;
    std::unordered_set<std::string_view> there;
    there.reserve(all->tensors.size());
    std::int64_t bytes = 0;
    for (const SafeTensor& tensor : all->tensors) {
        if (!there.insert(tensor.name).second)
            return fail(KV_TEXT("core", "Two of the files that {0} names have the tensor \"{1}\"; nothing was changed; "
                                        "download them again."),
                        {std::string(name), tensor.name});
        bytes += tensor.bytes();
    }
    for (const auto& [tensor, file] : index.tensors) {
        if (!there.contains(tensor))
            return fail(KV_TEXT("core", "{0} says that the tensor \"{1}\" is in \"{2}\", but it is not there; nothing "
                                        "was changed; download the files again."),
                        {std::string(name), tensor, index.files[file]});
    }
    if (index.totalBytes && *index.totalBytes != bytes)
        all->notes.push_back(fmt::format("{} states a size of {} bytes, but the tensors take {}; the tensors count",
                                         name, *index.totalBytes, bytes));
    return all;
}

Result<SafetensorsFiles> readSafetensorsFiles(const FileSet& files, std::string_view name)
{
    constexpr std::size_t kFirst = 16;
    const auto source = files.open(name);
    if (!source)
        return tl::unexpected<Error>(source.error());
    std::string first(kFirst, '\0');
    const Result<std::size_t> got = (*source)->read(0, first);
    if (!got)
        return tl::unexpected<Error>(got.error());
    if (isSafetensors(std::string_view(first).substr(0, *got)))
        return readNamed(files, name);
    const Result<std::string> text = readWhole(**source, name, kMaxIndex);
    const Result<std::optional<SafetensorsIndex>> index =
        text ? readSafetensorsIndex(*text, name) : tl::unexpected<Error>(text.error());
    if (!index)
        return tl::unexpected<Error>(index.error());
    if (!*index)
        return fail(KV_TEXT("core", "{0} is neither a safetensors file nor the index of one; nothing was changed; "
                                    "download it again."),
                    {std::string(name)});
    return readIndexedFiles(files, **index, name);
}

} // namespace core::readers
