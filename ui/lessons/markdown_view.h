// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QTextBrowser>

namespace ui {

/// A text of a lesson, as high as it needs to be. It opens no link and loads nothing but the program's own figures
/// ("figure:allocation-flow").
class MarkdownView : public QTextBrowser {
    Q_OBJECT

public:
    explicit MarkdownView(QWidget* parent = nullptr);

    /// Shows the Markdown; the view is hidden when it is empty.
    void showMarkdown(const QString& markdown);

    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    QVariant loadResource(int type, const QUrl& name) override;

protected:
    void changeEvent(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;

private:
    void fill();

    QString m_markdown;
};

/// The text without its marks, for buttons and screen readers.
QString plainOf(const QString& markdown);

} // namespace ui
