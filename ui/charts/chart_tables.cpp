// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_tables.h"

#include "ui/charts/chart_scale.h"
#include "ui/texts.h"

#include <QCoreApplication>

#include <optional>

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

void addBytes(std::vector<QVariant>& row, std::optional<core::Bytes> bytes)
{
    row.push_back(bytes ? QVariant(count(*bytes)) : QVariant(QString()));
    row.push_back(bytes ? QVariant(static_cast<double>(bytes->count()) / ChartUnit{.system = sizeUnit()}.bytes())
                        : QVariant(QString()));
}

/// What an engine puts into the overhead, line by line; of all devices together.
void addOverhead(DataTable& table, const std::vector<core::OverheadLine>& lines)
{
    for (const core::OverheadLine& line : lines) {
        const QString name = text(line.name);
        std::vector<QVariant> row{line.estimate ? tr("– %1, estimate").arg(name) : tr("– %1").arg(name)};
        addBytes(row, line.bytes);
        row.resize(static_cast<std::size_t>(table.columns.size()), QVariant(QString()));
        table.rows.push_back(std::move(row));
    }
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
        const core::CurvePoint point = core::growthAt(evaluation, context);
        std::vector<QVariant> row{QVariant(qint64{context})};
        for (const core::Bytes bytes : {point.cache, point.waste, point.total, footprint.memory.weights})
            addBytes(row, bytes);
        if (footprint.capacity)
            addBytes(row, *footprint.capacity);
        for (const std::int64_t batch : batches)
            row.emplace_back(count(core::growthAt(evaluation, context, batch).cache));
        table.rows.push_back(std::move(row));
    }
    return table;
}

DataTable budgetTable(const core::Evaluation& evaluation)
{
    const core::Footprint& footprint = evaluation.footprint;
    std::vector<core::DeviceFootprint> places{{.name = {}, .parts = footprint.memory, .capacity = footprint.capacity}};
    DataTable table;
    table.columns << QStringLiteral("part");
    table.titles << tr("Part");
    addBytes(table, QStringLiteral("size"), tr("Size"));
    if (footprint.tellsDevicesApart() || footprint.host) { // told apart: each has columns of its own
        places.insert(places.end(), footprint.devices.begin(), footprint.devices.end());
        for (std::size_t i = 0; i < footprint.devices.size(); ++i)
            addBytes(table, QStringLiteral("gpu_%1").arg(i), QString::fromStdString(footprint.devices[i].name));
    }
    if (footprint.host) {
        places.push_back(*footprint.host);
        addBytes(table, QStringLiteral("host"), tr("Host"));
    }
    const auto add = [&](const QString& part, const auto& bytesOf) {
        std::vector<QVariant> row{QVariant(part)};
        for (const core::DeviceFootprint& place : places)
            addBytes(row, bytesOf(place));
        table.rows.push_back(std::move(row));
    };
    using Place = core::DeviceFootprint;
    add(tr("weights"), [](const Place& place) { return std::optional(place.parts.weights); });
    add(tr("cache in use"), [](const Place& place) { return std::optional(place.parts.cache); });
    add(tr("waste"), [](const Place& place) { return std::optional(place.parts.waste); });
    add(tr("overhead"), [](const Place& place) { return std::optional(place.parts.overhead); });
    addOverhead(table, footprint.overhead);
    add(tr("kept free"), [](const Place& place) { return std::optional(place.parts.reserve); });
    add(tr("total"), [](const Place& place) { return std::optional(place.parts.total()); });
    if (footprint.capacity) {
        add(tr("capacity"), [](const Place& place) { return place.capacity; });
        add(tr("free"), [](const Place& place) { return place.free(); });
    }
    return table;
}

DataTable deviceTable(const core::Footprint& footprint)
{
    const QString unit = QString::fromLatin1(ChartUnit{.system = sizeUnit()}.name());
    DataTable table;
    table.columns << QStringLiteral("device");
    table.titles << tr("Device");
    const auto addColumn = [&](const QString& id, const QString& title) {
        table.columns << id + QLatin1Char('_') + unit.toLower();
        table.titles << tr("%1, %2").arg(title, unit);
    };
    addColumn(QStringLiteral("weights"), tr("Weights"));
    addColumn(QStringLiteral("kv_cache"), tr("KV cache"));
    addColumn(QStringLiteral("waste"), tr("Waste"));
    addColumn(QStringLiteral("overhead"), tr("Overhead"));
    addColumn(QStringLiteral("reserve"), tr("Kept free"));
    addColumn(QStringLiteral("free"), tr("Free"));
    const auto add = [&](const QString& name, const core::DeviceFootprint& device) {
        std::vector<QVariant> row{QVariant(name)};
        const core::MemoryParts& parts = device.parts;
        for (const std::optional<core::Bytes>& bytes :
             {std::optional(parts.weights), std::optional(parts.cache), std::optional(parts.waste),
              std::optional(parts.overhead), std::optional(parts.reserve), device.free()})
            row.push_back(bytes
                              ? QVariant(static_cast<double>(bytes->count()) / ChartUnit{.system = sizeUnit()}.bytes())
                              : QVariant(QString()));
        table.rows.push_back(std::move(row));
    };
    for (const core::DeviceFootprint& device : footprint.devices)
        add(QString::fromStdString(device.name), device);
    if (footprint.host)
        add(tr("host"), *footprint.host);
    return table;
}

} // namespace ui
