// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/engine_view.h"

#include "core/engines/parallel.h"
#include "core/sizing/evaluate.h"
#include "ui/charts/chart_tables.h"
#include "ui/texts.h"
#include "ui/views/log_view.h"
#include "ui/views/page.h"

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
#include <QScrollBar>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>

namespace ui {

namespace {

constexpr int kLeastRow = 44;  ///< height of a row of the waterfall
constexpr int kMostLines = 16; ///< of a text that are shown at once

/// As high as its lines.
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

WasteView::WasteView(QWidget* parent) : ChartView(parent), m_waste(new WasteChart(this))
{
    takeChart(m_waste->chart());
    setObjectName(QStringLiteral("waste"));
    setAccessibleName(tr("From the cache in use to what is reserved"));
    setFocusPolicy(Qt::NoFocus);
}

EngineView::EngineView(QWidget* parent) : QScrollArea(parent)
{
    setObjectName(QStringLiteral("engine-view"));
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn); // rows are as high as their texts need at a width that stays
    setFocusPolicy(Qt::NoFocus);
}

/// The page comes when it is first shown: the start of the program does not wait for it.
void EngineView::createPage()
{
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 2 * kSpace, 2 * kSpace, 2 * kSpace);
    column->setSpacing(2 * kSpace);
    column->addWidget(m_reason = wordLabel(Type::Body, page));
    m_reason->setObjectName(QStringLiteral("engine-reason"));
    column->addWidget(m_result = createResult());
    m_log = new LogView(page);
    connect(m_log, &LogView::edited, this, &EngineView::edited);
    column->addWidget(m_log);
    column->addStretch(1);
    setWidget(page);
    setTheme();
    setLocked(m_locked);
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
                               [this] { return wasteTable(m_rows).tabbed(); }));
    column->addLayout(head);
    column->addWidget(m_pool = wordLabel(Type::Label, result));
    m_pool->setObjectName(QStringLiteral("pool"));
    column->addWidget(createWaterfall());
    m_devices = new DataTableModel(this);
    column->addWidget(m_devicesTitle = titleLabel(tr("On each device"), result));
    column->addWidget(m_devicesTable = tableView(m_devices, "devices-table", m_devicesTitle->text(), result));
    m_devicesTable->horizontalHeader()->setStretchLastSection(false); // numbers stay beside each other
    column->addWidget(m_spread = wordLabel(Type::Label, result));
    m_spread->setObjectName(QStringLiteral("spread"));
    column->addWidget(m_hint);
    m_words = new QWidget(result);
    auto* words = new QVBoxLayout(m_words);
    words->setContentsMargins(0, 0, 0, 0);
    words->setSpacing(2 * kSpace);
    m_lines = addText(words, "log-lines", tr("What its log will say"));
    m_command = addText(words, "launch-command", tr("Launched by"));
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
    m_waste = new WasteView(waterfall);
    row->addWidget(m_steps, 5);
    row->addWidget(m_waste, 6);
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

/// A text to be copied, under its title.
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

void EngineView::setLocked(bool locked)
{
    m_locked = locked;
    if (m_log != nullptr)
        m_log->setLocked(locked);
}

void EngineView::show(const core::Evaluation& lastValid, const core::Evaluation& current)
{
    if (m_waste == nullptr)
        createPage();
    const bool none = !lastValid.issues.empty();
    showReason(*m_reason, lastValid);
    m_result->setVisible(!none);
    if (!none)
        showResult(lastValid);
    const bool stale = !current.issues.empty();
    m_result->setEnabled(!stale); // pale, and not copied
    m_waste->waste().chart()->setOpacity(stale ? kFaded : 1);
    m_log->show(lastValid, current);
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
                            ? tr("%1: the cache of %2 is reserved and nothing beyond it").arg(name, bytesText(used))
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
        words = pool->memory ? tr("The pool of a GPU, %1, holds %2.").arg(bytesText(*pool->memory), blocks)
                             : tr("The pool of a GPU holds %1.").arg(blocks);
        if (pool->concurrency && reservation.requestTokens)
            words += QLatin1Char(' ') +
                     tr("Requests of %1 tokens at once: %2.")
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
    m_rows = rows;
    m_waste->waste().show(rows);
    m_waste->setAccessibleDescription(m_waste->waste().description());
    placeRows();
}

/// All rows as high as the longest text beside them, so that each text stands beside its bar.
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
    m_waste->waste().setRowHeight(height);
    m_waste->setFixedHeight(m_waste->waste().height());
}

bool EngineView::eventFilter(QObject* watched, QEvent* event)
{
    if (watched != m_steps)
        return QScrollArea::eventFilter(watched, event);
    if (event->type() == QEvent::Resize &&
        static_cast<QResizeEvent*>(event)->oldSize().width() != m_steps->width()) // heights follow from it
        placeRows();
    return false;
}

/// Where devices are told apart, or something stays with the host.
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

void EngineView::setTheme()
{
    const Theme& theme = Theme::of(palette());
    m_waste->waste().setTheme(theme);
    m_waste->setBackgroundBrush(theme.color(Role::Page));
    widget()->setPalette(fadedPalette(theme));
}

void EngineView::changeEvent(QEvent* event)
{
    QScrollArea::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_waste != nullptr)
        setTheme();
}

} // namespace ui
