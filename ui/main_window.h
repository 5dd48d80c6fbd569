// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/catalogue.h"
#include "ui/course.h"
#include "ui/model_sources.h"
#include "ui/opening.h"
#include "ui/session.h"
#include "ui/views/view.h"

#include <QMainWindow>

class QAction;
class QActionGroup;
class QVBoxLayout;

namespace ui {

class ControlPanel;
class ExplainPopup;
class FormulaBar;
class VerdictBar;
class ViewTabs;

/// The window: inputs on the left, the formula above, the views as tabs in the middle, the verdict below. All wiring is
/// in `connectAll`.
class MainWindow : public QMainWindow {
    Q_OBJECT

public:
    MainWindow(Catalogue catalogue, core::Scenario scenario, QWidget* parent = nullptr);
    ~MainWindow() override;

    Session& session() { return m_session; }
    Opening& opening() { return m_opening; }
    ModelSources& models() { return m_models; }
    Course& course() { return m_course; }

    /// Sets what the pickers and the menu of lessons offer, where it comes only after the first paint.
    void setCatalogue(Catalogue catalogue);

    /// Brings back what the user left: the place of the window and, where `withScenario`, the scenario. From now on the
    /// session is kept.
    void restore(bool withScenario);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void createLayout();
    void createMenus();
    void fillEditMenu(QMenu& edit);
    void fillViewMenu(QMenu& view);
    void connectAll();

    Shown shown() const { return {m_session.lastValid(), m_session.current(), m_course.locks()}; }
    void showEvaluation();
    void showNumbers();
    void showLocks();
    void showTitle();
    void placeLesson();
    void explain(core::Quantity quantity, const QPoint& globalPlace);

    Catalogue m_catalogue;
    const core::Scenario m_start;
    Session m_session;
    Opening m_opening;
    ModelSources m_models;
    Course m_course;
    ControlPanel* m_panel;
    FormulaBar* m_formula;
    ViewTabs* m_views;
    VerdictBar* m_verdict;
    ExplainPopup* m_explanation;
    QVBoxLayout* m_left = nullptr; ///< inputs; in a narrow window the lesson, too
    QMenu* m_learn = nullptr;
    QActionGroup* m_numbers; ///< entries that tell numbers: disabled while these are held back or old
    QAction* m_copyVerdict = nullptr;
};

} // namespace ui
