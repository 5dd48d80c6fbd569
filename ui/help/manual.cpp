// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/help/manual.h"

#include <QRegularExpression>
#include <QResource>

namespace ui {

std::vector<ManualTopic> manualTopics()
{
    // "- [Engines](engines.md): What each engine reserves beyond the equation."
    static const QRegularExpression row(QStringLiteral(R"(^- \[(.+)\]\((.+)\.md\): (.+)$)"),
                                        QRegularExpression::MultilineOption);
    std::vector<ManualTopic> topics;
    const QString contents = manualText(QStringLiteral("contents"));
    for (auto rows = row.globalMatch(contents); rows.hasNext();) {
        const QRegularExpressionMatch match = rows.next();
        topics.push_back({match.captured(2), match.captured(1), match.captured(3)});
    }
    return topics;
}

QString manualText(const QString& name)
{
    return QString::fromUtf8(QResource(QStringLiteral(":/manual/%1.md").arg(name)).uncompressedData());
}

QUrl manualAddress(const QString& name)
{
    return QUrl(QStringLiteral("qrc:/manual/%1.md").arg(name));
}

} // namespace ui
