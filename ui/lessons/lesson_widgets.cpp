// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/lesson_widgets.h"

#include <QAccessible>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace ui {

QLabel* lessonLabel(const char* name, QWidget* parent)
{
    auto* label = named(new QLabel(parent), name);
    label->setFont(fontOf(Type::Body));
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    label->hide();
    return label;
}

void showText(QLabel& label, const QString& text, Role role)
{
    QPalette palette;
    palette.setColor(QPalette::WindowText, Theme::of(label.palette()).color(role));
    label.setPalette(palette);
    const bool isNew = label.text() != text;
    label.setText(text);
    label.setVisible(!text.isEmpty());
    if (isNew && !text.isEmpty()) {
        QAccessibleEvent event(&label, QAccessible::Alert);
        QAccessible::updateAccessibility(&event);
    }
}

QPushButton* lessonButton(const char* name, const QString& text, QWidget* parent)
{
    auto* button = named(new QPushButton(text, parent), name);
    button->setFont(fontOf(Type::Body));
    button->setMinimumHeight(26);
    return button;
}

QVBoxLayout* columnIn(QWidget* box)
{
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2 * kSpace);
    return column;
}

QHBoxLayout* rowOfButtons(std::initializer_list<QPushButton*> buttons)
{
    auto* row = new QHBoxLayout;
    row->setSpacing(kSpace);
    for (QPushButton* button : buttons)
        row->addWidget(button);
    row->addStretch();
    return row;
}

} // namespace ui
