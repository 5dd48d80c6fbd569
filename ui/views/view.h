// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sizing/evaluate.h"
#include "core/sizing/explain.h"

#include <QWidget>

#include <algorithm>
#include <optional>
#include <vector>

class QLabel;
class QMenu;

namespace ui {

class ChartView;
struct ExportSettings;

/// What a lesson allows to change and to see. Without a lesson nothing is locked.
struct Locks {
    bool isLesson = false;
    std::vector<core::Field> open; ///< inputs that may be changed in a lesson
    bool numbersHeldBack = false;  ///< the learner is to say first what the program would tell
    bool weightsHeldBack = false;  ///< the same of the size of the weights
    bool layoutHeldBack = false;   ///< the same of layers and heads
    bool isWholeAxis = false;      ///< all contexts that the model was trained for are to be in sight

    bool mayChange(core::Field field) const { return !isLesson || std::ranges::count(open, field) > 0; }
};

/// What a view is given to show. It lasts as long as the call.
struct Shown {
    const core::Evaluation& valid;   ///< the last evaluation without issues; with them where there was none yet
    const core::Evaluation& current; ///< of the scenario that is edited
    Locks locks = {};

    /// The current scenario has issues: what is shown is of an older one.
    bool isOld() const { return !current.issues.empty(); }
    /// There was no scenario without issues yet.
    bool isNothing() const { return !valid.issues.empty(); }
};

/// A view of the scenario: one tab of the window. `views.h` lists them all; a view knows no other view, no session and
/// no window. Its charts are `ChartView`s; those that `pictures.h` lists can be copied and exported.
class View : public QWidget {
    Q_OBJECT

public:
    using QWidget::QWidget;

    /// Called for the view in front whenever something has changed, and when the view comes to the front.
    virtual void show(const Shown& shown) = 0;
    using QWidget::show;

    /// The widget whose parts show results: hidden where there is none, pale where it is old. nullptr: what the view
    /// shows is never old.
    virtual QWidget* result() { return nullptr; }
    /// True where the view leaves out by itself what a lesson holds back. Other views cannot be opened meanwhile.
    virtual bool keepsAnswersBack() const { return false; }
    /// Forgets what was shown before, such as the ranges of axes.
    virtual void startAfresh() {}
    /// Makes do with little width.
    virtual void setNarrow(bool /*narrow*/) {}
    /// Points out what depends on an input; nothing: no more.
    virtual void highlight(std::optional<core::Field> /*field*/) {}
    /// Adds what can be chosen for the view to the View menu.
    virtual void addEntries(QMenu& /*menu*/) {}
    /// Sets what its pictures show beside the evaluation.
    virtual void choosePicture(ExportSettings& /*settings*/) const {}
    /// Comes to the front with the model's description as text; false: the view has no such editor.
    virtual bool editModelAsText() { return false; }

signals:
    void edited(const core::Scenario& scenario);
    /// A drag begins or ends: all its edits are one.
    void gestureStarted();
    void gestureEnded();
    void explanationRequested(core::Quantity quantity, const QPoint& globalPlace);
    /// The view asks to be shown anew.
    void refreshRequested();
    /// The view asks to be brought to the front.
    void frontRequested();
};

/// Makes the parts of a result pale where it is old. Charts still take input then: it edits the current scenario.
void setOld(QWidget& result, bool isOld);

struct ViewRow;

/// A view in its tab, with what is alike for all views: why there is nothing to show, and pale old results.
class ViewFrame : public QWidget {
    Q_OBJECT

public:
    explicit ViewFrame(const ViewRow& row, QWidget* parent = nullptr);

    View& view() { return *m_view; }
    void show(const Shown& shown);
    using QWidget::show;

protected:
    void changeEvent(QEvent* event) override;

private:
    QLabel* m_reason;
    View* m_view;
};

} // namespace ui
