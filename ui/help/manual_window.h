// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/help/manual.h"

#include <QDialog>

#include <cstddef>
#include <vector>

class QLabel;
class QLineEdit;
class QListWidget;
class QTextBrowser;
class QToolButton;

namespace ui {

/// The manual in a window: topics on the left, the text of one on the right, and a box that searches all of them.
class ManualWindow : public QDialog {
    Q_OBJECT

public:
    explicit ManualWindow(QWidget* parent = nullptr);

    /// Shows the topic of that name; the one that is shown stays where there is none.
    void showTopic(const QString& name);

protected:
    void changeEvent(QEvent* event) override;

private:
    /// A place at which the searched text stands.
    struct Match {
        int topic = 0;    ///< The row of the topic in the list.
        int position = 0; ///< The place in the text of the topic.
    };

    void createLayout();
    void connectAll();
    void showRow(int row);
    void takeSource(const QUrl& address);
    void search();
    void step(int by);
    void showMatch();
    void paintMatches();

    std::vector<ManualTopic> m_topics;
    std::vector<QString> m_texts; ///< What is searched of each topic, once the first search has begun.
    std::vector<Match> m_matches;
    int m_match = 0; ///< The match that is selected, where there are any.
    QListWidget* m_list;
    QTextBrowser* m_browser;
    QLineEdit* m_searched;
    QToolButton* m_previous;
    QToolButton* m_next;
    QLabel* m_count;
};

/// Shows the manual at a topic, in a window that belongs to `owner`: the one that is open, or a new one.
void openManual(QWidget& owner, const QString& topic);

} // namespace ui
