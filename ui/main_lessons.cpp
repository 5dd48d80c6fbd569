// SPDX-License-Identifier: GPL-3.0-or-later
// Lessons in the main window: their menu, their place, what they lock and hold back.
#include "core/teaching/exercise_generator.h"
#include "core/teaching/lesson_file.h"
#include "ui/control_panel.h"
#include "ui/formula_bar.h"
#include "ui/lessons/lesson_panel.h"
#include "ui/lessons/lesson_run.h"
#include "ui/main_window.h"
#include "ui/verdict_bar.h"
#include "ui/views/engine_view.h"
#include "ui/views/growth_view.h"
#include "ui/views/model_view.h"
#include "ui/views/overview.h"

#include <QActionGroup>
#include <QFileDialog>
#include <QLayout>
#include <QMenuBar>
#include <QMessageBox>
#include <QRandomGenerator>
#include <QTabWidget>

#include <algorithm>
#include <initializer_list>
#include <utility>

namespace ui {

namespace {

constexpr int kNarrow = 1280;     ///< logical pixels of width below which the budget lies under the growth chart, and a
                                  ///< lesson takes the place of locked inputs
constexpr int kLessonWidth = 344; ///< as a column of its own

/// Hides or shows a widget that leaves its place empty.
void holdBack(QWidget& widget, bool held)
{
    QSizePolicy policy = widget.sizePolicy();
    policy.setRetainSizeWhenHidden(true);
    widget.setSizePolicy(policy);
    widget.setVisible(!held);
}

} // namespace

void MainWindow::createLearnMenu()
{
    m_learn = menuBar()->addMenu(tr("&Learn"));
    fillLearnMenu();
}

void MainWindow::addLessonEntry(QMenu& menu, const core::Lesson& lesson)
{
    const QString title = QString::fromStdString(lesson.title).replace(QLatin1Char('&'), QLatin1String("&&"));
    QAction* entry = menu.addAction(title, this, [this, lesson] { startLesson(lesson); });
    entry->setToolTip(QString::fromStdString(lesson.description));
    entry->setCheckable(true);
    entry->setData(QString::fromStdString(lesson.id));
}

/// A tick at each lesson whose questions were all answered.
void MainWindow::showProgress()
{
    for (QAction* entry : m_learn->findChildren<QAction*>()) {
        if (entry->isCheckable())
            entry->setChecked(progressOf(entry->data().toString().toStdString()).solved);
    }
    m_leave->setEnabled(m_run != nullptr);
}

void MainWindow::fillLearnMenu()
{
    qDeleteAll(m_learn->findChildren<QMenu*>(QString(), Qt::FindDirectChildrenOnly));
    m_learn->clear();
    for (const core::Lesson& lesson : m_catalogue.lessons)
        addLessonEntry(*m_learn, lesson);
    m_learn->addSeparator();
    QMenu* exercises = m_learn->addMenu(tr("E&xercises"));
    exercises->setEnabled(!m_catalogue.exercises.empty());
    for (const core::Exercise& exercise : m_catalogue.exercises)
        addLessonEntry(*exercises, core::lessonOf(exercise));
    m_learn->addAction(tr("Exercise about &this model"), this, &MainWindow::practise);
    m_learn->addAction(tr("&Open a lesson…"), this, &MainWindow::chooseLesson);
    m_learn->addSeparator();
    m_leave = m_learn->addAction(tr("&Leave the lesson"), this, &MainWindow::leaveLesson);
    m_learn->addSeparator();
    m_learn->addAction(tr("&Clear progress…"), this, &MainWindow::askToClearProgress);
    showProgress();
}

void MainWindow::askToClearProgress()
{
    const auto answer = QMessageBox::question(
        this, tr("Clear progress"), tr("Forget which lessons and exercises are done, and how far the others are?"),
        QMessageBox::Yes | QMessageBox::No, QMessageBox::No);
    if (answer != QMessageBox::Yes)
        return;
    clearProgress();
    showProgress();
}

void MainWindow::createLessonPanel()
{
    m_lesson = new LessonPanel(this);
    centralWidget()->layout()->addWidget(m_lesson);
    connect(m_lesson, &LessonPanel::leaveRequested, this, &MainWindow::leaveLesson);
    connect(m_lesson, &LessonPanel::finished, this, &MainWindow::finishLesson, Qt::QueuedConnection);
    m_lesson->setContext(m_session.current().scenario.workload.context);
}

std::vector<core::Lesson> MainWindow::course() const
{
    std::vector<core::Lesson> all = m_catalogue.lessons;
    for (const core::Exercise& exercise : m_catalogue.exercises)
        all.push_back(core::lessonOf(exercise));
    return all;
}

std::optional<core::Lesson> MainWindow::lessonAfter() const
{
    const std::vector<core::Lesson> all = course();
    const auto on = std::ranges::find(all, m_run->lesson().id, &core::Lesson::id);
    return on == all.end() || on + 1 == all.end() ? std::nullopt : std::optional(*(on + 1));
}

void MainWindow::startLesson(core::Lesson lesson)
{
    if (m_lesson == nullptr)
        createLessonPanel();
    m_lesson->clear();
    if (!m_run)
        m_ownRanges = m_overview->ranges();
    m_run = std::make_unique<LessonRun>(std::move(lesson));
    connect(m_run.get(), &LessonRun::stepBegan, this, &MainWindow::showStep);
    connect(m_run.get(), &LessonRun::changed, this, &MainWindow::showLocks);
    m_tabs->setCurrentWidget(m_overview);
    LessonPanel::After after;
    const std::string& id = m_run->lesson().id;
    if (const std::optional<core::Lesson> next = lessonAfter())
        after = {QString::fromStdString(next->title), tr("&Next one")};
    if (!after.title.isEmpty() && !m_catalogue.lessons.empty() && m_catalogue.lessons.back().id == id)
        after.action = tr("&Go to the exercises");
    if (id.empty())
        after = {tr("Another exercise about this model"), tr("&Next one")};
    m_lesson->show(*m_run, after);
    showStep();
}

void MainWindow::leaveLesson()
{
    if (!m_run)
        return;
    m_lesson->clear();
    m_run.release()->deleteLater(); // it may be its signal that brought us here
    m_overview->setFocus({});
    m_overview->setRanges(m_ownRanges);
    m_session.leave();
    showLocks();
}

void MainWindow::finishLesson()
{
    if (!m_run)
        return;
    if (m_run->lesson().id.empty()) // one that was made for this model: another one
        return practise();
    if (std::optional<core::Lesson> after = lessonAfter())
        startLesson(*std::move(after));
    else
        leaveLesson();
}

/// One that does not ask what the last one asked, where the model gives more than one.
std::optional<core::Exercise> MainWindow::newExercise()
{
    constexpr int kTries = 20;
    std::optional<core::Exercise> exercise;
    for (int attempt = 0; attempt < kTries; ++attempt) {
        exercise = core::generateExercise(m_session.own().model, QRandomGenerator::global()->generate64());
        const std::string question = exercise ? core::filled(exercise->question, *exercise) : std::string();
        if (question == m_practised && exercise)
            continue;
        m_practised = question;
        break;
    }
    return exercise;
}

void MainWindow::practise()
{
    if (const std::optional<core::Exercise> exercise = newExercise()) {
        core::Lesson lesson = core::lessonOf(*exercise);
        lesson.id.clear(); // nothing to remember
        return startLesson(std::move(lesson));
    }
    complain({KV_TEXT("core", "No exercise can be made about {0}: it keeps no cache to ask about."),
              {m_session.own().model.name}});
}

void MainWindow::chooseLesson()
{
    const QString path =
        QFileDialog::getOpenFileName(this, tr("Open a lesson"), {}, tr("Lessons (*.json);;All files (*)"));
    if (!path.isEmpty())
        openLesson(path);
}

void MainWindow::openLesson(const QString& path)
{
    core::Result<core::Lesson> lesson = core::readers::readLessonFile(
        path.toStdString(), {m_catalogue.models, m_catalogue.gpus, m_catalogue.exercises});
    if (lesson)
        startLesson(*std::move(lesson));
    else
        complain(lesson.error().message);
}

void MainWindow::leaveLockedModel()
{
    if (m_run && !m_run->mayChange(core::Field::Model))
        leaveLesson();
}

/// The tab and the menu's way to it.
void MainWindow::setTabEnabled(int tab, bool enabled)
{
    m_tabs->setTabEnabled(tab, enabled);
    m_openTab.at(static_cast<std::size_t>(tab))->setEnabled(enabled);
}

void MainWindow::showStep()
{
    showLocks(); // first, so that nothing is seen of what is held back
    m_overview->chooseScaleAnew();
    m_session.enter(m_run->step().scenario);
}

/// What may be changed and what may be seen.
void MainWindow::showLocks()
{
    const bool held = m_run && m_run->holdsNumbersBack();
    const bool marker = !m_run || m_run->mayChange(core::Field::Context);
    const bool model = !m_run || m_run->mayChange(core::Field::Model);
    m_overview->growth().setLocked(!marker);
    m_overview->setFocus({.heldBack = held,
                          .weights = !m_run || !m_run->holdsWeightsBack(),
                          .marker = marker,
                          .wholeAxis = m_run && m_run->step().wholeAxis});
    m_model->setLocked(!model);
    m_engine->setLocked(m_run && !m_run->mayChange(core::Field::Engine));
    if (held)
        m_tabs->setCurrentWidget(m_overview);
    for (QWidget* view : std::initializer_list<QWidget*>{m_model, m_engine})
        setTabEnabled(m_tabs->indexOf(view), !held);
    m_verdict->setAdvised(m_run == nullptr); // the lesson says what may change
    placeLesson();
    showProgress();
    showEvaluation();
}

/// Formula and verdict, and what copies, exports or explains: not what is held back, nor what is of another scenario.
void MainWindow::showNumbers()
{
    const bool held = m_run && m_run->holdsNumbersBack();
    holdBack(*m_formula, held || !m_session.lastValid().issues.empty());
    holdBack(*m_verdict, held);
    m_copyVerdict->setEnabled(!held);
    m_numbers->setEnabled(!held && m_session.current().issues.empty());
}

/// As a column on the right or, in a narrow window, in place of the locked inputs.
void MainWindow::placeLesson()
{
    const bool narrow = width() < kNarrow;
    const bool on = m_run != nullptr;
    if (on && narrow != (m_left->indexOf(m_lesson) >= 0)) {
        if (narrow)
            m_left->insertWidget(0, m_lesson, 1);
        else
            centralWidget()->layout()->addWidget(m_lesson);
    }
    if (on)
        m_lesson->setFixedWidth(narrow ? m_panel->minimumWidth() : kLessonWidth);
    m_overview->setNarrow(width() - (on && !narrow ? kLessonWidth : 0) < kNarrow);
    const bool shares = on && narrow;
    m_panel->setSizePolicy(QSizePolicy::Expanding, shares ? QSizePolicy::Maximum : QSizePolicy::Expanding);
    m_panel->setVisible(!shares || !m_run->controls().empty());
    ControlPanel::Lock lock;
    if (on)
        lock = {m_run->controls(), narrow, m_run->holdsNumbersBack(), m_run->holdsWeightsBack(),
                m_run->holdsLayoutBack()};
    m_panel->setLock(std::move(lock));
}

} // namespace ui
