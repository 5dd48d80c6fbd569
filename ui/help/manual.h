// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QUrl>

#include <vector>

namespace ui {

// The manual is compiled into the program as the Markdown files of resources/manual, which are read when they are asked
// for.

/// A topic of the manual, as its table of contents lists it.
struct ManualTopic {
    QString name;    ///< The name that is typed on the command line; it is also that of the file: "engines".
    QString title;   ///< The title in the list of the window: "Engines".
    QString summary; ///< A line that says what the topic tells.
};

/// The topics in the order in which they are listed.
std::vector<ManualTopic> manualTopics();

/// The Markdown of a topic. The topic must be one of `manualTopics`.
QString manualText(const QString& name);

/// The address at which a text browser finds the topic.
QUrl manualAddress(const QString& name);

} // namespace ui
