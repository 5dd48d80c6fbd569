// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/scenario/scenario.h"
#include "core/text/message.h"

#include <optional>

// What one input of a scenario may have against another. Each function returns the sentence that says so, or nothing.
namespace core::contradictions {

/// The KV heads that are chosen must be shared evenly by the query heads of every layer that has them.
std::optional<Message> ofKvHeads(const Scenario& scenario);
/// Only the ideal engine takes a typed share of waste.
std::optional<Message> ofWaste(const Scenario& scenario);
/// The longest request cannot be shorter than the context.
std::optional<Message> ofMaxContext(const Scenario& scenario);
/// The prefix that requests share is a part of their context.
std::optional<Message> ofSharedPrefix(const Scenario& scenario);
/// Weights can be counted as stored only where a weight file was read.
std::optional<Message> ofWeightFormat(const Scenario& scenario);
/// Memory that is to be typed needs a size.
std::optional<Message> ofMemory(const Scenario& scenario);
/// Only an engine with a pool can be given its memory.
std::optional<Message> ofCacheMemory(const Scenario& scenario);
/// An engine with a pool takes no reserve.
std::optional<Message> ofReserve(const Scenario& scenario);

} // namespace core::contradictions
