// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/data_table.h"

#include "ui/texts.h"

#include <QLocale>

#include <utility>

namespace ui {

namespace {

QString plain(const QVariant& value)
{
    if (value.typeId() == QMetaType::Double)
        return QLocale::c().toString(value.toDouble(), 'f', 6);
    if (value.typeId() == QMetaType::LongLong)
        return QString::number(value.toLongLong());
    QString text = value.toString();
    if (!text.contains(QLatin1Char(',')) && !text.contains(QLatin1Char('"')))
        return text;
    return QLatin1Char('"') + text.replace(QLatin1String("\""), QLatin1String("\"\"")) + QLatin1Char('"');
}

QString localised(const QVariant& value)
{
    if (value.typeId() == QMetaType::Double)
        return QLocale().toString(value.toDouble(), 'f', 3);
    if (value.typeId() == QMetaType::LongLong)
        return countText(value.toLongLong());
    return value.toString();
}

template <typename Write>
QString lines(const QStringList& header, const std::vector<std::vector<QVariant>>& rows, QChar separator, Write write)
{
    QString text = header.join(separator) + QLatin1Char('\n');
    for (const std::vector<QVariant>& row : rows) {
        QStringList cells;
        for (const QVariant& value : row)
            cells << write(value);
        text += cells.join(separator) + QLatin1Char('\n');
    }
    return text;
}

} // namespace

QString DataTable::csv() const
{
    return lines(columns, rows, QLatin1Char(','), plain);
}

QString DataTable::tabbed() const
{
    return lines(titles, rows, QLatin1Char('\t'), localised);
}

void DataTableModel::setTable(DataTable table)
{
    if (table == m_table)
        return;
    beginResetModel();
    m_table = std::move(table);
    endResetModel();
}

int DataTableModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_table.rows.size());
}

int DataTableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_table.titles.size());
}

QVariant DataTableModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const QVariant& value =
        m_table.rows.at(static_cast<std::size_t>(index.row())).at(static_cast<std::size_t>(index.column()));
    if (role == Qt::DisplayRole)
        return localised(value);
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>((value.typeId() == QMetaType::QString ? Qt::AlignLeft : Qt::AlignRight) |
                                Qt::AlignVCenter);
    return {};
}

QVariant DataTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (role != Qt::DisplayRole || orientation != Qt::Horizontal)
        return {};
    return m_table.titles.value(section);
}

} // namespace ui
