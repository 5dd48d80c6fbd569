// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/waste_chart.h"

#include "ui/charts/annotations.h"
#include "ui/charts/chart_style.h"
#include "ui/texts.h"

#include <QBarCategoryAxis>
#include <QBarSet>
#include <QChart>
#include <QHorizontalStackedBarSeries>
#include <QPen>
#include <QValueAxis>

#include <algorithm>
#include <array>

namespace ui {

namespace {

constexpr double kBarShare = 0.5; ///< of a row's height
constexpr double kLeft = 8;       ///< pixels for half a tick's label
constexpr double kRight = 96;     ///< pixels for the value beside the longest bar
constexpr double kBottom = 24;    ///< pixels for the axis

/// The colours of the bars. One set more, before them, holds the distance from the left and is not seen.
constexpr std::array kRoles{Role::Cache, Role::Waste, Role::Total};

} // namespace

std::vector<WasteRow> wasteRows(core::Bytes used, const core::engines::Description& description)
{
    std::vector<WasteRow> rows{{WasteChart::tr("Cache actually needed"), {}, core::Bytes(), used, Role::Cache}};
    core::Bytes end = used;
    for (const core::engines::Description::Step& step : description.steps) {
        QString name = text(core::causeName(step.cause));
        name.replace(0, 1, name.left(1).toUpper());
        rows.push_back({name, text(step.sentence), end, step.bytes, Role::Waste});
        end += step.bytes;
    }
    rows.push_back({WasteChart::tr("Reserved"), {}, core::Bytes(), end, Role::Total});
    return rows;
}

DataTable WasteChart::table() const
{
    DataTable table;
    table.columns << QStringLiteral("step") << QStringLiteral("bytes") << QStringLiteral("up_to_bytes");
    table.titles << tr("Step") << tr("Bytes") << tr("Up to, bytes");
    for (const WasteRow& row : m_rows)
        table.rows.push_back({row.name, qint64{row.bytes.count()}, qint64{(row.from + row.bytes).count()}});
    return table;
}

WasteChart::WasteChart(QObject* parent) : MemoryChart(parent)
{
    m_series = new QHorizontalStackedBarSeries;
    m_series->setBarWidth(kBarShare);
    m_chart->addSeries(m_series);
    m_categories = new QBarCategoryAxis;
    m_categories->setVisible(false);
    m_chart->addAxis(m_categories, Qt::AlignLeft);
    m_axis = rangeAxis(*m_chart, Qt::AlignBottom);
    m_series->attachAxis(m_categories);
    m_series->attachAxis(m_axis);
}

/// Makes the sets anew: each has one value for each row, the first row on top.
void WasteChart::build()
{
    m_series->clear();
    m_sets.clear();
    QStringList names;
    for (std::size_t i = 0; i < m_rows.size(); ++i)
        names << QString::number(i);
    for (std::size_t i = 0; i <= kRoles.size(); ++i) {
        auto* set = new QBarSet(QString::number(i));
        for (qsizetype row = 0; row < names.size(); ++row)
            set->append(0);
        m_sets.push_back(set);
    }
    m_series->append(QList<QBarSet*>(m_sets.begin(), m_sets.end()));
    m_categories->setCategories(names);
    paintSeries();
}

void WasteChart::paintSeries()
{
    for (std::size_t i = 0; i < m_sets.size(); ++i) {
        m_sets[i]->setPen(Qt::NoPen);
        m_sets[i]->setBrush(i == 0 ? QBrush(Qt::NoBrush) : QBrush(m_theme->color(kRoles.at(i - 1))));
    }
}

void WasteChart::setRowHeight(int height)
{
    if (height == m_rowHeight)
        return;
    m_rowHeight = height;
    layout();
}

int WasteChart::height() const
{
    return static_cast<int>(m_rows.size()) * m_rowHeight + static_cast<int>(kBottom);
}

void WasteChart::show(const std::vector<WasteRow>& rows)
{
    const bool others = rows.size() != m_rows.size();
    m_rows = rows;
    if (others)
        build();
    m_scale = m_tracker.followBars(m_rows.back().bytes);
    if (m_axis->max() != m_scale.top)
        m_axis->setRange(0, m_scale.top);
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        const WasteRow& row = m_rows[i];
        const int place = static_cast<int>(m_rows.size() - 1 - i); // bars stand from the bottom up
        for (std::size_t set = 0; set < m_sets.size(); ++set) {
            const core::Bytes length = set == 0 ? row.from : kRoles.at(set - 1) == row.role ? row.bytes : core::Bytes();
            const double value = m_scale.valueOf(length);
            if (m_sets[set]->at(place) != value)
                m_sets[set]->replace(place, value);
        }
    }
    layout();
}

QRectF WasteChart::plotOf(const QSizeF& size) const
{
    return {kLeft, 0, std::max(50.0, size.width() - kLeft - kRight), std::max(1.0, height() - kBottom)};
}

/// Writes each bar's bytes beside it and draws a thin line down to where the next bar begins.
void WasteChart::mark(const QRectF& plot)
{
    if (m_rows.empty() || m_scale.top <= 0)
        return;
    const auto placeOf = [&](double value) { return plot.left() + plot.width() * value / m_scale.top; };
    addAxes(*m_backdrop, plot, ticksThatFit(m_scale.linearTicks(), QString::fromLatin1(m_scale.unit.name()), placeOf),
            {}, placeOf, placeOf);
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        const WasteRow& row = m_rows[i];
        const double middle = (static_cast<double>(i) + 0.5) * m_rowHeight;
        const double left = placeOf(m_scale.valueOf(row.from));
        const double right = placeOf(m_scale.valueOf(row.from + row.bytes));
        if (row.role == Role::Waste)
            m_annotations->addHatch(QRectF(QPointF(left, middle - m_rowHeight * kBarShare / 2),
                                           QPointF(right, middle + m_rowHeight * kBarShare / 2)),
                                    Role::Page, Qt::BDiagPattern);
        const QString sign = row.role == Role::Waste ? QStringLiteral("+ ") : QString();
        m_annotations->addCaption(sign + bytesText(row.bytes),
                                  QRectF(right + 6, middle - m_rowHeight / 2.0, kRight, m_rowHeight),
                                  Qt::AlignLeft | Qt::AlignVCenter);
        if (i + 1 < m_rows.size())
            m_backdrop->addLine(QLineF(onPixel(right), middle, onPixel(right), middle + m_rowHeight), Role::Muted, 1);
    }
}

QString WasteChart::description() const
{
    QStringList parts;
    for (const WasteRow& row : m_rows)
        parts << row.name + QLatin1Char(' ') + bytesText(row.bytes);
    return parts.join(QStringLiteral(", ")) + QLatin1Char('.');
}

} // namespace ui
