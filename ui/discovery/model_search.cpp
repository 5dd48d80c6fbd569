// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/discovery/model_search.h"

#include <QDir>
#include <QSettings>

#include <utility>

namespace ui {

namespace {

using core::readers::LocalModel;
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

ModelSearch::ModelSearch(QObject* parent) : QObject(parent)
{
    m_pool.setMaxThreadCount(1);
}

ModelSearch::~ModelSearch()
{
    m_stop.request_stop();
    m_pool.waitForDone();
}

void ModelSearch::start(std::vector<ModelFolder> folders)
{
    m_stop.request_stop();
    m_stop = std::stop_source();
    m_pool.start([this, folders = std::move(folders), stop = m_stop.get_token()] {
        std::vector<LocalModel> models = core::readers::findLocalModels(folders, stop);
        QMetaObject::invokeMethod(
            this,
            [this, models = std::move(models), stop] {
                if (!stop.stop_requested())
                    emit found(models);
            },
            Qt::QueuedConnection);
    });
}

} // namespace ui
