// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/text/format.h"
#include "core/text/result.h"

#include <QString>
#include <QStringList>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

/// The bytes of a file; empty when it cannot be read.
inline std::string contentOf(const std::string& path)
{
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

/// A row of a table of expected values, by column.
using TableRow = std::map<QString, QString>;

/// The rows of a tab-separated file whose first line names the columns; lines that start with # are remarks.
inline std::vector<TableRow> tableRows(const std::string& path)
{
    std::vector<TableRow> rows;
    QStringList columns;
    for (const QString& line : QString::fromStdString(contentOf(path)).split('\n', Qt::SkipEmptyParts)) {
        if (line.startsWith('#'))
            continue;
        const QStringList fields = line.split('\t');
        if (columns.isEmpty()) {
            columns = fields;
            continue;
        }
        TableRow row;
        for (qsizetype i = 0; i < columns.size(); ++i)
            row[columns[i]] = fields.value(i);
        rows.push_back(row);
    }
    return rows;
}

/// The error's sentence in English; empty when there is none.
template <typename T> QString errorOf(const core::Result<T>& result)
{
    return result ? QString() : QString::fromStdString(core::english(result.error().message));
}

/// True when the sentence contains all of `words`, which are separated by "|".
inline bool saysAll(const QString& sentence, const QString& words)
{
    const QStringList parts = words.split(QLatin1Char('|'));
    return !sentence.isEmpty() &&
           std::all_of(parts.begin(), parts.end(), [&](const QString& part) { return sentence.contains(part); });
}
