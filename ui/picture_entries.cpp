// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/picture_entries.h"

#include "ui/dialogs.h"
#include "ui/export_dialog.h"
#include "ui/session.h"
#include "ui/views/chart_view.h"
#include "ui/views/view_tabs.h"

#include <QActionGroup>
#include <QApplication>
#include <QClipboard>
#include <QMenu>
#include <QMimeData>

namespace ui {

namespace {

/// Copies a chart as it stands on the screen and, for what takes no picture, its numbers.
void copyChart(ChartView& chart)
{
    auto* data = new QMimeData;
    data->setImageData(chart.grab().toImage());
    data->setText(chart.table().tabbed());
    QApplication::clipboard()->setMimeData(data);
}

} // namespace

void addExports(QMenu& file, QActionGroup& numbers, const Session& session, ViewTabs& views, QWidget& window)
{
    for (const Picture& picture : pictures()) {
        const auto exportIt = [&picture, &numbers, &session, &views, &window] {
            commitTyping(window);
            if (numbers.isEnabled()) // there are none of what was typed otherwise
                ExportDialog(picture, session.current(), views.pictureSettings(), &window).exec();
        };
        QAction* entry = file.addAction(pictureText(picture.exportEntry), &views, exportIt);
        if (&picture == &pictures().front())
            entry->setShortcut(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_E));
        numbers.addAction(entry);
    }
}

void addCopies(QMenu& edit, QActionGroup& numbers, ViewTabs& views)
{
    for (const Picture& picture : pictures())
        numbers.addAction(edit.addAction(pictureText(picture.copyEntry), &views,
                                         [&picture, &views] { copyChart(views.chartOf(picture)); }));
    for (const Picture& picture : pictures())
        numbers.addAction(edit.addAction(pictureText(picture.copyNumbers), &views, [&picture, &views] {
            QApplication::clipboard()->setText(views.chartOf(picture).table().tabbed());
        }));
}

} // namespace ui
