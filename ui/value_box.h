// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLineEdit>

namespace ui {

/// A box for text in which undo and redo are of what is being typed, and of the scenario when nothing is.
class TextBox : public QLineEdit {
    Q_OBJECT

public:
    using QLineEdit::QLineEdit;

protected:
    bool event(QEvent* event) override;
};

/// A box for a number as people type it ("8K", "24GiB", "20"). It only carries text: who owns it reads and writes it.
/// Text is committed by Enter or when focus leaves; Escape brings back what was shown.
class ValueBox : public TextBox {
    Q_OBJECT

public:
    explicit ValueBox(QWidget* parent = nullptr);

    /// Shows a value of the scenario. Text that a person is typing right now is left alone.
    void showText(const QString& text);

signals:
    /// Text that a person finished and that differs from what was shown or finished before.
    void committed(const QString& text);

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void commit();
    void finish();

    QString m_shown;    ///< the scenario's value
    QString m_finished; ///< what was shown or committed last; differs from `m_shown` where it could not be read
};

} // namespace ui
