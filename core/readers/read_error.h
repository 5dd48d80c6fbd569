// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/text/result.h"

#include <exception>
#include <type_traits>
#include <utility>

namespace core::readers {

/// The reason why a reader gave up. It is thrown inside core/readers only and never leaves the room: each of the room's
/// public functions turns it into a Result with `asResult`, so that the functions below them take each value in one
/// line.
class ReadError : public std::exception {
public:
    explicit ReadError(Error error) : m_error(std::move(error)) {}

    const Error& error() const { return m_error; }
    const char* what() const noexcept override { return "ReadError"; }

private:
    Error m_error;
};

/// Throws the error that `text`, a KV_TEXT template, makes of `args`.
[[noreturn]] inline void refuse(std::string_view text, std::vector<Value> args = {})
{
    throw ReadError(Error{Message{text, std::move(args)}});
}

/// The value of `result`; its error is thrown.
template <typename T> T valueOf(Result<T> result)
{
    if (!result)
        throw ReadError(std::move(result.error()));
    if constexpr (!std::is_void_v<T>)
        return std::move(*result);
}

/// What `read` returns, or the error that it throws.
template <typename Read> auto asResult(Read&& read) -> Result<std::invoke_result_t<Read>>
{
    try {
        if constexpr (std::is_void_v<std::invoke_result_t<Read>>) {
            read();
            return {};
        } else {
            return read();
        }
    } catch (const ReadError& error) {
        return tl::unexpected<Error>(error.error());
    }
}

} // namespace core::readers
