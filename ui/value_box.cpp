// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/value_box.h"

#include <QKeyEvent>

namespace ui {

bool TextBox::event(QEvent* event)
{
    if (event->type() == QEvent::ShortcutOverride && !isModified()) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->matches(QKeySequence::Undo) || key->matches(QKeySequence::Redo)) {
            event->ignore(); // the menu's shortcut gets it
            return true;
        }
    }
    return QLineEdit::event(event);
}

ValueBox::ValueBox(QWidget* parent) : TextBox(parent)
{
    setAlignment(Qt::AlignRight);
    connect(this, &QLineEdit::editingFinished, this, &ValueBox::commit);
}

void ValueBox::showText(const QString& text)
{
    m_shown = text;
    if (!(hasFocus() && isModified()) && this->text() != text)
        setText(text);
    if (!isModified())
        m_finished = this->text();
}

void ValueBox::commit()
{
    if (!isModified())
        return;
    setModified(false);
    finish();
}

void ValueBox::finish()
{
    if (text() == m_finished)
        return;
    m_finished = text();
    emit committed(text());
}

void ValueBox::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape && text() != m_shown) {
        setText(m_shown);
        selectAll();
        finish();
        return;
    }
    QLineEdit::keyPressEvent(event);
}

} // namespace ui
