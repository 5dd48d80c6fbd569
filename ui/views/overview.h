// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/footprint.h"
#include "ui/charts/chart_scale.h"

#include <QWidget>

class QGridLayout;
class QLabel;

namespace ui {

class BudgetChart;
class ChartView;
class GrowthChart;

/// Growth and budget side by side in the same rows, or, when narrow, the budget as one bar under the growth chart.
class Overview : public QWidget {
    Q_OBJECT

public:
    explicit Overview(QWidget* parent = nullptr);

    /// `stale`: an input is out of range and this is the last evaluation without issues; it is shown faded.
    void show(const core::Evaluation& evaluation, bool stale);
    using QWidget::show;

    /// Side by side or one above the other.
    void setNarrow(bool narrow);

protected:
    void changeEvent(QEvent* event) override;

private:
    void setTheme();
    void placeCharts();

    GrowthChart* m_growth;
    BudgetChart* m_budget;
    ChartView* m_growthView;
    ChartView* m_budgetView;
    QLabel* m_growthTitle;
    QLabel* m_budgetTitle;
    QGridLayout* m_grid;
    ScaleTracker m_scale;
    bool m_narrow = false;
};

} // namespace ui
