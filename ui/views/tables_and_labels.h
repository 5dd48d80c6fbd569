// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme.h"

#include <QString>

class QAbstractItemModel;
class QLabel;
class QTableView;
class QWidget;

namespace ui {

/// A label with text that wraps and can be copied.
QLabel* wordLabel(Type type, QWidget* parent);

/// The title of a section.
QLabel* titleLabel(const QString& title, QWidget* parent);

/// Sets the label's text and hides the label where the text is empty.
void setTextIfAny(QLabel& label, const QString& text);

/// A table with a scroll bar of its own. `name` is the object's name, `title` what screen readers call it.
QTableView* scrolledTable(QAbstractItemModel* model, const char* name, const QString& title, QWidget* parent);

/// A table as high as its rows, which are as high as their texts: what it stands on scrolls, not the table.
QTableView* wholeTable(QAbstractItemModel* model, const char* name, const QString& title, QWidget* parent);
/// Gives such a table the width and height of what it shows.
void fitTable(QTableView& view);

} // namespace ui
