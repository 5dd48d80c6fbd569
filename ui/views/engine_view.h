// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engines/engine.h"
#include "core/sizing/evaluation.h"
#include "ui/charts/waste_chart.h"
#include "ui/data_table.h"
#include "ui/views/view.h"

#include <functional>
#include <vector>

class QLabel;
class QPlainTextEdit;
class QPushButton;
class QScrollArea;
class QTableView;
class QVBoxLayout;

namespace ui {

class ChartView;
class LogView;

/// What the engine makes of the ideal cache: a waterfall from what is in use to what is reserved, each step a cause
/// with its bytes and a sentence; the bytes of each device; the lines of its log; the launch command; and a log of the
/// user's, compared.
class EngineView : public View {
    Q_OBJECT

public:
    explicit EngineView(QWidget* parent = nullptr);

    void show(const Shown& shown) override;
    using View::show;
    QWidget* result() override { return m_result; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void createPage();
    QWidget* createResult();
    QWidget* createWaterfall();
    QPushButton* copyButton(const char* name, const QString& what, const std::function<QString()>& text);
    QPlainTextEdit* addText(QVBoxLayout* column, const char* name, const QString& title);
    void showResult(const core::Evaluation& evaluation);
    void showHeadline(const core::Evaluation& evaluation, const core::engines::Reservation& reservation);
    void showPool(const core::engines::Reservation& reservation);
    void showWaterfall(const std::vector<WasteRow>& rows);
    void placeRows();
    void showDevices(const core::Evaluation& evaluation);

    QScrollArea* m_area;
    QWidget* m_result = nullptr; ///< everything but the log
    QLabel* m_headline = nullptr;
    QLabel* m_pool = nullptr; ///< what an engine's pool holds
    QLabel* m_hint = nullptr;
    QWidget* m_steps = nullptr; ///< the names and sentences beside the bars
    std::vector<QLabel*> m_stepTexts;
    WasteChart* m_waste = nullptr;
    ChartView* m_wasteView = nullptr;
    QLabel* m_devicesTitle = nullptr;
    DataTableModel* m_devices = nullptr;
    QTableView* m_devicesTable = nullptr;
    QLabel* m_spread = nullptr; ///< what is divided over devices and what is not
    QWidget* m_words = nullptr; ///< log lines and command; hidden where the engine has none
    QPlainTextEdit* m_lines = nullptr;
    QPlainTextEdit* m_command = nullptr;
    LogView* m_log = nullptr;
};

} // namespace ui
