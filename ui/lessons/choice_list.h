// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QWidget>

class QRadioButton;
class QVBoxLayout;

namespace ui {

/// Answers to choose from, one below the other. Long ones break into lines.
class ChoiceList : public QWidget {
    Q_OBJECT

public:
    explicit ChoiceList(QWidget* parent = nullptr);

    /// Offers these answers, none of which is chosen yet.
    void setChoices(const QStringList& choices);
    /// The number of the chosen answer, from 0; -1 when none is chosen.
    int chosen() const;
    /// Chooses the answer with that number; does nothing when there is none.
    void choose(int choice);

signals:
    /// Another answer has been chosen.
    void picked();

private:
    QVBoxLayout* m_column;
    QList<QRadioButton*> m_buttons;
};

} // namespace ui
