// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/readers/byte_source.h"
#include "core/text/message.h"

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace core::readers {

/// Walks over the header of a GGUF file in little-endian order, through one buffer. What goes wrong is thrown as a
/// ReadError.
class GgufCursor {
public:
    /// Headers longer than this are refused.
    static constexpr std::int64_t kMaxHeader = std::int64_t{256} << 20U;

    /// `file` names the source in messages.
    GgufCursor(ByteSource& source, std::string_view file);

    template <typename T> T number()
    {
        static_assert(std::is_arithmetic_v<T>);
        T value{};
        need(sizeof(T));
        std::memcpy(&value, m_buffer.data() + m_place, sizeof(T));
        m_place += sizeof(T);
        return value;
    }
    /// A length and as many bytes, at most `most`; the view holds until the next call.
    std::string_view text(std::uint64_t most);
    /// Moves over `count` texts, each of 8 bytes or more.
    void skipTexts(std::uint64_t count);
    /// Moves over `count` values of `width` bytes.
    void skip(std::uint64_t count, std::uint64_t width = 1);
    /// Refuses, by `text` with {0} file, {1} position, {2} count and {3} bytes left, `count` things of at least `width`
    /// bytes that cannot stand in what is left.
    void checkCount(std::uint64_t count, std::uint64_t width, std::string_view text) const;

    std::int64_t position() const { return m_start + static_cast<std::int64_t>(m_place); }
    /// Refuses the file by `text`, in which {0} is the file and {1} and so on are `more`.
    [[noreturn]] void fail(std::string_view text, std::vector<Value> more = {}) const;

private:
    void need(std::size_t bytes); ///< makes so many bytes stand in the buffer
    std::uint64_t left() const;   ///< bytes that the header can still have
    [[noreturn]] void failAtEnd() const;

    ByteSource& m_source;
    std::string m_file;
    std::int64_t m_limit; ///< the file's end or the longest header
    std::vector<char> m_buffer;
    std::int64_t m_start = 0; ///< of the buffer in the source
    std::size_t m_place = 0;  ///< in the buffer
    std::size_t m_filled = 0;
};

} // namespace core::readers
