// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/overview.h"

#include "ui/charts/budget_chart.h"
#include "ui/charts/growth_chart.h"
#include "ui/theme.h"
#include "ui/views/chart_view.h"

#include <QChart>
#include <QEvent>
#include <QGridLayout>
#include <QLabel>

namespace ui {

namespace {

constexpr int kBudgetWidth = 264;
constexpr int kLyingBudgetHeight = 128;
constexpr double kFaded = 0.35;

QLabel* title(const QString& text, QWidget* parent)
{
    auto* label = new QLabel(text, parent);
    label->setFont(fontOf(Type::Body, QFont::DemiBold));
    return label;
}

void setTitle(QLabel* label, const QString& text)
{
    if (label->text() != text)
        label->setText(text);
}

} // namespace

Overview::Overview(QWidget* parent)
    : QWidget(parent), m_growth(new GrowthChart(this)), m_budget(new BudgetChart(this)),
      m_growthView(new ChartView(m_growth->chart(), this)), m_budgetView(new ChartView(m_budget->chart(), this)),
      m_growthTitle(title({}, this)),
      m_budgetTitle(title({}, this)), m_grid(new QGridLayout(this))
{
    m_growthView->setObjectName(QStringLiteral("growth"));
    m_growthView->setAccessibleName(tr("Memory against context"));
    m_budgetView->setObjectName(QStringLiteral("budget"));
    m_budgetView->setAccessibleName(tr("Where the memory goes"));
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setHorizontalSpacing(4 * kSpace);
    m_grid->setVerticalSpacing(kSpace);
    placeCharts();
    setTheme();
}

void Overview::placeCharts()
{
    for (QWidget* widget : {static_cast<QWidget*>(m_growthTitle), static_cast<QWidget*>(m_growthView),
                            static_cast<QWidget*>(m_budgetTitle), static_cast<QWidget*>(m_budgetView)})
        m_grid->removeWidget(widget);
    m_grid->addWidget(m_growthTitle, 0, 0);
    m_grid->addWidget(m_growthView, 1, 0);
    m_grid->addWidget(m_budgetTitle, m_narrow ? 2 : 0, m_narrow ? 0 : 1);
    m_grid->addWidget(m_budgetView, m_narrow ? 3 : 1, m_narrow ? 0 : 1);
    m_grid->setColumnStretch(0, 1);
    m_grid->setRowStretch(1, 1);
    m_budgetView->setFixedSize(m_narrow ? QSize(QWIDGETSIZE_MAX, kLyingBudgetHeight)
                                        : QSize(kBudgetWidth, QWIDGETSIZE_MAX));
    if (m_narrow)
        m_budgetView->setMinimumWidth(0);
    else
        m_budgetView->setMinimumHeight(0);
    m_budget->setOrientation(m_narrow ? Qt::Horizontal : Qt::Vertical);
}

void Overview::setNarrow(bool narrow)
{
    if (narrow == m_narrow)
        return;
    m_narrow = narrow;
    placeCharts();
}

void Overview::show(const core::Evaluation& evaluation, bool stale)
{
    const ChartScale& scale = m_scale.follow(evaluation);
    const QString unit = QString::fromLatin1(unitName(scale.unit));
    setTitle(m_growthTitle, tr("Memory against context, %1, all requests").arg(unit));
    setTitle(m_budgetTitle, tr("Where the memory goes, %1").arg(unit));
    m_growth->show(evaluation, scale);
    m_budget->show(evaluation, scale);
    for (ChartView* view : {m_growthView, m_budgetView})
        view->chart()->setOpacity(stale ? kFaded : 1);
    m_growthView->setAccessibleDescription(m_growth->description());
    m_budgetView->setAccessibleDescription(m_budget->description());
}

void Overview::setTheme()
{
    const Theme& theme = Theme::of(palette());
    m_growth->setTheme(theme);
    m_budget->setTheme(theme);
    for (ChartView* view : {m_growthView, m_budgetView})
        view->setBackgroundBrush(theme.color(Role::Page));
}

void Overview::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        setTheme();
}

} // namespace ui
