// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/room.h"
#include "tests/ui/harness.h"
#include "ui/control_panel.h"
#include "ui/count_slider.h"
#include "ui/session.h"
#include "ui/value_box.h"

#include <QAbstractButton>
#include <QAccessible>
#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>

#include <functional>

using core::MemoryBasis;
using core::Scenario;
using ui::ControlPanel;
using ui::CountSlider;
using ui::ValueBox;

namespace {

Scenario start()
{
    return tests::on(tests::with(tests::scenarioOf("llama-3.1-8b"), 4'096, 4), "rtx-4090");
}

/// The panel and the session behind it, wired as in the window.
struct Stage {
    ControlPanel panel{tests::catalogue()};
    ui::Session session;
    QSignalSpy edited{&panel, &ControlPanel::edited};

    explicit Stage(Scenario scenario = start()) : session(std::move(scenario))
    {
        panel.show(session.current());
        QObject::connect(&panel, &ControlPanel::edited, &session, &ui::Session::edit);
        QObject::connect(&session, &ui::Session::changed, &panel, [this] { panel.show(session.current()); });
        panel.resize(panel.width(), 900);
        tests::showActive(panel);
    }

    const Scenario& scenario() const { return session.current().scenario; }
    ValueBox* box(const char* name) const { return tests::child<ValueBox>(panel, name); }
    QComboBox* list(const char* name) const { return tests::child<QComboBox>(panel, name); }
    CountSlider* slider(const char* name) const { return tests::child<CountSlider>(panel, name); }
    QString issue(const char* field) const
    {
        const auto* label = tests::child<QLabel>(panel, (QByteArray("issue-") + field).constData());
        return label->isVisible() ? label->text() : QString();
    }
    void type(const char* name, const char* text) const { tests::typeInto(box(name), QString::fromUtf8(text)); }
    /// Picks a row as a person does.
    void choose(const char* name, const QString& text) const
    {
        QComboBox* combo = list(name);
        const int row = combo->findText(text);
        QVERIFY2(row >= 0, qPrintable(text));
        combo->setCurrentIndex(row);
        emit combo->activated(row);
    }
};

/// What a person does, and what becomes of the scenario by it.
struct Edit {
    const char* name;
    std::function<void(const Stage&)> act;
    std::function<void(Scenario&)> expect;
};

void press(QWidget* widget, Qt::Key key)
{
    QTest::keyClick(widget, key);
}

const Edit kEdits[] = {
    {"context typed", [](const Stage& s) { s.type("context", "16K"); },
     [](Scenario& s) { s.workload.context = 16'384; }},
    {"context by key", [](const Stage& s) { press(s.slider("context-slider"), Qt::Key_PageUp); },
     [](Scenario& s) { s.workload.context = 8'192; }},
    {"batch typed", [](const Stage& s) { s.type("batch", "16"); }, [](Scenario& s) { s.workload.batch = 16; }},
    {"batch by key", [](const Stage& s) { press(s.slider("batch-slider"), Qt::Key_PageUp); },
     [](Scenario& s) { s.workload.batch = 8; }},
    {"an engine", [](const Stage& s) { s.choose("engine", QStringLiteral("llama.cpp")); },
     [](Scenario& s) { s.engine = core::EngineId::LlamaCpp; }},
    {"cache format", [](const Stage& s) { s.choose("k-format", QStringLiteral("Q8_0")); },
     [](Scenario& s) { s.kFormat = s.vFormat = core::KvFormat::Q8_0; }},
    {"waste", [](const Stage& s) { s.type("waste", "12.5"); }, [](Scenario& s) { s.waste = core::Percent{1'250}; }},
    {"weights format", [](const Stage& s) { s.choose("weights-format", QStringLiteral("AWQ 4-bit")); },
     [](Scenario& s) { s.weightFormat = core::WeightFormat::Awq4; }},
    {"weights to be typed", [](const Stage& s) { s.choose("weights-format", QStringLiteral("Typed size")); },
     [](Scenario& s) { s.weightBytes = core::Bytes(16'060'522'496); }},
    {"another model", [](const Stage& s) { s.choose("model", QStringLiteral("gpt-oss 20b")); },
     [](Scenario& s) {
         s.model = tests::model("gpt-oss-20b");
         s.weightFormat = core::WeightFormat::Mxfp4; // as published
     }},
    {"another GPU", [](const Stage& s) { s.choose("gpu", QStringLiteral("GeForce RTX 3090")); },
     [](Scenario& s) { s.hardware.gpu = tests::gpu("rtx-3090"); }},
    {"no GPU", [](const Stage& s) { s.choose("gpu", QStringLiteral("No GPU")); },
     [](Scenario& s) { s.hardware.gpu.reset(); }},
    {"number of GPUs", [](const Stage& s) { s.type("gpus", "2"); }, [](Scenario& s) { s.hardware.count = 2; }},
    {"memory by label", [](const Stage& s) { s.choose("memory-basis", QStringLiteral("Label")); },
     [](Scenario& s) { s.hardware.basis = MemoryBasis::Label; }},
    {"memory to be typed", [](const Stage& s) { s.choose("memory-basis", QStringLiteral("Typed size")); },
     [](Scenario& s) {
         s.hardware.basis = MemoryBasis::Typed;
         s.hardware.typed = core::mib(24'210); // what counted until now
     }},
    {"reserve", [](const Stage& s) { s.type("reserve", "10"); },
     [](Scenario& s) { s.reserve = core::Percent::whole(10); }},
    {"overhead", [](const Stage& s) { s.type("overhead", "512MiB"); },
     [](Scenario& s) { s.overhead = core::mib(512); }},
};

} // namespace

class TestControlPanel : public QObject {
    Q_OBJECT

private slots:
    void showEchoesNothing()
    {
        Stage stage;
        QObject::disconnect(&stage.panel, nullptr, &stage.session, nullptr);
        std::vector<Scenario> scenarios;
        for (const core::Model& model : tests::models())
            scenarios.push_back(tests::on(tests::with(tests::scenarioOf(model), 3'000, 7), "apple-m2-ultra:128"));
        // Beyond the sliders, then a model whose slider ends earlier; typed sizes; inputs out of range.
        scenarios.push_back(tests::with(tests::scenarioOf("llama-4-scout"), 10'485'760, 2'000));
        scenarios.push_back(tests::with(tests::scenarioOf("llama-3.1-8b"), 10'485'760, 2'000));
        scenarios.push_back(tests::onTyped(tests::with(tests::scenarioOf("gpt2"), 0, 0), core::gib(20), 0));
        scenarios.push_back(tests::on(tests::scenarioOf("gpt2"), "rtx-3090", 8));
        scenarios.back().weightBytes = core::gib(3);
        for (const Scenario& scenario : scenarios)
            stage.panel.show(core::assess(scenario));
        QCOMPARE(stage.edited.count(), 0);
    }

    void edits_data()
    {
        QTest::addColumn<int>("edit");
        for (std::size_t i = 0; i < std::size(kEdits); ++i)
            QTest::newRow(kEdits[i].name) << static_cast<int>(i);
    }
    void edits()
    {
        QFETCH(const int, edit);
        const Stage stage;
        Scenario expected = stage.scenario();
        kEdits[edit].expect(expected);
        kEdits[edit].act(stage);
        QCOMPARE(stage.edited.count(), 1);
        QVERIFY(stage.edited.front().front().value<Scenario>() == expected);
        QVERIFY(stage.scenario() == expected);
        QVERIFY(stage.session.current().issues.empty());
    }

    void typedCounts_data()
    {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<qint64>("tokens");
        QTest::addColumn<QString>("shown");
        QTest::newRow("8K") << "8K" << qint64{8'192} << "8,192";
        QTest::newRow("8k") << "8k" << qint64{8'192} << "8,192";
        QTest::newRow("8192") << "8192" << qint64{8'192} << "8,192";
        QTest::newRow("8,192") << "8,192" << qint64{8'192} << "8,192";
        QTest::newRow("8000 is not snapped") << "8000" << qint64{8'000} << "8,000";
        QTest::newRow("with blanks") << " 8192 " << qint64{8'192} << "8,192";
        QTest::newRow("1M") << "1M" << qint64{1'048'576} << "1,048,576";
        QTest::newRow("below the slider") << "1" << qint64{1} << "1";
    }
    void typedCounts()
    {
        QFETCH(const QString, typed);
        QFETCH(const qint64, tokens);
        QFETCH(const QString, shown);
        const Stage stage;
        stage.type("context", typed.toUtf8().constData());
        QCOMPARE(stage.edited.count(), 1);
        QCOMPARE(stage.scenario().workload.context, tokens);
        QCOMPARE(stage.box("context")->text(), shown);
        QCOMPARE(stage.slider("context-slider")->value(), static_cast<int>(std::max(tokens, qint64{256})));
    }

    void sameNumberIsNoEdit()
    {
        const Stage stage;
        stage.type("context", "4K");
        QCOMPARE(stage.edited.count(), 0);
        QCOMPARE(stage.box("context")->text(), QStringLiteral("4,096"));
        press(stage.box("context"), Qt::Key_Return); // nothing typed
        QCOMPARE(stage.edited.count(), 0);
    }

    void boxFollowsSlider()
    {
        const Stage stage;
        press(stage.slider("context-slider"), Qt::Key_Right); // an eighth of 4,096
        QCOMPARE(stage.box("context")->text(), QStringLiteral("4,608"));
        QCOMPARE(stage.scenario().workload.context, 4'608);
        press(stage.slider("batch-slider"), Qt::Key_Right);
        QCOMPARE(stage.box("batch")->text(), QStringLiteral("5"));
        QCOMPARE(stage.edited.count(), 2);
    }

    void typedBeyondTheSliderIsKept()
    {
        const Stage stage;
        stage.type("context", "2,000,000");
        stage.type("batch", "5000");
        QCOMPARE(stage.scenario().workload.context, 2'000'000);
        QCOMPARE(stage.scenario().workload.batch, 5'000);
        QCOMPARE(stage.slider("context-slider")->value(), 1'048'576);
        QCOMPARE(stage.slider("batch-slider")->value(), 1'024);
        QCOMPARE(stage.box("context")->text(), QStringLiteral("2,000,000"));
        stage.choose("model", QStringLiteral("Phi-4")); // also by another model
        QCOMPARE(stage.scenario().workload.context, 2'000'000);
        QCOMPARE(stage.edited.count(), 3);
    }

    void longContextSurvivesAShorterModel()
    {
        const Stage stage(tests::with(tests::scenarioOf("llama-4-scout"), 10'000'000, 1));
        QCOMPARE(stage.slider("context-slider")->maximum(), 10'485'760);
        stage.choose("model", QStringLiteral("Phi-4")); // whose slider ends at 1,048,576
        QCOMPARE(stage.edited.count(), 1);
        QCOMPARE(stage.scenario().workload.context, 10'000'000);
    }

    void unreadable_data()
    {
        QTest::addColumn<QByteArray>("field");
        QTest::addColumn<QString>("typed");
        for (const char* field : {"context", "batch", "gpus"}) {
            for (const char* typed : {"abc", "-1", "1.5", "", "8 K tokens", "99999999999999999999"})
                QTest::addRow("%s: %s", field, typed) << QByteArray(field) << typed;
        }
        for (const char* typed : {"abc", "-1", "", "2.555", "1e3"}) {
            QTest::addRow("waste: %s", typed) << QByteArray("waste") << typed;
            QTest::addRow("reserve: %s", typed) << QByteArray("reserve") << typed;
        }
        for (const char* typed : {"abc", "-1GiB", "", "24 bits", "9EiB"})
            QTest::addRow("overhead: %s", typed) << QByteArray("overhead") << typed;
    }
    void unreadable()
    {
        QFETCH(const QByteArray, field);
        QFETCH(const QString, typed);
        const Stage stage;
        const QString before = stage.box(field.constData())->text();
        if (typed.isEmpty()) {
            stage.box(field.constData())->setFocus();
            stage.box(field.constData())->selectAll();
            press(stage.box(field.constData()), Qt::Key_Delete);
            press(stage.box(field.constData()), Qt::Key_Return);
        } else {
            stage.type(field.constData(), typed.toUtf8().constData());
        }
        QCOMPARE(stage.edited.count(), 0);
        QVERIFY2(stage.issue(field.constData()).contains(QLatin1Char('"') + typed + QLatin1Char('"')),
                 qPrintable(stage.issue(field.constData())));
        QCOMPARE(stage.box(field.constData())->text(), typed); // the text stays, to be mended
        tests::typeInto(stage.box(field.constData()), before);
        QCOMPARE(stage.issue(field.constData()), QString());
    }

    void outOfRange_data()
    {
        QTest::addColumn<QByteArray>("field");
        QTest::addColumn<QString>("typed");
        QTest::newRow("no token") << QByteArray("context") << "0";
        QTest::newRow("too many tokens") << QByteArray("context") << "17M";
        QTest::newRow("no request") << QByteArray("batch") << "0";
        QTest::newRow("no GPU") << QByteArray("gpus") << "0";
        QTest::newRow("all is waste") << QByteArray("waste") << "100";
        QTest::newRow("all is kept free") << QByteArray("reserve") << "100";
    }
    void outOfRange()
    {
        QFETCH(const QByteArray, field);
        QFETCH(const QString, typed);
        const Stage stage;
        stage.type(field.constData(), typed.toUtf8().constData());
        QCOMPARE(stage.edited.count(), 1); // a scenario with an issue at its field
        QCOMPARE(stage.session.current().issues.size(), std::size_t{1});
        QVERIFY(stage.issue(field.constData()).contains(QLatin1String("use ")));
    }

    void engineSettings()
    {
        const Stage stage;
        const auto clear = [&](const char* box) {
            stage.box(box)->setFocus();
            stage.box(box)->selectAll();
            press(stage.box(box), Qt::Key_Delete);
            press(stage.box(box), Qt::Key_Return);
        };
        QVERIFY(stage.panel.findChild<ValueBox*>(QStringLiteral("ubatch-size")) == nullptr);
        stage.choose("engine", QStringLiteral("llama.cpp"));
        Scenario expected = start();
        expected.engine = core::EngineId::LlamaCpp;
        QVERIFY(stage.scenario() == expected);
        QCOMPARE(stage.box("ubatch-size")->text(), QString());
        QCOMPARE(stage.box("ubatch-size")->placeholderText(), QStringLiteral("512")); // the default of the version
        QCOMPARE(stage.list("flash-attn")->currentText(), QStringLiteral("auto"));
        stage.type("engine-version", "2025-07");
        QCOMPARE(stage.list("flash-attn")->currentText(), QStringLiteral("off")); // auto came with August 2025
        stage.type("ubatch-size", "1,024");
        stage.choose("swa-full", QStringLiteral("on"));
        stage.choose("flash-attn", QStringLiteral("on"));
        stage.type("compute-buffer", "300MiB");
        expected.engineVersion = "2025-07";
        expected.settings.set("ubatch-size", "1024");
        expected.settings.set("swa-full", "on");
        expected.settings.set("flash-attn", "on");
        expected.settings.set("compute-buffer", "300MiB");
        QVERIFY(stage.scenario() == expected);
        QVERIFY(stage.session.current().issues.empty());
        stage.type("ubatch-size", "many");
        QVERIFY(stage.issue("ubatch-size").startsWith(QLatin1String("\"many\" is no number")));
        clear("ubatch-size");
        QCOMPARE(stage.issue("ubatch-size"), QString());
        QVERIFY(stage.scenario().settings.find("ubatch-size") == nullptr);
        stage.type("engine-version", "soon");
        QVERIFY(stage.issue("engine-version").contains(QLatin1String("soon")));
        clear("engine-version");
        QVERIFY(stage.session.current().issues.empty());
        stage.choose("engine", QStringLiteral("Share of waste")); // none of them is left
        QVERIFY(stage.scenario() == start());
    }

    void escapeBringsBackWhatWasShown()
    {
        const Stage stage;
        stage.box("context")->setFocus();
        stage.box("context")->selectAll();
        QTest::keyClicks(stage.box("context"), QStringLiteral("77"));
        press(stage.box("context"), Qt::Key_Escape);
        QCOMPARE(stage.box("context")->text(), QStringLiteral("4,096"));
        press(stage.box("context"), Qt::Key_Return);
        QCOMPARE(stage.edited.count(), 0);
    }

    void leavingTheBoxCommits()
    {
        const Stage stage;
        stage.box("batch")->setFocus();
        stage.box("batch")->selectAll();
        QTest::keyClicks(stage.box("batch"), QStringLiteral("9"));
        QCOMPARE(stage.edited.count(), 0);
        stage.box("waste")->setFocus();
        QCOMPARE(stage.edited.count(), 1);
        QCOMPARE(stage.scenario().workload.batch, 9);
    }

    void unifiedMachineSizes()
    {
        const Stage stage;
        QVERIFY(!stage.list("memory-size")->isVisible());
        stage.choose("gpu", QStringLiteral("Apple M2 Ultra"));
        QComboBox* sizes = stage.list("memory-size");
        QVERIFY(sizes->isVisible());
        QCOMPARE(sizes->count(), 3); // sold with 64, 128 and 192 GB
        QCOMPARE(sizes->currentText(), QStringLiteral("192 GiB machine, 161.28 GiB usable"));
        QCOMPARE(stage.scenario().hardware.gpu->memory.label, core::gib(192));
        sizes->setCurrentIndex(1);
        emit sizes->activated(1);
        QCOMPARE(stage.edited.count(), 2);
        QCOMPARE(stage.scenario().hardware.gpu->memory.label, core::gib(128));
        QCOMPARE(*stage.session.current().footprint.capacity, core::Bytes(115'448'730'000)); // default Metal limit
        stage.choose("gpu", QStringLiteral("GeForce RTX 4090"));
        QVERIFY(!sizes->isVisible());
    }

    void typedMemory()
    {
        const Stage stage;
        QVERIFY(!stage.box("vram")->isVisible());
        stage.choose("memory-basis", QStringLiteral("Typed size"));
        QVERIFY(stage.box("vram")->isVisible());
        stage.type("vram", "24GiB");
        QCOMPARE(*stage.session.current().footprint.capacity, core::gib(24));
        stage.type("vram", "24 GB");
        QCOMPARE(*stage.session.current().footprint.capacity, core::Bytes(24'000'000'000));
        stage.type("vram", "0");
        QVERIFY(!stage.issue("vram").isEmpty());
        stage.choose("gpu", QStringLiteral("GeForce RTX 3090")); // a chosen card counts again
        QCOMPARE(stage.scenario().hardware.basis, MemoryBasis::Usable);
        QVERIFY(!stage.box("vram")->isVisible());
    }

    void typedWeights()
    {
        const Stage stage;
        QVERIFY(!stage.box("weights-bytes")->isVisible());
        stage.choose("weights-format", QStringLiteral("Typed size"));
        QCOMPARE(stage.box("weights-bytes")->text(), QStringLiteral("14.96 GiB"));
        stage.type("weights-bytes", "18GiB");
        QCOMPARE(*stage.session.current().footprint.weights, core::gib(18));
        stage.choose("weights-format", QStringLiteral("BF16"));
        QCOMPARE(*stage.session.current().footprint.weights, core::Bytes(16'060'522'496));
        QVERIFY(!stage.box("weights-bytes")->isVisible());
    }

    void sharedPrefix()
    {
        const Stage stage;
        QVERIFY(!stage.box("shared-prefix")->isVisible()); // the ideal cache shares nothing
        stage.choose("engine", QStringLiteral("Paged blocks"));
        QVERIFY(stage.box("shared-prefix")->isVisible());
        stage.type("shared-prefix", "1K");
        QCOMPARE(stage.scenario().workload.sharedPrefix, 1'024);
        QCOMPARE(stage.box("shared-prefix")->text(), QStringLiteral("1,024"));
        QVERIFY(stage.session.current().footprint.kv.sharedPrefix > core::Bytes());
        stage.type("shared-prefix", "8K");
        QVERIFY(stage.issue("shared-prefix").contains(QLatin1String("is longer than the context")));
    }

    void pickerTakesATypedName()
    {
        const Stage stage;
        auto* typed = stage.list("gpu")->lineEdit();
        tests::typeInto(typed, QStringLiteral("geforce rtx 3090"));
        QCOMPARE(stage.edited.count(), 1);
        QCOMPARE(stage.scenario().hardware.gpu->id, std::string("rtx-3090"));
        tests::typeInto(typed, QStringLiteral("no such card"));
        QCOMPARE(stage.edited.count(), 1);
        QCOMPARE(stage.list("gpu")->currentText(), QStringLiteral("GeForce RTX 3090"));
        tests::typeInto(typed, QStringLiteral("rtx 409")); // a part of a name is the first entry with it
        QCOMPARE(stage.edited.count(), 2);
        QCOMPARE(stage.scenario().hardware.gpu->id, std::string("rtx-4090-d"));
        QCOMPARE(stage.list("gpu")->currentText(), QStringLiteral("GeForce RTX 4090 D"));
    }

    void modelThatIsNoEntry()
    {
        Stage stage;
        Scenario scenario = stage.scenario();
        scenario.model.id.clear();
        scenario.model.name = "My own";
        stage.session.edit(scenario);
        QCOMPARE(stage.list("model")->currentText(), QStringLiteral("My own"));
        QCOMPARE(stage.edited.count(), 0);
    }

    void wheelNeedsFocus()
    {
        const Stage stage;
        stage.box("batch")->setFocus();
        for (const char* name : {"k-format", "gpu", "model", "context-slider", "batch-slider"}) {
            auto* widget = tests::child<QWidget>(stage.panel, name);
            const QPointF place = widget->rect().center();
            QWheelEvent event(place, widget->mapToGlobal(place), {}, QPoint(0, -120), Qt::NoButton, Qt::NoModifier,
                              Qt::NoScrollPhase, false);
            QApplication::sendEvent(widget, &event);
            QVERIFY2(!event.isAccepted(), name);
        }
        QCOMPARE(stage.edited.count(), 0);
    }

    void germanNumbers()
    {
        QLocale::setDefault(QLocale(QLocale::German, QLocale::Germany));
        const Stage stage;
        QCOMPARE(stage.box("context")->text(), QStringLiteral("4.096"));
        stage.type("context", "8.192");
        QCOMPARE(stage.scenario().workload.context, 8'192);
        stage.type("waste", "2,5");
        QCOMPARE(stage.scenario().waste, core::Percent{250});
        QCOMPARE(stage.box("waste")->text(), QStringLiteral("2,5"));
        stage.type("overhead", "1,5 GiB");
        QCOMPARE(stage.scenario().overhead, core::mib(1'536));
        QCOMPARE(stage.slider("context-slider")->valueText(), QStringLiteral("8.192 tokens"));
        QLocale::setDefault(QLocale::system());
    }

    void everyInputHasANameAndASize()
    {
        const Stage stage(tests::onTyped(tests::on(start(), "apple-m2-ultra:128"), core::gib(100)));
        int inputs = 0;
        for (QWidget* widget : stage.panel.findChildren<QWidget*>()) {
            const bool isPart = widget->focusProxy() != nullptr || qobject_cast<QLabel*>(widget) != nullptr;
            if (isPart || (widget->focusPolicy() & Qt::TabFocus) == 0 || !widget->isVisible())
                continue;
            ++inputs;
            QAccessibleInterface* interface = QAccessible::queryAccessibleInterface(widget);
            QVERIFY(interface != nullptr);
            QVERIFY2(!interface->text(QAccessible::Name).isEmpty(), qPrintable(widget->objectName()));
            QVERIFY2(widget->height() >= 24 && widget->width() >= 24, qPrintable(widget->objectName()));
        }
        QCOMPARE(inputs, 19);
    }

    void tabReachesEveryInput()
    {
        const Stage stage;
        QStringList reached;
        stage.list("model")->setFocus();
        for (int step = 0; step < 40; ++step) {
            const QString name = QApplication::focusWidget()->objectName();
            if (!reached.contains(name))
                reached << name;
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
        }
        for (const char* name : {"model", "weights-format", "context", "context-slider", "batch", "batch-slider",
                                 "k-format", "waste", "gpu", "gpus", "memory-basis", "reserve", "overhead"})
            QVERIFY2(reached.contains(QLatin1String(name)), name);
    }
};

ROOM_TEST(TestControlPanel, QApplication)
#include "test_control_panel.moc"
