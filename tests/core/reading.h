// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/format.h"
#include "core/result.h"

#include <QString>
#include <QStringList>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>

/// The bytes of a file; empty when it cannot be read.
inline std::string contentOf(const std::string& path)
{
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
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
