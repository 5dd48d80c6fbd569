// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/course.h"

#include "core/teaching/exercise_generator.h"
#include "core/teaching/lesson_file.h"
#include "ui/catalogue.h"
#include "ui/dialogs.h"
#include "ui/lessons/lesson_panel.h"
#include "ui/lessons/lesson_run.h"
#include "ui/session.h"

#include <QFileDialog>
#include <QMenu>
#include <QMessageBox>
#include <QRandomGenerator>

#include <algorithm>
#include <utility>

namespace ui {

Course::Course(Session& session, const Catalogue& catalogue, QWidget& window)
    : m_session(session), m_catalogue(catalogue), m_window(window)
{
    connect(&session, &Session::changed, this, [this] {
        if (m_panel != nullptr)
            m_panel->setContext(m_session.current().scenario.workload.context);
    });
}

Course::~Course() = default;

void Course::addEntry(QMenu& menu, const core::Lesson& lesson)
{
    QAction* entry =
        menu.addAction(menuText(QString::fromStdString(lesson.title)), this, [this, lesson] { start(lesson); });
    entry->setToolTip(QString::fromStdString(lesson.description));
    entry->setCheckable(true);
    entry->setData(QString::fromStdString(lesson.id));
}

/// Ticks each lesson whose questions were all answered.
void Course::showProgress()
{
    for (QAction* entry : m_menu->findChildren<QAction*>()) {
        if (entry->isCheckable())
            entry->setChecked(progressOf(entry->data().toString().toStdString()).solved);
    }
    m_leave->setEnabled(m_run != nullptr);
}

void Course::fillMenu(QMenu& learn)
{
    m_menu = &learn;
    qDeleteAll(m_menu->findChildren<QMenu*>(QString(), Qt::FindDirectChildrenOnly));
    m_menu->clear();
    for (const core::Lesson& lesson : m_catalogue.lessons)
        addEntry(*m_menu, lesson);
    m_menu->addSeparator();
    QMenu* exercises = m_menu->addMenu(tr("E&xercises"));
    exercises->setEnabled(!m_catalogue.exercises.empty());
    for (const core::Exercise& exercise : m_catalogue.exercises)
        addEntry(*exercises, core::lessonOf(exercise));
    m_menu->addAction(tr("Exercise about &this model"), this, &Course::practise);
    m_menu->addAction(tr("&Open a lesson…"), this, &Course::choose);
    m_menu->addSeparator();
    m_leave = m_menu->addAction(tr("&Leave the lesson"), this, &Course::leave);
    m_menu->addSeparator();
    m_menu->addAction(tr("&Clear progress…"), this, &Course::askToClearProgress);
    showProgress();
}

void Course::askToClearProgress()
{
    const auto answer = QMessageBox::question(
        &m_window, tr("Clear progress"), tr("Forget which lessons and exercises are done, and how far the others are?"),
        QMessageBox::Yes | QMessageBox::No, QMessageBox::No);
    if (answer != QMessageBox::Yes)
        return;
    clearProgress();
    showProgress();
}

void Course::createPanel()
{
    m_panel = new LessonPanel(&m_window);
    connect(m_panel, &LessonPanel::leaveRequested, this, &Course::leave);
    connect(m_panel, &LessonPanel::finished, this, &Course::finish, Qt::QueuedConnection);
    m_panel->setContext(m_session.current().scenario.workload.context);
}

/// The lesson or exercise that follows in the course; nothing at its end and outside it.
std::optional<core::Lesson> Course::lessonAfter() const
{
    std::vector<core::Lesson> all = m_catalogue.lessons;
    for (const core::Exercise& exercise : m_catalogue.exercises)
        all.push_back(core::lessonOf(exercise));
    const auto on = std::ranges::find(all, m_run->lesson().id, &core::Lesson::id);
    return on == all.end() || on + 1 == all.end() ? std::nullopt : std::optional(*(on + 1));
}

void Course::start(core::Lesson lesson)
{
    if (m_panel == nullptr)
        createPanel();
    m_panel->clear();
    m_run = std::make_unique<LessonRun>(std::move(lesson));
    connect(m_run.get(), &LessonRun::stepBegan, this, &Course::showStep);
    connect(m_run.get(), &LessonRun::changed, this, &Course::showLocks);
    emit started();
    LessonPanel::After after;
    const std::string& id = m_run->lesson().id;
    if (const std::optional<core::Lesson> next = lessonAfter())
        after = {QString::fromStdString(next->title), tr("&Next one")};
    if (!after.title.isEmpty() && !m_catalogue.lessons.empty() && m_catalogue.lessons.back().id == id)
        after.action = tr("&Go to the exercises");
    if (id.empty())
        after = {tr("Another exercise about this model"), tr("&Next one")};
    m_panel->show(*m_run, after);
    showStep();
}

void Course::leave()
{
    if (!m_run)
        return;
    m_panel->clear();
    m_run.release()->deleteLater(); // it may be its signal that brought us here
    m_session.leave();
    showLocks();
}

void Course::finish()
{
    if (!m_run)
        return;
    if (m_run->lesson().id.empty()) // it was made for this model: make another one
        return practise();
    if (std::optional<core::Lesson> after = lessonAfter())
        start(*std::move(after));
    else
        leave();
}

/// Makes an exercise that does not ask what the last one asked, where the model gives more than one.
std::optional<core::Exercise> Course::newExercise()
{
    constexpr int kTries = 20;
    std::optional<core::Exercise> exercise;
    for (int attempt = 0; attempt < kTries; ++attempt) {
        exercise = core::generateExercise(m_session.own().model, QRandomGenerator::global()->generate64());
        const std::string question = exercise ? core::filled(exercise->question, *exercise) : std::string();
        if (question == m_lastQuestion && exercise)
            continue;
        m_lastQuestion = question;
        break;
    }
    return exercise;
}

void Course::practise()
{
    if (const std::optional<core::Exercise> exercise = newExercise()) {
        core::Lesson lesson = core::lessonOf(*exercise);
        lesson.id.clear(); // nothing to remember
        return start(std::move(lesson));
    }
    complain(&m_window, {KV_TEXT("core", "No exercise can be made about {0}: it keeps no cache to ask about."),
                         {m_session.own().model.name}});
}

void Course::choose()
{
    const QString path =
        QFileDialog::getOpenFileName(&m_window, tr("Open a lesson"), {}, tr("Lessons (*.json);;All files (*)"));
    if (!path.isEmpty())
        open(path);
}

void Course::open(const QString& path)
{
    core::Result<core::Lesson> lesson = core::readers::readLessonFile(
        path.toStdString(), {m_catalogue.models, m_catalogue.gpus, m_catalogue.exercises});
    if (lesson)
        start(*std::move(lesson));
    else
        complain(&m_window, lesson.error().message);
}

void Course::leaveLockedModel()
{
    if (m_run && !m_run->mayChange(core::Field::Model))
        leave();
}

void Course::showStep()
{
    showLocks(); // first, so that nothing is seen of what is held back
    emit stepBegan();
    m_session.enter(m_run->step().scenario);
}

void Course::showLocks()
{
    showProgress();
    emit locksChanged();
}

Locks Course::locks() const
{
    if (!m_run)
        return {};
    return {.isLesson = true,
            .open = m_run->controls(),
            .numbersHeldBack = m_run->holdsNumbersBack(),
            .weightsHeldBack = m_run->holdsWeightsBack(),
            .layoutHeldBack = m_run->holdsLayoutBack(),
            .isWholeAxis = m_run->step().wholeAxis};
}

} // namespace ui
