// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/discovery/model_folders.h"

#include <QDir>
#include <QSettings>

namespace ui {

namespace {

using core::readers::ModelFolder;
using core::readers::ModelKeeper;

QString foldersKey()
{
    return QStringLiteral("modelFolders");
}

} // namespace

QStringList addedModelFolders()
{
    return QSettings().value(foldersKey()).toStringList();
}

void addModelFolder(const QString& path)
{
    QStringList folders = addedModelFolders();
    const QString absolute = QDir(path).absolutePath();
    if (!folders.contains(absolute))
        QSettings().setValue(foldersKey(), folders << absolute);
}

void forgetModelFolder(const QString& path)
{
    QStringList folders = addedModelFolders();
    folders.removeAll(path);
    QSettings().setValue(foldersKey(), folders);
}

std::vector<ModelFolder> allModelFolders()
{
    std::vector<ModelFolder> folders = core::readers::modelFolders();
    for (const QString& added : addedModelFolders())
        folders.push_back({ModelKeeper::User, added.toStdString()});
    return folders;
}

} // namespace ui
