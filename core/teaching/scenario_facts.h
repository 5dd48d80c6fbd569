// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engines/engine.h"
#include "core/engines/setting.h"
#include "core/scenario/scenario.h"
#include "core/text/message.h"

#include <cstdint>
#include <optional>
#include <string_view>

// What texts, hints and mistakes say of a scenario beside the quantities that are asked for (`asked_quantity.h`).
namespace core {

/// The first group of the model that keeps heads: the one that "KV heads" and "head dimension" mean in a lesson. It is
/// nullptr when no group has heads.
const CacheGroup* headsOf(const Model& model);

/// True where the textbook product gives the whole cache: all layers keep every token, each its own heads.
bool isTextbookModel(const Model& model);

/// The pool of the scenario's engine; a pool without memory and blocks where the engine has none.
engines::Pool poolOf(const Scenario& scenario);

/// Tokens of one block: those of the engine's pool, or of the blocks that were typed where the engine has no pool.
std::int64_t blockTokensOf(const Scenario& scenario);

/// The flag that sets the share of each device's memory that the engine takes, which is the first fraction in the
/// table of its flags; nullptr where the engine takes no share.
const engines::Setting* memoryShareFlag(const Scenario& scenario);

/// That share, as it was typed or by default.
std::optional<Percent> memoryShareOf(const Scenario& scenario);

/// The value of an input or of something that an engine prints, by its name in lesson texts: "layers", "kv_heads",
/// "gpu", "block_bytes". Nothing where the name is unknown or the scenario has no such value.
std::optional<Value> factNamed(std::string_view name, const Scenario& scenario);

} // namespace core
