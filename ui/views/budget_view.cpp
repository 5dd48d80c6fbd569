// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/budget_view.h"

#include <QKeyEvent>
#include <QMouseEvent>

namespace ui {

BudgetView::BudgetView(QWidget* parent) : ChartView(parent), m_budget(new BudgetChart(this))
{
    take(*m_budget, "budget", tr("Where the memory goes"));
    takeInput();
}

void BudgetView::show(const core::Evaluation& evaluation, const ChartScale& scale)
{
    m_budget->show(evaluation, scale);
    describe();
}

void BudgetView::mouseMoveEvent(QMouseEvent* event)
{
    m_budget->choose(m_budget->partAt(event->position()));
    viewport()->setCursor(m_budget->chosen().part >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

void BudgetView::mousePressEvent(QMouseEvent* event)
{
    m_budget->choose(m_budget->partAt(event->position()));
}

void BudgetView::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton)
        explainChosen(event->globalPosition().toPoint());
}

void BudgetView::leaveEvent(QEvent* event)
{
    ChartView::leaveEvent(event);
    m_budget->choose({});
}

void BudgetView::focusOutEvent(QFocusEvent* event)
{
    ChartView::focusOutEvent(event);
    m_budget->choose({});
}

void BudgetView::keyPressEvent(QKeyEvent* event)
{
    const int bars = m_budget->barCount();
    const int parts = m_budget->partCount();
    const int bar = m_budget->shownBar();
    const int part = m_budget->chosen().part;
    const bool alongBars = bars > 1 && (event->key() == Qt::Key_Left || event->key() == Qt::Key_Right);
    switch (event->key()) {
    case Qt::Key_Up:
    case Qt::Key_Right:
        return m_budget->choose(alongBars ? BudgetChart::Spot{(bar + 1) % bars, 0}
                                          : BudgetChart::Spot{bar, (part + 1) % parts});
    case Qt::Key_Down:
    case Qt::Key_Left:
        return m_budget->choose(alongBars ? BudgetChart::Spot{(bar + bars - 1) % bars, 0}
                                          : BudgetChart::Spot{bar, part > 0 ? part - 1 : parts - 1});
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        return explainChosen(mapToGlobal(rect().center()));
    default:
        ChartView::keyPressEvent(event);
    }
}

void BudgetView::explainChosen(const QPoint& place)
{
    if (const std::optional<core::Quantity> quantity = m_budget->chosenQuantity())
        emit explanationRequested(*quantity, place);
}

} // namespace ui
