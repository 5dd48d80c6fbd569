// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs.h"

#include "ui/texts.h"

#include <QComboBox>
#include <QCoreApplication>
#include <QLineEdit>
#include <QMessageBox>

namespace ui {

void complain(QWidget* parent, const core::Message& message)
{
    QMessageBox::warning(parent, QCoreApplication::translate("ui::MainWindow", "KV Horizon"), text(message));
}

void showAbout(QWidget* parent)
{
    QMessageBox::about(parent, QCoreApplication::translate("ui::MainWindow", "About KV Horizon"),
                       QCoreApplication::translate(
                           "ui::MainWindow",
                           "KV Horizon %1 shows how a transformer's KV cache grows and when it meets the memory "
                           "of a GPU. It works offline. Licence: GPL-3.0-or-later.")
                           .arg(QCoreApplication::applicationVersion()));
}

void commitTyping(const QWidget& window)
{
    QWidget* typing = window.focusWidget();
    if (const auto* list = qobject_cast<QComboBox*>(typing))
        typing = list->lineEdit();
    if (auto* box = qobject_cast<QLineEdit*>(typing))
        emit box->editingFinished();
}

QString menuText(QString name)
{
    return name.replace(QLatin1Char('&'), QLatin1String("&&"));
}

} // namespace ui
