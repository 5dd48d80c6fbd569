// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/gguf/gguf_cursor.h"

#include "core/readers/read_error.h"

#include <algorithm>
#include <limits>
#include <span>

namespace core::readers {

namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 18U;

} // namespace

GgufCursor::GgufCursor(ByteSource& source, std::string_view file)
    : m_source(source), m_file(file), m_limit(std::min(source.size().value_or(kMaxHeader), kMaxHeader))
{
}

std::uint64_t GgufCursor::left() const
{
    return static_cast<std::uint64_t>(std::max<std::int64_t>(m_limit - position(), 0));
}

void GgufCursor::fail(std::string_view text, std::vector<Value> more) const
{
    more.insert(more.begin(), m_file);
    refuse(text, std::move(more));
}

void GgufCursor::failAtEnd() const
{
    if (m_limit == kMaxHeader)
        fail(KV_TEXT("core", "{0} has a GGUF header of more than {1}, which cannot be right; nothing was changed; "
                             "download it again."),
             {Bytes(kMaxHeader)});
    fail(KV_TEXT("core", "{0} is cut short: it ends inside its GGUF header, at byte {1}; nothing was changed; download "
                         "it again."),
         {m_limit});
}

void GgufCursor::need(std::size_t bytes)
{
    if (m_filled - m_place >= bytes)
        return;
    if (left() < bytes)
        failAtEnd();
    const std::size_t wanted = std::max(bytes, std::min(kBufferBytes, static_cast<std::size_t>(left())));
    if (m_buffer.size() < wanted)
        m_buffer.resize(wanted);
    const std::size_t rest = m_filled - m_place;
    std::memmove(m_buffer.data(), m_buffer.data() + m_place, rest);
    m_start += static_cast<std::int64_t>(m_place);
    m_place = 0;
    m_filled = rest;
    while (m_filled < bytes) {
        const std::size_t got = valueOf(
            m_source.read(m_start + static_cast<std::int64_t>(m_filled), std::span(m_buffer).subspan(m_filled)));
        if (got == 0)
            failAtEnd();
        m_filled += got;
    }
}

std::string_view GgufCursor::text(std::uint64_t most)
{
    const auto length = number<std::uint64_t>();
    if (length > left())
        failAtEnd();
    if (length > most)
        fail(KV_TEXT("core", "{0} has a name of {1} bytes at byte {2}, but at most {3} are allowed; nothing was "
                             "changed; download it again."),
             {static_cast<std::int64_t>(length), position(), static_cast<std::int64_t>(most)});
    need(static_cast<std::size_t>(length));
    const std::string_view result(m_buffer.data() + m_place, static_cast<std::size_t>(length));
    m_place += static_cast<std::size_t>(length);
    return result;
}

void GgufCursor::skip(std::uint64_t count, std::uint64_t width)
{
    std::uint64_t bytes = 0;
    if (__builtin_mul_overflow(count, width, &bytes) || bytes > left())
        failAtEnd();
    if (bytes <= m_filled - m_place) {
        m_place += static_cast<std::size_t>(bytes);
        return;
    }
    m_start = position() + static_cast<std::int64_t>(bytes);
    m_place = 0;
    m_filled = 0;
}

void GgufCursor::skipTexts(std::uint64_t count)
{
    for (std::uint64_t i = 0; i < count; ++i)
        skip(number<std::uint64_t>());
}

void GgufCursor::checkCount(std::uint64_t count, std::uint64_t width, std::string_view text) const
{
    constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    if (count > left() / width)
        fail(text, {position(), static_cast<std::int64_t>(std::min(count, kMost)), static_cast<std::int64_t>(left())});
}

} // namespace core::readers
