// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sizing/explain.h"

#include <QFrame>
#include <QString>

#include <functional>

class QMenu;
class QTextBrowser;

namespace ui {

/// A number opened up: formula, steps with their numbers, the origin of each input, the sources. Closes with Escape or
/// a click outside; its text can be selected and copied.
class ExplainPopup : public QFrame {
    Q_OBJECT

public:
    explicit ExplainPopup(QWidget* parent);

    /// Shows the derivation with its upper left corner near `globalPlace`, within the screen.
    void showAt(const core::Derivation& derivation, const QPoint& globalPlace);

    /// The text shown.
    QString plainText() const;

private:
    QTextBrowser* m_text;
};

/// "KV cache", "Weights", … in the user's language.
QString quantityName(core::Quantity quantity);

/// Adds an entry for each number that can be explained.
void addQuantities(QMenu& menu, const std::function<void(core::Quantity)>& choose);

/// The right-hand side of a step with its numbers, "2 · 32 · 8", and what comes of it.
QString stepExpression(const core::Step& step);
QString stepResult(const core::Step& step);

} // namespace ui
