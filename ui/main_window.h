// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/explain.h"
#include "core/footprint.h"
#include "ui/catalogue.h"
#include "ui/session.h"

#include <QMainWindow>

#include <optional>

namespace ui {

class ControlPanel;
class ExplainPopup;
class FormulaBar;
class Overview;
class VerdictBar;

/// The window: inputs on the left, formula above, growth and budget in the middle, the verdict below. All wiring is in
/// `connectAll`.
class MainWindow : public QMainWindow {
    Q_OBJECT

public:
    MainWindow(Catalogue catalogue, core::Scenario scenario, QWidget* parent = nullptr);

    Session& session() { return m_session; }

    /// Opens a model file; an error is shown and nothing changed.
    void openModel(const QString& path);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    void createLayout();
    void createFileMenu();
    void createEditMenu();
    void createViewMenu();
    void createHelpMenu();
    void connectAll();
    void showEvaluation();
    void chooseModelFile();
    void showAbout();
    void explain(core::Quantity quantity, const QPoint& globalPlace);
    void light(std::optional<core::Field> field);

    const Catalogue m_catalogue;
    const core::Scenario m_start;
    Session m_session;
    ControlPanel* m_panel;
    FormulaBar* m_formula;
    Overview* m_overview;
    VerdictBar* m_verdict;
    ExplainPopup* m_explanation;
};

/// The scenario of the first start: Llama 3.1 8B on an RTX 4090, 8,192 tokens, batch 4, 20 % of the reserved cache
/// wasted, so that each part is seen.
core::Scenario firstScenario(const Catalogue& catalogue);

} // namespace ui
