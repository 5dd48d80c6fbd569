// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/readers/local_models.h"

#include <QObject>
#include <QStringList>
#include <QThreadPool>

#include <stop_token>
#include <vector>

namespace ui {

/// The folders that the user added to those in which programs keep models; kept in the settings.
QStringList addedModelFolders();
void addModelFolder(const QString& path);
void forgetModelFolder(const QString& path);

/// Those, and the folders of programs that exist here.
std::vector<core::readers::ModelFolder> allModelFolders();

/// Looks for models on this computer in a thread of its own, so that a slow disk holds up nobody.
class ModelSearch : public QObject {
    Q_OBJECT

public:
    explicit ModelSearch(QObject* parent = nullptr);
    ~ModelSearch() override;

    /// Begins anew; a search that is on is given up.
    void start(std::vector<core::readers::ModelFolder> folders);

signals:
    /// Once for each search that came to its end.
    void found(const std::vector<core::readers::LocalModel>& models);

private:
    QThreadPool m_pool;
    std::stop_source m_stop;
};

} // namespace ui
