// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/memory_chart.h"

#include <QChartView>

namespace ui {

/// A chart on the screen: antialiased, without a frame, repainted as a whole, in the colours of the widget's palette. A
/// frame in the accent colour is around it while it has the keyboard focus.
class ChartView : public QChartView {
    Q_OBJECT

public:
    explicit ChartView(QWidget* parent = nullptr);

    /// Shows `chart`. `name` is the object's name, `title` what screen readers call it.
    void take(MemoryChart& chart, const char* name, const QString& title);
    /// Tells screen readers what the chart shows now.
    void describe() { setAccessibleDescription(m_taken->description()); }
    /// The numbers that the chart draws.
    DataTable table() const { return m_taken->table(); }

protected:
    /// Lets the pointer and the keyboard choose something on the chart.
    void takeInput();
    void drawForeground(QPainter* painter, const QRectF& rect) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void setTheme();

    MemoryChart* m_taken = nullptr;
};

} // namespace ui
