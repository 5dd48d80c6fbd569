// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/footprint.h"

#include <QObject>

namespace ui {

/// The only mutable state of the program: the current scenario and what follows from it.
class Session : public QObject {
    Q_OBJECT

public:
    explicit Session(core::Scenario scenario, QObject* parent = nullptr);

    /// The scenario as edited, with its issues; the footprint is empty when there are any.
    const core::Evaluation& current() const { return m_current; }
    /// The last evaluation without issues: what views keep showing while an input is out of range.
    const core::Evaluation& lastValid() const { return m_lastValid; }

public slots:
    /// Takes a changed scenario, evaluates it and tells all; nothing happens when it equals the current one.
    void edit(const core::Scenario& scenario);

signals:
    void changed();

private:
    core::Evaluation m_current;
    core::Evaluation m_lastValid;
};

} // namespace ui
