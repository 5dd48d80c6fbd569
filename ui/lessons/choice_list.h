// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QWidget>

class QRadioButton;
class QVBoxLayout;

namespace ui {

/// Answers to choose from, one below the other; long ones break into lines.
class ChoiceList : public QWidget {
    Q_OBJECT

public:
    explicit ChoiceList(QWidget* parent = nullptr);

    /// Offers these; none is chosen.
    void setChoices(const QStringList& choices);
    /// The one that is chosen; -1: none is.
    int chosen() const;
    void choose(int choice);

signals:
    void picked();

private:
    QVBoxLayout* m_column;
    QList<QRadioButton*> m_buttons;
};

} // namespace ui
