// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/scenario/scenario.h"
#include "core/teaching/exercise.h"
#include "core/text/message.h"

#include <vector>

namespace core {

/// What each kind of layers keeps of one request, as a product: "10 layers keep every token: 10 · 8,192 bytes · 131,072
/// tokens", with its result where `results`.
std::vector<Message> partsInWords(const Scenario& scenario, bool results);

} // namespace core
