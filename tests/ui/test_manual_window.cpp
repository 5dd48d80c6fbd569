// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/room.h"
#include "tests/ui/window_stage.h"
#include "ui/help/manual_window.h"
#include "ui/theme.h"

#include <QApplication>
#include <QDir>
#include <QLabel>
#include <QListWidget>
#include <QRegularExpression>
#include <QTest>
#include <QTextBrowser>
#include <QToolButton>

class TestManualWindow : public QObject {
    Q_OBJECT

private slots:
    /// Every file is compiled in and listed, says something, and its links lead to topics.
    void topics()
    {
        const std::vector<ui::ManualTopic> topics = ui::manualTopics();
        const QStringList files = QDir(QStringLiteral(RESOURCES_DIR "/manual")).entryList(QDir::Files);
        QCOMPARE(static_cast<qsizetype>(topics.size()) + 1, files.size());
        static const QRegularExpression link(QStringLiteral(R"(\]\(([^)]+)\))"));
        for (const ui::ManualTopic& topic : topics) {
            QVERIFY2(files.contains(topic.name + QStringLiteral(".md")), qPrintable(topic.name));
            const QString text = ui::manualText(topic.name);
            QVERIFY2(text.startsWith(QStringLiteral("# %1\n").arg(topic.title)), qPrintable(topic.name));
            for (auto links = link.globalMatch(text); links.hasNext();)
                QVERIFY2(files.contains(links.next().captured(1)), qPrintable(topic.name));
            // Qt breaks the first cell of a table that follows code at once.
            static const QRegularExpression tableBehindCode(QStringLiteral(R"(\n    [^\n]+\n\n\|)"));
            QVERIFY2(!text.contains(tableBehindCode), qPrintable(topic.name));
            for (const QString& line : text.split(QLatin1Char('\n')))
                QVERIFY2(line.size() <= 92, qPrintable(topic.name + QStringLiteral(": ") + line));
        }
    }

    void topicIsShown()
    {
        ui::ManualWindow window;
        QCOMPARE(list(window)->currentRow(), 0);
        window.showTopic(QStringLiteral("engines"));
        QCOMPARE(list(window)->currentItem()->text(), QStringLiteral("Engines"));
        QVERIFY(browser(window)->toPlainText().startsWith(QStringLiteral("Engines\n")));
        window.showTopic(QStringLiteral("nonsense"));
        QCOMPARE(list(window)->currentItem()->text(), QStringLiteral("Engines"));
    }

    void linkIsFollowed()
    {
        ui::ManualWindow window;
        QVERIFY(tests::showActive(window));
        QTextCursor link = browser(window)->document()->find(QStringLiteral("Files and exports"));
        link.setPosition(link.selectionStart() + 1);
        browser(window)->setTextCursor(link);
        const QPoint place = browser(window)->cursorRect(link).center();
        QTest::mouseClick(browser(window)->viewport(), Qt::LeftButton, {}, place);
        QCOMPARE(list(window)->currentItem()->text(), QStringLiteral("Files and exports"));
        browser(window)->backward();
        QCOMPARE(list(window)->currentRow(), 0);
    }

    void wordsAreFoundInAllTopics()
    {
        ui::ManualWindow window;
        QVERIFY(tests::showActive(window));
        auto* searched = window.findChild<QLineEdit*>();
        searched->setText(QStringLiteral("FILE of  EXERCISES")); // over the end of a line of the file
        const QTextBrowser* shown = browser(window);
        QCOMPARE(shown->textCursor().selectedText(), QStringLiteral("file of exercises"));
        QCOMPARE(list(window)->currentItem()->text(), QStringLiteral("Lessons (1)"));
        searched->setText(QStringLiteral("cache"));
        const int row = list(window)->currentRow();
        const int place = shown->textCursor().position();
        QSet<QPair<int, int>> seen;
        do {
            QCOMPARE(shown->textCursor().selectedText().toLower(), QStringLiteral("cache"));
            seen.insert({list(window)->currentRow(), shown->textCursor().position()});
            QTest::keyClick(searched, Qt::Key_F3);
        } while (list(window)->currentRow() != row || shown->textCursor().position() != place);
        QCOMPARE(window.findChild<QLabel*>()->text(), QStringLiteral("%1 of %2").arg(at(window)).arg(seen.size()));
        QTest::keyClick(searched, Qt::Key_F3, Qt::ShiftModifier);
        QTest::keyClick(searched, Qt::Key_Return);
        QCOMPARE(shown->textCursor().position(), place);
        searched->setText(QStringLiteral("zebra"));
        QCOMPARE(window.findChild<QLabel*>()->text(), QStringLiteral("Not found"));
        QVERIFY(!window.findChild<QToolButton*>()->isEnabled());
    }

    void keyboardIsEnough()
    {
        ui::ManualWindow window;
        QVERIFY(tests::showActive(window));
        QTest::keyClick(&window, Qt::Key_F, Qt::ControlModifier);
        QTest::keyClicks(QApplication::focusWidget(), QStringLiteral("bisection"));
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
        QVERIFY(window.isVisible());
        QCOMPARE(browser(window)->textCursor().selectedText(), QStringLiteral("bisection"));
        list(window)->setFocus();
        QTest::keyClick(list(window), Qt::Key_Home);
        QVERIFY(browser(window)->toPlainText().startsWith(QStringLiteral("First steps")));
        QTest::keyClick(&window, Qt::Key_Left, Qt::AltModifier);
        QVERIFY(browser(window)->toPlainText().startsWith(QStringLiteral("Formulas")));
        QTest::keyClick(&window, Qt::Key_Escape);
        QVERIFY(!window.isVisible());
    }

    /// F1 twice shows one manual.
    void manualOpensOnce()
    {
        QWidget owner;
        ui::openManual(owner, QStringLiteral("models"));
        ui::openManual(owner, QStringLiteral("lessons"));
        const QList<ui::ManualWindow*> windows = owner.findChildren<ui::ManualWindow*>();
        QCOMPARE(windows.size(), 1);
        QVERIFY(windows.front()->isVisible());
        QCOMPARE(list(*windows.front())->currentItem()->text(), QStringLiteral("Lessons"));
    }

    /// F1 opens the manual at the topic of the view in front.
    void keyOpensTheManual()
    {
        tests::Stage stage;
        QTest::keyClick(&stage.window, Qt::Key_F1);
        const auto* manual = stage.window.findChild<ui::ManualWindow*>();
        QVERIFY(manual != nullptr);
        QCOMPARE(list(*manual)->currentItem()->text(), QStringLiteral("The window"));
        stage.trigger("Engine");
        stage.trigger("Manual");
        QCOMPARE(list(*manual)->currentItem()->text(), QStringLiteral("Engines"));
    }

private:
    static QListWidget* list(const QWidget& window) { return window.findChild<QListWidget*>(); }
    static QTextBrowser* browser(const QWidget& window) { return window.findChild<QTextBrowser*>(); }
    static QString at(const QWidget& window)
    {
        return window.findChild<QLabel*>()->text().section(QLatin1Char(' '), 0, 0);
    }
};

ROOM_TEST(TestManualWindow, QApplication)
#include "test_manual_window.moc"
