// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme.h"

#include <QString>

class QLabel;
class QPushButton;
class QWidget;

namespace ui {

/// A label of plain text that breaks into lines and can be copied.
QLabel* wordLabel(const char* name, QWidget* parent);
/// Shows the text in the role's colour and tells screen readers of a new one; nothing is seen of an empty one.
void tell(QLabel& label, const QString& text, Role role = Role::Text);
/// A button at least 26 pixels high.
QPushButton* button(const char* name, const QString& text, QWidget* parent);

} // namespace ui
