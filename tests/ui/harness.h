// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/core/catalogue.h"
#include "ui/catalogue.h"

#include <QLineEdit>
#include <QTest>
#include <QWidget>

namespace tests {

/// The published catalogues, for the pickers.
inline const ui::Catalogue& catalogue()
{
    static const ui::Catalogue both{models(), gpus()};
    return both;
}

/// The child of that name; there must be one.
template <typename Widget> Widget* child(const QWidget& parent, const char* name)
{
    auto* found = parent.findChild<Widget*>(QString::fromUtf8(name));
    if (found == nullptr)
        qFatal("There is no %s.", name);
    return found;
}

/// Replaces the box's text as a person does, up to Enter.
inline void typeInto(QLineEdit* box, const QString& text)
{
    box->setFocus();
    box->selectAll();
    QTest::keyClicks(box, text);
    QTest::keyClick(box, Qt::Key_Return);
}

/// Shows the window and waits until it has the focus.
inline bool showActive(QWidget& window)
{
    window.show();
    window.activateWindow();
    return QTest::qWaitForWindowActive(&window);
}

} // namespace tests
