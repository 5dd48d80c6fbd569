// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/manual_text.h"

#include "app/text_table.h"
#include "ui/help/manual.h"

#include <QRegularExpression>
#include <QStringList>

#include <algorithm>

namespace app {

namespace {

/// Markdown as it stands in the file, where lines are short, but with links that say what to type.
std::string readable(QString markdown)
{
    static const QRegularExpression link(QStringLiteral(R"(\[([^\]]+)\]\((\w+)\.md\))"));
    return markdown.replace(link, QStringLiteral("\\1 (kvhorizon help \\2)")).toStdString();
}

} // namespace

std::string manualTopicsText()
{
    TextTable table({Align::Left, Align::Left});
    for (const ui::ManualTopic& topic : ui::manualTopics())
        table.add({topic.name.toStdString(), topic.summary.toStdString()});
    return "\"kvhorizon help TOPIC\" prints a topic of the manual; F1 in the window shows all of them.\n\n" +
           table.text();
}

core::Result<std::string> manualTopicText(const std::string& name)
{
    const std::vector<ui::ManualTopic> topics = ui::manualTopics();
    const auto topic = std::ranges::find(topics, QString::fromStdString(name), &ui::ManualTopic::name);
    if (topic != topics.end())
        return readable(ui::manualText(topic->name));
    QStringList names;
    for (const ui::ManualTopic& known : topics)
        names.push_back(known.name);
    return core::fail("The manual has no topic \"{0}\"; its topics are {1}.",
                      {name, names.join(QStringLiteral(", ")).toStdString()});
}

} // namespace app
