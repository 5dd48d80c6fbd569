// SPDX-License-Identifier: GPL-3.0-or-later
// Models in the main window: their menu, files, and what is found on this computer.
#include "core/files/model_file.h"
#include "ui/control_panel.h"
#include "ui/discovery/model_folders.h"
#include "ui/hub/hub.h"
#include "ui/main_window.h"
#include "ui/texts.h"

#include <QFileDialog>
#include <QInputDialog>
#include <QMenuBar>
#include <QMessageBox>
#include <QProgressDialog>
#include <QPushButton>

#include <algorithm>
#include <filesystem>
#include <utility>

namespace ui {

void MainWindow::createModelMenu()
{
    QMenu* model = menuBar()->addMenu(tr("&Model"));
    model->addAction(tr("&Open a file…"), this, &MainWindow::chooseFile);
    model->addAction(tr("Open by &name…"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_O), this,
                     &MainWindow::chooseByName);
    model->addAction(tr("&Edit as text"), this, &MainWindow::editModelAsText);
    QMenu* folders = model->addMenu(tr("Models on this &computer"));
    folders->setToolTipsVisible(true);
    connect(folders, &QMenu::aboutToShow, this, [this, folders] { fillFolderMenu(folders); });
    fillFolderMenu(folders);
}

void MainWindow::fillFolderMenu(QMenu* menu)
{
    menu->clear();
    menu->addAction(tr("&Add a folder…"), this, &MainWindow::chooseModelFolder);
    menu->addAction(tr("&Look again"), this, &MainWindow::lookForModels);
    menu->addSeparator();
    for (const QString& folder : addedModelFolders()) {
        const QString shown = QString(folder).replace(QLatin1Char('&'), QLatin1String("&&"));
        menu->addAction(tr("Forget %1").arg(shown), this, [this, folder] {
            forgetModelFolder(folder);
            lookForModels();
        });
    }
}

void MainWindow::chooseModelFolder()
{
    const QString folder = QFileDialog::getExistingDirectory(this, tr("Add a folder of models"));
    if (folder.isEmpty())
        return;
    addModelFolder(folder);
    lookForModels();
}

void MainWindow::lookForModels()
{
    m_search.start([this, folders = allModelFolders()](const std::stop_token& stop, const Background::Tell& tell) {
        std::vector<core::readers::LocalModel> models = core::readers::findLocalModels(folders, stop);
        tell([this, models = std::move(models)] {
            m_localModels = models;
            offerLocalModels();
        });
    });
}

/// What was opened lately first, then what was found.
void MainWindow::offerLocalModels()
{
    std::vector<core::readers::LocalModel> models;
    for (const QString& recent : Document::recentFiles()) {
        const std::filesystem::path path = recent.toStdString();
        if (path.extension() != ".kvh" &&
            std::ranges::find(m_localModels, path, &core::readers::LocalModel::path) == m_localModels.end())
            models.push_back({path.filename().string(), core::readers::ModelKeeper::User, path});
    }
    models.insert(models.end(), m_localModels.begin(), m_localModels.end());
    m_panel->setLocalModels(models);
}

void MainWindow::openModel(const QString& path)
{
    const core::Result<core::Model> model = core::readers::readModelFile(path.toStdString());
    if (!model) {
        QMessageBox box(QMessageBox::Warning, tr("KV Horizon"), text(model.error().message), QMessageBox::Close, this);
        const QPushButton* edit = box.addButton(tr("Describe a model as text"), QMessageBox::ActionRole);
        box.exec();
        if (box.clickedButton() == edit)
            editModelAsText();
        return showEvaluation(); // the picker names the model that stays
    }
    Document::addRecentFile(path);
    offerLocalModels();
    takeModel(*model);
}

/// In place of the scenario's model, with the weights as published.
void MainWindow::takeModel(const core::Model& model)
{
    leaveLockedModel();
    core::Scenario next = m_session.current().scenario;
    next.model = model;
    next.weightFormat = model.weights.published;
    next.weightBytes.reset();
    next.kvHeads.reset();
    m_session.edit(next);
}

void MainWindow::chooseByName()
{
    bool isChosen = false;
    const QString name = QInputDialog::getText(
        this, tr("Open by name"),
        tr("A model on a hub, such as hf:Qwen/Qwen3-8B, or the address of its page.\n"
           "Its config.json and the headers of its weights are fetched from %1; nothing else is sent or fetched.")
            .arg(hubAccess().value_or(HubAccess()).endpoint.host()),
        QLineEdit::Normal, QStringLiteral("hf:"), &isChosen);
    if (isChosen)
        openByName(name);
}

/// Only what a person asks for here is fetched; everything else goes on meanwhile.
void MainWindow::openByName(const QString& name)
{
    const auto hubName = core::readers::readHubName(name.toStdString());
    const core::Result<HubAccess> access = hubAccess();
    showEvaluation(); // the picker names the model that stays until then
    if (!hubName || !access)
        return complain(hubName ? access.error().message : hubName.error().message);
    delete m_fetching;
    m_fetching = new QProgressDialog(tr("Fetching %1").arg(name), tr("Cancel"), 0, 0, this);
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

void MainWindow::takeFetched(const core::Result<core::Scenario>& scenario)
{
    delete m_fetching;
    if (scenario)
        takeModel(scenario->model);
    else
        complain(scenario.error().message);
}

} // namespace ui
