// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/model.h"
#include "core/readers/gguf/gguf_model.h"
#include "tests/core/readers/weight_files.h"

#include <QString>
#include <QStringList>

#include <string>
#include <vector>

namespace tests {

/// "8", "8x5" (five times 8), "true".
inline void addEntries(std::vector<int>& list, const QString& entry)
{
    const QStringList parts = entry.split('x');
    const int value = parts[0] == "true" ? 1 : parts[0].toInt();
    list.insert(list.end(), parts.size() > 1 ? parts[1].toUInt() : 1U, value);
}

/// Adds keys of the architecture from text such as "block_count=2 attention.head_count_kv=[0,8x3]*2 x.pattern=[t,f]":
/// a number, or a list that is repeated; t and f are true and false, "full" and "shared" are texts.
// NOLINTNEXTLINE(readability-function-cognitive-complexity): a small language, read in one place.
inline void addKeys(GgufWriter& writer, const std::string& architecture, const QString& keys)
{
    for (const QString& word : keys.split(' ', Qt::SkipEmptyParts)) {
        const QString key = word.section('=', 0, 0);
        const QString value = word.section('=', 1);
        const std::string whole = architecture + "." + key.toStdString();
        if (!value.startsWith('[')) {
            writer.number(whole, value.toUInt());
            continue;
        }
        const QString inside = value.section('[', 1).section(']', 0, 0);
        const int times = std::max(value.section('*', 1).toInt(), 1);
        std::vector<int> list;
        std::vector<std::string> texts;
        for (int i = 0; i < times; ++i) {
            for (const QString& entry : inside.split(',')) {
                if (entry == "full" || entry == "shared")
                    texts.push_back(entry.toStdString());
                else
                    addEntries(list, QString(entry).replace('t', '1').replace('f', '0'));
            }
        }
        const bool flags = inside.contains('t') || inside.contains('f');
        if (texts.empty())
            writer.list(whole, list, flags ? GgufWriter::Bool : GgufWriter::I32);
        else
            writer.texts(whole, texts);
    }
}

/// The model of a GGUF file without tensors.
inline core::Result<core::Model> ggufModel(const std::string& architecture, const QString& keys)
{
    GgufWriter writer;
    writer.text("general.architecture", architecture);
    addKeys(writer, architecture, keys);
    SparseSource source(writer.file());
    return core::readers::readGgufModel(source, "a.gguf", SparseFolder());
}

/// "full 8 512+512; window 40 2048+2048 w1024": kind, layers, elements of K and V, window, ratio.
inline QString groupsOf(const core::Model& model)
{
    QStringList result;
    for (const core::CacheGroup& group : model.groups) {
        const auto [k, v] = entryParts(group, core::KvFormat::Fp16, core::KvFormat::Fp16);
        QString text = QStringLiteral("%1 %2").arg(QString::fromUtf8(id(group.kind).data())).arg(group.layers.count());
        if (k.elements + v.elements > 0)
            text += QStringLiteral(" %1+%2").arg(k.elements).arg(v.elements);
        if (group.window > 0)
            text += QStringLiteral(" w%1").arg(group.window);
        if (group.ratio > 0)
            text += QStringLiteral(" /%1").arg(group.ratio);
        result << text;
    }
    return result.join("; ");
}

} // namespace tests
