// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/growth_view.h"

#include <QKeyEvent>
#include <QMouseEvent>

#include <algorithm>

namespace ui {

namespace {

constexpr std::int64_t kKeySteps = 80; ///< arrow presses over the whole axis
constexpr std::int64_t kRound = 16;    ///< a dragged marker stops at multiples of this many tokens

} // namespace

GrowthView::GrowthView(QWidget* parent) : ChartView(parent), m_growth(new GrowthChart(this))
{
    take(*m_growth, "growth", tr("Memory against context"));
    takeInput();
}

void GrowthView::show(const core::Evaluation& evaluation, const core::Scenario& edited, const ChartScale& scale,
                      const GrowthOptions& options)
{
    m_scenario = edited;
    m_growth->show(evaluation, scale, options);
    describe();
}

void GrowthView::setContext(std::int64_t context)
{
    core::Scenario next = m_scenario;
    next.workload.context = std::clamp<std::int64_t>(context, 1, core::kMaxContext);
    emit edited(next);
}

void GrowthView::read(std::optional<std::int64_t> context)
{
    m_reading = context;
    m_growth->setReading(context);
}

void GrowthView::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton || m_locked)
        return event->ignore();
    m_dragging = true;
    read({});
    emit gestureStarted();
    if (!m_growth->isOnMarker(event->position()))
        mouseMoveEvent(event);
}

void GrowthView::mouseMoveEvent(QMouseEvent* event)
{
    const std::int64_t context = m_growth->contextAt(event->position());
    if (m_dragging) {
        const bool exact = event->modifiers().testFlag(Qt::ShiftModifier);
        setContext(exact ? context : std::max(kRound, (context + kRound / 2) / kRound * kRound));
        return;
    }
    const bool onMarker = !m_locked && m_growth->isOnMarker(event->position());
    viewport()->setCursor(onMarker ? Qt::SizeHorCursor : Qt::ArrowCursor);
    read(onMarker ? std::nullopt : std::optional(context));
}

void GrowthView::mouseReleaseEvent(QMouseEvent*)
{
    if (m_dragging)
        emit gestureEnded();
    m_dragging = false;
}

void GrowthView::leaveEvent(QEvent* event)
{
    ChartView::leaveEvent(event);
    read({});
}

void GrowthView::keyPressEvent(QKeyEvent* event)
{
    const bool right = event->key() == Qt::Key_Right;
    if (event->key() == Qt::Key_Escape && m_reading)
        return read({});
    if (!right && event->key() != Qt::Key_Left)
        return ChartView::keyPressEvent(event);
    const std::int64_t step = std::max<std::int64_t>(1, m_growth->scale().lastContext / kKeySteps);
    const std::int64_t move = right ? step : -step;
    if (event->modifiers().testFlag(Qt::ShiftModifier)) {
        const std::int64_t from = m_reading.value_or(m_scenario.workload.context);
        return read(std::clamp<std::int64_t>(from + move, 1, m_growth->scale().lastContext));
    }
    if (!m_locked)
        setContext(m_scenario.workload.context + move);
}

void GrowthView::focusOutEvent(QFocusEvent* event)
{
    ChartView::focusOutEvent(event);
    read({});
}

} // namespace ui
