// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/lesson_widgets.h"

#include <QAccessible>
#include <QLabel>
#include <QPushButton>

namespace ui {

QLabel* wordLabel(const char* name, QWidget* parent)
{
    auto* label = new QLabel(parent);
    label->setObjectName(QString::fromLatin1(name));
    label->setFont(fontOf(Type::Body));
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    label->hide();
    return label;
}

void tell(QLabel& label, const QString& text, Role role)
{
    QPalette palette;
    palette.setColor(QPalette::WindowText, Theme::of(label.palette()).color(role));
    label.setPalette(palette);
    const bool news = label.text() != text;
    label.setText(text);
    label.setVisible(!text.isEmpty());
    if (news && !text.isEmpty()) {
        QAccessibleEvent event(&label, QAccessible::Alert);
        QAccessible::updateAccessibility(&event);
    }
}

QPushButton* button(const char* name, const QString& text, QWidget* parent)
{
    auto* made = new QPushButton(text, parent);
    made->setObjectName(QString::fromLatin1(name));
    made->setFont(fontOf(Type::Body));
    made->setMinimumHeight(26);
    return made;
}

} // namespace ui
