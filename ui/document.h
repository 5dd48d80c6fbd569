// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/files/scenario_json.h"
#include "core/text/result.h"

#include <QObject>
#include <QString>
#include <QStringList>
#include <QTimer>

namespace ui {

class Session;

/// The scenario file behind the session: its path, whether it has been changed since, the files opened lately, and the
/// session that is kept from one start to the next, also when the program is killed. It is always the user's own
/// scenario that is saved and kept, never a lesson's.
class Document : public QObject {
    Q_OBJECT

public:
    explicit Document(Session& session, QObject* parent = nullptr);

    /// Empty while the scenario was never saved.
    const QString& path() const { return m_path; }
    bool isUnsaved() const;
    /// The file's name, or "Untitled".
    QString name() const;

    /// Opens a scenario file in place of the present scenario; after an error nothing has changed.
    core::Result<void> open(const QString& path);
    /// Saves to `path`, which then is the document's.
    core::Result<void> save(const QString& path);
    /// Takes `scenario` as a new, unnamed document.
    void begin(core::Scenario scenario);

    /// Brings back the session that was kept last. The message says when it could not be read and where its copy is.
    core::Message restore();
    /// From now on the session is kept soon after every change.
    void startKeeping();
    bool isKept() const { return m_keeps; }
    /// Keeps the session at once.
    void keep();

    /// The last ten files, the latest first.
    static QStringList recentFiles();
    static void addRecentFile(const QString& path);
    static void clearRecentFiles();

signals:
    void changed();

private:
    Session& m_session;
    QString m_path;
    std::string m_original; ///< JSON of the file, for the keys that are kept
    bool m_restoredUnsaved = false;
    bool m_keeps = false;
    QTimer m_keepTimer;
};

/// True when the file's content says that it is a scenario.
bool looksLikeScenario(const QString& path);

} // namespace ui
