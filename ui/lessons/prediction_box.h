// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <cstdint>

class QLabel;
class QPushButton;

namespace ui {

class ChoiceList;
class LessonRun;
class MarkdownView;
class TextBox;

/// What the learner commits to: a number, a choice, or the marker's place in the chart. Afterwards what was said, what
/// is, and the factor between.
class PredictionBox : public QWidget {
    Q_OBJECT

public:
    explicit PredictionBox(QWidget* parent = nullptr);

    /// Shows the prediction of the present step, anew; hides where there is none.
    void begin(LessonRun& run);
    /// Follows what has happened.
    void refresh();
    /// Where the marker stands.
    void setContext(std::int64_t context);

private:
    void commit();
    bool isMarker() const;
    void showResult();

    LessonRun* m_run = nullptr;
    std::int64_t m_context = 0;
    MarkdownView* m_text;
    QLabel* m_marker;
    TextBox* m_number;
    ChoiceList* m_choices;
    QPushButton* m_commit;
    QPushButton* m_skip;
    QLabel* m_gap;
    MarkdownView* m_diagnosis;
};

} // namespace ui
