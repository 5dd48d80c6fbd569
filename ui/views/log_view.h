// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engines/log.h"
#include "core/sizing/evaluation.h"
#include "ui/background.h"
#include "ui/data_table.h"
#include "ui/views/view.h"

#include <QTimer>

#include <optional>

class QLabel;
class QPlainTextEdit;
class QPushButton;
class QTableView;

namespace ui {

/// A log of the user's engine, pasted or from a file, against what the scenario predicts: each figure as printed, as
/// predicted, the difference and its likely cause; then the lines that were not understood.
class LogView : public QWidget {
    Q_OBJECT

public:
    explicit LogView(QWidget* parent = nullptr);

    /// Compares with the last evaluation without issues; the settings of a log change the current one.
    void show(const Shown& shown);
    using QWidget::show;

signals:
    void edited(const core::Scenario& scenario);

private:
    void createButtons();
    void readText();
    void chooseFile();
    void takeLog(std::optional<core::engines::EngineLog> log);
    void showRest();
    void compare();
    bool isUnderstood() const;
    void setUsable();

    core::Evaluation m_predicted; ///< The log is compared with what it predicts; without a plan, nothing does.
    core::Scenario m_scenario;    ///< The one that is edited.
    std::optional<core::engines::EngineLog> m_log;
    bool m_isLocked = false; ///< by a lesson: the settings of a log are not taken over
    QPlainTextEdit* m_text;
    QTimer m_pause; ///< while text comes in
    Background m_reading;
    QPushButton* m_use;
    QWidget* m_result; ///< what has come of the comparison
    QLabel* m_summary;
    DataTableModel* m_figures;
    QTableView* m_table;
    QLabel* m_restTitle;
    QPlainTextEdit* m_rest;
};

} // namespace ui
