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

/// How far a lesson has been taken. Kept in this computer's settings by the lesson's id, nowhere else.
struct Progress {
    int furthest = 0;    ///< step
    bool done = false;   ///< taken to the end, whatever was answered
    bool solved = false; ///< and each question was answered rightly, at this time or an earlier one
};
Progress progressOf(const std::string& lessonId);
/// Forgets the progress of all lessons.
void clearProgress();

/// A lesson while it is taken: at which step, what has been predicted and answered, what may be seen and changed. Knows
/// no widget. Progress is kept unless the lesson has no id.
class LessonRun : public QObject {
    Q_OBJECT

public:
    /// What the learner has done at a step; kept while the lesson lasts.
    struct State {
        std::optional<double> saidNumber; ///< the prediction, in the measure of what is asked
        std::optional<int> saidChoice;
        bool skipped = false;
        std::optional<core::Judgement> judgement; ///< of the last number that was answered
        std::optional<int> chosen;                ///< the choice that was answered last
        int wrong = 0;                            ///< answers that were not right
        int hints = 0;                            ///< shown so far
        bool solved = false;
        bool answerShown = false;
    };

    /// Begins where the learner left off, or anew when the lesson was done.
    explicit LessonRun(core::Lesson lesson, QObject* parent = nullptr);

    const core::Lesson& lesson() const { return m_lesson; }
    int count() const { return static_cast<int>(m_lesson.steps.size()); }
    int index() const { return m_index; }
    const core::LessonStep& step() const { return m_lesson.steps.at(static_cast<std::size_t>(m_index)); }
    const State& state() const { return m_states.at(static_cast<std::size_t>(m_index)); }
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
    /// The same for numbers that are else always in sight: the size of the weights; heads and layers.
    bool holdsWeightsBack() const;
    bool holdsLayoutBack() const;
    /// The inputs that may be changed now: none while numbers are held back, but for the marker's.
    std::vector<core::Field> controls() const;
    bool mayChange(core::Field field) const;

    /// Commits to a typed number; the message says why it cannot be read, and nothing has happened then.
    core::Message predict(const QString& typed);
    void predictNumber(double number);
    void predictChoice(int choice);
    void skipPrediction();
    /// The unit in which a number without one is read, "KiB"; empty where there is no choice.
    QString predictionUnit() const;
    /// "You said …, it is …, off by …", of a number that was predicted; empty before. Where the question asks for the
    /// same number, what it is comes with the answer.
    core::Message gap() const;

    /// Judges a typed answer, or a choice.
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
    State& now() { return m_states.at(static_cast<std::size_t>(m_index)); }
    std::optional<double> predicted() const;
    void judged(bool right);
    void begin(int index);
    void finishChange();
    void keepProgress() const;
    bool isSolved(const QList<QVariant>& solved) const;

    core::Lesson m_lesson;
    std::vector<State> m_states;
    int m_index = 0;
};

} // namespace ui
