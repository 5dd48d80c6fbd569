// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engines/log.h"
#include "core/sizing/evaluation.h"
#include "ui/background.h"
#include "ui/data_table.h"

#include <QTimer>
#include <QWidget>

#include <optional>

class QLabel;
class QPlainTextEdit;
class QPushButton;
class QTableView;

namespace ui {

/// A log of the user's engine, pasted or from a file, against what the scenario predicts: each figure as printed, as
/// predicted, the difference and its likely cause; then the lines that nobody understood.
class LogView : public QWidget {
    Q_OBJECT

public:
    explicit LogView(QWidget* parent = nullptr);

    /// Compares with the last evaluation without issues, faded where the current one, which a log edits, has any.
    void show(const core::Evaluation& lastValid, const core::Evaluation& current);
    using QWidget::show;
    /// Settings of a log are then not taken over.
    void setLocked(bool locked);

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

    core::Evaluation m_predicted; ///< What predicts; with issues, nothing does.
    core::Scenario m_scenario;    ///< What is edited.
    std::optional<core::engines::EngineLog> m_log;
    bool m_locked = false;
    QPlainTextEdit* m_text;
    QTimer m_pause; ///< while text comes in
    Background m_reading;
    QPushButton* m_use;
    QLabel* m_summary;
    DataTableModel* m_figures;
    QTableView* m_table;
    QLabel* m_restTitle;
    QPlainTextEdit* m_rest;
};

} // namespace ui
