// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/teaching/lesson.h"

#include <QList>
#include <QObject>
#include <QString>
#include <QVariant>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ui {

/// How far a lesson has been taken. It is kept in this computer's settings by the lesson's id, and nowhere else.
struct Progress {
    int furthest = 0;    ///< the furthest step that was reached, from 0
    bool done = false;   ///< True once it was taken to the end, whatever was answered.
    bool solved = false; ///< True once each question was answered rightly besides, now or at an earlier time.
};
Progress progressOf(const std::string& lessonId);
/// Forgets the progress of all lessons.
void clearProgress();

/// A lesson while it is taken: at which step it is, what has been predicted and answered, what may be seen and changed.
/// It knows no widget. Its progress is kept unless the lesson has no id.
class LessonRun : public QObject {
    Q_OBJECT

public:
    /// What the learner has done at a step; it is kept while the lesson lasts.
    struct StepState {
        std::optional<double> saidNumber;         ///< the number that was predicted: bytes, percent or a count
        std::optional<int> saidChoice;            ///< the choice that was predicted
        bool skipped = false;                     ///< True where the prediction was skipped.
        std::optional<core::Judgement> judgement; ///< what became of the last number that was answered
        std::optional<int> chosen;                ///< the choice that was answered last
        int wrong = 0;                            ///< how many answers were not right
        int hints = 0;                            ///< how many hints have been shown
        bool solved = false;                      ///< True where the last answer was right.
        bool answerShown = false;                 ///< True where the right answer is shown.
    };

    /// Begins where the learner left off, or at the first step when the lesson was done.
    explicit LessonRun(core::Lesson lesson, QObject* parent = nullptr);

    const core::Lesson& lesson() const { return m_lesson; }
    int count() const { return static_cast<int>(m_lesson.steps.size()); }
    int index() const { return m_index; }
    const core::LessonStep& step() const { return m_lesson.steps.at(static_cast<std::size_t>(m_index)); }
    const StepState& state() const { return m_states.at(static_cast<std::size_t>(m_index)); }
    bool isLast() const { return m_index + 1 == count(); }

    /// True until the step's prediction is made or skipped.
    bool isPredictionOpen() const;
    /// True until the step's question is answered rightly or its answer is shown.
    bool isQuestionOpen() const;
    /// True when nothing is left to do here: the reveal may be read.
    bool isSettled() const { return !isPredictionOpen() && !isQuestionOpen(); }
    /// True while the program's numbers would give away what is to be said: a prediction is open, or a question whose
    /// answer they show.
    bool holdsNumbersBack() const;
    /// The same for numbers that are always in sight otherwise: the size of the weights, and heads and layers.
    bool holdsWeightsBack() const;
    bool holdsLayoutBack() const;
    /// The inputs that may be changed now. While numbers are held back that is none but the one that the marker
    /// changes.
    std::vector<core::Field> controls() const;
    bool mayChange(core::Field field) const;

    /// Commits to a typed number. Where it cannot be read, the message says why and nothing happens.
    core::Message predict(const QString& typed);
    void predictNumber(double number);
    void predictChoice(int choice);
    void skipPrediction();
    /// The unit in which a number without one is read, "KiB"; empty where there is no choice.
    QString predictionUnit() const;
    /// "You said …, it is …: off by …", for a number that was predicted; empty before. Where the question asks for the
    /// same number, the message leaves out what it is until the question is answered.
    core::Message predictionResult() const;

    /// Judges a typed answer, or a choice as an answer.
    void answer(const QString& typed);
    void choose(int choice);
    bool hasHint() const;
    void showHint();
    void showAnswer();

    void next();
    void back();

signals:
    /// Something happened at the step.
    void changed();
    /// Another step has begun.
    void stepBegan();

private:
    StepState& mutableState() { return m_states.at(static_cast<std::size_t>(m_index)); }
    /// The right number of what is predicted.
    std::optional<double> rightPrediction() const;
    void takeResult(bool right);
    void begin(int index);
    void keepAndTell();
    void keepProgress() const;
    bool isSolvedBy(const QList<QVariant>& solvedSteps) const;

    core::Lesson m_lesson;
    std::vector<StepState> m_states;
    int m_index = 0;
};

} // namespace ui
