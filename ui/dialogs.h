// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/text/message.h"

#include <QString>

class QWidget;

namespace ui {

/// Says in a box what went wrong.
void complain(QWidget* parent, const core::Message& message);

/// Tells what the program is, its version and its licence.
void showAbout(QWidget* parent);

/// Takes over what stands in the box that has the focus, as when the focus leaves it.
void commitTyping(const QWidget& window);

/// A name as the text of a menu entry, in which "&" stands for itself.
QString menuText(QString name);

} // namespace ui
