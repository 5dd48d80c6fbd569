// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/bytes.h"
#include "core/percent.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace core {

/// Marks an English template for translation (lupdate: -tr-function-alias QT_TRANSLATE_NOOP=KV_TEXT).
/// `context` is always "core"; the macro yields the text itself.
#define KV_TEXT(context, text) text

/// A value inside a message. Numbers are formatted by whoever prints: English on the command line, by locale in the
/// window. A std::string is shown as it is (names, keys, file paths). A double is a size in GiB or a ratio.
using Value = std::variant<std::int64_t, double, Bytes, Percent, std::string>;

/// A sentence that has not been written yet: a template with places {0}, {1}, … and the values for them.
/// `text` has static storage (a KV_TEXT literal). Printed in English by `format.h`.
struct Message {
    std::string_view text;
    std::vector<Value> args;

    bool empty() const { return text.empty(); }
    friend bool operator==(const Message&, const Message&) = default;
};

} // namespace core
