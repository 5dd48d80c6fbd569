// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/value_box.h"

#include <QKeyEvent>

namespace ui {

ValueBox::ValueBox(QWidget* parent) : QLineEdit(parent)
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
