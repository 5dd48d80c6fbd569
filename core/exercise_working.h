// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exercise.h"
#include "core/message.h"
#include "core/scenario.h"

#include <vector>

namespace core {

/// What each kind of layers keeps of one request, as a product: "10 layers keep every token: 10 · 8,192 bytes · 131,072
/// tokens", with its result where `results`.
std::vector<Message> partsInWords(const Scenario& scenario, bool results);

} // namespace core
