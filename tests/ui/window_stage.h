// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/ui/harness.h"
#include "ui/first_scenario.h"
#include "ui/formula_bar.h"
#include "ui/main_window.h"
#include "ui/value_box.h"
#include "ui/verdict_bar.h"

#include <QApplication>
#include <QChartView>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QLabel>
#include <QMenuBar>
#include <QMessageBox>
#include <QMimeData>
#include <QTest>
#include <QTimer>
#include <QTranslator>

#include <algorithm>

namespace tests {

/// The window with its first scenario, driven as a person drives it.
struct Stage {
    ui::MainWindow window;

    explicit Stage(QSize size = {1'600, 900}) : window(catalogue(), ui::firstScenario(catalogue()))
    {
        QApplication::setCursorFlashTime(0); // pictures of the window are compared
        window.resize(size);
        showActive(window);
    }
    QString formula() const { return child<ui::FormulaBar>(window, "formula")->formulaText(); }
    QString verdict() const { return child<ui::VerdictBar>(window, "verdict")->verdictText(); }
    QChartView* view(const char* name) const { return child<QChartView>(window, name); }
    QString description(const char* chart) const { return view(chart)->accessibleDescription(); }
    void type(const char* box, const char* text) const
    {
        typeInto(child<ui::ValueBox>(window, box), QString::fromUtf8(text));
    }
    /// Triggers the menu entry of that text.
    void trigger(const char* text)
    {
        for (QAction* menu : window.menuBar()->actions()) {
            for (QAction* action : menu->menu()->actions()) {
                if (action->text().remove(QLatin1Char('&')) == QString::fromUtf8(text))
                    return action->trigger();
            }
        }
        qFatal("There is no menu entry %s.", text);
    }
    void drop(const QString& path)
    {
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(path)});
        QDragEnterEvent enter(QPoint(500, 400), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&window, &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent event(QPointF(500, 400), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&window, &event);
    }
};

/// A language whose texts are about a third longer than the English ones, spoken while this lives.
class LongWords : public QTranslator {
public:
    LongWords() { QCoreApplication::installTranslator(this); }
    ~LongWords() override { QCoreApplication::removeTranslator(this); }
    bool isEmpty() const override { return false; }
    QString translate(const char*, const char* source, const char*, int) const override
    {
        QString text = QString::fromUtf8(source);
        for (qsizetype more = text.size() * 3 / 10 + 1; more > 0; more -= kWord) {
            text += QString(std::min(more, kWord), QLatin1Char('w'));
            text += more > kWord ? QStringLiteral(" ") : QString();
        }
        return text;
    }

private:
    static constexpr qsizetype kWord = 8;
};

/// Closes message boxes as they come up and keeps what they said.
class Dialogs : public QObject {
public:
    Dialogs()
    {
        m_timer.callOnTimeout(this, [this] {
            if (auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget())) {
                m_texts << box->text();
                box->accept();
            }
        });
        m_timer.start(5);
    }
    const QStringList& texts() const { return m_texts; }

private:
    QTimer m_timer;
    QStringList m_texts;
};

/// True where the label shows all of its text.
inline bool isWhole(const QLabel& label)
{
    if (label.wordWrap())
        return label.height() >= label.heightForWidth(label.width());
    return label.width() >= label.sizeHint().width() && label.height() >= label.sizeHint().height();
}

inline bool isWhole(const ui::ValueBox& box)
{
    const int frame = 12; // frame and margins on both sides
    return box.fontMetrics().horizontalAdvance(box.text()) + frame <= box.width();
}

} // namespace tests
