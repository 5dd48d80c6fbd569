// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/teaching/asked.h"
#include "core/text/message.h"

#include <string_view>

namespace core {

/// The two first hints for what is asked. Places of the formula: {0} layers, {1} context, {2} requests, {3} bytes of a
/// block of the cache format, {4} its elements.
struct HintWords {
    std::string_view inputs;
    std::string_view formula;
};

/// Those for what an engine has or sets aside on one device or several; nullptr where something else is asked.
const HintWords* deviceWords(const Task& task);

/// The third hint for these.
Message nearlyDevice(const Task& task);

} // namespace core
