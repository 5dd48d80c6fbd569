// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/inspect_text.h"

#include "app/layout_text.h"
#include "app/text_table.h"
#include "core/format.h"
#include "core/layout_words.h"

#include <fmt/format.h>

namespace app {

namespace {

using core::formatCount;
using core::Model;

constexpr std::size_t kIndent = 2;

std::string headText(const Model& model)
{
    const std::string family = model.family.empty() ? "" : fmt::format(" ({})", model.family);
    std::string text = fmt::format("{}{}\n", model.name, family);
    TextTable table({Align::Left, Align::Left});
    table.add({"source", model.source});
    table.add({"layers", formatCount(model.layers)});
    for (const core::CacheGroup& group : model.groups)
        table.add({"cache", groupInWords(group)});
    table.add({"context", model.maxContext ? formatCount(*model.maxContext) + " tokens" : "unknown"});
    return text + table.text(kIndent);
}

std::string groupsText(const Model& model)
{
    TextTable table({Align::Left, Align::Right, Align::Right, Align::Left, Align::Right, Align::Left});
    table.add({"kind", "elements K + V", "bytes per entry", "entries for t tokens", "layers", "which"});
    for (const core::CacheGroup& group : model.groups) {
        const auto [k, v] = entryParts(group, core::KvFormat::Fp16, core::KvFormat::Fp16);
        const core::Bytes bytes = entryBytes(group, core::KvFormat::Fp16, core::KvFormat::Fp16);
        table.add({std::string(id(group.kind)),
                   fmt::format("{} + {}", formatCount(k.elements), formatCount(v.elements)), formatCount(bytes.count()),
                   core::english(core::entryLaw(group)), formatCount(group.layers.count()), group.layers.toText()});
    }
    return "Cache of one layer, 16 bit\n" + table.text(kIndent);
}

std::string weightsText(const core::Weights& weights)
{
    if (!weights.known())
        return "Weights: unknown; give their size with --weights-bytes.\n";
    TextTable table({Align::Left, Align::Right, Align::Right, Align::Right});
    table.add({"part", "parameters", "size", "bytes"});
    const auto add = [&](std::string_view part, std::int64_t parameters, core::Bytes bytes) {
        table.add({std::string(part), formatCount(parameters), core::formatBytes(bytes), formatCount(bytes.count())});
    };
    for (const core::WeightCount& count : weights.parts)
        add(id(count.part), count.parameters, bytesOf(weights, count, weights.published));
    add("total", weights.parameters(), bytesOf(weights, weights.published));
    const std::string source = weights.source.empty() ? "" : "; " + weights.source;
    return fmt::format("Weights in {}, as published{}\n{}", info(weights.published).name, source, table.text(kIndent));
}

/// A value that leaves room for its origin beside it; --json prints it whole.
std::string shortened(const std::string& value)
{
    constexpr std::size_t kMost = 24;
    if (value.size() <= kMost)
        return value;
    std::size_t end = kMost - 1;
    while (end > 0 && (static_cast<unsigned char>(value[end]) & 0xC0U) == 0x80U)
        --end; // not inside a letter
    return value.substr(0, end) + "…";
}

/// The key a value was read from, or the rule it follows from.
std::string originText(const core::Provenance& row)
{
    std::string text = row.rule;
    if (!row.key.empty())
        text += (text.empty() ? "" : "; ") + row.key + (row.file.empty() ? "" : " in " + row.file);
    return text;
}

std::string valuesText(const Model& model)
{
    TextTable table({Align::Left, Align::Left, Align::Left, Align::Left});
    table.add({"name", "value", "how", "from"});
    for (const core::Provenance& row : model.provenance)
        table.add({row.field, shortened(row.value), std::string(id(row.how)), originText(row)});
    return "Values\n" + table.text(kIndent);
}

} // namespace

std::string inspectText(const Model& model)
{
    std::string text = fmt::format("{}\n{}\n{}", headText(model), groupsText(model), weightsText(model.weights));
    if (!model.provenance.empty())
        text += '\n' + valuesText(model);
    for (const std::string& note : model.notes)
        text += fmt::format("{}Note: {}\n", &note == &model.notes.front() ? "\n" : "", note);
    return text;
}

} // namespace app
