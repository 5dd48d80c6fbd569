// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document.h"

#include "core/text/format.h"
#include "ui/scenario_files.h"
#include "ui/session.h"

#include <QFile>
#include <QFileInfo>
#include <QSettings>

#include <utility>

namespace ui {

namespace {

constexpr int kKeepAfter = 800; ///< milliseconds after the last change until the session is kept
constexpr int kMostRecent = 10; ///< files that are remembered
constexpr qint64 kPeek = 4'096; ///< bytes within which a scenario file names its format

QString recentKey()
{
    return QStringLiteral("recentFiles");
}

} // namespace

bool looksLikeScenario(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) && file.read(kPeek).contains("\"kvhorizon.scenario\"");
}

Document::Document(Session& session, QObject* parent) : QObject(parent), m_session(session)
{
    m_keepTimer.setSingleShot(true);
    m_keepTimer.setInterval(kKeepAfter);
    connect(&m_keepTimer, &QTimer::timeout, this, &Document::keep);
    connect(&m_session.undoStack(), &QUndoStack::cleanChanged, this, &Document::changed);
}

bool Document::isUnsaved() const
{
    return m_restoredUnsaved || !m_session.undoStack().isClean();
}

QString Document::name() const
{
    return m_path.isEmpty() ? tr("Untitled") : QFileInfo(m_path).fileName();
}

core::Result<void> Document::open(const QString& path)
{
    core::Result<core::ScenarioFile> file = loadScenario(path);
    if (!file)
        return tl::unexpected<core::Error>(file.error());
    m_path = path;
    m_original = std::move(file->original);
    m_restoredUnsaved = false;
    m_session.load(std::move(file->scenario));
    addRecentFile(path);
    emit changed();
    return {};
}

core::Result<void> Document::save(const QString& path)
{
    core::ScenarioFile file{m_session.own(), m_original};
    const core::Result<void> saved = saveScenario(path, file);
    if (!saved)
        return saved;
    m_path = path;
    m_restoredUnsaved = false;
    m_session.undoStack().setClean();
    addRecentFile(path);
    if (m_keeps)
        keep();
    emit changed();
    return {};
}

void Document::begin(core::Scenario scenario)
{
    m_path.clear();
    m_original.clear();
    m_restoredUnsaved = false;
    m_session.load(std::move(scenario));
    emit changed();
}

void Document::startKeeping()
{
    if (m_keeps)
        return;
    m_keeps = true;
    connect(&m_session, &Session::changed, &m_keepTimer, qOverload<>(&QTimer::start));
}

core::Message Document::restore()
{
    core::Result<std::optional<core::SavedSession>> kept = loadSession();
    if (!kept) {
        const QString copy = keepBrokenCopy(sessionPath());
        return {KV_TEXT("core", "The last session could not be read: {0} The default scenario is shown; a copy of the "
                                "session is kept at {1}."),
                {core::english(kept.error().message), copy.toStdString()}};
    }
    if (!*kept)
        return {};
    core::SavedSession& session = **kept;
    m_path = QString::fromStdString(session.path);
    m_original = std::move(session.file.original);
    m_restoredUnsaved = session.unsaved;
    m_session.load(std::move(session.file.scenario));
    emit changed();
    return {};
}

void Document::keep()
{
    // What cannot be kept is lost only at a crash; the next change tries again.
    (void)saveSession({{m_session.own(), m_original}, m_path.toStdString(), isUnsaved()});
}

QStringList Document::recentFiles()
{
    return QSettings().value(recentKey()).toStringList();
}

void Document::clearRecentFiles()
{
    QSettings().remove(recentKey());
}

void Document::addRecentFile(const QString& path)
{
    const QString absolute = QFileInfo(path).absoluteFilePath();
    QStringList files = recentFiles();
    files.removeAll(absolute);
    files.prepend(absolute);
    QSettings().setValue(recentKey(), files.mid(0, kMostRecent));
}

} // namespace ui
