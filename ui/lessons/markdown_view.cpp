// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/markdown_view.h"

#include "ui/lessons/lesson_figure.h"
#include "ui/theme.h"

#include <QEvent>
#include <QTextBlock>
#include <QTextCursor>
#include <QTextDocument>
#include <QTextTable>
#include <QWheelEvent>

#include <cmath>

namespace ui {

namespace {

constexpr int kReadableWidth = 240;

QTextDocument::MarkdownFeatures features()
{
    return QTextDocument::MarkdownFeatures(QTextDocument::MarkdownDialectGitHub) | QTextDocument::MarkdownNoHTML;
}

/// Puts half a line between paragraphs; lists and tables keep the spacing that Qt gives them.
void setParagraphsApart(QTextDocument& document)
{
    for (QTextBlock block = document.begin().next(); block.isValid(); block = block.next()) {
        QTextCursor cursor(block);
        if (block.textList() != nullptr || cursor.currentTable() != nullptr)
            continue;
        QTextBlockFormat format = block.blockFormat();
        format.setTopMargin(2 * kSpace);
        cursor.setBlockFormat(format);
    }
}

} // namespace

QString plainOf(const QString& markdown)
{
    QTextDocument document;
    document.setMarkdown(markdown, features());
    return document.toPlainText().trimmed();
}

MarkdownView::MarkdownView(QWidget* parent) : QTextBrowser(parent)
{
    setOpenLinks(false);
    setFrameShape(QFrame::NoFrame);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setTextInteractionFlags(Qt::TextSelectableByMouse);
    setFocusPolicy(Qt::ClickFocus); // nothing in it can be reached by Tab
    setFont(fontOf(Type::Body));
    viewport()->setAutoFillBackground(false);
    document()->setDocumentMargin(0);
    // It is not Fixed, which would let it be no higher than its hint: words of code may take more lines in a wider
    // text.
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void MarkdownView::showMarkdown(const QString& markdown)
{
    if (markdown != m_markdown) {
        m_markdown = markdown;
        fill();
    }
    setVisible(!markdown.isEmpty());
}

void MarkdownView::fill()
{
    document()->setMarkdown(m_markdown, features());
    setParagraphsApart(*document());
    setAccessibleDescription(document()->toPlainText());
    updateGeometry();
}

int MarkdownView::heightForWidth(int width) const
{
    QTextDocument* shown = document();
    const qreal before = shown->textWidth();
    shown->setTextWidth(width);
    const int height = static_cast<int>(std::ceil(shown->size().height()));
    shown->setTextWidth(before);
    return height;
}

QSize MarkdownView::sizeHint() const
{
    return {kReadableWidth, heightForWidth(kReadableWidth)};
}

QSize MarkdownView::minimumSizeHint() const
{
    return {kReadableWidth / 2, fontMetrics().height()};
}

QVariant MarkdownView::loadResource(int type, const QUrl& name)
{
    if (type != QTextDocument::ImageResource || name.scheme() != QLatin1String("figure"))
        return {};
    return drawnFigure(name.path(), Theme::of(palette()), devicePixelRatioF());
}

void MarkdownView::changeEvent(QEvent* event)
{
    QTextBrowser::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        fill(); // draws its figures in the new colours
}

/// Leaves the wheel to the panel, which scrolls all its texts together.
void MarkdownView::wheelEvent(QWheelEvent* event)
{
    event->ignore();
}

} // namespace ui
