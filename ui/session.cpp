// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session.h"

#include "core/evaluate.h"

#include <utility>

namespace ui {

Session::Session(core::Scenario scenario, QObject* parent)
    : QObject(parent), m_current(core::assess(std::move(scenario))), m_lastValid(m_current)
{
}

void Session::edit(const core::Scenario& scenario)
{
    if (scenario == m_current.scenario)
        return;
    m_current = core::assess(scenario);
    if (m_current.issues.empty())
        m_lastValid = m_current;
    emit changed();
}

} // namespace ui
