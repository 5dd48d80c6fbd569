// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/teaching/exercise.h"
#include "core/teaching/lesson.h"
#include "ui/views/view.h"

#include <QObject>

#include <memory>
#include <optional>
#include <string>
#include <vector>

class QAction;
class QMenu;

namespace ui {

class LessonPanel;
class LessonRun;
class Session;
struct Catalogue;

/// Lessons and exercises in the window: the Learn menu, the lesson that is on and its panel, what comes after it.
class Course : public QObject {
    Q_OBJECT

public:
    /// Dialogs come up before `window`, which owns the panel of lessons. All three outlive this.
    Course(Session& session, const Catalogue& catalogue, QWidget& window);
    ~Course() override;

    /// Fills the Learn menu, again where the catalogue has changed.
    void fillMenu(QMenu& learn);

    /// Begins the lesson, in place of the one that is on.
    void start(core::Lesson lesson);
    /// Reads a lesson's file and begins it; an error is shown.
    void open(const QString& path);
    /// Brings back the user's scenario as it was.
    void leave();
    /// Leaves a lesson that does not allow another model.
    void leaveLockedModel();

    /// The lesson that is on; nullptr: none is.
    LessonRun* run() { return m_run.get(); }
    const LessonRun* run() const { return m_run.get(); }
    /// nullptr before the first lesson: the start of the program does not wait for it.
    LessonPanel* panel() { return m_panel; }
    /// What the lesson locks and holds back now.
    Locks locks() const;

signals:
    void started();
    /// What is locked or held back may have changed.
    void locksChanged();
    /// Another step will show its scenario.
    void stepBegan();

private:
    void addEntry(QMenu& menu, const core::Lesson& lesson);
    void createPanel();
    void showStep();
    void showLocks();
    void showProgress();
    void finish();
    void practise();
    void choose();
    void askToClearProgress();
    std::optional<core::Exercise> newExercise();
    std::optional<core::Lesson> lessonAfter() const;

    Session& m_session;
    const Catalogue& m_catalogue;
    QWidget& m_window;
    QMenu* m_menu = nullptr;
    QAction* m_leave = nullptr;
    LessonPanel* m_panel = nullptr;
    std::unique_ptr<LessonRun> m_run;
    std::string m_lastQuestion; ///< of the exercises that were made about a model
};

} // namespace ui
