// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/readers/byte_source.h"
#include "core/readers/gguf/ggml_types.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tests {

/// A file whose first bytes are given; all behind them are 0.
struct SparseFile {
    std::string bytes;
    std::int64_t size = 0;
};

/// Gives the bytes of such a file and counts those that are asked for.
class SparseSource : public core::readers::ByteSource {
public:
    explicit SparseSource(SparseFile file, bool sized = true) : m_file(std::move(file)), m_sized(sized) {}
    std::optional<std::int64_t> size() const override { return m_sized ? std::optional(m_file.size) : std::nullopt; }
    core::Result<std::size_t> read(std::int64_t offset, std::span<char> into) override
    {
        const std::int64_t left = std::max<std::int64_t>(m_file.size - offset, 0);
        const std::size_t count = std::min(into.size(), static_cast<std::size_t>(left));
        std::fill_n(into.begin(), count, '\0');
        if (offset < static_cast<std::int64_t>(m_file.bytes.size()))
            m_file.bytes.copy(into.data(), count, static_cast<std::size_t>(offset));
        m_read += static_cast<std::int64_t>(count);
        return count;
    }
    std::int64_t bytesRead() const { return m_read; }

private:
    SparseFile m_file;
    bool m_sized;
    std::int64_t m_read = 0;
};

/// A folder of such files.
class SparseFolder : public core::readers::FileSet {
public:
    std::map<std::string, SparseFile, std::less<>> files;

    std::vector<std::string> names() const override
    {
        std::vector<std::string> result;
        for (const auto& [name, file] : files)
            result.push_back(name);
        return result;
    }
    bool has(std::string_view name) const override { return files.find(name) != files.end(); }
    core::Result<std::unique_ptr<core::readers::ByteSource>> open(std::string_view name) const override
    {
        const auto found = files.find(name);
        if (found == files.end())
            return core::fail("There is no {0}.", {std::string(name)});
        return std::unique_ptr<core::readers::ByteSource>(std::make_unique<SparseSource>(found->second));
    }
    void add(const std::string& name, const std::string& text)
    {
        files[name] = {text, static_cast<std::int64_t>(text.size())};
    }
};

/// Writes `file` at `path`: what is behind its bytes takes no room on disk.
inline void writeSparse(const std::string& path, const SparseFile& file)
{
    std::ofstream(path, std::ios::binary) << file.bytes;
    std::filesystem::resize_file(path, static_cast<std::uintmax_t>(file.size));
}

/// Makes GGUF headers as llama.cpp's converter writes them.
class GgufWriter {
public:
    enum Type : std::uint32_t { U8, I8, U16, I16, U32, I32, F32, Bool, Text, List, U64, I64, F64 };

    explicit GgufWriter(std::uint32_t version = 3) : m_version(version) {}

    GgufWriter& number(std::string_view key, std::uint32_t value) { return head(key, U32).raw(m_values, value); }
    GgufWriter& flag(std::string_view key, bool value) { return head(key, Bool).raw(m_values, std::uint8_t{value}); }
    GgufWriter& text(std::string_view key, std::string_view value)
    {
        head(key, Text);
        append(m_values, value);
        return *this;
    }
    /// A list of numbers, or of true and false.
    GgufWriter& list(std::string_view key, const std::vector<int>& values, Type type = I32)
    {
        head(key, List).raw(m_values, std::uint32_t{type}).raw(m_values, std::uint64_t{values.size()});
        for (const int value : values) {
            if (type == Bool)
                raw(m_values, static_cast<std::uint8_t>(value));
            else
                raw(m_values, value);
        }
        return *this;
    }
    GgufWriter& texts(std::string_view key, const std::vector<std::string>& values)
    {
        head(key, List).raw(m_values, std::uint32_t{Text}).raw(m_values, std::uint64_t{values.size()});
        for (const std::string& value : values)
            append(m_values, value);
        return *this;
    }
    /// Bytes as they are in the place of a key, its type and value; counted as one key.
    GgufWriter& rawValue(std::string_view bytes)
    {
        m_values.append(bytes);
        ++m_keys;
        return *this;
    }
    GgufWriter& tensor(std::string_view name, const std::vector<std::int64_t>& dims, std::string_view type)
    {
        const auto types = core::readers::ggmlTypes();
        const auto row = std::ranges::find(types, type, &core::readers::GgmlType::name);
        std::int64_t elements = 1;
        for (const std::int64_t dim : dims)
            elements *= dim;
        rawTensor(name, dims, static_cast<std::uint32_t>(row->id), m_data);
        m_data += (elements / row->blockElements * row->blockBytes + 31) / 32 * 32;
        return *this;
    }
    GgufWriter& rawTensor(std::string_view name, const std::vector<std::int64_t>& dims, std::uint32_t type,
                          std::int64_t offset)
    {
        append(m_tensors, name);
        raw(m_tensors, static_cast<std::uint32_t>(dims.size()));
        for (const std::int64_t dim : dims)
            raw(m_tensors, dim);
        raw(m_tensors, type).raw(m_tensors, offset);
        ++m_count;
        return *this;
    }
    SparseFile file() const
    {
        SparseFile result;
        result.bytes = "GGUF";
        rawTo(result.bytes, m_version);
        rawTo(result.bytes, m_count);
        rawTo(result.bytes, m_keys);
        result.bytes += m_values + m_tensors;
        result.bytes.resize((result.bytes.size() + 31) / 32 * 32, '\0');
        result.size = static_cast<std::int64_t>(result.bytes.size()) + m_data;
        return result;
    }

private:
    template <typename T> static void rawTo(std::string& bytes, T value)
    {
        char buffer[sizeof(T)];
        std::memcpy(buffer, &value, sizeof(T));
        bytes.append(buffer, sizeof(T));
    }
    template <typename T> GgufWriter& raw(std::string& bytes, T value)
    {
        rawTo(bytes, value);
        return *this;
    }
    static void append(std::string& bytes, std::string_view text)
    {
        rawTo(bytes, std::uint64_t{text.size()});
        bytes.append(text);
    }
    GgufWriter& head(std::string_view key, Type type)
    {
        append(m_values, key);
        ++m_keys;
        return raw(m_values, std::uint32_t{type});
    }

    std::uint32_t m_version;
    std::string m_values;
    std::string m_tensors;
    std::uint64_t m_keys = 0;
    std::uint64_t m_count = 0;
    std::int64_t m_data = 0;
};

/// Makes safetensors headers.
class SafetensorsWriter {
public:
    SafetensorsWriter& tensor(std::string_view name, const std::vector<std::int64_t>& shape, std::string_view type,
                              std::int64_t bits)
    {
        std::int64_t bytes = bits;
        std::string dims;
        for (const std::int64_t dim : shape) {
            bytes *= dim;
            dims += (dims.empty() ? "" : ",") + std::to_string(dim);
        }
        bytes /= 8;
        m_names.emplace_back(name);
        m_json += (m_json.empty() ? "{\"" : ",\"") + std::string(name) + "\":{\"dtype\":\"" + std::string(type) +
                  "\",\"shape\":[" + dims + "],\"data_offsets\":[" + std::to_string(m_end) + "," +
                  std::to_string(m_end + bytes) + "]}";
        m_end += bytes;
        return *this;
    }
    SafetensorsWriter& bf16(std::string_view name, const std::vector<std::int64_t>& shape)
    {
        return tensor(name, shape, "BF16", 16);
    }
    const std::vector<std::string>& names() const { return m_names; }
    std::int64_t dataBytes() const { return m_end; }
    SparseFile file() const { return withHeader((m_json.empty() ? "{" : m_json) + "}", m_end); }

    /// A file with this header and so many bytes of data.
    static SparseFile withHeader(const std::string& json, std::int64_t dataBytes)
    {
        SparseFile result;
        const std::uint64_t length = json.size();
        result.bytes.assign(8, '\0');
        std::memcpy(result.bytes.data(), &length, sizeof length);
        result.bytes += json;
        result.size = static_cast<std::int64_t>(result.bytes.size()) + dataBytes;
        return result;
    }

private:
    std::string m_json;
    std::vector<std::string> m_names;
    std::int64_t m_end = 0;
};

} // namespace tests
