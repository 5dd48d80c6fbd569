// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/picker.h"

#include "ui/value_box.h"

#include <QCompleter>
#include <QLineEdit>
#include <QWheelEvent>

namespace ui {

Picker::Picker(QWidget* parent) : QComboBox(parent)
{
    setLineEdit(new TextBox(this)); // makes it editable
    setInsertPolicy(QComboBox::NoInsert);
    setFocusPolicy(Qt::StrongFocus);
    setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    setMinimumContentsLength(10);
    completer()->setCompletionMode(QCompleter::PopupCompletion);
    completer()->setFilterMode(Qt::MatchContains);
    completer()->setCaseSensitivity(Qt::CaseInsensitive);
    // QComboBox would choose the entry of that name whenever focus leaves, though nothing was typed: a model of a file
    // that is called like one of the list would be lost.
    for (const char* signal : {SIGNAL(returnPressed()), SIGNAL(editingFinished())})
        disconnect(lineEdit(), signal, this, nullptr);
    connect(lineEdit(), &QLineEdit::returnPressed, this, &Picker::enter);
    connect(lineEdit(), &QLineEdit::editingFinished, this, &Picker::finishTyping);
}

void Picker::showEntry(int index, const QString& text)
{
    const QSignalBlocker blocker(this);
    if (currentIndex() != index)
        setCurrentIndex(index);
    m_shown = text;
    if (currentText() != text && !(lineEdit()->hasFocus() && lineEdit()->isModified()))
        setEditText(text);
    lineEdit()->setCursorPosition(0);
}

/// A part of a name stands for the first entry that the list under it shows.
void Picker::enter()
{
    const QString typed = currentText();
    if (!lineEdit()->isModified() || findText(typed, Qt::MatchFixedString) >= 0)
        return;
    completer()->setCompletionPrefix(typed);
    if (typed.isEmpty() || completer()->completionCount() == 0)
        emit otherEntered(typed);
    else
        lineEdit()->setText(completer()->currentCompletion());
    lineEdit()->setModified(true); // as typed, for what follows
}

void Picker::finishTyping()
{
    if (!lineEdit()->isModified())
        return;
    lineEdit()->setModified(false);
    const int exact = findText(currentText(), Qt::MatchFixedString);
    if (exact >= 0 && (exact != currentIndex() || itemText(exact) != m_shown))
        emit activated(exact);
    else
        setEditText(m_shown);
}

void Picker::wheelEvent(QWheelEvent* event)
{
    if (hasFocus() || lineEdit()->hasFocus())
        QComboBox::wheelEvent(event);
    else
        event->ignore();
}

Choice::Choice(QWidget* parent) : QComboBox(parent)
{
    setFocusPolicy(Qt::StrongFocus);
}

void Choice::wheelEvent(QWheelEvent* event)
{
    if (hasFocus())
        QComboBox::wheelEvent(event);
    else
        event->ignore();
}

} // namespace ui
