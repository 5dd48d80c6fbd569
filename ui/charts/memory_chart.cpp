// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/memory_chart.h"

#include "ui/charts/annotations.h"
#include "ui/charts/chart_style.h"

#include <QChart>

namespace ui {

MemoryChart::MemoryChart(QObject* parent)
    : QObject(parent),
      m_chart(new QChart),
      m_backdrop(new Annotations(m_chart, Annotations::Layer::Back)),
      m_annotations(new Annotations(m_chart))
{
    connect(m_chart, &QGraphicsWidget::geometryChanged, this, &MemoryChart::layout);
}

void MemoryChart::setTheme(const Theme& theme)
{
    m_theme = &theme;
    styleChart(*m_chart, theme);
    paintSeries();
    annotate();
}

void MemoryChart::layout()
{
    m_chart->setPlotArea(plotOf(m_chart->size()));
    annotate();
}

void MemoryChart::annotate()
{
    for (Annotations* layer : {m_backdrop, m_annotations})
        layer->clear(QRectF(QPointF(0, 0), m_chart->size()), *m_theme);
    const QRectF plot = m_chart->plotArea();
    if (!plot.isEmpty())
        mark(plot);
}

} // namespace ui
