// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/ui/lesson_files.h"
#include "tests/ui/window_stage.h"
#include "ui/lessons/lesson_panel.h"
#include "ui/lessons/lesson_run.h"
#include "ui/lessons/markdown_view.h"

#include <QAbstractButton>

#include <utility>

namespace tests {

/// A window with a lesson on.
struct LessonStage : Stage {
    explicit LessonStage(core::Lesson lesson, QSize size = {1'600, 900}) : Stage(size)
    {
        window.setCatalogue(wholeCatalogue());
        window.course().start(std::move(lesson));
        QApplication::processEvents();
    }
    void click(const char* button) const
    {
        auto* found = child<QAbstractButton>(panel(), button);
        QVERIFY2(found->isVisible() && found->isEnabled(), button);
        found->setFocus();
        QTest::keyClick(found, Qt::Key_Space);
        QApplication::processEvents();
    }
    void say(const char* box, const char* text) const
    {
        typeInto(child<QLineEdit>(panel(), box), QString::fromUtf8(text));
        QApplication::processEvents();
    }
    QString label(const char* name) const { return child<QLabel>(panel(), name)->text(); }
    QString markdown(const char* name) const { return child<ui::MarkdownView>(panel(), name)->toPlainText(); }
    bool sees(const char* name) const { return child<QWidget>(window, name)->isVisible(); }
    const QWidget& panel() const { return *child<ui::LessonPanel>(window, "lesson"); }
};

} // namespace tests
