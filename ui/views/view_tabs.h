// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/chart_export.h"
#include "ui/views/view.h"

#include <QTabWidget>

#include <functional>
#include <vector>

class QAction;

namespace ui {

/// All views as tabs. Only the one in front is shown something; the others are when they come to the front.
class ViewTabs : public QTabWidget {
    Q_OBJECT

public:
    /// `shown` says what is to be shown now.
    explicit ViewTabs(std::function<Shown()> shown, QWidget* parent = nullptr);

    void showFront();
    /// Lets only those views be opened that keep back what a lesson holds back.
    void showLocks();
    /// Brings such a view to the front.
    void openAnswerless();
    /// Brings the view to the front that has an editor of the model as text.
    void editModelAsText();
    void startAfresh();
    void setNarrow(bool narrow);
    void highlight(std::optional<core::Field> field);

    /// Adds to the View menu how to open each view and what can be chosen for it.
    void addEntries(QMenu& menu);

    /// The widget that shows a picture, with what is current, whichever view is in front.
    ChartView& chartOf(const Picture& picture);
    /// How pictures are to be exported, as far as the views know.
    ExportSettings pictureSettings() const;

signals:
    void edited(const core::Scenario& scenario);
    void gestureStarted();
    void gestureEnded();
    void explanationRequested(core::Quantity quantity, const QPoint& globalPlace);

private:
    void add(ViewFrame& frame, const QString& title, const QString& keyboard);

    std::function<Shown()> m_shown;
    std::vector<ViewFrame*> m_frames; ///< in the order of the tabs
    std::vector<QAction*> m_entries;  ///< of the View menu, one for each view
};

} // namespace ui
