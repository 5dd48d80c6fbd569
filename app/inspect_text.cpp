// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/inspect_text.h"

#include "app/layout_text.h"
#include "app/text_table.h"
#include "core/model/layout_words.h"
#include "core/text/format.h"

#include <fmt/format.h>

#include <algorithm>

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

/// The tensors of the weight file by type: how many, and bits of a parameter with scales and padding of blocks.
std::string typesText(const core::Weights& weights)
{
    TextTable table({Align::Left, Align::Left, Align::Right, Align::Right, Align::Right, Align::Right});
    table.add({"part", "type", "tensors", "parameters", "size", "bits each"});
    for (const core::StoredTensors& stored : weights.stored) {
        const double bits = 8.0 * static_cast<double>(stored.bytes.count()) /
                            static_cast<double>(std::max<std::int64_t>(stored.parameters, 1));
        table.add({std::string(id(stored.part)), stored.type, formatCount(stored.tensors),
                   formatCount(stored.parameters), core::formatBytes(stored.bytes),
                   stored.parameters > 0 ? core::formatNumber(bits, 2) : ""});
    }
    return "Tensors in the file\n" + table.text(kIndent);
}

/// "Weights in BF16, as published", "Weights as stored, 4.89 bits for each parameter"
std::string weightsTitle(const core::Weights& weights)
{
    if (weights.published != core::WeightFormat::Stored)
        return fmt::format("Weights in {}, as published", info(weights.published).name);
    const double bits = 8.0 * static_cast<double>(bytesOf(weights, weights.published).count()) /
                        static_cast<double>(std::max<std::int64_t>(weights.parameters(), 1));
    return fmt::format("Weights as stored, {} bits for each parameter", core::formatNumber(bits, 3));
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
    std::string text = fmt::format("{}{}\n{}", weightsTitle(weights), source, table.text(kIndent));
    if (!weights.stored.empty())
        text += '\n' + typesText(weights);
    return text;
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
