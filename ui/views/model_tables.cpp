// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/model_tables.h"

#include "core/model/layout_words.h"
#include "core/model/weights.h"
#include "core/scenario/kv_cache.h"
#include "ui/texts.h"

#include <QCoreApplication>

#include <algorithm>

namespace ui {

namespace {

QString tr(const char* text)
{
    return QCoreApplication::translate("ui::ModelView", text);
}

void add(DataTable& table, const char* column, const QString& title)
{
    table.columns << QString::fromUtf8(column);
    table.titles << title;
}

QString headsText(const core::Scenario& scenario, const core::CacheGroup& group)
{
    if (!core::hasHeads(group.kind))
        return {};
    const QString heads = countText(core::kvHeads(scenario, group));
    if (group.valueDim == 0)
        return tr("%1 × %2 (K = V)").arg(heads, countText(group.keyDim));
    return group.keyDim == group.valueDim
               ? tr("%1 × %2").arg(heads, countText(group.keyDim))
               : tr("%1 × %2 (K), %3 (V)").arg(heads, countText(group.keyDim), countText(group.valueDim));
}

QString growthText(const std::optional<core::Rate>& rate)
{
    if (!rate)
        return tr("no longer grows");
    return rate->tokens == 1 ? tr("%1 per token").arg(bytesText(rate->bytes))
                             : tr("%1 per %2 tokens").arg(bytesText(rate->bytes), countText(rate->tokens));
}

bool keeps(const core::CacheGroup& group)
{
    return group.kind != core::CacheKind::Shared && group.kind != core::CacheKind::None;
}

} // namespace

QString kindName(core::CacheKind kind)
{
    switch (kind) {
    case core::CacheKind::Full:
        return tr("full attention");
    case core::CacheKind::Window:
        return tr("sliding window");
    case core::CacheKind::Chunk:
        return tr("chunks");
    case core::CacheKind::Latent:
        return tr("latent (MLA)");
    case core::CacheKind::Index:
        return tr("index keys");
    case core::CacheKind::Compressed:
        return tr("compressed");
    case core::CacheKind::State:
        return tr("state");
    case core::CacheKind::Cross:
        return tr("cross attention");
    case core::CacheKind::Shared:
        return tr("another layer's cache");
    case core::CacheKind::None:
        break;
    }
    return tr("no cache");
}

DataTable groupTable(const core::Scenario& scenario)
{
    DataTable table;
    add(table, "layers", tr("Layers"));
    add(table, "keeps", tr("Cache"));
    add(table, "kv_heads", tr("KV heads × dim"));
    add(table, "entry_bytes", tr("One entry, bytes"));
    add(table, "law", tr("Entries for t tokens"));
    add(table, "entries", tr("Entries now"));
    add(table, "growth", tr("Growth of one request"));
    add(table, "request_bytes", tr("One request, bytes"));
    add(table, "which", tr("Which layers"));
    for (const core::CacheGroup& group : scenario.model.groups) {
        const core::GroupCache cache = core::groupCache(scenario, group);
        table.rows.push_back({qint64{group.layers.count()}, text(core::kindInWords(group)), headsText(scenario, group),
                              qint64{cache.entry.count()}, text(core::entryLaw(group)), qint64{cache.entries},
                              keeps(group) ? growthText(cache.growth) : QString(), qint64{cache.request.count()},
                              QString::fromStdString(group.layers.toText())});
    }
    return table;
}

DataTable weightTable(const core::Scenario& scenario)
{
    const core::Weights& weights = scenario.model.weights;
    DataTable table;
    add(table, "part", tr("Part"));
    add(table, "parameters", tr("Parameters"));
    add(table, "active", tr("Read per token"));
    add(table, "size_bytes", tr("Size, bytes"));
    const auto row = [&](const QString& part, std::int64_t parameters, std::int64_t active, core::Bytes size) {
        table.rows.push_back({part, qint64{parameters}, qint64{active}, qint64{size.count()}});
    };
    for (const core::WeightCount& count : weights.parts)
        row(QString::fromUtf8(core::id(count.part).data()).replace(QLatin1Char('_'), QLatin1Char(' ')),
            count.parameters, count.active.value_or(count.parameters),
            core::bytesOf(weights, count, scenario.weightFormat));
    row(tr("total"), weights.parameters(), weights.activeParameters(), core::bytesOf(weights, scenario.weightFormat));
    return table;
}

DataTable provenanceTable(const core::Model& model)
{
    DataTable table;
    add(table, "value", tr("Parameter"));
    add(table, "is", tr("Value"));
    add(table, "how", tr("How"));
    add(table, "from", tr("Source"));
    for (const core::Provenance& row : model.provenance) {
        QStringList from;
        if (!row.rule.empty())
            from << QString::fromStdString(row.rule);
        if (!row.key.empty())
            from << (row.file.empty()
                         ? QString::fromStdString(row.key)
                         : tr("%1 in %2").arg(QString::fromStdString(row.key), QString::fromStdString(row.file)));
        table.rows.push_back({QString::fromStdString(row.field).replace(QLatin1Char('_'), QLatin1Char(' ')),
                              QString::fromStdString(row.value), QString::fromUtf8(core::id(row.how).data()),
                              from.join(QStringLiteral("; "))});
    }
    return table;
}

QString layerText(const core::Scenario& scenario, int layer)
{
    QStringList parts;
    for (const core::CacheGroup& group : scenario.model.groups) {
        const auto layers = group.layers.layers();
        if (std::ranges::find(layers, layer) == layers.end())
            continue;
        QString part = text(core::kindInWords(group));
        if (const QString heads = headsText(scenario, group); !heads.isEmpty())
            part += tr(", %1").arg(heads);
        if (keeps(group))
            part += tr(", entries of %1").arg(bytesText(core::entryBytes(scenario, group)));
        parts << part;
    }
    return tr("Layer %1: %2")
        .arg(countText(layer), parts.isEmpty() ? tr("no cache") : parts.join(QStringLiteral("; ")));
}

} // namespace ui
