// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QChartView>

namespace ui {

/// A quiet QChartView: antialiased, no frame, repainted as a whole; a frame in the accent colour while it has the
/// keyboard focus.
class ChartView : public QChartView {
    Q_OBJECT

public:
    explicit ChartView(QWidget* parent = nullptr);

protected:
    /// Shows `chart` in place of the one that every QChartView is born with.
    void takeChart(QChart* chart);
    void drawForeground(QPainter* painter, const QRectF& rect) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
};

} // namespace ui
