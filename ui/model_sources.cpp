// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/model_sources.h"

#include "core/files/model_file.h"
#include "ui/dialogs.h"
#include "ui/discovery/model_folders.h"
#include "ui/document.h"
#include "ui/hub/hub.h"
#include "ui/session.h"
#include "ui/texts.h"

#include <QFileDialog>
#include <QInputDialog>
#include <QMenu>
#include <QMessageBox>
#include <QProgressDialog>
#include <QPushButton>

#include <algorithm>
#include <filesystem>
#include <utility>

namespace ui {

ModelSources::ModelSources(Session& session, QWidget& window) : m_session(session), m_window(window) {}

void ModelSources::addEntries(QMenu& menu)
{
    menu.addAction(tr("&Open a file…"), this, &ModelSources::fileRequested);
    menu.addAction(tr("Open by &name…"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_O), this,
                   &ModelSources::chooseName);
    menu.addAction(tr("&Edit as text"), this, &ModelSources::describe);
    QMenu* folders = menu.addMenu(tr("Models on this &computer"));
    folders->setToolTipsVisible(true);
    connect(folders, &QMenu::aboutToShow, this, [this, folders] { fillFolders(*folders); });
    fillFolders(*folders);
}

void ModelSources::fillFolders(QMenu& menu)
{
    menu.clear();
    menu.addAction(tr("&Add a folder…"), this, &ModelSources::chooseFolder);
    menu.addAction(tr("&Look again"), this, &ModelSources::search);
    menu.addSeparator();
    for (const QString& folder : addedModelFolders()) {
        menu.addAction(tr("Forget %1").arg(menuText(folder)), this, [this, folder] {
            forgetModelFolder(folder);
            search();
        });
    }
}

void ModelSources::chooseFolder()
{
    const QString folder = QFileDialog::getExistingDirectory(&m_window, tr("Add a folder of models"));
    if (folder.isEmpty())
        return;
    addModelFolder(folder);
    search();
}

void ModelSources::search()
{
    m_search.start([this, folders = allModelFolders()](const std::stop_token& stop, const Background::Tell& tell) {
        std::vector<core::readers::LocalModel> models = core::readers::findLocalModels(folders, stop);
        tell([this, models = std::move(models)] {
            m_found = models;
            offer();
        });
    });
}

/// Tells of what was opened lately first, then of what was found.
void ModelSources::offer()
{
    std::vector<core::readers::LocalModel> models;
    for (const QString& recent : Document::recentFiles()) {
        const std::filesystem::path path = recent.toStdString();
        if (path.extension() != ".kvh" &&
            std::ranges::find(m_found, path, &core::readers::LocalModel::path) == m_found.end())
            models.push_back({path.filename().string(), core::readers::ModelKeeper::User, path});
    }
    models.insert(models.end(), m_found.begin(), m_found.end());
    emit found(models);
}

void ModelSources::open(const QString& path)
{
    const core::Result<core::Model> model = core::readers::readModelFile(path.toStdString());
    if (!model) {
        QMessageBox box(QMessageBox::Warning, tr("KV Horizon"), text(model.error().message), QMessageBox::Close,
                        &m_window);
        const QPushButton* edit = box.addButton(tr("Describe a model as text"), QMessageBox::ActionRole);
        box.exec();
        if (box.clickedButton() == edit)
            describe();
        return emit kept();
    }
    Document::addRecentFile(path);
    offer();
    take(*model);
}

/// Puts the model in the place of the scenario's, with the weights as published.
void ModelSources::take(const core::Model& model)
{
    emit changing();
    core::Scenario next = m_session.current().scenario;
    next.model = model;
    next.weightFormat = model.weights.published;
    next.weightBytes.reset();
    next.kvHeads.reset();
    m_session.edit(next);
}

void ModelSources::describe()
{
    emit changing();
    emit textRequested();
}

void ModelSources::chooseName()
{
    bool isChosen = false;
    const QString name = QInputDialog::getText(
        &m_window, tr("Open by name"),
        tr("A model on a hub, such as hf:Qwen/Qwen3-8B, or the address of its page.\n"
           "Its config.json and the headers of its weights are fetched from %1; nothing else is sent or fetched.")
            .arg(hubAccess().value_or(HubAccess()).endpoint.host()),
        QLineEdit::Normal, QStringLiteral("hf:"), &isChosen);
    if (isChosen)
        openByName(name);
}

void ModelSources::openByName(const QString& name)
{
    const auto hubName = core::readers::readHubName(name.toStdString());
    const core::Result<HubAccess> access = hubAccess();
    emit kept();
    if (!hubName || !access)
        return complain(&m_window, hubName ? access.error().message : hubName.error().message);
    delete m_fetching;
    m_fetching = new QProgressDialog(tr("Fetching %1").arg(name), tr("Cancel"), 0, 0, &m_window);
    m_fetching->setObjectName(QStringLiteral("fetching"));
    m_fetching->setWindowTitle(tr("Open by name"));
    m_fetching->setMinimumDuration(0);
    m_fetching->setAutoClose(false);
    connect(m_fetching, &QProgressDialog::canceled, &m_fetch, &Background::cancel);
    m_fetching->show();
    m_fetch.start(
        [this, name, hubName = *hubName, access = *access](const std::stop_token& stop, const Background::Tell& tell) {
            const auto progress = [&](std::int64_t bytes) {
                tell([this, name, bytes] {
                    m_fetching->setLabelText(tr("Fetching %1: %2").arg(name, bytesText(core::Bytes(bytes))));
                });
            };
            const core::Result<core::Scenario> scenario = fetchModel(hubName, access, hubCache(), progress, stop);
            tell([this, scenario] { takeFetched(scenario); });
        });
}

void ModelSources::takeFetched(const core::Result<core::Scenario>& scenario)
{
    delete m_fetching;
    if (scenario)
        take(scenario->model);
    else
        complain(&m_window, scenario.error().message);
}

} // namespace ui
