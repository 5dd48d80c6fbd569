// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/scenario/scenario.h"
#include "core/text/format.h"
#include "core/text/result.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace core {

/// A scenario that a text may speak of beside the one on screen.
struct NamedScenario {
    std::string name; ///< "mha"
    Scenario scenario;
};

/// The scenarios from which the placeholders of a text are filled.
struct PlaceholderScenarios {
    const Scenario* main = nullptr;       ///< the one of placeholders without a name: {cache}
    std::span<const NamedScenario> named; ///< {mha.cache}
    const Scenario* before = nullptr;     ///< what an exercise compares with: {before.cache}
};

/// `text` with its placeholders filled. A placeholder is
///   {cache}              a quantity of `asked_quantity.h`: cache, weights, max_batch, crossover, …
///   {context}            an input: model, layers, query_heads, kv_heads, width, context, batch, format, gpu, …
///   {concurrency}        what an engine prints or takes: cache_tokens, block_bytes, share, own_work, …
///   {element_bytes}      what the cache format takes: "2 bytes for each element", "34 bytes for 32 elements"
///   {mha.cache}          one of these of the scenario named mha
///   {mha.cache / cache}  how many times as large
///   {cache:gib}          in one unit; also :gb, :mib, :bytes, and :k for token counts ("128K")
/// Sizes otherwise stand in both units, each rounded alike. Names are escaped, as they may come from anybody's file.
/// Nothing else may stand in braces. The error names the placeholder.
Result<std::string> filled(std::string_view text, const PlaceholderScenarios& scenarios, const NumberStyle& style = {});

/// What stands in the text of a lesson and may not: HTML, links to anything but the web (they are shown, not opened),
/// pictures that are not `![…](figure:ID)` with an ID of `figureIds`. Nothing when the text is fine.
std::optional<std::string> forbiddenIn(std::string_view markdown);

/// The ids of the figures that the program draws: "allocation-flow".
std::span<const std::string_view> figureIds();

} // namespace core
