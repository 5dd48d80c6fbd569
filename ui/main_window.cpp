// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/main_window.h"

#include "core/sizing/advice.h"
#include "core/sizing/verdict.h"
#include "ui/appearance.h"
#include "ui/control_panel.h"
#include "ui/dialogs.h"
#include "ui/explain_popup.h"
#include "ui/formula_bar.h"
#include "ui/help/manual_window.h"
#include "ui/lessons/lesson_panel.h"
#include "ui/lessons/lesson_run.h"
#include "ui/picture_entries.h"
#include "ui/theme.h"
#include "ui/verdict_bar.h"
#include "ui/views/view_tabs.h"
#include "ui/views/views.h"

#include <QActionGroup>
#include <QApplication>
#include <QClipboard>
#include <QCloseEvent>
#include <QDragEnterEvent>
#include <QHBoxLayout>
#include <QMenuBar>
#include <QMimeData>
#include <QSettings>
#include <QVBoxLayout>

#include <utility>

namespace ui {

namespace {

constexpr int kNarrow = 1280; ///< logical pixels of width below which views are narrow, and a lesson takes the place
                              ///< of locked inputs
constexpr int kLessonWidth = 344; ///< pixels of a lesson that is a column of its own

/// Hides or shows a widget that leaves its place empty.
void holdBack(QWidget& widget, bool held)
{
    QSizePolicy policy = widget.sizePolicy();
    policy.setRetainSizeWhenHidden(true);
    widget.setSizePolicy(policy);
    widget.setVisible(!held);
}

} // namespace

MainWindow::MainWindow(Catalogue catalogue, core::Scenario scenario, QWidget* parent)
    : QMainWindow(parent),
      m_catalogue(std::move(catalogue)),
      m_start(scenario),
      m_session(std::move(scenario)),
      m_opening(m_session, m_start, *this),
      m_models(m_session, *this),
      m_course(m_session, m_catalogue, *this),
      m_panel(new ControlPanel(m_catalogue)),
      m_formula(new FormulaBar),
      m_views(new ViewTabs([this] { return shown(); })),
      m_verdict(new VerdictBar),
      m_explanation(new ExplainPopup(this)),
      m_numbers(new QActionGroup(this))
{
    showTitle();
    setAcceptDrops(true);
    m_numbers->setExclusionPolicy(QActionGroup::ExclusionPolicy::None);
    createLayout();
    createMenus();
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
    m_course.fillMenu(*m_learn);
    showEvaluation();
}

void MainWindow::createLayout()
{
    auto* results = new QWidget;
    results->setBackgroundRole(QPalette::Base);
    results->setAutoFillBackground(true);
    auto* column = new QVBoxLayout(results);
    column->setContentsMargins(6 * kSpace, 2 * kSpace, 6 * kSpace, 3 * kSpace);
    column->setSpacing(2 * kSpace);
    column->addWidget(m_formula);
    column->addWidget(m_views, 1);
    column->addWidget(m_verdict);
    auto* central = new QWidget;
    auto* row = new QHBoxLayout(central);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    m_left = new QVBoxLayout;
    m_left->setSpacing(0);
    m_left->addWidget(m_panel);
    row->addLayout(m_left);
    row->addWidget(results, 1);
    setCentralWidget(central);
    setMinimumSize(1024, 640);
}

void MainWindow::createMenus()
{
    QMenu* file = menuBar()->addMenu(tr("&File"));
    m_opening.addEntries(*file);
    file->addSeparator();
    addExports(*file, *m_numbers, m_session, *m_views, *this);
    file->addSeparator();
    file->addAction(tr("&Quit"), QKeySequence(Qt::CTRL | Qt::Key_Q), this, &QWidget::close);
    fillEditMenu(*menuBar()->addMenu(tr("&Edit")));
    fillViewMenu(*menuBar()->addMenu(tr("&View")));
    m_models.addEntries(*menuBar()->addMenu(tr("&Model")));
    m_learn = menuBar()->addMenu(tr("&Learn"));
    m_course.fillMenu(*m_learn);
    QMenu* help = menuBar()->addMenu(tr("&Help"));
    help->addAction(tr("&Manual"), QKeySequence(Qt::Key_F1), this, [this] {
        const ViewRow& front = views()[static_cast<std::size_t>(m_views->currentIndex())];
        openManual(*this, QString::fromLatin1(m_course.run() != nullptr ? "lessons" : front.topic));
    });
    help->addAction(tr("&About KV Horizon"), this, [this] { showAbout(this); });
}

void MainWindow::fillEditMenu(QMenu& edit)
{
    QAction* undo = m_session.undoGroup().createUndoAction(this, tr("&Undo"));
    undo->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_Z));
    QAction* redo = m_session.undoGroup().createRedoAction(this, tr("&Redo"));
    redo->setShortcut(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z));
    edit.addAction(undo);
    edit.addAction(redo);
    edit.addAction(tr("Re&set to default"), this, [this] {
        m_views->startAfresh();
        m_session.edit(m_course.run() != nullptr ? m_course.run()->step().scenario : m_start);
    });
    edit.addSeparator();
    m_numbers->addAction(edit.addAction(tr("Copy &formula"), this,
                                        [this] { QApplication::clipboard()->setText(m_formula->formulaText()); }));
    m_copyVerdict = edit.addAction(tr("Copy &verdict"), this,
                                   [this] { QApplication::clipboard()->setText(m_verdict->verdictText()); });
    addCopies(edit, *m_numbers, *m_views);
}

void MainWindow::fillViewMenu(QMenu& view)
{
    m_views->addEntries(view);
    QMenu* quantities = view.addMenu(tr("&Explain"));
    addQuantities(*quantities,
                  [this](core::Quantity quantity) { explain(quantity, m_views->mapToGlobal(QPoint(0, 0))); });
    m_numbers->addAction(quantities->menuAction());
    view.addSeparator();
    addAppearance(view, [this] {
        showEvaluation();
        if (m_course.panel() != nullptr)
            m_course.panel()->beginStep();
    });
}

void MainWindow::connectAll()
{
    connect(m_panel, &ControlPanel::edited, &m_session, &Session::edit);
    connect(m_panel, &ControlPanel::gestureStarted, &m_session, &Session::beginGesture);
    connect(m_panel, &ControlPanel::gestureEnded, &m_session, &Session::endGesture);
    connect(m_panel, &ControlPanel::openRequested, &m_opening, &Opening::choose);
    connect(m_panel, &ControlPanel::fileChosen, &m_models, &ModelSources::open);
    connect(m_panel, &ControlPanel::nameTyped, &m_models, &ModelSources::openByName);
    connect(m_formula, &FormulaBar::factorChosen, m_panel, &ControlPanel::highlight);
    connect(m_formula, &FormulaBar::factorChosen, m_views, &ViewTabs::highlight);
    connect(m_formula, &FormulaBar::explanationRequested, this, &MainWindow::explain);
    connect(m_views, &ViewTabs::edited, &m_session, &Session::edit);
    connect(m_views, &ViewTabs::gestureStarted, &m_session, &Session::beginGesture);
    connect(m_views, &ViewTabs::gestureEnded, &m_session, &Session::endGesture);
    connect(m_views, &ViewTabs::explanationRequested, this, &MainWindow::explain);
    connect(m_verdict, &VerdictBar::edited, &m_session, &Session::edit);
    connect(m_verdict, &VerdictBar::explanationRequested, this, &MainWindow::explain);
    connect(&m_session, &Session::started, m_views, &ViewTabs::startAfresh);
    connect(&m_session, &Session::changed, this, &MainWindow::showEvaluation);
    connect(&m_opening.document(), &Document::changed, this, &MainWindow::showTitle);
    connect(&m_opening, &Opening::lessonChosen, &m_course, &Course::open);
    connect(&m_opening, &Opening::modelChosen, &m_models, &ModelSources::open);
    connect(&m_opening, &Opening::replaced, &m_course, &Course::leave);
    connect(&m_models, &ModelSources::found, m_panel, &ControlPanel::setLocalModels);
    connect(&m_models, &ModelSources::changing, &m_course, &Course::leaveLockedModel);
    connect(&m_models, &ModelSources::kept, this, &MainWindow::showEvaluation); // the picker names the model that stays
    connect(&m_models, &ModelSources::fileRequested, &m_opening, &Opening::choose);
    connect(&m_models, &ModelSources::textRequested, m_views, &ViewTabs::editModelAsText);
    connect(&m_course, &Course::started, m_views, &ViewTabs::openAnswerless);
    connect(&m_course, &Course::stepBegan, m_views, &ViewTabs::startAfresh);
    connect(&m_course, &Course::locksChanged, this, &MainWindow::showLocks);
}

void MainWindow::showEvaluation()
{
    const core::Evaluation& current = m_session.current();
    m_panel->show(current);
    if (m_session.lastValid().issues.empty())
        m_formula->show(m_session.lastValid());
    m_formula->setEnabled(current.issues.empty());
    showNumbers();
    m_views->showFront();
    const Locks locks = m_course.locks();
    m_verdict->show(core::verdictOf(current, locks.mayChange(core::Field::Gpu) || locks.mayChange(core::Field::Memory)),
                    locks.isLesson ? std::vector<core::Advice>() : core::advise(current, m_catalogue.gpus));
}

/// Shows or hides formula and verdict, and enables what copies, exports or explains: not what is held back, nor what is
/// of another scenario.
void MainWindow::showNumbers()
{
    const Shown now = shown();
    const bool held = now.locks.numbersHeldBack;
    holdBack(*m_formula, held || now.isNothing());
    holdBack(*m_verdict, held);
    m_copyVerdict->setEnabled(!held); // it is never old
    m_numbers->setEnabled(!held && !now.isOld());
}

void MainWindow::showTitle()
{
    setWindowTitle(tr("%1[*] – KV Horizon").arg(m_opening.document().name()));
    setWindowModified(m_opening.document().isUnsaved());
}

/// Shows what may be changed and what may be seen.
void MainWindow::showLocks()
{
    m_views->showLocks();
    m_verdict->setAdvised(m_course.run() == nullptr); // the lesson says what may change
    placeLesson();
    showEvaluation();
}

/// Places the lesson as a column on the right or, in a narrow window, above the inputs that it leaves open.
void MainWindow::placeLesson()
{
    const bool isNarrow = width() < kNarrow;
    const Locks locks = m_course.locks();
    LessonPanel* lesson = m_course.panel();
    if (locks.isLesson && isNarrow && m_left->indexOf(lesson) < 0)
        m_left->insertWidget(0, lesson, 1);
    else if (locks.isLesson && !isNarrow && centralWidget()->layout()->indexOf(lesson) < 0)
        centralWidget()->layout()->addWidget(lesson);
    if (locks.isLesson)
        lesson->setFixedWidth(isNarrow ? m_panel->minimumWidth() : kLessonWidth);
    m_views->setNarrow(width() - (locks.isLesson && !isNarrow ? kLessonWidth : 0) < kNarrow);
    const bool shares = locks.isLesson && isNarrow;
    m_panel->setSizePolicy(QSizePolicy::Expanding, shares ? QSizePolicy::Maximum : QSizePolicy::Expanding);
    m_panel->setVisible(!shares || !locks.open.empty());
    ControlPanel::Lock lock;
    if (locks.isLesson)
        lock = {locks.open, isNarrow, locks.numbersHeldBack, locks.weightsHeldBack, locks.layoutHeldBack};
    m_panel->setLock(std::move(lock));
}

void MainWindow::explain(core::Quantity quantity, const QPoint& globalPlace)
{
    if (m_session.current().issues.empty())
        m_explanation->showAt(core::explain(m_session.current(), quantity), globalPlace);
}

void MainWindow::restore(bool withScenario)
{
    restoreGeometry(QSettings().value(QStringLiteral("geometry")).toByteArray());
    if (withScenario)
        m_opening.restore();
    m_opening.document().startKeeping();
    showTitle();
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    if (!m_opening.mayClose())
        return event->ignore();
    if (m_opening.document().isKept())
        QSettings().setValue(QStringLiteral("geometry"), saveGeometry());
    event->accept();
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
    m_opening.open(event->mimeData()->urls().front().toLocalFile());
}

} // namespace ui
