// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/help/manual_window.h"

#include "ui/theme.h"

#include <QAction>
#include <QEvent>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QScreen>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextDocument>
#include <QTextTable>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace ui {

namespace {

constexpr QSize kSize{1000, 660}; ///< Fits a screen of 1024 x 700 with the frame of a window.
constexpr int kListWidth = 190;
constexpr double kMatchOpacity = 0.25;

/// The text of a topic, each character at the position at which a browser shows it.
QString shownText(const ManualTopic& topic)
{
    QTextDocument document;
    document.setMarkdown(manualText(topic.name));
    return document.toPlainText();
}

bool isCode(const QTextBlock& block)
{
    return block.blockFormat().hasProperty(QTextFormat::BlockCodeLanguage);
}

/// Space above a block: more above a heading, none between the lines of code, and as Qt has it in lists.
int spaceAbove(const QTextBlock& block)
{
    if (block.blockFormat().headingLevel() > 0)
        return 5 * kSpace;
    if (block.textList() != nullptr)
        return block.previous().textList() != nullptr ? 0 : kSpace;
    return isCode(block) && isCode(block.previous()) ? 0 : 2 * kSpace;
}

void giveThinLines(QTextTable& table)
{
    QTextTableFormat format = table.format();
    format.setBorderCollapse(true);
    format.setCellPadding(kSpace);
    format.setTopMargin(2 * kSpace);
    table.setFormat(format);
}

/// Sets blocks apart, code in, and gives tables thin lines: Markdown comes without any of it.
void layOut(QTextDocument& document)
{
    QTextCursor all(&document);
    all.beginEditBlock(); // The text is laid out once, at the end.
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
        QTextCursor cursor(block);
        QTextBlockFormat format = block.blockFormat();
        if (QTextTable* table = cursor.currentTable()) {
            if (block == table->firstCursorPosition().block())
                giveThinLines(*table);
            format.setTopMargin(0);
        } else {
            format.setTopMargin(block == document.begin() ? 0 : spaceAbove(block));
            format.setLeftMargin(isCode(block) ? 4 * kSpace : 0);
        }
        format.setBottomMargin(0);
        cursor.setBlockFormat(format);
    }
    all.endEditBlock();
}

QToolButton* arrow(Qt::ArrowType type, const QString& name)
{
    auto* button = new QToolButton;
    button->setArrowType(type);
    button->setAccessibleName(name);
    button->setToolTip(name);
    button->setFocusPolicy(Qt::TabFocus);
    return button;
}

/// An action of the window that has a key and no place in a menu.
template <typename Function> void onKey(QWidget& window, const QList<QKeySequence>& keys, Function function)
{
    auto* action = new QAction(&window);
    action->setShortcuts(keys);
    QObject::connect(action, &QAction::triggered, &window, function);
    window.addAction(action);
}

} // namespace

ManualWindow::ManualWindow(QWidget* parent)
    : QDialog(parent, Qt::Window),
      m_topics(manualTopics()),
      m_list(new QListWidget),
      m_browser(new QTextBrowser),
      m_searched(new QLineEdit),
      m_previous(arrow(Qt::UpArrow, tr("Previous match (Shift+F3)"))),
      m_next(arrow(Qt::DownArrow, tr("Next match (F3)"))),
      m_count(new QLabel)
{
    setWindowTitle(tr("Manual of KV Horizon"));
    createLayout();
    connectAll();
    showRow(0);
    search();
    resize(kSize.boundedTo(screen()->availableSize()));
}

void ManualWindow::createLayout()
{
    m_searched->setPlaceholderText(tr("Search all topics (Ctrl+F)"));
    m_searched->setAccessibleName(tr("Search all topics"));
    m_searched->setClearButtonEnabled(true);
    m_list->setAccessibleName(tr("Topics"));
    m_list->setSpacing(kSpace / 2);
    m_list->setFixedWidth(std::max(kListWidth, fontMetrics().averageCharWidth() * kListWidth / 8));
    for (const ManualTopic& topic : m_topics)
        m_list->addItem(topic.title);
    m_browser->setAccessibleName(tr("Text of the topic"));
    m_browser->setFont(fontOf(Type::Body));
    m_browser->document()->setDocumentMargin(3 * kSpace);
    auto* top = new QHBoxLayout;
    top->addWidget(m_searched, 1);
    top->addWidget(m_count);
    top->addWidget(m_previous);
    top->addWidget(m_next);
    auto* middle = new QHBoxLayout;
    middle->addWidget(m_list);
    middle->addWidget(m_browser, 1);
    auto* column = new QVBoxLayout(this);
    column->addLayout(top);
    column->addLayout(middle, 1);
    m_browser->setFocus();
}

void ManualWindow::connectAll()
{
    connect(m_list, &QListWidget::currentRowChanged, this, &ManualWindow::showRow);
    connect(m_browser, &QTextBrowser::sourceChanged, this, &ManualWindow::takeSource);
    connect(m_searched, &QLineEdit::textChanged, this, &ManualWindow::search);
    connect(m_previous, &QToolButton::clicked, this, [this] { step(-1); });
    connect(m_next, &QToolButton::clicked, this, [this] { step(1); });
    connect(m_searched, &QLineEdit::returnPressed, this,
            [this] { step(QGuiApplication::keyboardModifiers().testFlag(Qt::ShiftModifier) ? -1 : 1); });
    onKey(*this, {Qt::Key_F3, Qt::CTRL | Qt::Key_G}, [this] { step(1); });
    onKey(*this, {Qt::SHIFT | Qt::Key_F3, Qt::CTRL | Qt::SHIFT | Qt::Key_G}, [this] { step(-1); });
    onKey(*this, {Qt::CTRL | Qt::Key_F}, [this] {
        m_searched->setFocus();
        m_searched->selectAll();
    });
    onKey(*this, {Qt::ALT | Qt::Key_Left}, [this] { m_browser->backward(); });
    onKey(*this, {Qt::ALT | Qt::Key_Right}, [this] { m_browser->forward(); });
}

void ManualWindow::showTopic(const QString& name)
{
    const auto topic = std::ranges::find(m_topics, name, &ManualTopic::name);
    if (topic != m_topics.end())
        showRow(static_cast<int>(topic - m_topics.begin()));
}

void ManualWindow::showRow(int row)
{
    const QUrl address = manualAddress(m_topics.at(static_cast<std::size_t>(row)).name);
    if (address != m_browser->source())
        m_browser->setSource(address);
}

/// Follows the browser to a topic that it came to by a link, by going back, or from the list.
void ManualWindow::takeSource(const QUrl& address)
{
    layOut(*m_browser->document());
    for (std::size_t i = 0; i < m_topics.size(); ++i) {
        if (manualAddress(m_topics[i].name) == address)
            m_list->setCurrentRow(static_cast<int>(i));
    }
    paintMatches();
}

/// Finds all places of the typed text, says how many each topic has, and goes to the first from the shown topic on.
void ManualWindow::search()
{
    const QString searched = m_searched->text().simplified();
    if (!searched.isEmpty() && m_texts.empty())
        std::ranges::transform(m_topics, std::back_inserter(m_texts), shownText);
    m_matches.clear();
    for (int row = 0; row < m_list->count(); ++row) {
        const std::size_t before = m_matches.size();
        const QString& text = searched.isEmpty() ? searched : m_texts.at(static_cast<std::size_t>(row));
        for (auto place = searched.isEmpty() ? -1 : text.indexOf(searched, 0, Qt::CaseInsensitive); place >= 0;
             place = text.indexOf(searched, place + searched.size(), Qt::CaseInsensitive))
            m_matches.push_back({row, static_cast<int>(place)});
        const std::size_t found = m_matches.size() - before;
        const QString& title = m_topics.at(static_cast<std::size_t>(row)).title;
        m_list->item(row)->setText(found == 0 ? title : tr("%1 (%2)").arg(title).arg(found));
    }
    const auto first =
        std::ranges::find_if(m_matches, [this](const Match& match) { return match.topic >= m_list->currentRow(); });
    m_match = first == m_matches.end() ? 0 : static_cast<int>(first - m_matches.begin());
    showMatch();
}

void ManualWindow::step(int by)
{
    const int count = static_cast<int>(m_matches.size());
    if (count > 0)
        m_match = (m_match + by + count) % count;
    showMatch();
}

void ManualWindow::showMatch()
{
    const bool any = !m_matches.empty();
    m_previous->setEnabled(any);
    m_next->setEnabled(any);
    m_count->setText(any                            ? tr("%1 of %2").arg(m_match + 1).arg(m_matches.size())
                     : m_searched->text().isEmpty() ? QString()
                                                    : tr("Not found"));
    if (any) {
        const Match& match = m_matches.at(static_cast<std::size_t>(m_match));
        showRow(match.topic);
        QTextCursor cursor(m_browser->document());
        cursor.setPosition(match.position);
        cursor.setPosition(match.position + static_cast<int>(m_searched->text().simplified().size()),
                           QTextCursor::KeepAnchor);
        m_browser->setTextCursor(cursor);
    }
    paintMatches();
}

/// Marks all matches in the shown topic; the current one is the selection besides.
void ManualWindow::paintMatches()
{
    QColor color = palette().color(QPalette::Highlight);
    color.setAlphaF(kMatchOpacity);
    QList<QTextEdit::ExtraSelection> marks;
    for (const Match& match : m_matches) {
        if (match.topic != m_list->currentRow())
            continue;
        QTextEdit::ExtraSelection mark;
        mark.format.setBackground(color);
        mark.cursor = QTextCursor(m_browser->document());
        mark.cursor.setPosition(match.position);
        mark.cursor.setPosition(match.position + static_cast<int>(m_searched->text().simplified().size()),
                                QTextCursor::KeepAnchor);
        marks.push_back(mark);
    }
    m_browser->setExtraSelections(marks);
}

void ManualWindow::changeEvent(QEvent* event)
{
    QDialog::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        paintMatches();
}

void openManual(QWidget& owner, const QString& topic)
{
    auto* manual = owner.findChild<ManualWindow*>();
    if (manual == nullptr)
        manual = new ManualWindow(&owner);
    manual->showTopic(topic);
    manual->show();
    manual->raise();
    manual->activateWindow();
}

} // namespace ui
