// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sizing/evaluation.h"
#include "ui/theme.h"

#include <QString>

class QAbstractItemModel;
class QLabel;
class QTableView;
class QWidget;

namespace ui {

// What pages of text and tables are made of.

/// Words that wrap and can be copied.
QLabel* wordLabel(Type type, QWidget* parent);

/// The title of a section.
QLabel* titleLabel(const QString& title, QWidget* parent);

/// Hidden where there is no text.
void setTextIfAny(QLabel& label, const QString& text);

/// Says why nothing can be shown where `evaluation` has issues; hidden where it has none.
void showReason(QLabel& label, const core::Evaluation& evaluation);

/// In it what is disabled is as pale as an old chart; all else is inherited.
QPalette fadedPalette(const Theme& theme);

/// A table as high as its rows, which are as high as their texts: the page scrolls, not the table. `name` is the
/// object's name.
QTableView* tableView(QAbstractItemModel* model, const char* name, const QString& title, QWidget* parent);
/// Gives the table the width and height of what it shows.
void fitTable(QTableView& view);

} // namespace ui
