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

/// Takes the learner's prediction: a number, a choice, or the marker's place in the chart. Afterwards it shows what was
/// said, what is right, and the factor between them.
class PredictionBox : public QWidget {
    Q_OBJECT

public:
    explicit PredictionBox(QWidget* parent = nullptr);

    /// Shows the prediction of the present step afresh; hides where there is none.
    void begin(LessonRun& run);
    /// Shows what has happened since.
    void refresh();
    /// Takes the number of tokens at which the chart's marker stands.
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
