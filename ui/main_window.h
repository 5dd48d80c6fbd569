// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/readers/local_models.h"
#include "core/scenario/footprint.h"
#include "core/sizing/explain.h"
#include "core/teaching/exercise.h"
#include "core/text/format.h"
#include "ui/background.h"
#include "ui/catalogue.h"
#include "ui/charts/chart_scale.h"
#include "ui/document.h"
#include "ui/session.h"

#include <QMainWindow>
#include <QPointer>

#include <memory>
#include <optional>
#include <string>
#include <vector>

class QAction;
class QActionGroup;
class QProgressDialog;
class QTabWidget;
class QVBoxLayout;

namespace ui {

class ControlPanel;
class EngineView;
class ExplainPopup;
class FormulaBar;
class LessonPanel;
class LessonRun;
class ModelView;
class Overview;
class VerdictBar;

/// The window: inputs on the left, formula above, the views as tabs in the middle, the verdict below. All wiring is in
/// `connectAll`.
class MainWindow : public QMainWindow {
    Q_OBJECT

public:
    MainWindow(Catalogue catalogue, core::Scenario scenario, QWidget* parent = nullptr);
    ~MainWindow() override;

    Session& session() { return m_session; }

    /// What the pickers and the menu of lessons offer, where it comes only after the first paint.
    void setCatalogue(Catalogue catalogue);

    Document& document() { return m_document; }

    /// Looks for models on this computer, in the background, and offers them in the picker.
    void lookForModels();

    /// Opens a scenario, a lesson or a model file, told apart by content; an error is shown and nothing changed.
    void openFile(const QString& path);

    /// Takes what a person left: place of the window and, where `withScenario`, the scenario. From now on the session
    /// is kept. What cannot be read is said, and a copy of it kept.
    void restore(bool withScenario);

    /// Takes the lesson beside the charts, in place of the one that is on.
    void startLesson(core::Lesson lesson);
    /// Brings back the user's scenario as it was.
    void leaveLesson();
    /// The lesson that is on; nullptr: none is.
    LessonRun* lesson() { return m_run.get(); }

    /// Says it in a box.
    void complain(const core::Message& message);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void createLayout();
    void createFileMenu();
    void createEditMenu();
    void createViewMenu();
    void createModelMenu();
    void createLearnMenu();
    void createHelpMenu();
    void connectAll();
    void showEvaluation();
    void showNumbers();
    void showTab();
    Overview& overview();
    void editModelAsText();
    void chooseFile();
    bool save();
    bool saveAs();
    void commitTyping();
    /// Asks what becomes of unsaved work that would be lost; false: go on working with it.
    bool mayLeave();
    void openModel(const QString& path);
    void takeModel(const core::Model& model);
    void chooseByName();
    void openByName(const QString& name);
    void takeFetched(const core::Result<core::Scenario>& scenario);
    void fillRecentMenu(QMenu* menu);
    void showTitle();
    void showAbout();
    void fillFolderMenu(QMenu* menu);
    void chooseModelFolder();
    void offerLocalModels();
    void explain(core::Quantity quantity, const QPoint& globalPlace);
    void light(std::optional<core::Field> field);
    void chooseUnit(core::Unit unit);

    void createLessonPanel();
    void fillLearnMenu();
    void addLessonEntry(QMenu& menu, const core::Lesson& lesson);
    void showProgress();
    void showStep();
    void showLocks();
    void placeLesson();
    void finishLesson();
    void practise();
    void askToClearProgress();
    std::optional<core::Exercise> newExercise();
    void openLesson(const QString& path);
    void chooseLesson();
    /// The lessons of the course, then its exercises, each as a lesson.
    std::vector<core::Lesson> course() const;
    /// What comes after the lesson that is on; nothing at the end of the course and outside it.
    std::optional<core::Lesson> lessonAfter() const;
    /// Leaves a lesson that has no use for another model.
    void leaveLockedModel();
    void setTabEnabled(int tab, bool enabled);

    Catalogue m_catalogue;
    const core::Scenario m_start;
    Session m_session;
    Document m_document;
    Background m_search;                                  ///< for models on this computer
    Background m_fetch;                                   ///< of a model by name
    QPointer<QProgressDialog> m_fetching;                 ///< while a model is fetched
    std::vector<core::readers::LocalModel> m_localModels; ///< that the last search found
    ControlPanel* m_panel;
    FormulaBar* m_formula;
    QTabWidget* m_tabs;
    Overview* m_overview;
    ModelView* m_model;
    EngineView* m_engine;
    VerdictBar* m_verdict;
    ExplainPopup* m_explanation;
    LessonPanel* m_lesson = nullptr; ///< from the first lesson on: the start does not wait for it
    ScaleTracker m_ownRanges;        ///< of the user's axes while a lesson is on
    std::string m_practised;         ///< the question of the last exercise that was made
    std::unique_ptr<LessonRun> m_run;
    QMenu* m_learn = nullptr;
    QAction* m_leave = nullptr;
    QVBoxLayout* m_left = nullptr;     ///< inputs; in a narrow window the lesson, too
    QActionGroup* m_numbers = nullptr; ///< actions that tell numbers: not while these are held back or old
    QAction* m_copyVerdict = nullptr;
    std::vector<QAction*> m_openTab; ///< for each tab, enabled with it
};

inline constexpr const char* kFirstModel = "llama-3.1-8b";
inline constexpr const char* kFirstGpu = "rtx-4090";

/// The scenario of the first start: Llama 3.1 8B on an RTX 4090, 8,192 tokens, batch 4, 20 % of the reserved cache
/// wasted, so that each part is seen.
core::Scenario firstScenario(const Catalogue& catalogue);
core::Scenario firstScenario(core::Model model, core::Gpu gpu);

} // namespace ui
