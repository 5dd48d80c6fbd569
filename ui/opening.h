// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document.h"

#include <QObject>

class QMenu;
class QWidget;

namespace ui {

class Session;

/// Opening and saving: the entries of the File menu and the dialogs around the document. Lessons and models, told apart
/// by the content of the file, are handed on.
class Opening : public QObject {
    Q_OBJECT

public:
    /// `start` is the scenario of a new document, `window` the one before which dialogs come up. Both outlive this.
    Opening(Session& session, const core::Scenario& start, QWidget& window);

    Document& document() { return m_document; }

    /// Adds New, Open, Open recent, Save and Save as.
    void addEntries(QMenu& file);

    /// Asks for a file and opens it.
    void choose();
    /// Opens a scenario, a lesson or a model file; an error is shown and nothing changed.
    void open(const QString& path);
    /// Brings back the session that was left; what cannot be read is said, and a copy of it kept.
    void restore();
    /// Asks about unsaved work before the window closes and keeps the session; false: the window stays.
    bool mayClose();

signals:
    void lessonChosen(const QString& path);
    void modelChosen(const QString& path);
    /// Another document has taken the place of the last one.
    void replaced();

private:
    void begin();
    bool save();
    bool saveAs();
    bool saveTo(const QString& path);
    /// Asks what becomes of unsaved work that would be lost; false: go on working with it.
    bool mayLeave();
    void fillRecent(QMenu& menu);

    const core::Scenario& m_start;
    QWidget& m_window;
    Document m_document;
};

} // namespace ui
