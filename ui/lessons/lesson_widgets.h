// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/teaching/lesson.h"
#include "ui/texts.h"
#include "ui/theme.h"

#include <QString>

#include <initializer_list>
#include <string>

class QHBoxLayout;
class QLabel;
class QPushButton;
class QVBoxLayout;
class QWidget;

namespace ui {

/// A label of plain text that breaks into lines and can be copied.
QLabel* lessonLabel(const char* name, QWidget* parent);
/// Shows the text in the role's colour and tells screen readers when it is a new one. A label without text is hidden.
void showText(QLabel& label, const QString& text, Role role = Role::Text);
/// A button at least 26 pixels high.
QPushButton* lessonButton(const char* name, const QString& text, QWidget* parent);
/// The widget with that object name.
template <typename Widget> Widget* named(Widget* widget, const char* name)
{
    widget->setObjectName(QString::fromLatin1(name));
    return widget;
}

/// The column in which the parts of a box stand.
QVBoxLayout* columnIn(QWidget* box);
/// The buttons, with empty room behind them.
QHBoxLayout* rowOfButtons(std::initializer_list<QPushButton*> buttons);

/// A text of the step or of the exercise with its placeholders filled, in the number style of the window.
template <typename StepOrExercise> QString filledText(const std::string& text, const StepOrExercise& speaker)
{
    return QString::fromStdString(core::filled(text, speaker, numberStyle()));
}

} // namespace ui
