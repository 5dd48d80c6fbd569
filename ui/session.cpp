// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session.h"

#include "core/sizing/evaluate.h"

#include <QUndoCommand>

#include <utility>

namespace ui {

/// One change of the scenario. The changes of one gesture merge into one.
class Session::Step : public QUndoCommand {
public:
    Step(Session& session, core::Scenario before, core::Scenario after, int gesture)
        : m_session(session), m_before(std::move(before)), m_after(std::move(after)), m_gesture(gesture)
    {
    }

    int id() const override { return m_gesture == 0 ? -1 : m_gesture; }
    bool mergeWith(const QUndoCommand* later) override
    {
        m_after = static_cast<const Step*>(later)->m_after;
        setObsolete(m_after == m_before);
        return true;
    }
    void undo() override { m_session.set(m_before); }
    void redo() override { m_session.set(m_after); }

private:
    Session& m_session;
    core::Scenario m_before;
    core::Scenario m_after;
    int m_gesture;
};

Session::Session(core::Scenario scenario, QObject* parent)
    : QObject(parent), m_current(core::assess(std::move(scenario))), m_lastValid(m_current)
{
    m_group.addStack(&m_undo);
    m_group.addStack(&m_lessonUndo);
    m_undo.setActive();
}

void Session::edit(const core::Scenario& scenario)
{
    if (scenario != m_current.scenario)
        m_group.activeStack()->push(new Step(*this, m_current.scenario, scenario, m_gesture));
}

void Session::beginGesture()
{
    m_gesture = ++m_lastGesture;
}

void Session::endGesture()
{
    m_gesture = 0;
}

void Session::load(core::Scenario scenario)
{
    forgetLesson();
    m_undo.clear();
    emit started();
    begin(scenario);
}

void Session::enter(core::Scenario scenario)
{
    if (!m_setAside)
        m_setAside = UserState{m_current, m_lastValid};
    endGesture();
    m_lessonUndo.clear();
    m_lessonUndo.setActive();
    begin(scenario);
}

void Session::leave()
{
    if (!m_setAside)
        return;
    m_current = m_setAside->current;
    m_lastValid = m_setAside->lastValid;
    forgetLesson();
    emit changed();
}

void Session::forgetLesson()
{
    m_setAside.reset();
    endGesture();
    m_lessonUndo.clear();
    m_undo.setActive();
}

void Session::set(const core::Scenario& scenario)
{
    m_current = core::assess(scenario);
    if (m_current.issues.empty() || !m_lastValid.issues.empty())
        m_lastValid = m_current;
    emit changed();
}

void Session::begin(const core::Scenario& scenario)
{
    m_current = core::assess(scenario);
    m_lastValid = m_current;
    emit changed();
}

} // namespace ui
