// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/teaching/lesson.h"

#include <QWidget>

class QLabel;
class QPushButton;

namespace ui {

class ChoiceList;
class LessonRun;
class MarkdownView;
class TextBox;

/// Asks the question of a step: an answer to type or to choose, hints one by one, what is wrong with an answer, and the
/// right one with its explanation.
class QuestionBox : public QWidget {
    Q_OBJECT

public:
    explicit QuestionBox(QWidget* parent = nullptr);

    /// Shows the question of the present step afresh.
    void begin(LessonRun& run);
    /// Shows what has happened since; hides while a prediction comes first, or where nothing is asked.
    void refresh();

private:
    void createLayout();
    void check();
    void showHints(const core::Exercise& exercise);
    void showTries();
    void showNumber(const core::Exercise& exercise);
    void showChoice(const core::ChoiceQuestion& question);

    LessonRun* m_run = nullptr;
    MarkdownView* m_text;
    TextBox* m_answer;
    ChoiceList* m_choices;
    QPushButton* m_check;
    QPushButton* m_hint;
    QPushButton* m_show;
    QLabel* m_tries;
    QLabel* m_result;
    QLabel* m_diagnoses;
    MarkdownView* m_diagnosis; ///< what is said of the chosen answer
    MarkdownView* m_hints;
    QLabel* m_right;
    MarkdownView* m_explanation;
};

} // namespace ui
