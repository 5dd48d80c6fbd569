// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QActionGroup;
class QMenu;
class QWidget;

namespace ui {

class Session;
class ViewTabs;

/// Adds an entry for each picture that exports it. The entries join the group, which is enabled while there are numbers
/// to be told. Dialogs come up before `window`.
void addExports(QMenu& file, QActionGroup& numbers, const Session& session, ViewTabs& views, QWidget& window);

/// Adds the entries that copy each picture, then those that copy its numbers. They join the group, too.
void addCopies(QMenu& edit, QActionGroup& numbers, ViewTabs& views);

} // namespace ui
