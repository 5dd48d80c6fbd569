// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sizing/explain.h"
#include "ui/charts/budget_chart.h"
#include "ui/views/chart_view.h"

namespace ui {

/// The budget on the screen: the pointer or the arrow keys choose a part and read its exact bytes; a click or Enter
/// asks for its explanation.
class BudgetView : public ChartView {
    Q_OBJECT

public:
    explicit BudgetView(QWidget* parent = nullptr);

    BudgetChart& budget() { return *m_budget; }
    void show(const core::Evaluation& evaluation, const ChartScale& scale);
    using QWidget::show;

signals:
    void explanationRequested(core::Quantity quantity, const QPoint& globalPlace);

protected:
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void explainChosen(const QPoint& place);

    BudgetChart* m_budget;
};

} // namespace ui
