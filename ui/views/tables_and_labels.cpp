// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/tables_and_labels.h"

#include <QHeaderView>
#include <QLabel>
#include <QResizeEvent>
#include <QScrollBar>
#include <QTableView>

#include <algorithm>

namespace ui {

namespace {

constexpr int kMostColumn = 360; ///< pixels of a column; longer texts break into lines
constexpr int kLeastRow = 24;    ///< pixels

/// A table that is fitted again at another width, on which the line breaks of its texts depend.
class WholeTable : public QTableView {
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

QTableView* prepared(QTableView* view, QAbstractItemModel* model, const char* name, const QString& title)
{
    view->setModel(model);
    view->setObjectName(QString::fromUtf8(name));
    view->setAccessibleName(title);
    view->setFont(fontOf(Type::Label));
    view->horizontalHeader()->setFont(fontOf(Type::Caption));
    view->verticalHeader()->hide();
    view->setEditTriggers(QAbstractItemView::NoEditTriggers);
    view->setTabKeyNavigation(false);
    return view;
}

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

QTableView* scrolledTable(QAbstractItemModel* model, const char* name, const QString& title, QWidget* parent)
{
    return prepared(new QTableView(parent), model, name, title);
}

QTableView* wholeTable(QAbstractItemModel* model, const char* name, const QString& title, QWidget* parent)
{
    QTableView* view = prepared(new WholeTable(parent), model, name, title);
    view->horizontalHeader()->setStretchLastSection(true);
    view->verticalHeader()->setMinimumSectionSize(kLeastRow);
    view->setSelectionBehavior(QAbstractItemView::SelectRows);
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
