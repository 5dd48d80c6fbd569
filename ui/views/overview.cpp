// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/overview.h"

#include "core/sizing/evaluate.h"
#include "ui/charts/chart_export.h"
#include "ui/theme.h"
#include "ui/views/budget_view.h"
#include "ui/views/growth_view.h"
#include "ui/views/tables_and_labels.h"

#include <QGridLayout>
#include <QLabel>
#include <QMenu>
#include <QTableView>

#include <algorithm>
#include <initializer_list>

namespace ui {

namespace {

constexpr int kBudgetWidth = 292;
constexpr int kLyingBudgetHeight = 128;
constexpr int kTableHeight = 150;

/// The title of the picture that the view shows, in the unit of the scale.
void setTitle(QLabel& label, const ChartView& view, const ChartScale& scale)
{
    const QString title = titleOf(*pictureOf(view.objectName()), scale.unit);
    if (label.text() != title)
        label.setText(title);
}

} // namespace

Overview::Overview(QWidget* parent)
    : View(parent),
      m_growth(new GrowthView(this)),
      m_budget(new BudgetView(this)),
      m_growthTitle(titleLabel({}, this)),
      m_budgetTitle(titleLabel({}, this)),
      m_growthRows(new DataTableModel(this)),
      m_budgetRows(new DataTableModel(this)),
      m_grid(new QGridLayout(this))
{
    m_grid->setContentsMargins(0, 2 * kSpace, 0, 0);
    m_grid->setHorizontalSpacing(4 * kSpace);
    m_grid->setVerticalSpacing(kSpace);
    for (QWidget* part : std::initializer_list<QWidget*>{m_budgetTitle, m_budget}) {
        QSizePolicy policy = part->sizePolicy();
        policy.setRetainSizeWhenHidden(true); // the growth chart stays where it is
        part->setSizePolicy(policy);
    }
    placeCharts();
    connect(m_growth, &GrowthView::edited, this, &View::edited);
    connect(m_growth, &GrowthView::gestureStarted, this, &View::gestureStarted);
    connect(m_growth, &GrowthView::gestureEnded, this, &View::gestureEnded);
    connect(m_budget, &BudgetView::explanationRequested, this, &View::explanationRequested);
}

void Overview::placeCharts()
{
    for (QWidget* widget : std::initializer_list<QWidget*>{m_growthTitle, m_growth, m_budgetTitle, m_budget})
        m_grid->removeWidget(widget);
    const int column = m_isNarrow ? 0 : 1;
    m_grid->addWidget(m_growthTitle, 0, 0);
    m_grid->addWidget(m_growth, 1, 0);
    m_grid->addWidget(m_budgetTitle, m_isNarrow ? 2 : 0, column);
    m_grid->addWidget(m_budget, m_isNarrow ? 3 : 1, column);
    m_grid->setColumnStretch(0, 1);
    m_grid->setRowStretch(1, 1);
    m_budget->setMinimumSize(0, 0);
    m_budget->setMaximumSize(QWIDGETSIZE_MAX, QWIDGETSIZE_MAX);
    if (m_isNarrow)
        m_budget->setFixedHeight(kLyingBudgetHeight);
    else
        m_budget->setFixedWidth(kBudgetWidth);
    m_budget->budget().setOrientation(m_isNarrow ? Qt::Horizontal : Qt::Vertical);
    if (m_growthTable != nullptr)
        placeTables();
}

/// Places the tables below the charts, the budget's below its chart.
void Overview::placeTables()
{
    m_grid->removeWidget(m_budgetTable);
    m_grid->addWidget(m_growthTable, 4, 0);
    m_grid->addWidget(m_budgetTable, m_isNarrow ? 5 : 4, m_isNarrow ? 0 : 1);
    m_budgetTable->setFixedWidth(m_isNarrow ? QWIDGETSIZE_MAX : kBudgetWidth);
    if (m_isNarrow)
        m_budgetTable->setMinimumWidth(0);
}

void Overview::setNarrow(bool narrow)
{
    if (narrow == m_isNarrow)
        return;
    m_isNarrow = narrow;
    placeCharts();
}

void Overview::highlight(std::optional<core::Field> field)
{
    const Role line = field == core::Field::Context ? Role::Accent : Role::Cache; // the marker, or the curve
    m_growth->growth().emphasise(field ? std::optional(line) : std::nullopt);
}

void Overview::addEntries(QMenu& menu)
{
    QAction* tables = menu.addAction(tr("&Data tables"), QKeySequence(Qt::CTRL | Qt::Key_T));
    tables->setCheckable(true);
    connect(tables, &QAction::toggled, this, &Overview::setTablesShown);
    const auto addOption = [&](const QString& title, bool GrowthOptions::*option) {
        QAction* entry = menu.addAction(title);
        entry->setCheckable(true);
        entry->setChecked(m_options.*option);
        connect(entry, &QAction::toggled, this, [this, option](bool isChosen) {
            m_options.*option = isChosen;
            emit refreshRequested();
        });
    };
    addOption(tr("&Curves of other batches"), &GrowthOptions::batchCurves);
    addOption(tr("&Logarithmic axes"), &GrowthOptions::logarithmic);
}

void Overview::choosePicture(ExportSettings& settings) const
{
    settings.growth = m_options;
}

/// While a marker's place is to be predicted, or where the lesson says so, all contexts of the model are in sight.
const ChartScale& Overview::scaleOf(const Shown& shown)
{
    const bool isPredicted = shown.locks.numbersHeldBack && shown.locks.mayChange(core::Field::Context);
    if (!isPredicted && !shown.locks.isWholeAxis)
        return ranges().follow(shown.valid, m_options.logarithmic);
    core::Scenario far = shown.valid.scenario;
    const std::int64_t crossover = isPredicted ? shown.valid.footprint.limits.crossover.value_or(0) : 0;
    const std::int64_t last = std::max({far.workload.context, far.model.maxContext.value_or(0), crossover});
    far.workload = core::withContext(far.workload, std::min(last, core::kMaxContext));
    return ranges().follow(core::assess(far), m_options.logarithmic);
}

void Overview::setTablesShown(bool shown)
{
    if (m_growthTable == nullptr) { // the start does not wait for them
        m_growthTable = scrolledTable(m_growthRows, "growth-table", tr("Memory against context, table"), this);
        m_budgetTable = scrolledTable(m_budgetRows, "budget-table", tr("Where the memory goes, table"), this);
        for (QTableView* table : {m_growthTable, m_budgetTable})
            table->setFixedHeight(kTableHeight);
        placeTables();
    }
    m_growthTable->setVisible(shown);
    m_budgetTable->setVisible(shown);
    emit refreshRequested();
}

void Overview::show(const Shown& shown)
{
    m_isLesson = shown.locks.isLesson;
    const bool heldBack = shown.locks.numbersHeldBack;
    const bool mayMove = shown.locks.mayChange(core::Field::Context);
    m_growth->setLocked(!mayMove);
    m_budgetTitle->setVisible(!heldBack);
    m_budget->setVisible(!heldBack);
    if (shown.isNothing())
        return;
    const ChartScale& scale = scaleOf(shown);
    setTitle(*m_growthTitle, *m_growth, scale);
    setTitle(*m_budgetTitle, *m_budget, scale);
    GrowthOptions options = m_options;
    options.heldBack = heldBack;
    options.weights = !heldBack || !shown.locks.weightsHeldBack;
    options.marker = mayMove;
    m_growth->show(shown.valid, shown.current.scenario, scale, options);
    m_budget->show(shown.valid, scale);
    fillTables(heldBack);
}

/// Hidden tables get nothing.
void Overview::fillTables(bool heldBack)
{
    if (m_growthTable == nullptr || m_growthTable->isHidden())
        return;
    m_growthRows->setTable(m_growth->table());
    m_budgetRows->setTable(heldBack ? DataTable() : m_budget->table());
    m_growthTable->resizeColumnsToContents();
    m_budgetTable->resizeColumnsToContents();
}

} // namespace ui
