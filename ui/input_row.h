// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/scenario/inputs.h"

#include <QWidget>

class QLabel;
class QVBoxLayout;

namespace ui {

class CountSlider;

/// One input of the panel: its label, the box, list or slider that edits it, and what is wrong with it.
class InputRow : public QWidget {
    Q_OBJECT

public:
    /// The row of the table must outlive the widget.
    explicit InputRow(const core::Input& input, QWidget* parent = nullptr);

    /// Shows the value of the scenario. Text that a person is typing right now is left alone.
    void showValue(const core::Scenario& scenario);
    /// Shows what the input takes from the model: the numbers of KV heads, or how far the slider goes.
    void showModel(const core::Model& model);
    void showIssue(const QString& issue);
    /// The text that stands pale in the empty box.
    void setPlaceholder(const QString& text);
    /// Gives the scenario the value of an entry of the list.
    void choose(core::Scenario& scenario, int entry) const;

signals:
    /// Text that a person finished.
    void typed(const QString& text);
    /// A person chose an entry of the list.
    void chosen(int entry);
    /// The slider was moved.
    void slid(int value);
    /// A drag of the slider begins or ends.
    void gestureStarted();
    void gestureEnded();

private:
    QWidget* makeEditor();
    void addSlider(QVBoxLayout* column);

    const core::Input& m_input;
    QWidget* m_editor;
    QLabel* m_label = nullptr;
    QLabel* m_issue = nullptr;
    CountSlider* m_slider = nullptr;
    QLabel* m_range = nullptr; ///< Says how far the slider goes.
};

/// A small pale text that explains an input.
QLabel* makeCaption(QWidget* parent);
/// The text below an input that says what is wrong with it; hidden until it is given. `id` names the input.
QLabel* makeIssue(QWidget* parent, const QString& id);
/// Adds an editor with its label before it, which is returned.
QLabel* addLabelled(QVBoxLayout* layout, const QString& label, QWidget* editor);
/// Shows the text, or hides the label where there is none.
void setTextIfNew(QLabel* label, const QString& text);

} // namespace ui
