// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/growth_chart.h"
#include "ui/views/chart_view.h"

#include <optional>

namespace ui {

/// The growth chart on the screen: the pointer reads exact values; the marker of the chosen context can be dragged, or
/// moved by the arrow keys, and so sets the context; Shift and the arrow keys read without changing anything.
class GrowthView : public ChartView {
    Q_OBJECT

public:
    explicit GrowthView(QWidget* parent = nullptr);

    GrowthChart& growth() { return *m_growth; }
    /// `edited`: the scenario that the marker changes, which may be another than the last one without issues.
    void show(const core::Evaluation& evaluation, const core::Scenario& edited, const ChartScale& scale,
              const GrowthOptions& options);
    using QWidget::show;

    /// A locked marker stays where it is; values can still be read.
    void setLocked(bool locked) { m_locked = locked; }

signals:
    void edited(const core::Scenario& scenario);
    /// A drag of the marker begins or ends: all its edits are one.
    void gestureStarted();
    void gestureEnded();

protected:
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void setContext(std::int64_t context);
    void read(std::optional<std::int64_t> context);

    GrowthChart* m_growth;
    core::Scenario m_scenario;
    std::optional<std::int64_t> m_reading;
    bool m_dragging = false;
    bool m_locked = false;
};

} // namespace ui
