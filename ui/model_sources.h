// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/readers/local_models.h"
#include "core/scenario/scenario.h"
#include "core/text/result.h"
#include "ui/background.h"

#include <QObject>
#include <QPointer>

#include <vector>

class QMenu;
class QProgressDialog;
class QWidget;

namespace ui {

class Session;

/// Where models come from beside the catalogue: files, folders on this computer, a hub. Searching and fetching go on in
/// the background.
class ModelSources : public QObject {
    Q_OBJECT

public:
    /// Models come into the session's scenario; dialogs come up before `window`. Both outlive this.
    ModelSources(Session& session, QWidget& window);

    /// Adds the entries of the Model menu.
    void addEntries(QMenu& menu);

    /// Looks for models on this computer.
    void search();
    /// Reads a model's file or folder; an error is shown.
    void open(const QString& path);
    /// Fetches a model that is named like "hf:Qwen/Qwen3-8B"; an error is shown.
    void openByName(const QString& name);

signals:
    /// Another model will take the place of the present one.
    void changing();
    /// The present model stays, for now or at all.
    void kept();
    /// The models on this computer, those that were opened lately first.
    void found(const std::vector<core::readers::LocalModel>& models);
    /// The user wants to choose a file.
    void fileRequested();
    /// The user wants to describe the model as text.
    void textRequested();

private:
    void fillFolders(QMenu& menu);
    void chooseFolder();
    void chooseName();
    void describe();
    void offer();
    void take(const core::Model& model);
    void takeFetched(const core::Result<core::Scenario>& scenario);

    Session& m_session;
    QWidget& m_window;
    Background m_search;
    Background m_fetch;
    QPointer<QProgressDialog> m_fetching; ///< while a model is fetched
    std::vector<core::readers::LocalModel> m_found;
};

} // namespace ui
