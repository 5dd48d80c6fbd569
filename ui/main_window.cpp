// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/main_window.h"

#include "core/files/catalog.h"
#include "core/sizing/advice.h"
#include "core/sizing/verdict.h"
#include "core/teaching/lesson_file.h"
#include "ui/control_panel.h"
#include "ui/explain_popup.h"
#include "ui/formula_bar.h"
#include "ui/lessons/lesson_panel.h"
#include "ui/lessons/lesson_run.h"
#include "ui/scenario_files.h"
#include "ui/texts.h"
#include "ui/theme.h"
#include "ui/verdict_bar.h"
#include "ui/views/budget_view.h"
#include "ui/views/engine_view.h"
#include "ui/views/growth_view.h"
#include "ui/views/model_view.h"
#include "ui/views/overview.h"

#include <QActionGroup>
#include <QApplication>
#include <QCloseEvent>
#include <QComboBox>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QMessageBox>
#include <QMimeData>
#include <QSettings>
#include <QTabBar>
#include <QTabWidget>
#include <QVBoxLayout>

#include <utility>

namespace ui {

core::Scenario firstScenario(core::Model model, core::Gpu gpu)
{
    core::Scenario scenario;
    scenario.weightFormat = model.weights.published;
    scenario.model = std::move(model);
    scenario.hardware.gpu = std::move(gpu);
    scenario.workload.batch = 4;
    scenario.waste = core::Percent::whole(20);
    return scenario;
}

core::Scenario firstScenario(const Catalogue& catalogue)
{
    return firstScenario(core::findModel(catalogue.models, kFirstModel).value(),
                         core::findGpu(catalogue.gpus, kFirstGpu).value());
}

MainWindow::MainWindow(Catalogue catalogue, core::Scenario scenario, QWidget* parent)
    : QMainWindow(parent),
      m_catalogue(std::move(catalogue)),
      m_start(scenario),
      m_session(std::move(scenario)),
      m_document(m_session),
      m_panel(new ControlPanel(m_catalogue)),
      m_formula(new FormulaBar),
      m_tabs(new QTabWidget),
      m_overview(new Overview),
      m_model(new ModelView),
      m_engine(new EngineView),
      m_verdict(new VerdictBar),
      m_explanation(new ExplainPopup(this)),
      m_numbers(new QActionGroup(this))
{
    showTitle();
    setAcceptDrops(true);
    m_numbers->setExclusionPolicy(QActionGroup::ExclusionPolicy::None);
    createLayout();
    createFileMenu();
    createEditMenu();
    createViewMenu();
    createModelMenu();
    createLearnMenu();
    createHelpMenu();
    connectAll();
    showEvaluation();
    resize(1600, 900);
}

MainWindow::~MainWindow()
{
    delete takeCentralWidget(); // while there is a window that its last signals, such as a lost focus, can reach
}

void MainWindow::setCatalogue(Catalogue catalogue)
{
    m_catalogue = std::move(catalogue);
    m_panel->fillPickers();
    fillLearnMenu();
    showEvaluation();
}

void MainWindow::createLayout()
{
    auto* page = new QWidget;
    page->setBackgroundRole(QPalette::Base);
    page->setAutoFillBackground(true);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(6 * kSpace, 2 * kSpace, 6 * kSpace, 3 * kSpace);
    column->setSpacing(2 * kSpace);
    column->addWidget(m_formula);
    m_tabs->setDocumentMode(true);
    m_tabs->tabBar()->setAccessibleName(tr("Views"));
    m_tabs->tabBar()->setFont(fontOf(Type::Label));
    m_tabs->addTab(m_overview, tr("Overview"));
    m_tabs->addTab(m_model, tr("Model"));
    m_tabs->addTab(m_engine, tr("Engine"));
    column->addWidget(m_tabs, 1);
    column->addWidget(m_verdict);
    auto* central = new QWidget;
    auto* row = new QHBoxLayout(central);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    m_left = new QVBoxLayout;
    m_left->setSpacing(0);
    m_left->addWidget(m_panel);
    row->addLayout(m_left);
    row->addWidget(page, 1);
    setCentralWidget(central);
    setMinimumSize(1024, 640);
}

void MainWindow::connectAll()
{
    connect(m_panel, &ControlPanel::edited, &m_session, &Session::edit);
    connect(m_panel, &ControlPanel::gestureStarted, &m_session, &Session::beginGesture);
    connect(m_panel, &ControlPanel::gestureEnded, &m_session, &Session::endGesture);
    connect(m_panel, &ControlPanel::openRequested, this, &MainWindow::chooseFile);
    connect(m_panel, &ControlPanel::fileChosen, this, &MainWindow::openModel);
    connect(m_panel, &ControlPanel::nameTyped, this, &MainWindow::openByName);
    connect(&m_overview->growth(), &GrowthView::edited, &m_session, &Session::edit);
    connect(&m_overview->growth(), &GrowthView::gestureStarted, &m_session, &Session::beginGesture);
    connect(&m_overview->growth(), &GrowthView::gestureEnded, &m_session, &Session::endGesture);
    connect(&m_overview->budget(), &BudgetView::explanationRequested, this, &MainWindow::explain);
    connect(m_formula, &FormulaBar::factorChosen, this, &MainWindow::light);
    connect(m_formula, &FormulaBar::explanationRequested, this, &MainWindow::explain);
    connect(m_model, &ModelView::edited, &m_session, &Session::edit);
    connect(m_engine, &EngineView::edited, &m_session, &Session::edit);
    connect(m_tabs, &QTabWidget::currentChanged, this, &MainWindow::showTab);
    connect(m_verdict, &VerdictBar::edited, &m_session, &Session::edit);
    connect(m_verdict, &VerdictBar::explanationRequested, this, &MainWindow::explain);
    connect(&m_session, &Session::started, this, [this] { m_overview->chooseScaleAnew(); });
    connect(&m_session, &Session::changed, this, &MainWindow::showEvaluation);
    connect(&m_document, &Document::changed, this, &MainWindow::showTitle);
}

void MainWindow::showEvaluation()
{
    const core::Evaluation& current = m_session.current();
    const core::Evaluation& valid = m_session.lastValid();
    m_panel->show(current);
    if (valid.issues.empty())
        m_formula->show(valid);
    m_formula->setEnabled(current.issues.empty());
    showNumbers();
    showTab();
    if (m_lesson != nullptr)
        m_lesson->setContext(current.scenario.workload.context);
    const bool mayChoose = !m_run || m_run->mayChange(core::Field::Gpu) || m_run->mayChange(core::Field::Memory);
    m_verdict->show(core::verdictOf(current, mayChoose),
                    m_run ? std::vector<core::Advice>() : core::advise(current, m_catalogue.gpus));
}

/// The view in front; hidden views get nothing.
void MainWindow::showTab()
{
    if (m_tabs->currentWidget() == m_model)
        m_model->show(m_session.current());
    else if (m_tabs->currentWidget() == m_engine)
        m_engine->show(m_session.lastValid(), m_session.current());
    else
        overview();
}

/// The overview with what is current, also where another tab hides it.
Overview& MainWindow::overview()
{
    m_overview->show(m_session.lastValid(), m_session.current());
    return *m_overview;
}

void MainWindow::editModelAsText()
{
    leaveLockedModel();
    m_tabs->setCurrentWidget(m_model);
    m_model->editAsText();
}

void MainWindow::explain(core::Quantity quantity, const QPoint& globalPlace)
{
    if (m_session.current().issues.empty())
        m_explanation->showAt(core::explain(m_session.current(), quantity), globalPlace);
}

/// Lights the control and the line that a factor of the formula stands for.
void MainWindow::light(std::optional<core::Field> field)
{
    m_panel->highlight(field);
    const Role line = field == core::Field::Context ? Role::Accent : Role::Cache; // the marker, or the curve
    m_overview->growth().growth().emphasise(field ? std::optional(line) : std::nullopt);
}

void MainWindow::chooseFile()
{
    const QString path = QFileDialog::getOpenFileName(
        this, tr("Open"), {}, tr("Scenarios, models and lessons (*.kvh *.json *.gguf *.safetensors);;All files (*)"));
    if (!path.isEmpty())
        openFile(path);
}

void MainWindow::openFile(const QString& path)
{
    if (core::readers::looksLikeLesson(path.toStdString()))
        return openLesson(path);
    if (!looksLikeScenario(path))
        return openModel(path);
    if (!mayLeave())
        return;
    if (const core::Result<void> opened = m_document.open(path); !opened)
        return complain(opened.error().message);
    leaveLesson();
}

/// Takes over what stands in the box with the focus, as when the focus leaves.
void MainWindow::commitTyping()
{
    QWidget* typing = focusWidget();
    if (const auto* list = qobject_cast<QComboBox*>(typing))
        typing = list->lineEdit();
    if (auto* box = qobject_cast<QLineEdit*>(typing))
        emit box->editingFinished();
}

bool MainWindow::save()
{
    commitTyping();
    if (m_document.path().isEmpty())
        return saveAs();
    const core::Result<void> saved = m_document.save(m_document.path());
    if (!saved)
        complain(saved.error().message);
    return saved.has_value();
}

bool MainWindow::saveAs()
{
    commitTyping();
    QString path = QFileDialog::getSaveFileName(this, tr("Save scenario"), m_document.path(), tr("Scenarios (*.kvh)"));
    if (path.isEmpty())
        return false;
    if (QFileInfo(path).suffix().isEmpty())
        path += QStringLiteral(".kvh");
    const core::Result<void> saved = m_document.save(path);
    if (!saved)
        complain(saved.error().message);
    return saved.has_value();
}

bool MainWindow::mayLeave()
{
    commitTyping();
    if (!m_document.isUnsaved())
        return true;
    const auto answer = QMessageBox::question(
        this, tr("Unsaved changes"), tr("%1 has changed since it was saved. Save it first?").arg(m_document.name()),
        QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, QMessageBox::Save);
    return answer == QMessageBox::Discard || (answer == QMessageBox::Save && save());
}

void MainWindow::complain(const core::Message& message)
{
    QMessageBox::warning(this, tr("KV Horizon"), text(message));
}

void MainWindow::showTitle()
{
    setWindowTitle(tr("%1[*] – KV Horizon").arg(m_document.name()));
    setWindowModified(m_document.isUnsaved());
}

void MainWindow::restore(bool withScenario)
{
    restoreGeometry(QSettings().value(QStringLiteral("geometry")).toByteArray());
    if (withScenario) {
        if (const core::Message message = m_document.restore(); !message.empty())
            complain(message);
    }
    m_document.startKeeping();
    showTitle();
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    commitTyping();
    // An unnamed scenario that is kept comes back at the next start: nothing to ask.
    const bool comesBack = m_document.isKept() && m_document.path().isEmpty();
    if (!comesBack && !mayLeave())
        return event->ignore();
    if (m_document.isKept()) {
        m_document.keep();
        QSettings().setValue(QStringLiteral("geometry"), saveGeometry());
    }
    event->accept();
}

void MainWindow::showAbout()
{
    QMessageBox::about(
        this, tr("About KV Horizon"),
        tr("KV Horizon %1 shows how a transformer's KV cache grows and when it meets the memory of a GPU. "
           "It works offline. Licence: GPL-3.0-or-later.")
            .arg(QApplication::applicationVersion()));
}

void MainWindow::resizeEvent(QResizeEvent* event)
{
    QMainWindow::resizeEvent(event);
    placeLesson();
}

void MainWindow::changeEvent(QEvent* event)
{
    QMainWindow::changeEvent(event);
    if (event->type() == QEvent::ThemeChange) // the system turned light or dark
        Theme::apply();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    if (event->mimeData()->hasUrls() && event->mimeData()->urls().size() == 1)
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event)
{
    openFile(event->mimeData()->urls().front().toLocalFile());
}

} // namespace ui
