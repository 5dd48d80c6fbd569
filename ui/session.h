// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sizing/evaluation.h"

#include <QObject>
#include <QUndoGroup>
#include <QUndoStack>

#include <optional>

namespace ui {

/// The only mutable state of the program: the current scenario, what follows from it, and the way back. A lesson puts
/// scenarios of its own in the user's place for a while.
class Session : public QObject {
    Q_OBJECT

public:
    explicit Session(core::Scenario scenario, QObject* parent = nullptr);

    /// The scenario as edited, with its issues; the footprint is empty when there are any.
    const core::Evaluation& current() const { return m_current; }
    /// The last evaluation without issues, which views keep showing while an input is out of range. It is the current
    /// one, with its issues, where there was none yet since a scenario was opened: there is nothing to show.
    const core::Evaluation& lastValid() const { return m_lastValid; }

    /// The user's own scenario, also while a lesson's is current.
    const core::Scenario& own() const { return m_setAside ? m_setAside->current.scenario : m_current.scenario; }

    /// The user's steps, which are whole scenarios. The stack is clean when the scenario equals the saved one.
    QUndoStack& undoStack() { return m_undo; }
    /// The stack that edits go to now: the user's, or the lesson's.
    QUndoGroup& undoGroup() { return m_group; }

public slots:
    /// Takes a changed scenario as one step that can be undone; nothing happens when it equals the current one. All
    /// edits between beginGesture and endGesture are one step.
    void edit(const core::Scenario& scenario);
    void beginGesture();
    void endGesture();

public:
    /// Starts afresh with a scenario: nothing can be undone and nothing is unsaved. Leaves a lesson.
    void load(core::Scenario scenario);

    /// Shows a lesson's scenario in place of the user's, whose steps are kept; edits go to a stack of their own.
    void enter(core::Scenario scenario);
    /// Brings the user's scenario back as it was; nothing happens outside a lesson.
    void leave();
    bool isInLesson() const { return m_setAside.has_value(); }

signals:
    void started(); ///< a scenario was loaded and will be shown with `changed`
    void changed();

private:
    class Step;
    /// The user's state, set aside while a lesson's is current.
    struct UserState {
        core::Evaluation current;
        core::Evaluation lastValid;
    };
    void set(const core::Scenario& scenario);
    /// Shows a scenario; nothing of another one stays.
    void begin(const core::Scenario& scenario);
    void forgetLesson();

    core::Evaluation m_current;
    core::Evaluation m_lastValid;
    std::optional<UserState> m_setAside;
    QUndoStack m_undo;
    QUndoStack m_lessonUndo;
    QUndoGroup m_group;
    int m_gesture = 0; ///< number of the gesture that is going on; 0: none is
    int m_lastGesture = 0;
};

} // namespace ui
