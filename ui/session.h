// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/footprint.h"

#include <QObject>
#include <QUndoStack>

namespace ui {

/// The only mutable state of the program: the current scenario, what follows from it, and the way back.
class Session : public QObject {
    Q_OBJECT

public:
    explicit Session(core::Scenario scenario, QObject* parent = nullptr);

    /// The scenario as edited, with its issues; the footprint is empty when there are any.
    const core::Evaluation& current() const { return m_current; }
    /// The last evaluation without issues: what views keep showing while an input is out of range.
    const core::Evaluation& lastValid() const { return m_lastValid; }

    /// Steps are whole scenarios. The stack is clean when the scenario equals the saved one.
    QUndoStack& undoStack() { return m_undo; }

public slots:
    /// Takes a changed scenario as one step that can be undone; nothing happens when it equals the current one. All
    /// edits between beginGesture and endGesture are one step.
    void edit(const core::Scenario& scenario);
    void beginGesture();
    void endGesture();

public:
    /// Starts afresh with a scenario: no way back, nothing unsaved.
    void load(core::Scenario scenario);

signals:
    void changed();

private:
    class Step;
    void set(const core::Scenario& scenario);

    core::Evaluation m_current;
    core::Evaluation m_lastValid;
    QUndoStack m_undo;
    int m_gesture = 0; ///< number of the gesture that is going on; 0: none
    int m_lastGesture = 0;
};

} // namespace ui
