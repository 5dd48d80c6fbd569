// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/engine_view.h"

#include "core/engines/parallel.h"
#include "core/sizing/evaluate.h"
#include "ui/charts/chart_tables.h"
#include "ui/texts.h"
#include "ui/views/chart_view.h"
#include "ui/views/log_view.h"
#include "ui/views/tables_and_labels.h"

#include <QClipboard>
#include <QEvent>
#include <QFontDatabase>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QResizeEvent>
#include <QScrollArea>
#include <QScrollBar>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>

namespace ui {

namespace {

constexpr int kLeastRow = 44;  ///< pixels that a row of the waterfall is high at least
constexpr int kMostLines = 16; ///< lines of a text that are shown at once

/// Makes the text as high as its lines.
void fitText(QPlainTextEdit& edit)
{
    const int lines = std::clamp(edit.document()->blockCount(), 1, kMostLines);
    const int bar = edit.lineWrapMode() == QPlainTextEdit::NoWrap ? edit.horizontalScrollBar()->sizeHint().height() : 0;
    edit.setFixedHeight(lines * edit.fontMetrics().lineSpacing() + bar + 4 * kSpace);
}

void setLines(QPlainTextEdit& edit, const QString& text)
{
    if (edit.toPlainText() == text)
        return;
    edit.setPlainText(text);
    fitText(edit);
}

} // namespace

EngineView::EngineView(QWidget* parent) : View(parent), m_area(new QScrollArea(this))
{
    setObjectName(QStringLiteral("engine-view"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_area);
    m_area->setFrameShape(QFrame::NoFrame);
    m_area->setWidgetResizable(true);
    m_area->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn); // rows are as high as their texts need at a fixed width
    m_area->setFocusPolicy(Qt::NoFocus);
}

/// The page comes when it is first shown: the start of the program does not wait for it.
void EngineView::createPage()
{
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 2 * kSpace, 2 * kSpace, 2 * kSpace);
    column->setSpacing(2 * kSpace);
    column->addWidget(m_result = createResult());
    m_log = new LogView(page);
    connect(m_log, &LogView::edited, this, &EngineView::edited);
    column->addWidget(m_log);
    column->addStretch(1);
    m_area->setWidget(page);
}

QWidget* EngineView::createResult()
{
    auto* result = new QWidget;
    auto* column = new QVBoxLayout(result);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2 * kSpace);
    m_headline = titleLabel({}, result);
    m_headline->setFont(fontOf(Type::Headline, QFont::DemiBold));
    m_headline->setObjectName(QStringLiteral("engine-headline"));
    m_headline->setWordWrap(true);
    m_hint = wordLabel(Type::Label, result);
    m_hint->setText(tr("Choose an engine under \"Reserved by\" to see the lines that it prints and the command that "
                       "launches it."));
    auto* head = new QHBoxLayout;
    head->addWidget(m_headline, 1);
    head->addWidget(copyButton("steps", tr("steps from the cache in use to what is reserved"),
                               [this] { return m_waste->table().tabbed(); }));
    column->addLayout(head);
    column->addWidget(m_pool = wordLabel(Type::Label, result));
    m_pool->setObjectName(QStringLiteral("pool"));
    column->addWidget(createWaterfall());
    m_devices = new DataTableModel(this);
    column->addWidget(m_devicesTitle = titleLabel(tr("On each device"), result));
    column->addWidget(m_devicesTable = wholeTable(m_devices, "devices-table", m_devicesTitle->text(), result));
    m_devicesTable->horizontalHeader()->setStretchLastSection(false); // numbers stay beside each other
    column->addWidget(m_spread = wordLabel(Type::Label, result));
    m_spread->setObjectName(QStringLiteral("spread"));
    column->addWidget(m_hint);
    m_words = new QWidget(result);
    auto* words = new QVBoxLayout(m_words);
    words->setContentsMargins(0, 0, 0, 0);
    words->setSpacing(2 * kSpace);
    m_lines = addText(words, "log-lines", tr("Expected log"));
    m_command = addText(words, "launch-command", tr("Launch command"));
    column->addWidget(m_words);
    return result;
}

QWidget* EngineView::createWaterfall()
{
    auto* waterfall = new QWidget;
    auto* row = new QHBoxLayout(waterfall);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(3 * kSpace);
    m_steps = new QWidget(waterfall);
    auto* steps = new QVBoxLayout(m_steps);
    steps->setContentsMargins(0, 0, 0, 0);
    steps->setSpacing(0);
    m_steps->installEventFilter(this);
    m_waste = new WasteChart(this);
    m_wasteView = new ChartView(waterfall);
    m_wasteView->take(*m_waste, "waste", tr("From the cache in use to what is reserved"));
    row->addWidget(m_steps, 5);
    row->addWidget(m_wasteView, 6);
    row->setAlignment(m_steps, Qt::AlignTop);
    return waterfall;
}

QPushButton* EngineView::copyButton(const char* name, const QString& what, const std::function<QString()>& text)
{
    auto* copy = new QPushButton(tr("Copy"));
    copy->setObjectName(QStringLiteral("copy-") + QString::fromUtf8(name));
    copy->setAccessibleName(tr("Copy: %1").arg(what));
    copy->setFont(fontOf(Type::Label));
    copy->setMinimumHeight(26);
    connect(copy, &QPushButton::clicked, this, [text] { QGuiApplication::clipboard()->setText(text()); });
    return copy;
}

/// Adds a text that can be copied, under its title.
QPlainTextEdit* EngineView::addText(QVBoxLayout* column, const char* name, const QString& title)
{
    auto* edit = new QPlainTextEdit(m_words);
    edit->setObjectName(QString::fromUtf8(name));
    edit->setAccessibleName(title);
    edit->setReadOnly(true);
    edit->setTabChangesFocus(true);
    edit->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    edit->setLineWrapMode(QPlainTextEdit::NoWrap);
    auto* head = new QHBoxLayout;
    head->addWidget(titleLabel(title, m_words), 1);
    head->addWidget(copyButton(name, title, [edit] { return edit->toPlainText(); }));
    column->addLayout(head);
    column->addWidget(edit);
    return edit;
}

void EngineView::show(const Shown& shown)
{
    if (m_result == nullptr)
        createPage();
    if (!shown.isNothing())
        showResult(shown.valid);
    m_log->show(shown);
}

void EngineView::showResult(const core::Evaluation& evaluation)
{
    const core::engines::Reservation& reservation = evaluation.reservation;
    const core::engines::Description description = evaluation.plan->describe(reservation);
    showHeadline(evaluation, reservation);
    showPool(reservation);
    showWaterfall(wasteRows(reservation.used(), description));
    showDevices(evaluation);
    m_words->setVisible(!description.log.empty());
    m_hint->setVisible(description.log.empty());
    QStringList lines;
    for (const std::string& line : description.log)
        lines << QString::fromStdString(line);
    setLines(*m_lines, lines.join(QLatin1Char('\n')));
    setLines(*m_command, QString::fromStdString(description.command));
}

void EngineView::showHeadline(const core::Evaluation& evaluation, const core::engines::Reservation& reservation)
{
    const core::Scenario& scenario = evaluation.scenario;
    const core::engines::Engine& engine = core::engines::engine(scenario.engine);
    const std::string version = scenario.engineVersion.empty() ? std::string(engine.newest) : scenario.engineVersion;
    QString name = text(core::name(scenario.engine));
    if (!version.empty())
        name += QLatin1Char(' ') + QString::fromStdString(version);
    const core::Bytes used = reservation.used();
    const core::Bytes reserved = used + reservation.waste().total();
    m_headline->setText(reserved == used
                            ? tr("%1: exactly the cache of %2 is reserved").arg(name, bytesText(used))
                            : tr("%1: %2 reserved for a cache of %3").arg(name, bytesText(reserved), bytesText(used)));
}

void EngineView::showPool(const core::engines::Reservation& reservation)
{
    QString words;
    if (const std::optional<core::engines::Pool>& pool = reservation.pool; pool && pool->blocks) {
        const QString blocks =
            pool->blockTokens > 1
                ? tr("%1 blocks of %2 tokens").arg(countText(*pool->blocks), countText(pool->blockTokens))
                : tr("%1 tokens").arg(countText(*pool->blocks));
        words = pool->memory ? tr("The %1 pool of each GPU holds %2.").arg(bytesText(*pool->memory), blocks)
                             : tr("The pool of each GPU holds %1.").arg(blocks);
        if (pool->concurrency && reservation.requestTokens)
            words += QLatin1Char(' ') +
                     tr("Concurrent requests of %1 tokens: %2.")
                         .arg(countText(*reservation.requestTokens), QLocale().toString(*pool->concurrency, 'f', 2));
    }
    setTextIfAny(*m_pool, words);
}

void EngineView::showWaterfall(const std::vector<WasteRow>& rows)
{
    while (m_stepTexts.size() < rows.size()) {
        auto* label = new QLabel(m_steps);
        label->setFont(fontOf(Type::Label));
        label->setWordWrap(true);
        label->setTextFormat(Qt::RichText);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        m_steps->layout()->addWidget(label);
        m_stepTexts.push_back(label);
    }
    for (std::size_t i = 0; i < m_stepTexts.size(); ++i) {
        QLabel& label = *m_stepTexts[i];
        label.setVisible(i < rows.size());
        if (i >= rows.size())
            continue;
        const WasteRow& row = rows[i];
        const QString name = QStringLiteral("<b>%1</b>").arg(row.name.toHtmlEscaped());
        label.setText(row.sentence.isEmpty() ? name : name + QStringLiteral("<br>") + row.sentence.toHtmlEscaped());
        label.setToolTip(row.sentence);
    }
    m_waste->show(rows);
    m_wasteView->describe();
    placeRows();
}

/// Makes all rows as high as the longest text beside them, so that each text stands beside its bar.
void EngineView::placeRows()
{
    int height = kLeastRow;
    for (QLabel* label : m_stepTexts) {
        label->setMinimumHeight(0); // it would count
        if (!label->isHidden())
            height = std::max(height, label->heightForWidth(m_steps->width()) + 2 * kSpace);
    }
    for (QLabel* label : m_stepTexts)
        label->setFixedHeight(height);
    m_waste->setRowHeight(height);
    m_wasteView->setFixedHeight(m_waste->height());
}

bool EngineView::eventFilter(QObject* watched, QEvent* event)
{
    if (watched != m_steps)
        return View::eventFilter(watched, event);
    if (event->type() == QEvent::Resize &&
        static_cast<QResizeEvent*>(event)->oldSize().width() != m_steps->width()) // heights follow from it
        placeRows();
    return false;
}

/// Shows the bytes of each device where they differ, or where something stays with the host.
void EngineView::showDevices(const core::Evaluation& evaluation)
{
    const core::Footprint& footprint = evaluation.footprint;
    QStringList words;
    for (const core::Message& sentence : core::engines::spreadWords(evaluation.scenario))
        words << text(sentence);
    m_spread->setText(words.join(QLatin1Char(' ')));
    m_spread->setVisible(!words.isEmpty());
    const bool apart = footprint.tellsDevicesApart() || footprint.host;
    m_devicesTitle->setVisible(apart);
    m_devicesTable->setVisible(apart);
    if (!apart)
        return;
    m_devices->setTable(deviceTable(footprint));
    fitTable(*m_devicesTable);
}

} // namespace ui
