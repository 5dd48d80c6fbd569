// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sizing/evaluation.h"
#include "core/sizing/explain.h"
#include "ui/charts/chart_scale.h"
#include "ui/charts/growth_chart.h"
#include "ui/data_table.h"

#include <QWidget>

class QGridLayout;
class QLabel;
class QTableView;

namespace ui {

class BudgetView;
class GrowthView;

/// Growth and budget side by side in the same rows, or, when narrow, the budget as one bar under the growth chart; on
/// demand the numbers of both as tables below them.
class Overview : public QWidget {
    Q_OBJECT

public:
    explicit Overview(QWidget* parent = nullptr);

    /// Shows the last evaluation without issues, faded where the current one, which the marker edits, has any; the
    /// reason where there is none yet.
    void show(const core::Evaluation& lastValid, const core::Evaluation& current);
    using QWidget::show;

    /// Side by side or one above the other.
    void setNarrow(bool narrow);
    void setOptions(const GrowthOptions& options);
    const GrowthOptions& options() const { return m_options; }
    /// What a lesson asks of the charts.
    struct Focus {
        bool heldBack = false;  ///< what is to be said: the budget, and of the growth chart all but axes and capacity
        bool weights = true;    ///< seen though the rest is held back
        bool marker = true;     ///< the same
        bool wholeAxis = false; ///< all contexts that the model was trained for are in sight
    };
    void setFocus(const Focus& focus);
    void setTablesShown(bool shown);
    /// Lets the axes follow the next evaluation, whatever was shown before.
    void chooseScaleAnew() { m_scale = ScaleTracker(); }
    /// The ranges of the axes, to be brought back later.
    const ScaleTracker& ranges() const { return m_scale; }
    void setRanges(const ScaleTracker& ranges) { m_scale = ranges; }

    GrowthView& growth() { return *m_growth; }
    BudgetView& budget() { return *m_budget; }
    DataTable growthTable() const;
    DataTable budgetTable() const;

protected:
    void changeEvent(QEvent* event) override;

private:
    void setTheme();
    void placeCharts();
    void placeTables();
    void fillTables();
    const ChartScale& scale();

    QLabel* m_reason; ///< why there is nothing to show
    QWidget* m_parts; ///< all else
    GrowthView* m_growth;
    BudgetView* m_budget;
    QLabel* m_growthTitle;
    QLabel* m_budgetTitle;
    QTableView* m_growthTable = nullptr; ///< both from the first time on that they are shown
    QTableView* m_budgetTable = nullptr;
    DataTableModel* m_growthRows;
    DataTableModel* m_budgetRows;
    QGridLayout* m_grid;
    ScaleTracker m_scale;
    GrowthOptions m_options;
    core::Evaluation m_evaluation;
    core::Evaluation m_current;
    bool m_narrow = false;
    Focus m_focus;
};

} // namespace ui
