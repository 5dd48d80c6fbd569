// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QChartView>

namespace ui {

/// A quiet QChartView: antialiased, no frame, repainted as a whole.
class ChartView : public QChartView {
    Q_OBJECT

public:
    explicit ChartView(QChart* chart, QWidget* parent = nullptr);
};

} // namespace ui
