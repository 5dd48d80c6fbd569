// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/log_view.h"

#include "core/engines/engine.h"
#include "core/readers/log_file.h"
#include "ui/texts.h"
#include "ui/views/tables_and_labels.h"

#include <QFileDialog>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace ui {

namespace {

constexpr int kTextHeight = 112;         ///< pixels of each of the two texts
constexpr int kPause = 150;              ///< milliseconds without typing after which the text is read
constexpr std::size_t kMostRest = 1'000; ///< lines that are shown of those that were not understood

DataTable comparisonTable(const std::vector<core::engines::LogComparison>& rows)
{
    DataTable table;
    table.columns << QStringLiteral("line") << QStringLiteral("figure") << QStringLiteral("printed")
                  << QStringLiteral("predicted") << QStringLiteral("difference") << QStringLiteral("cause");
    table.titles << LogView::tr("Line") << LogView::tr("Figure") << LogView::tr("Printed") << LogView::tr("Predicted")
                 << LogView::tr("Difference") << LogView::tr("Likely cause");
    for (const core::engines::LogComparison& row : rows)
        table.rows.push_back({qint64{row.line}, QString::fromStdString(row.figure), QString::fromStdString(row.printed),
                              QString::fromStdString(row.predicted), QString::fromStdString(row.difference),
                              row.agrees ? LogView::tr("agrees") : text(row.cause)});
    return table;
}

} // namespace

LogView::LogView(QWidget* parent)
    : QWidget(parent),
      m_text(new QPlainTextEdit(this)),
      m_use(new QPushButton(tr("Use the log's settings"), this)),
      m_result(new QWidget(this)),
      m_summary(wordLabel(Type::Label, m_result)),
      m_figures(new DataTableModel(this)),
      m_table(wholeTable(m_figures, "log-figures", tr("Figures of the log"), m_result)),
      m_restTitle(titleLabel(tr("Lines that were not understood"), this)),
      m_rest(new QPlainTextEdit(this))
{
    setObjectName(QStringLiteral("log"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2 * kSpace);
    for (QPlainTextEdit* edit : {m_text, m_rest}) {
        edit->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
        edit->setLineWrapMode(QPlainTextEdit::NoWrap);
        edit->setTabChangesFocus(true);
        edit->setFixedHeight(kTextHeight);
    }
    m_text->setObjectName(QStringLiteral("log-text"));
    m_text->setAccessibleName(tr("What your engine printed"));
    m_text->setPlaceholderText(tr("Paste all or part of what your engine printed when it started"));
    m_rest->setObjectName(QStringLiteral("log-rest"));
    m_rest->setAccessibleName(m_restTitle->text());
    m_rest->setReadOnly(true);
    m_restTitle->setObjectName(QStringLiteral("log-rest-title"));
    m_summary->setObjectName(QStringLiteral("log-summary"));
    column->addWidget(titleLabel(tr("Compare with your log"), this));
    column->addWidget(m_text);
    createButtons();
    auto* result = new QVBoxLayout(m_result);
    result->setContentsMargins(0, 0, 0, 0);
    result->setSpacing(2 * kSpace);
    result->addWidget(m_summary);
    result->addWidget(m_table);
    for (QWidget* widget : std::initializer_list<QWidget*>{m_result, m_restTitle, m_rest})
        column->addWidget(widget);
    m_pause.setSingleShot(true);
    m_pause.setInterval(kPause);
    connect(&m_pause, &QTimer::timeout, this, &LogView::readText);
    connect(m_text, &QPlainTextEdit::textChanged, &m_pause, qOverload<>(&QTimer::start));
    takeLog({});
}

void LogView::createButtons()
{
    auto* buttons = new QHBoxLayout;
    auto* open = new QPushButton(tr("Open a log…"), this);
    open->setObjectName(QStringLiteral("open-log"));
    m_use->setObjectName(QStringLiteral("use-log"));
    for (QPushButton* button : {open, m_use}) {
        button->setFont(fontOf(Type::Label));
        button->setMinimumHeight(26);
        buttons->addWidget(button);
    }
    buttons->addStretch();
    qobject_cast<QVBoxLayout*>(layout())->addLayout(buttons);
    connect(open, &QPushButton::clicked, this, &LogView::chooseFile);
    connect(m_use, &QPushButton::clicked, this, [this] { emit edited(core::engines::withLog(m_scenario, *m_log)); });
}

void LogView::setUsable()
{
    m_use->setEnabled(isUnderstood() && !m_isLocked);
}

/// True where a line of the log says something that is known.
bool LogView::isUnderstood() const
{
    return m_log && m_log->understood() > 0;
}

void LogView::readText()
{
    const std::string typed = m_text->toPlainText().toStdString();
    m_text->setPlaceholderText(tr("Paste all or part of what your engine printed when it started"));
    takeLog(typed.empty() ? std::nullopt : std::optional(core::engines::readLog(typed, m_scenario.engine)));
}

/// Reads the file in the background: it may be long.
void LogView::chooseFile()
{
    const QString path = QFileDialog::getOpenFileName(this, tr("Open a log"));
    if (path.isEmpty())
        return;
    m_text->clear();
    m_pause.stop();
    m_summary->setText(tr("Reading %1").arg(path));
    m_reading.start(
        [this, path, likely = m_scenario.engine](const std::stop_token& /*stop*/, const Background::Tell& tell) {
            core::Result<core::engines::EngineLog> log = core::readers::readLogFile(path.toStdString(), likely);
            tell([this, path, log = std::move(log)] {
                takeLog(log ? std::optional(*log) : std::nullopt);
                if (log)
                    m_text->setPlaceholderText(path);
                else
                    m_summary->setText(text(log.error().message));
                m_summary->show();
            });
        });
}

void LogView::takeLog(std::optional<core::engines::EngineLog> log)
{
    m_log = std::move(log);
    showRest();
    compare();
}

void LogView::show(const Shown& shown)
{
    m_predicted = shown.valid;
    m_scenario = shown.current.scenario;
    m_isLocked = !shown.locks.mayChange(core::Field::Engine);
    setUsable();
    setOld(*m_result, shown.isOld());
    if (m_log)
        compare();
}

/// Shows the lines of which nothing is known; of a long log the first ones.
void LogView::showRest()
{
    const std::vector<core::engines::LogRest> none;
    const std::vector<core::engines::LogRest>& unknown = m_log ? m_log->unknown : none;
    const std::size_t shown = std::min(unknown.size(), kMostRest);
    QStringList rest;
    for (std::size_t i = 0; i < shown; ++i)
        rest << QStringLiteral("%1  %2").arg(unknown[i].line, 6).arg(QString::fromStdString(unknown[i].text));
    m_rest->setPlainText(rest.join(QLatin1Char('\n')));
    m_rest->setVisible(shown > 0);
    m_restTitle->setVisible(shown > 0);
    m_restTitle->setText(shown == unknown.size()
                             ? m_rest->accessibleName()
                             : tr("%1: the first %2 of %3")
                                   .arg(m_rest->accessibleName(), countText(static_cast<std::int64_t>(shown)),
                                        countText(static_cast<std::int64_t>(unknown.size()))));
}

void LogView::compare()
{
    using core::engines::LogComparison;
    setUsable();
    const std::vector<LogComparison> rows = m_log && m_predicted.plan
                                                ? m_predicted.plan->compareLog(m_predicted.reservation, *m_log)
                                                : std::vector<LogComparison>();
    m_figures->setTable(comparisonTable(rows));
    m_table->setVisible(!rows.empty());
    fitTable(*m_table);
    QString summary;
    if (m_log && isUnderstood() && m_log->engine != m_scenario.engine)
        summary = tr("This is a log of %1, but the scenario uses \"%2\". Use the log's settings to compare them.")
                      .arg(text(core::name(m_log->engine)), text(core::name(m_scenario.engine)));
    else if (m_log && !m_predicted.plan)
        summary = tr("There is nothing to compare with yet.");
    else if (m_log && rows.empty())
        summary = tr("The log contains no figures that can be compared.");
    else if (m_log)
        summary = tr("%1 of %2 figures agree. Sizes are in the units of the log.")
                      .arg(countText(std::ranges::count(rows, true, &LogComparison::agrees)),
                           countText(static_cast<std::int64_t>(rows.size())));
    setTextIfAny(*m_summary, summary);
}

} // namespace ui
