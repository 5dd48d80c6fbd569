// SPDX-License-Identifier: GPL-3.0-or-later
// The menus of the main window: every action is in one of them.
#include "ui/explain_popup.h"
#include "ui/export_dialog.h"
#include "ui/formula_bar.h"
#include "ui/help/manual_window.h"
#include "ui/lessons/lesson_panel.h"
#include "ui/lessons/lesson_run.h"
#include "ui/main_window.h"
#include "ui/texts.h"
#include "ui/theme.h"
#include "ui/verdict_bar.h"
#include "ui/views/budget_view.h"
#include "ui/views/growth_view.h"
#include "ui/views/overview.h"

#include <QActionGroup>
#include <QApplication>
#include <QClipboard>
#include <QMenuBar>
#include <QMimeData>
#include <QTabWidget>

#include <array>
#include <functional>
#include <vector>

namespace ui {

namespace {

void copyText(const QString& text)
{
    QApplication::clipboard()->setText(text);
}

/// A chart as it stands on the screen, as a picture and, for what takes no picture, as its numbers.
void copyChart(QWidget& view, const DataTable& table)
{
    auto* data = new QMimeData;
    data->setImageData(view.grab().toImage());
    data->setText(table.tabbed());
    QApplication::clipboard()->setMimeData(data);
}

struct MenuChoice {
    QString name;
    std::function<void()> choose;
};

/// Entries of which one is checked: at first the one at `current`.
void addChoices(QMenu& menu, const std::vector<MenuChoice>& choices, std::size_t current)
{
    auto* group = new QActionGroup(&menu);
    for (std::size_t i = 0; i < choices.size(); ++i) {
        QAction* action = menu.addAction(choices[i].name, choices[i].choose);
        action->setCheckable(true);
        action->setChecked(i == current);
        group->addAction(action);
    }
}

} // namespace

void MainWindow::createFileMenu()
{
    QMenu* file = menuBar()->addMenu(tr("&File"));
    file->addAction(tr("&New"), QKeySequence(Qt::CTRL | Qt::Key_N), this, [this] {
        if (!mayLeave())
            return;
        m_document.begin(m_start);
        leaveLesson();
    });
    file->addAction(tr("&Open…"), QKeySequence(Qt::CTRL | Qt::Key_O), this, &MainWindow::chooseFile);
    QMenu* recent = file->addMenu(tr("Open &recent"));
    connect(recent, &QMenu::aboutToShow, this, [this, recent] { fillRecentMenu(recent); });
    file->addSeparator();
    file->addAction(tr("&Save"), QKeySequence(Qt::CTRL | Qt::Key_S), this, &MainWindow::save);
    file->addAction(tr("Save &as…"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S), this, &MainWindow::saveAs);
    file->addSeparator();
    const auto exportView = [this](ExportView view) {
        commitTyping();
        if (m_numbers->isEnabled()) // there are none of what was typed otherwise
            ExportDialog(view, m_session.current(), m_overview->options(), this).exec();
    };
    m_numbers->addAction(file->addAction(tr("&Export growth chart…"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_E),
                                         this, [exportView] { exportView(ExportView::Growth); }));
    m_numbers->addAction(
        file->addAction(tr("Export &budget…"), this, [exportView] { exportView(ExportView::Budget); }));
    file->addSeparator();
    file->addAction(tr("&Quit"), QKeySequence(Qt::CTRL | Qt::Key_Q), this, &QWidget::close);
}

void MainWindow::fillRecentMenu(QMenu* menu)
{
    menu->clear();
    for (const QString& path : Document::recentFiles())
        menu->addAction(QString(path).replace(QLatin1Char('&'), QLatin1String("&&")), this,
                        [this, path] { openFile(path); });
    if (menu->isEmpty())
        menu->addAction(tr("No files yet"))->setEnabled(false);
    menu->addSeparator();
    menu->addAction(tr("&Clear this list"), this, &Document::clearRecentFiles);
}

void MainWindow::createEditMenu()
{
    QMenu* edit = menuBar()->addMenu(tr("&Edit"));
    QAction* undo = m_session.undoGroup().createUndoAction(this, tr("&Undo"));
    undo->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_Z));
    QAction* redo = m_session.undoGroup().createRedoAction(this, tr("&Redo"));
    redo->setShortcut(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z));
    edit->addAction(undo);
    edit->addAction(redo);
    edit->addAction(tr("Re&set to the first scenario"), this, [this] {
        m_overview->chooseScaleAnew();
        m_session.edit(m_run ? m_run->step().scenario : m_start);
    });
    edit->addSeparator();
    const int first = static_cast<int>(edit->actions().size());
    edit->addAction(tr("Copy &formula"), this, [this] { copyText(m_formula->formulaText()); });
    m_copyVerdict = edit->addAction(tr("Copy &verdict"), this, [this] { copyText(m_verdict->verdictText()); });
    edit->addAction(tr("Copy &growth chart as picture"), this,
                    [this] { copyChart(overview().growth(), m_overview->growthTable()); });
    edit->addAction(tr("Copy &budget as picture"), this,
                    [this] { copyChart(overview().budget(), m_overview->budgetTable()); });
    edit->addAction(tr("Copy growth chart as &table"), this, [this] { copyText(overview().growthTable().tabbed()); });
    edit->addAction(tr("Copy bu&dget as table"), this, [this] { copyText(overview().budgetTable().tabbed()); });
    for (QAction* copy : edit->actions().mid(first)) {
        if (copy != m_copyVerdict) // which is never old
            m_numbers->addAction(copy);
    }
}

void MainWindow::createViewMenu()
{
    QMenu* view = menuBar()->addMenu(tr("&View"));
    for (int tab = 0; tab < m_tabs->count(); ++tab)
        m_openTab.push_back(view->addAction(m_tabs->tabText(tab),
                                            QKeySequence(Qt::CTRL | static_cast<Qt::Key>(Qt::Key_1 + tab)), m_tabs,
                                            [this, tab] { m_tabs->setCurrentIndex(tab); }));
    view->addSeparator();
    QAction* tables = view->addAction(tr("&Data tables"), QKeySequence(Qt::CTRL | Qt::Key_T));
    tables->setCheckable(true);
    connect(tables, &QAction::toggled, m_overview, &Overview::setTablesShown);
    QAction* curves = view->addAction(tr("&Curves of other batches"));
    curves->setCheckable(true);
    curves->setChecked(m_overview->options().batchCurves);
    QAction* logarithmic = view->addAction(tr("&Logarithmic axes"));
    logarithmic->setCheckable(true);
    const auto setOptions = [this, curves, logarithmic] {
        m_overview->setOptions({.batchCurves = curves->isChecked(), .logarithmic = logarithmic->isChecked()});
    };
    connect(curves, &QAction::toggled, this, setOptions);
    connect(logarithmic, &QAction::toggled, this, setOptions);
    QMenu* why = view->addMenu(tr("&Explain"));
    m_numbers->addAction(why->menuAction());
    constexpr std::array kQuantities{core::Quantity::Cache,      core::Quantity::Weights,  core::Quantity::Waste,
                                     core::Quantity::Total,      core::Quantity::Free,     core::Quantity::MaxBatch,
                                     core::Quantity::MaxContext, core::Quantity::Crossover};
    for (const core::Quantity quantity : kQuantities)
        why->addAction(quantityName(quantity), this,
                       [this, quantity] { explain(quantity, m_tabs->mapToGlobal(QPoint(0, 0))); });
    view->addSeparator();
    addChoices(*view,
               {{tr("Sizes in G&iB"), [this] { chooseUnit(core::Unit::Binary); }},
                {tr("Sizes in G&B"), [this] { chooseUnit(core::Unit::Decimal); }}},
               sizeUnit() == core::Unit::Binary ? 0 : 1);
    view->addSeparator();
    const Theme* theme = Theme::chosen();
    addChoices(*view,
               {{tr("Colours of the &system"), [] { Theme::choose(nullptr); }},
                {tr("Li&ght"), [] { Theme::choose(&Theme::light()); }},
                {tr("Dar&k"), [] { Theme::choose(&Theme::dark()); }}},
               theme == nullptr ? 0 : (theme->isDark() ? 2 : 1));
}

void MainWindow::chooseUnit(core::Unit unit)
{
    chooseSizeUnit(unit);
    showEvaluation();
    if (m_lesson != nullptr)
        m_lesson->beginStep();
}

void MainWindow::createHelpMenu()
{
    QMenu* help = menuBar()->addMenu(tr("&Help"));
    help->addAction(tr("&Manual"), QKeySequence(Qt::Key_F1), this, [this] {
        constexpr std::array kTopicOfTab{"window", "models", "engines"};
        const char* topic = m_run ? "lessons" : kTopicOfTab.at(static_cast<std::size_t>(m_tabs->currentIndex()));
        openManual(*this, QString::fromLatin1(topic));
    });
    help->addAction(tr("&About KV Horizon"), this, &MainWindow::showAbout);
}

} // namespace ui
