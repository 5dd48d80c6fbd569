// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/byte_source.h"

#include <algorithm>
#include <cerrno>
#include <system_error>

namespace core::readers {

namespace {

namespace fs = std::filesystem;

tl::unexpected<Error> unreadable(const std::string& path, int code)
{
    return fail(KV_TEXT("core", "\"{0}\" cannot be read ({1}); check that it is a file you may read."),
                {path, std::generic_category().message(code == 0 ? EIO : code)});
}

} // namespace

Result<std::size_t> MemorySource::read(std::int64_t offset, std::span<char> into)
{
    if (offset < 0 || offset >= static_cast<std::int64_t>(m_bytes.size()))
        return std::size_t{0};
    const std::string_view rest = m_bytes.substr(static_cast<std::size_t>(offset), into.size());
    std::ranges::copy(rest, into.begin());
    return rest.size();
}

Result<std::unique_ptr<FileSource>> FileSource::open(const fs::path& path)
{
    auto source = std::unique_ptr<FileSource>(new FileSource);
    source->m_path = path.string();
    errno = 0;
    source->m_stream.rdbuf()->pubsetbuf(nullptr, 0); // whoever reads has a buffer of its own
    source->m_stream.open(path, std::ios::binary);
    if (!source->m_stream)
        return unreadable(source->m_path, errno);
    std::error_code error;
    if (fs::is_regular_file(path, error)) {
        const std::uintmax_t size = fs::file_size(path, error);
        if (!error)
            source->m_size = static_cast<std::int64_t>(size);
    }
    return source;
}

Result<std::size_t> FileSource::read(std::int64_t offset, std::span<char> into)
{
    errno = 0;
    m_stream.clear();
    if (offset != m_place)
        m_stream.seekg(offset);
    m_stream.read(into.data(), static_cast<std::streamsize>(into.size()));
    if (!m_stream && !m_stream.eof())
        return unreadable(m_path, errno);
    m_place = offset + static_cast<std::int64_t>(m_stream.gcount());
    return static_cast<std::size_t>(m_stream.gcount());
}

std::vector<std::string> FolderFiles::names() const
{
    std::vector<std::string> result;
    std::error_code error;
    for (fs::directory_iterator entry(m_folder, error), end; !error && entry != end; entry.increment(error)) {
        if (entry->is_regular_file(error))
            result.push_back(entry->path().filename().string());
    }
    std::ranges::sort(result);
    return result;
}

Result<std::unique_ptr<ByteSource>> FolderFiles::open(std::string_view name) const
{
    Result<std::unique_ptr<FileSource>> source = FileSource::open(m_folder / name);
    if (!source)
        return tl::unexpected<Error>(std::move(source.error()));
    return std::unique_ptr<ByteSource>(std::move(*source));
}

bool FolderFiles::has(std::string_view name) const
{
    std::error_code error;
    return fs::is_regular_file(m_folder / name, error);
}

Result<std::string> readWhole(ByteSource& source, std::string_view name, std::int64_t most)
{
    constexpr std::size_t kChunkBytes = std::size_t{1} << 18U;
    std::string content;
    if (const std::optional<std::int64_t> size = source.size(); size && *size <= most)
        content.reserve(static_cast<std::size_t>(*size) + kChunkBytes);
    while (static_cast<std::int64_t>(content.size()) <= most) {
        const std::size_t before = content.size();
        content.resize(before + kChunkBytes);
        const Result<std::size_t> got =
            source.read(static_cast<std::int64_t>(before), std::span(content).subspan(before));
        if (!got)
            return tl::unexpected<Error>(got.error());
        content.resize(before + *got);
        if (*got < kChunkBytes)
            return content;
    }
    return fail(KV_TEXT("core", "\"{0}\" is larger than {1}, more than any file of its kind; nothing was read; choose "
                                "another file."),
                {std::string(name), Bytes(most)});
}

} // namespace core::readers
