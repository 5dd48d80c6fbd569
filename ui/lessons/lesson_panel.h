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

/// A lesson beside the charts: the step's text, what to predict, what is asked, what it shows; back, next, leave. Page
/// Up and Page Down scroll the text.
class LessonPanel : public QWidget {
    Q_OBJECT

public:
    explicit LessonPanel(QWidget* parent = nullptr);

    /// What comes when the lesson is finished; empty: nothing.
    struct After {
        QString title;
        QString action; ///< of the button that leads there
    };
    /// Shows the lesson from its present step on.
    void show(LessonRun& run, const After& after);
    using QWidget::show;
    /// Lets go of the lesson.
    void clear();
    /// Where the chart's marker stands.
    void setContext(std::int64_t context);
    /// Shows everything anew: units or colours have changed.
    void beginStep();

signals:
    void leaveRequested();
    /// Next at the last step.
    void finished();

protected:
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void createHead(QVBoxLayout* column);
    void createBody(QVBoxLayout* column);
    void createFoot(QVBoxLayout* column);
    void refresh();
    void revealNews();

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
