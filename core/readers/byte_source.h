// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/text/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace core::readers {

/// Bytes that can be read in any order: a file, a buffer, ranges of a file on a server. Readers of weight headers take
/// one, so that all of these are read by the same parser and no more of them than the header.
class ByteSource {
public:
    ByteSource() = default;
    ByteSource(const ByteSource&) = delete;
    ByteSource& operator=(const ByteSource&) = delete;
    virtual ~ByteSource() = default;

    /// The number of bytes, where it is known.
    virtual std::optional<std::int64_t> size() const = 0;
    /// Reads bytes from `offset` on into `into`; returns how many, fewer than asked for only at the end. The error
    /// names the source.
    virtual Result<std::size_t> read(std::int64_t offset, std::span<char> into) = 0;
};

/// A buffer, which must outlive the source.
class MemorySource : public ByteSource {
public:
    explicit MemorySource(std::string_view bytes) : m_bytes(bytes) {}
    std::optional<std::int64_t> size() const override { return static_cast<std::int64_t>(m_bytes.size()); }
    Result<std::size_t> read(std::int64_t offset, std::span<char> into) override;

private:
    std::string_view m_bytes;
};

/// A file on disk.
class FileSource : public ByteSource {
public:
    /// The error says why the file cannot be opened.
    static Result<std::unique_ptr<FileSource>> open(const std::filesystem::path& path);

    std::optional<std::int64_t> size() const override { return m_size; }
    Result<std::size_t> read(std::int64_t offset, std::span<char> into) override;

private:
    FileSource() = default;

    std::string m_path;
    std::ifstream m_stream;
    std::optional<std::int64_t> m_size; ///< of a regular file
    std::int64_t m_place = 0;           ///< where the stream stands; what cannot be sought is read in order
};

/// The files beside a weight file, by name: shards, config.json.
class FileSet {
public:
    FileSet() = default;
    FileSet(const FileSet&) = delete;
    FileSet& operator=(const FileSet&) = delete;
    virtual ~FileSet() = default;

    /// The names of all files, in order.
    virtual std::vector<std::string> names() const = 0;
    /// The file of that name; nothing when there is none.
    virtual Result<std::unique_ptr<ByteSource>> open(std::string_view name) const = 0;
    /// True when there is a file of that name.
    virtual bool has(std::string_view name) const = 0;
};

/// The files of a folder on disk.
class FolderFiles : public FileSet {
public:
    explicit FolderFiles(std::filesystem::path folder) : m_folder(std::move(folder)) {}
    std::vector<std::string> names() const override;
    Result<std::unique_ptr<ByteSource>> open(std::string_view name) const override;
    bool has(std::string_view name) const override;

private:
    std::filesystem::path m_folder;
};

/// All bytes of `source`, called `name` in messages; more than `most` are an error.
Result<std::string> readWhole(ByteSource& source, std::string_view name, std::int64_t most);

} // namespace core::readers
