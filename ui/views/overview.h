// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sizing/evaluation.h"
#include "ui/charts/chart_scale.h"
#include "ui/charts/growth_chart.h"
#include "ui/data_table.h"
#include "ui/views/view.h"

class QGridLayout;
class QLabel;
class QTableView;

namespace ui {

class BudgetView;
class GrowthView;

/// Growth and budget side by side in the same rows or, when narrow, the budget as one bar under the growth chart; on
/// demand the numbers of both as tables below them.
class Overview : public View {
    Q_OBJECT

public:
    explicit Overview(QWidget* parent = nullptr);

    void show(const Shown& shown) override;
    using View::show;
    QWidget* result() override { return this; }
    bool keepsAnswersBack() const override { return true; }
    void startAfresh() override { ranges() = ScaleTracker(); }
    void setNarrow(bool narrow) override;
    void highlight(std::optional<core::Field> field) override;
    void addEntries(QMenu& menu) override;
    void choosePicture(ExportSettings& settings) const override;

private:
    void placeCharts();
    void placeTables();
    void setTablesShown(bool shown);
    void fillTables(bool heldBack);
    ScaleTracker& ranges() { return m_isLesson ? m_lessonRanges : m_ownRanges; }
    const ChartScale& scaleOf(const Shown& shown);

    GrowthView* m_growth;
    BudgetView* m_budget;
    QLabel* m_growthTitle;
    QLabel* m_budgetTitle;
    QTableView* m_growthTable = nullptr; ///< both tables are made when they are shown for the first time
    QTableView* m_budgetTable = nullptr;
    DataTableModel* m_growthRows;
    DataTableModel* m_budgetRows;
    QGridLayout* m_grid;
    ScaleTracker m_ownRanges;    ///< of the axes; a lesson has its own, so that leaving it brings the user's back
    ScaleTracker m_lessonRanges; ///< the same while a lesson is on
    GrowthOptions m_options;     ///< what the user has chosen
    bool m_isLesson = false;
    bool m_isNarrow = false;
};

} // namespace ui
