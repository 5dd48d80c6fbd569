// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/overview.h"

#include "core/sizing/evaluate.h"
#include "ui/charts/chart_tables.h"
#include "ui/theme.h"
#include "ui/views/budget_view.h"
#include "ui/views/growth_view.h"
#include "ui/views/page.h"

#include <QChart>
#include <QEvent>
#include <QGridLayout>
#include <QHeaderView>
#include <QLabel>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <initializer_list>

namespace ui {

namespace {

constexpr int kBudgetWidth = 292;
constexpr int kLyingBudgetHeight = 128;
constexpr int kTableHeight = 150;

void setTitle(QLabel* label, const QString& text)
{
    if (label->text() != text)
        label->setText(text);
}

QTableView* scrolledTable(DataTableModel* model, const char* id, const QString& name, QWidget* parent)
{
    auto* view = new QTableView(parent);
    view->setModel(model);
    view->setObjectName(QString::fromLatin1(id));
    view->setAccessibleName(name);
    view->setFont(fontOf(Type::Label));
    view->horizontalHeader()->setFont(fontOf(Type::Caption));
    view->verticalHeader()->hide();
    view->setEditTriggers(QAbstractItemView::NoEditTriggers);
    view->setTabKeyNavigation(false);
    view->setFixedHeight(kTableHeight);
    return view;
}

} // namespace

Overview::Overview(QWidget* parent)
    : QWidget(parent),
      m_reason(wordLabel(Type::Body, this)),
      m_parts(new QWidget(this)),
      m_growth(new GrowthView(m_parts)),
      m_budget(new BudgetView(m_parts)),
      m_growthTitle(titleLabel({}, m_parts)),
      m_budgetTitle(titleLabel({}, m_parts)),
      m_growthRows(new DataTableModel(this)),
      m_budgetRows(new DataTableModel(this)),
      m_grid(new QGridLayout(m_parts))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_reason);
    column->addWidget(m_parts, 1);
    m_reason->setObjectName(QStringLiteral("overview-reason"));
    m_reason->setAlignment(Qt::AlignCenter);
    m_reason->hide();
    m_grid->setContentsMargins(0, 2 * kSpace, 0, 0);
    m_grid->setHorizontalSpacing(4 * kSpace);
    m_grid->setVerticalSpacing(kSpace);
    placeCharts();
    setTheme();
}

void Overview::placeCharts()
{
    for (QWidget* widget : std::initializer_list<QWidget*>{m_growthTitle, m_growth, m_budgetTitle, m_budget})
        m_grid->removeWidget(widget);
    const int column = m_narrow ? 0 : 1;
    m_grid->addWidget(m_growthTitle, 0, 0);
    m_grid->addWidget(m_growth, 1, 0);
    m_grid->addWidget(m_budgetTitle, m_narrow ? 2 : 0, column);
    m_grid->addWidget(m_budget, m_narrow ? 3 : 1, column);
    m_grid->setColumnStretch(0, 1);
    m_grid->setRowStretch(1, 1);
    m_budget->setMinimumSize(0, 0);
    m_budget->setMaximumSize(QWIDGETSIZE_MAX, QWIDGETSIZE_MAX);
    if (m_narrow)
        m_budget->setFixedHeight(kLyingBudgetHeight);
    else
        m_budget->setFixedWidth(kBudgetWidth);
    m_budget->budget().setOrientation(m_narrow ? Qt::Horizontal : Qt::Vertical);
    if (m_growthTable != nullptr)
        placeTables();
}

/// Below the charts, the budget's below its chart.
void Overview::placeTables()
{
    m_grid->removeWidget(m_budgetTable);
    m_grid->addWidget(m_growthTable, 4, 0);
    m_grid->addWidget(m_budgetTable, m_narrow ? 5 : 4, m_narrow ? 0 : 1);
    m_budgetTable->setFixedWidth(m_narrow ? QWIDGETSIZE_MAX : kBudgetWidth);
    if (m_narrow)
        m_budgetTable->setMinimumWidth(0);
}

void Overview::setNarrow(bool narrow)
{
    if (narrow == m_narrow)
        return;
    m_narrow = narrow;
    placeCharts();
}

void Overview::setOptions(const GrowthOptions& options)
{
    m_options = options;
    show(m_evaluation, m_current);
}

void Overview::setFocus(const Focus& focus)
{
    m_focus = focus;
    for (QWidget* part : std::initializer_list<QWidget*>{m_budgetTitle, m_budget}) {
        QSizePolicy policy = part->sizePolicy();
        policy.setRetainSizeWhenHidden(true); // the growth chart stays where it is
        part->setSizePolicy(policy);
        part->setVisible(!focus.heldBack);
    }
}

/// While a marker's place is to be predicted, or where the lesson says so, all contexts of the model are in sight.
const ChartScale& Overview::scale()
{
    const bool predicted = m_focus.heldBack && m_focus.marker;
    if (!predicted && !m_focus.wholeAxis)
        return m_scale.follow(m_evaluation, m_options.logarithmic);
    core::Scenario far = m_evaluation.scenario;
    const std::int64_t crossover = predicted ? m_evaluation.footprint.limits.crossover.value_or(0) : 0;
    const std::int64_t last = std::max({far.workload.context, far.model.maxContext.value_or(0), crossover});
    far.workload = core::withContext(far.workload, std::min(last, core::kMaxContext));
    return m_scale.follow(core::assess(far), m_options.logarithmic);
}

void Overview::setTablesShown(bool shown)
{
    if (shown && m_growthTable == nullptr) { // the start does not wait for them
        m_growthTable = scrolledTable(m_growthRows, "growth-table", tr("Memory against context, table"), m_parts);
        m_budgetTable = scrolledTable(m_budgetRows, "budget-table", tr("Where the memory goes, table"), m_parts);
        placeTables();
    }
    if (m_growthTable == nullptr)
        return;
    m_growthTable->setVisible(shown);
    m_budgetTable->setVisible(shown);
    fillTables();
}

void Overview::show(const core::Evaluation& lastValid, const core::Evaluation& current)
{
    m_evaluation = lastValid;
    m_current = current;
    const bool none = !lastValid.issues.empty();
    showReason(*m_reason, lastValid);
    m_parts->setVisible(!none);
    if (none)
        return;
    const ChartScale& scale = this->scale();
    const QString unit = QString::fromLatin1(scale.unit.name());
    setTitle(m_growthTitle, tr("Memory against context, %1, all requests").arg(unit));
    setTitle(m_budgetTitle, tr("Where the memory goes, %1").arg(unit));
    GrowthOptions options = m_options;
    options.heldBack = m_focus.heldBack;
    options.weights = m_focus.weights || !m_focus.heldBack;
    options.marker = m_focus.marker;
    const bool stale = !current.issues.empty();
    m_growth->show(lastValid, current.scenario, scale, options);
    m_budget->show(lastValid, scale);
    m_growth->chart()->setOpacity(stale ? kFaded : 1);
    m_budget->chart()->setOpacity(stale ? kFaded : 1);
    fillTables();
}

/// Hidden tables get nothing.
void Overview::fillTables()
{
    if (m_growthTable == nullptr || m_growthTable->isHidden())
        return;
    for (QTableView* table : {m_growthTable, m_budgetTable})
        table->setEnabled(m_current.issues.empty());
    m_growthRows->setTable(growthTable());
    m_budgetRows->setTable(budgetTable());
    m_growthTable->resizeColumnsToContents();
    m_budgetTable->resizeColumnsToContents();
}

DataTable Overview::growthTable() const
{
    return m_growth->growth().table();
}

DataTable Overview::budgetTable() const
{
    return m_focus.heldBack ? DataTable() : ui::budgetTable(m_evaluation);
}

void Overview::setTheme()
{
    const Theme& theme = Theme::of(palette());
    m_growth->growth().setTheme(theme);
    m_budget->budget().setTheme(theme);
    m_growth->setBackgroundBrush(theme.color(Role::Page));
    m_budget->setBackgroundBrush(theme.color(Role::Page));
    m_parts->setPalette(fadedPalette(theme));
}

void Overview::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        setTheme();
}

} // namespace ui
