// SPDX-License-Identifier: GPL-3.0-or-later
// Lessons in the window: their place, their pictures and files; nothing is cut, everything is named.
#include "tests/room.h"
#include "tests/ui/lesson_stage.h"
#include "ui/control_panel.h"
#include "ui/lessons/lesson_figure.h"
#include "ui/scenario_files.h"
#include "ui/texts.h"
#include "ui/theme.h"

#include <QApplication>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QSettings>
#include <QStandardPaths>
#include <QTabWidget>
#include <QTemporaryDir>

using core::Scenario;
using tests::child;
using tests::Dialogs;
using tests::LessonStage;

namespace {

void write(const QString& path, const QByteArray& content)
{
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
        qFatal("%s cannot be written.", qPrintable(path));
}

bool isWhole(const QLabel& label)
{
    return tests::isWhole(label);
}

bool isWhole(const QAbstractButton& button)
{
    const bool fits = button.hasHeightForWidth() ? button.height() >= button.heightForWidth(button.width())
                                                 : button.width() >= button.minimumSizeHint().width();
    return fits && button.height() >= 24;
}

bool isWhole(const ui::MarkdownView& view)
{
    return view.height() >= view.heightForWidth(view.width());
}

/// The widgets of that kind in the panel that are seen but not whole.
template <typename Widget> QStringList cutOf(const QWidget& panel)
{
    QStringList cut;
    for (const Widget* widget : panel.findChildren<Widget*>()) {
        if (widget->isVisible() && !isWhole(*widget))
            cut << widget->objectName();
    }
    return cut;
}

/// What is cut off in the panel.
QStringList cutIn(const QWidget& panel)
{
    QStringList cut = cutOf<QLabel>(panel) + cutOf<QAbstractButton>(panel) + cutOf<ui::MarkdownView>(panel);
    for (const QWidget* widget : panel.findChildren<QWidget*>()) {
        const int right = widget->mapTo(&panel, QPoint(widget->width(), 0)).x();
        if (widget->isVisible() && right > panel.rect().right() + 1)
            cut << widget->objectName() + QStringLiteral(" (right)");
    }
    return cut;
}

/// All that can be read in the window's labels and boxes, and what a screen reader says of its charts.
QString seenIn(const QWidget& window)
{
    QStringList texts;
    for (const QWidget* widget : window.findChildren<QWidget*>()) {
        if (!widget->isVisible())
            continue;
        texts << widget->accessibleDescription();
        if (const auto* label = qobject_cast<const QLabel*>(widget))
            texts << label->text();
        else if (const auto* box = qobject_cast<const QLineEdit*>(widget))
            texts << box->text() << box->placeholderText();
        else if (const auto* view = qobject_cast<const ui::MarkdownView*>(widget))
            texts << view->toPlainText();
    }
    return texts.join(u'\n');
}

/// Has the step say all that it can: after a prediction, the wrong answers that are known, all hints, the answer.
/// `look` is called in between.
template <typename Look> void tryAll(ui::LessonRun& run, Look look)
{
    look();
    if (run.isPredictionOpen()) {
        const bool isChoice = run.step().prediction->kind == core::Prediction::Kind::Choice;
        isChoice ? run.predictChoice(0) : run.predictNumber(1e9);
        look();
    }
    while (run.hasHint())
        run.showHint();
    if (const auto* exercise = std::get_if<core::Exercise>(&run.step().question)) {
        for (const core::MistakeUse& use : exercise->mistakes) {
            if (const std::optional<double> wrong = core::wrongAnswer(exercise->task, use))
                run.answer(QString::number(*wrong, 'f', 2));
        }
        look();
    } else if (const auto* question = std::get_if<core::ChoiceQuestion>(&run.step().question)) {
        for (std::size_t choice = 0; choice < question->choices.size(); ++choice) {
            run.choose(static_cast<int>(choice));
            look();
        }
    }
    if (run.isQuestionOpen())
        run.showAnswer();
    look();
}

} // namespace

class TestLessonWindow : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName(QStringLiteral("kvh-test"));
        QCoreApplication::setApplicationName(QStringLiteral("kvh-test-lesson-window"));
    }
    void init()
    {
        QSettings().clear();
        QFile::remove(ui::sessionPath());
        QApplication::setPalette(ui::Theme::light().palette());
    }

    void wideWindowHasAColumn()
    {
        const LessonStage stage(tests::courseLesson("linear-growth"), {1'280, 760});
        stage.click("skip");
        auto* inputs = stage.window.findChild<ui::ControlPanel*>();
        QVERIFY(inputs->isVisible());
        QVERIFY(child<QWidget>(stage.window, "context")->isEnabled());
        QVERIFY(child<QWidget>(stage.window, "gpu")->isVisible());
        QVERIFY(!child<QWidget>(stage.window, "gpu")->isEnabled());
        QVERIFY(!child<QWidget>(stage.window, "batch")->isEnabled());
        QVERIFY(stage.panel().mapTo(&stage.window, QPoint()).x() >
                stage.view("growth")->mapTo(&stage.window, QPoint()).x());
        QVERIFY(stage.view("growth")->width() >= 500);
    }

    void narrowWindowPutsItInTheInputsPlace()
    {
        LessonStage stage(tests::courseLesson("linear-growth"), {1'024, 700});
        auto* inputs = stage.window.findChild<ui::ControlPanel*>();
        QVERIFY(!inputs->isVisible()); // a prediction is open
        stage.click("skip");
        QVERIFY(inputs->isVisible());
        QVERIFY(child<QWidget>(stage.window, "context")->isVisible());
        for (const char* locked : {"gpu", "batch", "model", "waste", "memory-basis"})
            QVERIFY2(!stage.sees(locked), locked);
        QCOMPARE(stage.panel().mapTo(&stage.window, QPoint()).x(), 0);
        stage.window.resize(1'400, 700);
        QApplication::processEvents();
        QVERIFY(stage.sees("gpu"));
        QVERIFY(stage.panel().mapTo(&stage.window, QPoint()).x() > 700);
        stage.window.course().leave();
        QVERIFY(child<QWidget>(stage.window, "gpu")->isEnabled());
        QVERIFY(!stage.panel().isVisible());
    }

    void nothingIsCut_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::newRow("smallest") << QSize(1'024, 700);
        QTest::newRow("a column of its own") << QSize(1'280, 760);
    }
    void nothingIsCut()
    {
        QFETCH(const QSize, size);
        const tests::LongWords longer;
        std::vector<core::Lesson> lessons = tests::wholeCatalogue().lessons;
        lessons.push_back(core::lessonOf(core::ExerciseSet{"All", tests::exercises()}));
        QStringList cut;
        for (const core::Lesson& lesson : lessons) {
            LessonStage stage(lesson, size);
            ui::LessonRun& run = *stage.window.course().run();
            const auto look = [&] {
                const auto whole = [&] { return cutIn(stage.panel()).isEmpty(); };
                if (!QTest::qWaitFor(whole, 500))
                    cut << QStringLiteral("%1, step %2: %3")
                               .arg(QString::fromStdString(lesson.title))
                               .arg(run.index() + 1)
                               .arg(cutIn(stage.panel()).join(u' '));
            };
            for (int step = 0; step < run.count(); ++step) {
                tryAll(run, look);
                if (!run.isLast())
                    run.next();
            }
        }
        QVERIFY2(cut.isEmpty(), qPrintable(cut.join(u'\n')));
    }

    /// Lines with code are higher than others, so that a wider text may be the higher one.
    void linesOfCodeAreWhole()
    {
        LessonStage stage(tests::courseLesson("what-engines-print"), {1'024, 700});
        ui::LessonRun& run = *stage.window.course().run();
        for (int step = 0; step < run.count(); ++step) {
            QTRY_VERIFY2_WITH_TIMEOUT(cutIn(stage.panel()).isEmpty(), qPrintable(QString::number(step + 1)), 500);
            if (!run.isLast())
                run.next();
        }
    }

    /// What an engine sets aside is computed from inputs that stay in sight: none of them may say the answer itself.
    void answersAreNotInSight()
    {
        for (const char* id : {"E25", "E26", "E27", "E28", "E29"}) {
            const core::Exercise& exercise = tests::exercise(id);
            const LessonStage stage(core::lessonOf(exercise));
            QVERIFY(stage.sees("engine"));
            const double right = *core::rightAnswer(exercise);
            const core::Bytes bytes(static_cast<std::int64_t>(right));
            for (const std::string& form :
                 {core::formatBytes(bytes), core::formatBytes(bytes, core::Unit::Decimal), core::formatShort(bytes),
                  core::formatCount(bytes.count()), std::to_string(bytes.count())}) {
                const QString seen = seenIn(stage.window);
                QVERIFY2(!seen.contains(QString::fromStdString(form)), (id + (" shows " + form)).c_str());
            }
            stage.click("show-answer");
            QVERIFY(seenIn(stage.window).contains(ui::text(core::answerInWords(exercise))));
        }
    }

    /// No key and no menu leads to the page that tells what is asked.
    void pagesAreShutUntilTheAnswer_data()
    {
        QTest::addColumn<int>("tab");
        QTest::addColumn<QString>("name");
        QTest::newRow("model") << 1 << "Model";
        QTest::newRow("engine") << 2 << "Engine";
    }
    void pagesAreShutUntilTheAnswer()
    {
        QFETCH(const int, tab);
        QFETCH(const QString, name);
        LessonStage stage(tests::shortLesson());
        const auto* tabs = stage.window.findChild<QTabWidget*>();
        const auto key = static_cast<Qt::Key>(Qt::Key_1 + tab);
        stage.trigger(qPrintable(name));
        QTest::keyClick(&stage.window, key, Qt::ControlModifier);
        QCOMPARE(tabs->currentIndex(), 0);
        stage.window.course().run()->predictNumber(1);
        QTest::keyClick(&stage.window, key, Qt::ControlModifier);
        QCOMPARE(tabs->currentIndex(), tab);
    }

    void figureIsDrawnAndNothingElseIsLoaded()
    {
        const LessonStage stage(tests::courseLesson("why-caching"));
        stage.click("skip");
        stage.click("next");
        auto* text = child<ui::MarkdownView>(stage.panel(), "step-text");
        const QUrl ours(QStringLiteral("figure:allocation-flow"));
        QVERIFY(!text->loadResource(QTextDocument::ImageResource, ours).value<QImage>().isNull());
        QVERIFY(text->height() > 200);
        for (const char* other :
             {"file:///etc/hostname", "https://example.org/a.png", "figure:other", ":/models.json"}) {
            const QVariant loaded = text->loadResource(QTextDocument::ImageResource, QUrl(QString::fromLatin1(other)));
            QVERIFY2(loaded.value<QImage>().isNull(), other);
        }
        QVERIFY(!text->openLinks());
        for (const std::string_view id : core::figureIds()) {
            const QString name = QString::fromUtf8(id.data());
            QVERIFY(!ui::drawnFigure(name, ui::Theme::light(), 1).isNull());
            QVERIFY(ui::drawnFigure(name, ui::Theme::light(), 1) != ui::drawnFigure(name, ui::Theme::dark(), 1));
        }
    }

    void everythingHasAName()
    {
        for (const char* id : {"why-caching", "linear-growth", "the-crossing"}) {
            const LessonStage stage(tests::courseLesson(id));
            for (const QWidget* widget : stage.panel().findChildren<QWidget*>()) {
                const auto* button = qobject_cast<const QAbstractButton*>(widget);
                const bool named =
                    !widget->accessibleName().isEmpty() || (button != nullptr && !button->text().isEmpty());
                QVERIFY2(!widget->isVisible() || (widget->focusPolicy() & Qt::TabFocus) == 0 || named,
                         widget->metaObject()->className());
            }
        }
    }

    void badFileKeepsEverything()
    {
        const QTemporaryDir folder;
        const QString bad = folder.filePath(QStringLiteral("bad.json"));
        write(bad, R"({"format":"kvhorizon.lesson","version":1,"id":"x","title":"X","description":"","minutes":1,)"
                   R"("steps":[{"title":"a","text":"{nothing}"}]})");
        LessonStage stage(tests::shortLesson());
        const Scenario before = stage.window.session().current().scenario;
        const Dialogs dialogs;
        stage.drop(bad);
        QCOMPARE(dialogs.texts().size(), 1);
        QVERIFY2(dialogs.texts().front().contains(QLatin1String("bad.json")), qPrintable(dialogs.texts().front()));
        QCOMPARE(stage.window.session().current().scenario, before);
        QCOMPARE(stage.label("lesson-title"), QStringLiteral("Short"));
        QVERIFY(!stage.sees("formula"));
    }

    void filesAreDropped()
    {
        LessonStage stage(tests::shortLesson());
        stage.drop(QStringLiteral(RESOURCES_DIR "/lessons/05-the-crossing.json"));
        QCOMPARE(stage.label("lesson-title"), QStringLiteral("The crossing"));
        stage.drop(QStringLiteral(RESOURCES_DIR "/lessons/exercises.json"));
        QCOMPARE(stage.label("lesson-place"), QStringLiteral("Step 1 of %1").arg(tests::exercises().size()));
        stage.drop(QStringLiteral(TESTS_DATA_DIR "/configs/qwen2.5-7b/config.json")); // a model: back to one's own
        QVERIFY(stage.window.course().run() == nullptr);
        QCOMPARE(stage.window.session().undoStack().count(), 1);
    }
};

ROOM_TEST(TestLessonWindow, QApplication)
#include "test_lesson_window.moc"
