// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scenario_files.h"

#include "ui/whole_file.h"

#include <QByteArray>
#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSettings>
#include <QStandardPaths>

#include <string>

namespace ui {

namespace {

constexpr qint64 kMaxBytes = 64 * 1024 * 1024; ///< of a scenario's file

tl::unexpected<core::Error> unreadable(const QString& path, const QString& reason)
{
    return core::fail(KV_TEXT("core", "\"{0}\" cannot be read ({1}); nothing was changed; check that it is a file you "
                                      "may read."),
                      {path.toStdString(), reason.toStdString()});
}

core::Result<std::string> contentOf(const QString& path)
{
    const QFileInfo info(path);
    if (info.exists() && !info.isFile())
        return unreadable(path,
                          info.isDir() ? QStringLiteral("it is a folder") : QStringLiteral("it is not a regular file"));
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return unreadable(path, file.errorString());
    const QByteArray content = file.read(kMaxBytes + 1);
    if (file.error() != QFileDevice::NoError)
        return unreadable(path, file.errorString());
    if (content.size() > kMaxBytes)
        return core::fail(KV_TEXT("core", "\"{0}\" is larger than {1}, so it is not a scenario; nothing was changed; "
                                          "choose another file."),
                          {path.toStdString(), core::Bytes(kMaxBytes)});
    return content.toStdString();
}

std::string nameOf(const QString& path)
{
    return QFileInfo(path).fileName().toStdString();
}

} // namespace

core::Result<core::ScenarioFile> loadScenario(const QString& path)
{
    return contentOf(path).and_then(
        [&](const std::string& content) { return core::scenarioFromText(content, nameOf(path)); });
}

core::Result<void> saveScenario(const QString& path, const core::ScenarioFile& file)
{
    return writeWhole(path, QByteArray::fromStdString(core::scenarioToText(file)));
}

QString keepBrokenCopy(const QString& path)
{
    const QString name =
        path + QStringLiteral(".broken-") + QDateTime::currentDateTime().toString(QStringLiteral("yyyyMMdd-HHmmss"));
    QString copy = name;
    for (int number = 2; QFileInfo::exists(copy); ++number)
        copy = QStringLiteral("%1-%2").arg(name).arg(number);
    return QFileInfo(path).isFile() && QFile::copy(path, copy) ? copy : QString();
}

core::Message mendSettings()
{
    QSettings settings;
    (void)settings.allKeys(); // QSettings notices that the file is broken only when it reads
    if (settings.status() != QSettings::FormatError)
        return {};
    const QString copy = keepBrokenCopy(settings.fileName());
    settings.clear();
    return {KV_TEXT("core", "The settings in {0} could not be read, so they were reset; a copy is kept at {1}."),
            {settings.fileName().toStdString(), copy.toStdString()}};
}

QString sessionPath()
{
    return QDir(QStandardPaths::writableLocation(QStandardPaths::AppDataLocation))
        .filePath(QStringLiteral("session.kvh"));
}

core::Result<void> saveSession(const core::SavedSession& session)
{
    const QString path = sessionPath();
    QDir().mkpath(QFileInfo(path).path()); // where this fails, saving says why
    return writeWhole(path, QByteArray::fromStdString(core::sessionToText(session)));
}

core::Result<std::optional<core::SavedSession>> loadSession()
{
    const QString path = sessionPath();
    if (!QFileInfo::exists(path))
        return std::nullopt;
    return contentOf(path)
        .and_then([&](const std::string& content) { return core::sessionFromText(content, nameOf(path)); })
        .map([](core::SavedSession&& session) { return std::optional(std::move(session)); });
}

} // namespace ui
