// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_tables.h"

#include "ui/charts/chart_scale.h"
#include "ui/texts.h"

#include <QCoreApplication>

namespace ui {

namespace {

QString tr(const char* text)
{
    return QCoreApplication::translate("ui::ChartTables", text);
}

qint64 count(core::Bytes bytes)
{
    return bytes.count();
}

/// Adds a column in bytes and one in GiB, or GB when those are shown.
void addBytes(DataTable& table, const QString& column, const QString& title)
{
    const QString unit = QString::fromLatin1(ChartUnit{.system = sizeUnit()}.name());
    table.columns << column + QStringLiteral("_bytes") << column + QLatin1Char('_') + unit.toLower();
    table.titles << tr("%1, bytes").arg(title) << tr("%1, %2").arg(title, unit);
}

void addBytes(std::vector<QVariant>& row, core::Bytes bytes)
{
    row.emplace_back(count(bytes));
    row.emplace_back(static_cast<double>(bytes.count()) / ChartUnit{.system = sizeUnit()}.bytes());
}

} // namespace

DataTable growthTable(const core::Evaluation& evaluation, std::span<const std::int64_t> contexts,
                      std::span<const std::int64_t> batches)
{
    const core::Footprint& footprint = evaluation.footprint;
    DataTable table;
    table.columns << QStringLiteral("context_tokens");
    table.titles << tr("Context, tokens");
    addBytes(table, QStringLiteral("kv_cache"), tr("KV cache"));
    addBytes(table, QStringLiteral("waste"), tr("Waste"));
    addBytes(table, QStringLiteral("total"), tr("Total"));
    addBytes(table, QStringLiteral("weights"), tr("Weights"));
    if (footprint.capacity)
        addBytes(table, QStringLiteral("capacity"), tr("Capacity"));
    for (const std::int64_t batch : batches) {
        table.columns << QStringLiteral("kv_cache_batch_%1_bytes").arg(batch);
        table.titles << tr("KV cache of %1 requests, bytes").arg(countText(batch));
    }
    for (const std::int64_t context : contexts) {
        const core::CurvePoint point = core::growthAt(evaluation.scenario, context);
        std::vector<QVariant> row{QVariant(qint64{context})};
        for (const core::Bytes bytes : {point.cache, point.waste, point.total, footprint.memory.weights})
            addBytes(row, bytes);
        if (footprint.capacity)
            addBytes(row, *footprint.capacity);
        for (const std::int64_t batch : batches)
            row.emplace_back(count(core::growthAt(evaluation.scenario, context, batch).cache));
        table.rows.push_back(std::move(row));
    }
    return table;
}

DataTable budgetTable(const core::Evaluation& evaluation)
{
    const core::Footprint& footprint = evaluation.footprint;
    DataTable table;
    table.columns << QStringLiteral("part");
    table.titles << tr("Part");
    addBytes(table, QStringLiteral("size"), tr("Size"));
    const auto add = [&](const QString& part, core::Bytes bytes) {
        std::vector<QVariant> row{QVariant(part)};
        addBytes(row, bytes);
        table.rows.push_back(std::move(row));
    };
    add(tr("weights"), footprint.memory.weights);
    add(tr("cache in use"), footprint.memory.cache);
    add(tr("waste"), footprint.memory.waste);
    add(tr("overhead"), footprint.memory.overhead);
    add(tr("kept free"), footprint.memory.reserve);
    add(tr("total"), footprint.memory.total());
    if (footprint.capacity) {
        add(tr("capacity"), *footprint.capacity);
        add(tr("free"), *footprint.free());
    }
    return table;
}

} // namespace ui
