// SPDX-License-Identifier: GPL-3.0-or-later
// Lessons in the window, as a learner meets them.
#include "tests/ui/lesson_files.h"
#include "tests/ui/window_stage.h"
#include "ui/control_panel.h"
#include "ui/lessons/figures.h"
#include "ui/lessons/lesson_panel.h"
#include "ui/lessons/lesson_run.h"
#include "ui/lessons/markdown_view.h"
#include "ui/scenario_files.h"
#include "ui/theme.h"
#include "ui/views/overview.h"

#include <QAbstractButton>
#include <QFile>
#include <QScrollArea>
#include <QSettings>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTranslator>

using core::Scenario;
using tests::child;
using tests::Dialogs;
using tests::Stage;

namespace {

/// A language whose texts are about a third longer than the English ones.
class LongWords : public QTranslator {
public:
    bool isEmpty() const override { return false; }
    QString translate(const char*, const char* source, const char*, int) const override
    {
        const QString text = QString::fromUtf8(source);
        return text + QString(text.size() * 3 / 10 + 1, QLatin1Char('w'));
    }
};

/// A window with a lesson on.
struct Class : Stage {
    explicit Class(core::Lesson lesson, QSize size = {1'600, 900}) : Stage(size)
    {
        window.setCatalogue(tests::wholeCatalogue());
        window.startLesson(std::move(lesson));
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
        tests::typeInto(child<QLineEdit>(panel(), box), QString::fromUtf8(text));
        QApplication::processEvents();
    }
    QString label(const char* name) const { return child<QLabel>(panel(), name)->text(); }
    QString markdown(const char* name) const { return child<ui::MarkdownView>(panel(), name)->toPlainText(); }
    bool sees(const char* name) const { return child<QWidget>(window, name)->isVisible(); }
    const QWidget& panel() const { return *child<ui::LessonPanel>(window, "lesson"); }
};

void write(const QString& path, const QByteArray& content)
{
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
        qFatal("%s cannot be written.", qPrintable(path));
}

/// Edit > Undo, whatever it says that it undoes.
void undo(const ui::MainWindow& window)
{
    for (QAction* action : window.findChildren<QAction*>()) {
        if (action->text().remove(QLatin1Char('&')).startsWith(QLatin1String("Undo")))
            return action->trigger();
    }
    qFatal("There is no Undo.");
}

/// What is cut off in the panel.
QStringList cutIn(const QWidget& panel)
{
    QStringList cut;
    for (const QLabel* label : panel.findChildren<QLabel*>()) {
        if (label->isVisible() && !tests::isWhole(*label))
            cut << label->objectName();
    }
    for (const QAbstractButton* button : panel.findChildren<QAbstractButton*>()) {
        const bool fits = button->hasHeightForWidth() ? button->height() >= button->heightForWidth(button->width())
                                                      : button->width() >= button->minimumSizeHint().width();
        if (button->isVisible() && (!fits || button->height() < 24))
            cut << button->objectName();
    }
    for (const ui::MarkdownView* view : panel.findChildren<ui::MarkdownView*>()) {
        if (view->isVisible() && view->height() < view->heightForWidth(view->width()))
            cut << view->objectName() + QStringLiteral(" (text)");
    }
    const QRect inside = panel.rect();
    for (const QWidget* widget : panel.findChildren<QWidget*>()) {
        const int right = widget->mapTo(&panel, QPoint(widget->width(), 0)).x();
        if (widget->isVisible() && right > inside.right() + 1)
            cut << widget->objectName() + QStringLiteral(" (right)");
    }
    return cut;
}

} // namespace

class TestLessonPanel : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName(QStringLiteral("kvh-test"));
        QCoreApplication::setApplicationName(QStringLiteral("kvh-test-lesson-panel"));
    }
    void init()
    {
        QSettings().clear();
        QFile::remove(ui::sessionPath());
        QApplication::setPalette(ui::Theme::light().palette());
    }

    void numbersAreHeldBackUntilPredicted()
    {
        const Class stage(tests::shortLesson());
        for (const char* part : {"formula", "verdict", "budget"})
            QVERIFY2(!stage.sees(part), part);
        QVERIFY(stage.sees("growth"));
        QVERIFY(!stage.description("growth").contains(QLatin1String("1.00 GiB")));
        auto* overview = stage.window.findChild<ui::Overview*>();
        QCOMPARE(overview->growthTable().rows.size(), decltype(overview->growthTable().rows.size()){0});
        QVERIFY(stage.markdown("reveal").isEmpty());
        QVERIFY(!child<QWidget>(stage.window, "batch")->isEnabled());
        stage.say("prediction", "many");
        QVERIFY(stage.label("gap").contains(QLatin1String("many")));
        QVERIFY(!stage.sees("formula"));
        stage.say("prediction", "4 GiB");
        for (const char* part : {"formula", "verdict", "budget"})
            QVERIFY2(stage.sees(part), part);
        for (const char* part : {"4.00 GiB", "1.00 GiB", "factor of 4"})
            QVERIFY2(stage.label("gap").contains(QLatin1String(part)), qPrintable(stage.label("gap")));
        QVERIFY(stage.description("growth").contains(QLatin1String("1.00 GiB")));
        QVERIFY(stage.markdown("reveal").contains(QLatin1String("1.00 GiB")));
        QCOMPARE(stage.label("think"), QStringLiteral("To think about"));
    }

    void skippedIsReleased()
    {
        const Class stage(tests::shortLesson());
        stage.click("skip");
        QVERIFY(stage.sees("formula"));
        QVERIFY(child<QWidget>(stage.window, "batch")->isEnabled());
    }

    void markerIsDraggedOverAnEmptyChart()
    {
        Class stage(tests::courseLesson("the-crossing"));
        QVERIFY(!stage.sees("budget"));
        QChartView* growth = stage.view("growth");
        growth->setFocus();
        for (int i = 0; i < 20; ++i)
            QTest::keyClick(growth, Qt::Key_Right);
        const std::int64_t context = stage.window.session().current().scenario.workload.context;
        QVERIFY(context > 30'000);
        QVERIFY(stage.label("prediction-marker").contains(QLocale().toString(qlonglong{context})));
        const QPoint far(growth->width() * 2 / 3, growth->height() / 2);
        QTest::mouseClick(growth->viewport(), Qt::LeftButton, {}, far);
        QVERIFY(stage.window.session().current().scenario.workload.context > context);
        stage.click("commit");
        QVERIFY2(stage.label("gap").contains(QLatin1String("122,533")), qPrintable(stage.label("gap")));
        QVERIFY(stage.sees("budget"));
        // The step unlocks nothing more: the marker stays.
        const Scenario said = stage.window.session().current().scenario;
        QTest::keyClick(growth, Qt::Key_Left);
        QCOMPARE(stage.window.session().current().scenario, said);
    }

    void diagnosesAreNamed()
    {
        const Class stage(ui::lessonOf(tests::exercise("E3")));
        QVERIFY(stage.markdown("question").contains(QLatin1String("64 query heads")));
        stage.say("answer", "20");
        QVERIFY(stage.label("result").startsWith(QLatin1String("Not yet")));
        const QString diagnoses = stage.label("diagnoses");
        QCOMPARE(diagnoses.count(QLatin1Char('\n')), 1);
        QVERIFY2(diagnoses.contains(QLatin1String("query heads")), qPrintable(diagnoses));
        QVERIFY2(diagnoses.contains(QLatin1String("bits")), qPrintable(diagnoses));
        stage.say("answer", "2.5");
        QVERIFY(stage.label("result").startsWith(QLatin1String("Right")));
        QVERIFY(!stage.markdown("explanation-of-answer").isEmpty());
        QVERIFY(!stage.sees("answer"));
        QVERIFY(stage.sees("formula"));
    }

    void hintsThenAnswer()
    {
        const Class stage(ui::lessonOf(tests::exercise("E3")));
        QString before;
        for (int hint = 1; hint <= 3; ++hint) {
            stage.click("hint");
            const QString hints = stage.markdown("hints");
            QVERIFY(hints.startsWith(before.trimmed()) && hints.size() > before.size());
            QVERIFY(hints.contains(QStringLiteral("Hint %1").arg(hint)));
            QVERIFY(!hints.contains(QLatin1String("2.5")));
            before = hints;
        }
        QVERIFY(!child<QWidget>(stage.panel(), "hint")->isEnabled());
        QVERIFY(stage.label("right-answer").isEmpty());
        for (int i = 0; i < core::kTriesBeforeAnswer; ++i)
            stage.say("answer", "7");
        QVERIFY2(stage.label("right-answer").contains(QLatin1String("2.50 GiB")),
                 qPrintable(stage.label("right-answer")));
    }

    void answerOnRequest()
    {
        const Class stage(ui::lessonOf(tests::exercise("E3")));
        stage.click("show-answer");
        QVERIFY(stage.label("right-answer").contains(QLatin1String("2.50 GiB")));
        QVERIFY(!stage.sees("check"));
    }

    void leavingRestoresEverything()
    {
        const QTemporaryDir folder;
        Stage stage;
        stage.window.setCatalogue(tests::wholeCatalogue());
        stage.window.restore(false);
        QVERIFY(stage.window.document().save(folder.filePath(QStringLiteral("mine.kvh"))));
        stage.type("context", "12345");
        stage.type("batch", "3");
        const Scenario mine = stage.window.session().current().scenario;
        QVERIFY(stage.window.isWindowModified());
        const QString title = stage.window.windowTitle();

        stage.trigger("The crossing");
        QVERIFY(stage.window.session().current().scenario != mine);
        child<QAbstractButton>(stage.window, "skip")->click();
        child<QAbstractButton>(stage.window, "next")->click();
        child<QAbstractButton>(stage.window, "next")->click();
        stage.type("batch", "4");
        QCOMPARE(stage.window.session().current().scenario.workload.batch, 4);
        undo(stage.window);
        QCOMPARE(stage.window.session().current().scenario.workload.batch, 16);
        stage.type("batch", "5");
        child<QAbstractButton>(stage.window, "leave")->click();
        QCOMPARE(stage.window.session().current().scenario, mine);
        QVERIFY(stage.window.isWindowModified());
        QCOMPARE(stage.window.windowTitle(), title);
        QVERIFY(!child<QWidget>(stage.window, "lesson")->isVisible());
        undo(stage.window);
        undo(stage.window);
        QVERIFY(!stage.window.isWindowModified()); // as it was saved
        QCOMPARE(stage.window.session().undoStack().count(), 2);
    }

    void autosaveKeepsTheUsersScenario()
    {
        const QTemporaryDir folder;
        Stage stage;
        stage.window.setCatalogue(tests::wholeCatalogue());
        stage.window.restore(false);
        stage.type("context", "12345");
        const Scenario mine = stage.window.session().current().scenario;
        stage.window.startLesson(tests::shortLesson());
        stage.window.document().keep();
        const auto kept = ui::loadSession();
        QVERIFY(kept && *kept);
        QCOMPARE((*kept)->file.scenario, mine);
        QVERIFY((*kept)->unsaved);
        const QString path = folder.filePath(QStringLiteral("saved.kvh"));
        QVERIFY(stage.window.document().save(path));
        QCOMPARE(ui::loadScenario(path)->scenario, mine);
        QVERIFY(stage.window.lesson() != nullptr);
        stage.window.close(); // nothing to ask: it is saved
        QCOMPARE((*ui::loadSession())->file.scenario, mine);
    }

    void progressIsTicked()
    {
        Stage stage;
        stage.window.setCatalogue(tests::wholeCatalogue());
        const auto entry = [&stage] {
            for (QAction* action : stage.window.findChildren<QAction*>()) {
                if (action->text() == QLatin1String("The crossing"))
                    return action;
            }
            return static_cast<QAction*>(nullptr);
        };
        QVERIFY(entry() != nullptr && !entry()->isChecked());
        entry()->trigger();
        QVERIFY(!entry()->isChecked()); // begun, not done
        for (int i = 0; i < 2; ++i)
            child<QAbstractButton>(stage.window, "next")->click();
        QVERIFY(entry()->isChecked());
        Stage later;
        later.window.setCatalogue(tests::wholeCatalogue());
        later.trigger("Clear progress");
        QVERIFY(!ui::progressOf("the-crossing").done);
    }

    void finishedGoesOn()
    {
        const Class stage(tests::courseLesson("the-crossing"));
        for (int i = 0; i < 3; ++i)
            stage.click("next");
        QCOMPARE(stage.label("lesson-title"), QStringLiteral("Sharing heads: MHA, GQA, MQA"));
    }

    void exerciseAboutThisModel()
    {
        Stage stage;
        const Scenario mine = stage.window.session().current().scenario;
        stage.trigger("Exercise about this model");
        QVERIFY(stage.window.lesson() != nullptr);
        QCOMPARE(stage.window.lesson()->step().scenario.model.name, mine.model.name);
        child<QAbstractButton>(stage.window, "next")->click();
        QApplication::processEvents();
        QVERIFY(stage.window.lesson() != nullptr); // another one
        stage.trigger("Leave the lesson");
        QVERIFY(stage.window.lesson() == nullptr);
        QCOMPARE(stage.window.session().current().scenario, mine);
    }

    void wideWindowHasAColumn()
    {
        const Class stage(tests::courseLesson("linear-growth"), {1'280, 760});
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
        Class stage(tests::courseLesson("linear-growth"), {1'024, 700});
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
        stage.window.leaveLesson();
        QVERIFY(child<QWidget>(stage.window, "gpu")->isEnabled());
        QVERIFY(!stage.panel().isVisible());
    }

    void nothingIsCut()
    {
        LongWords longer;
        QCoreApplication::installTranslator(&longer);
        for (const QSize size : {QSize(1'024, 700), QSize(1'280, 760)}) {
            for (const core::Lesson& lesson : tests::wholeCatalogue().lessons) {
                const Class stage(lesson, size);
                for (std::size_t step = 0; step < lesson.steps.size(); ++step) {
                    QVERIFY2(cutIn(stage.panel()).isEmpty(),
                             qPrintable(QString::fromStdString(lesson.id) + cutIn(stage.panel()).join(u' ')));
                    if (step + 1 < lesson.steps.size())
                        stage.click("next");
                }
            }
        }
        QCoreApplication::removeTranslator(&longer);
    }

    void figureIsDrawnAndNothingElseIsLoaded()
    {
        const Class stage(tests::courseLesson("why-caching"));
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
            QVERIFY(!ui::figure(name, ui::Theme::light(), 1).isNull());
            QVERIFY(ui::figure(name, ui::Theme::light(), 1) != ui::figure(name, ui::Theme::dark(), 1));
        }
    }

    void everythingHasAName()
    {
        for (const char* id : {"why-caching", "linear-growth", "the-crossing"}) {
            const Class stage(tests::courseLesson(id));
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
        Class stage(tests::shortLesson());
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
        Class stage(tests::shortLesson());
        stage.drop(QStringLiteral(RESOURCES_DIR "/lessons/05-the-crossing.json"));
        QCOMPARE(stage.label("lesson-title"), QStringLiteral("The crossing"));
        stage.drop(QStringLiteral(RESOURCES_DIR "/lessons/exercises.json"));
        QCOMPARE(stage.label("lesson-place"), QStringLiteral("Step 1 of %1").arg(tests::exercises().size()));
        stage.drop(QStringLiteral(TESTS_DATA_DIR "/configs/qwen2.5-7b/config.json")); // a model: back to one's own
        QVERIFY(stage.window.lesson() == nullptr);
        QCOMPARE(stage.window.session().undoStack().count(), 1);
    }
};

QTEST_MAIN(TestLessonPanel)
#include "test_lesson_panel.moc"
