// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/text/message.h"

#include <tl/expected.hpp>

#include <utility>

namespace core {

/// Why something could not be loaded, saved or understood: one sentence that says what (file, key, value), the effect
/// and what to do.
struct Error {
    Message message;
};

/// What loading, saving and parsing return.
template <typename T> using Result = tl::expected<T, Error>;

/// `return fail(KV_TEXT("core", "…{0}…"), {…});` in a function that returns Result.
inline tl::unexpected<Error> fail(std::string_view text, std::vector<Value> args = {})
{
    return tl::unexpected<Error>(Error{Message{text, std::move(args)}});
}

} // namespace core
