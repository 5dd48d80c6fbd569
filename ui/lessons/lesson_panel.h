// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <cstdint>

class QLabel;
class QPushButton;
class QScrollArea;
class QVBoxLayout;

namespace ui {

class LessonRun;
class MarkdownView;
class PredictionBox;
class QuestionBox;

/// Shows a lesson beside the charts: the step's text, its prediction, its question and what it reveals, with buttons to
/// go back, on and away. Page Up and Page Down scroll the text.
class LessonPanel : public QWidget {
    Q_OBJECT

public:
    explicit LessonPanel(QWidget* parent = nullptr);

    /// What comes when the lesson is finished; empty where nothing does.
    struct After {
        QString title;
        QString action; ///< the text of the button that leads there
    };
    /// Shows the lesson from its present step on.
    void show(LessonRun& run, const After& after);
    using QWidget::show;
    /// Lets go of the lesson.
    void clear();
    /// Takes the number of tokens at which the chart's marker stands.
    void setContext(std::int64_t context);
    /// Shows the whole step afresh, also when units or colours have changed.
    void beginStep();

signals:
    /// The learner wants to leave the lesson.
    void leaveRequested();
    /// The learner goes on from the last step.
    void finished();

protected:
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void createHead(QVBoxLayout* column);
    void createBody(QVBoxLayout* column);
    void createFoot(QVBoxLayout* column);
    void refresh();
    void scrollToNews();

    LessonRun* m_run = nullptr;
    After m_after;
    QLabel* m_title = nullptr;
    QLabel* m_place = nullptr;
    QLabel* m_stepTitle = nullptr;
    QLabel* m_held = nullptr;
    MarkdownView* m_text = nullptr;
    PredictionBox* m_prediction = nullptr;
    QuestionBox* m_question = nullptr;
    MarkdownView* m_reveal = nullptr;
    QLabel* m_think = nullptr;
    MarkdownView* m_reflection = nullptr;
    QScrollArea* m_scroll = nullptr;
    QPushButton* m_back = nullptr;
    QPushButton* m_next = nullptr;
};

} // namespace ui
