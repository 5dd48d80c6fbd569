// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <QString>
#include <QStringList>
#include <QVariant>

#include <vector>

namespace ui {

/// The numbers of a chart as a table: column names with their units, rows of whole bytes and counts. The same value is
/// shown beside the chart, copied, and written as CSV.
struct DataTable {
    QStringList columns;                     ///< with units: "kv_cache_bytes"
    QStringList titles;                      ///< for people: "KV cache, bytes"
    std::vector<std::vector<QVariant>> rows; ///< qint64, double or text

    /// UTF-8, comma, dot, one header line, whatever the locale.
    QString csv() const;
    /// Tab-separated, with the titles, numbers by the locale: for the clipboard.
    QString tabbed() const;

    friend bool operator==(const DataTable&, const DataTable&) = default;
};

/// Shows a DataTable in a QTableView.
class DataTableModel : public QAbstractTableModel {
    Q_OBJECT

public:
    using QAbstractTableModel::QAbstractTableModel;

    void setTable(DataTable table);
    const DataTable& table() const { return m_table; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    DataTable m_table;
};

} // namespace ui
