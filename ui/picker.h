// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>

namespace ui {

/// A combo box for long lists: typing narrows the list to the entries that contain the text. Text that names no entry
/// is put back when focus leaves. Only a choice by a person emits QComboBox::activated.
class Picker : public QComboBox {
    Q_OBJECT

public:
    explicit Picker(QWidget* parent = nullptr);

    /// Shows entry `index`, or `text` that is no entry (-1).
    void showEntry(int index, const QString& text);

signals:
    /// Enter was pressed on a text that names no entry; it is put back.
    void otherEntered(const QString& text);

protected:
    void wheelEvent(QWheelEvent* event) override;

private:
    void enter();
    void finishTyping();

    QString m_shown;
};

/// A short list; the wheel works only with focus.
class Choice : public QComboBox {
    Q_OBJECT

public:
    explicit Choice(QWidget* parent = nullptr);

protected:
    void wheelEvent(QWheelEvent* event) override;
};

} // namespace ui
