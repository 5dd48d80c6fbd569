// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QPointF>
#include <QWidget>

class QBarSet;
class QChartView;
class QLineSeries;
class QValueAxis;

namespace bench {

/// The floor of every step: a window with the same two charts as ours (four lines, one stacked bar of five parts),
/// antialiased, with Qt Charts alone and nothing written on them.
class BareWindow : public QWidget {
public:
    BareWindow(const QSize& size, const QSize& growth, const QSize& budget);

    /// One step: `replace` in all series.
    void step(const QList<QPointF>& cache, const QList<QPointF>& total, double context, double weights,
              double capacity);
    void setRanges(double context, double top);

private:
    QChartView* m_growthView;
    QChartView* m_budgetView;
    QList<QLineSeries*> m_lines;
    QList<QBarSet*> m_sets;
    QValueAxis* m_x;
    QValueAxis* m_y;
    QValueAxis* m_barY;
};

} // namespace bench
