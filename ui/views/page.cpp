// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/page.h"

#include "ui/texts.h"

#include <QHeaderView>
#include <QLabel>
#include <QResizeEvent>
#include <QScrollBar>
#include <QTableView>

#include <algorithm>

namespace ui {

namespace {

constexpr int kMostColumn = 360; ///< pixels of a column; longer texts break into lines
constexpr int kLeastRow = 24;

/// Fitted again at another width, on which the breaks of its texts depend.
class PageTable : public QTableView {
public:
    using QTableView::QTableView;

protected:
    void resizeEvent(QResizeEvent* event) override
    {
        QTableView::resizeEvent(event);
        if (event->size().width() != event->oldSize().width())
            fitTable(*this);
    }
};

} // namespace

QLabel* wordLabel(Type type, QWidget* parent)
{
    auto* label = new QLabel(parent);
    label->setFont(fontOf(type));
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

QLabel* titleLabel(const QString& title, QWidget* parent)
{
    auto* label = new QLabel(title, parent);
    label->setFont(fontOf(Type::Body, QFont::DemiBold));
    return label;
}

void setTextIfAny(QLabel& label, const QString& text)
{
    label.setText(text);
    label.setVisible(!text.isEmpty());
}

void showReason(QLabel& label, const core::Evaluation& evaluation)
{
    const QString reason = evaluation.issues.empty() ? QString() : text(evaluation.issues.front().message);
    setTextIfAny(label, reason.isEmpty() ? reason : QLabel::tr("Nothing can be shown yet. %1").arg(reason));
}

QPalette fadedPalette(const Theme& theme)
{
    QColor pale = theme.color(Role::Text);
    pale.setAlphaF(static_cast<float>(kFaded));
    QPalette palette;
    for (const QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, pale);
    return palette;
}

QTableView* tableView(QAbstractItemModel* model, const char* name, const QString& title, QWidget* parent)
{
    auto* view = new PageTable(parent);
    view->setModel(model);
    view->setObjectName(QString::fromUtf8(name));
    view->setAccessibleName(title);
    view->setFont(fontOf(Type::Label));
    view->horizontalHeader()->setFont(fontOf(Type::Caption));
    view->horizontalHeader()->setStretchLastSection(true);
    view->verticalHeader()->hide();
    view->verticalHeader()->setMinimumSectionSize(kLeastRow);
    view->setEditTriggers(QAbstractItemView::NoEditTriggers);
    view->setSelectionBehavior(QAbstractItemView::SelectRows);
    view->setTabKeyNavigation(false);
    view->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    view->setFrameShape(QFrame::NoFrame);
    return view;
}

void fitTable(QTableView& view)
{
    view.resizeColumnsToContents();
    for (int column = 0; column + 1 < view.model()->columnCount(); ++column)
        view.setColumnWidth(column, std::min(view.columnWidth(column) + 2 * kSpace, kMostColumn));
    view.resizeRowsToContents();
    int height = view.horizontalHeader()->sizeHint().height() + view.horizontalScrollBar()->sizeHint().height() + 4;
    for (int row = 0; row < view.model()->rowCount(); ++row)
        height += view.rowHeight(row);
    view.setFixedHeight(height);
}

} // namespace ui
