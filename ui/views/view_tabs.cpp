// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/view_tabs.h"

#include "ui/theme.h"
#include "ui/views/chart_view.h"
#include "ui/views/views.h"

#include <QMenu>
#include <QTabBar>

#include <algorithm>
#include <utility>

namespace ui {

ViewTabs::ViewTabs(std::function<Shown()> shown, QWidget* parent) : QTabWidget(parent), m_shown(std::move(shown))
{
    setDocumentMode(true);
    tabBar()->setAccessibleName(tr("Views"));
    tabBar()->setFont(fontOf(Type::Label));
    for (const ViewRow& row : views())
        add(*new ViewFrame(row), viewText(row.title), viewText(row.keyboard));
    connect(this, &QTabWidget::currentChanged, this, &ViewTabs::showFront);
}

void ViewTabs::add(ViewFrame& frame, const QString& title, const QString& keyboard)
{
    m_frames.push_back(&frame);
    setTabWhatsThis(addTab(&frame, title), keyboard);
    frame.setWhatsThis(keyboard);
    const View* view = &frame.view();
    connect(view, &View::edited, this, &ViewTabs::edited);
    connect(view, &View::gestureStarted, this, &ViewTabs::gestureStarted);
    connect(view, &View::gestureEnded, this, &ViewTabs::gestureEnded);
    connect(view, &View::explanationRequested, this, &ViewTabs::explanationRequested);
    connect(view, &View::refreshRequested, this, [this, &frame] { frame.show(m_shown()); });
    connect(view, &View::frontRequested, this, [this, &frame] { setCurrentWidget(&frame); });
}

void ViewTabs::showFront()
{
    m_frames.at(static_cast<std::size_t>(currentIndex()))->show(m_shown());
}

void ViewTabs::showLocks()
{
    const bool isHeldBack = m_shown().locks.numbersHeldBack;
    if (isHeldBack)
        openAnswerless();
    for (std::size_t i = 0; i < m_frames.size(); ++i) {
        const bool mayOpen = !isHeldBack || m_frames[i]->view().keepsAnswersBack();
        setTabEnabled(static_cast<int>(i), mayOpen);
        m_entries.at(i)->setEnabled(mayOpen);
    }
}

void ViewTabs::openAnswerless()
{
    const auto found =
        std::ranges::find_if(m_frames, [](ViewFrame* frame) { return frame->view().keepsAnswersBack(); });
    if (found != m_frames.end())
        setCurrentWidget(*found);
}

void ViewTabs::editModelAsText()
{
    for (ViewFrame* frame : m_frames) {
        if (frame->view().editModelAsText())
            return;
    }
}

void ViewTabs::startAfresh()
{
    for (ViewFrame* frame : m_frames)
        frame->view().startAfresh();
}

void ViewTabs::setNarrow(bool narrow)
{
    for (ViewFrame* frame : m_frames)
        frame->view().setNarrow(narrow);
}

void ViewTabs::highlight(std::optional<core::Field> field)
{
    for (ViewFrame* frame : m_frames)
        frame->view().highlight(field);
}

void ViewTabs::addEntries(QMenu& menu)
{
    for (int tab = 0; tab < count(); ++tab)
        m_entries.push_back(menu.addAction(tabText(tab), QKeySequence(Qt::CTRL | static_cast<Qt::Key>(Qt::Key_1 + tab)),
                                           this, [this, tab] { setCurrentIndex(tab); }));
    menu.addSeparator();
    for (ViewFrame* frame : m_frames)
        frame->view().addEntries(menu);
}

ChartView& ViewTabs::chartOf(const Picture& picture)
{
    for (ViewFrame* frame : m_frames) {
        if (auto* chart = frame->findChild<ChartView*>(QString::fromLatin1(picture.name))) {
            frame->show(m_shown());
            return *chart;
        }
    }
    qFatal("No view shows the picture %s.", picture.name);
}

ExportSettings ViewTabs::pictureSettings() const
{
    ExportSettings settings;
    for (ViewFrame* frame : m_frames)
        frame->view().choosePicture(settings);
    return settings;
}

} // namespace ui
